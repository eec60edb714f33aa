/** Checks a learner's kernel against an exercise: points and a sentence a check, naming the learner's line. */
import { InputError, WarplabError } from "../base/errors.js";
import { Kernel } from "../frontend/index.js";
import { Gpu } from "../host/gpu.js";
import type { LaunchResult } from "../host/launch-result.js";
import { wrap } from "../show/plain-text.js";
import { type Table, table } from "../show/table.js";
import { type CheckSpec, type ExerciseSpec, exercise } from "./exercise.js";
import { type ExerciseLaunch, launchExercise } from "./exercise-launch.js";
import { countsByLine, type LineCounts } from "./line-profile.js";
import { randomInts, runVersion, sumInt32 } from "./reduction-run.js";
import { reductionById } from "./reductions.js";

export interface CheckResult {
  readonly check: CheckSpec["kind"];
  readonly passed: boolean;
  readonly points: number;
  readonly outOf: number;
  /** What was found, for the learner. */
  readonly sentence: string;
}

export interface Verdict {
  readonly exercise: string;
  readonly title: string;
  readonly passed: boolean;
  readonly points: number;
  readonly outOf: number;
  readonly checks: readonly CheckResult[];
}

/** Passed or not, what was found, and the share of the points where that is neither all nor none. */
interface Finding {
  readonly passed: boolean;
  readonly sentence: string;
  readonly share?: number;
}

const number = (value: number): string => String(Number(value.toFixed(2)));

function lineText({ line, text, function: name }: LineCounts, kernel: string): string {
  return `line ${line}${name === kernel ? "" : ` of ${name}`} (${text})`;
}

/** The line of the launch with the highest value of a count; null where none has one. */
function worstLine(launch: LaunchResult, of: (line: LineCounts) => number | null): LineCounts | null {
  let worst: LineCounts | null = null;
  for (const line of countsByLine(launch)) {
    const value = of(line);
    if (value !== null && value > 0 && (worst === null || value > (of(worst) ?? 0))) worst = line;
  }
  return worst;
}

/** An error as a sentence: what, on which line, and the cure. */
function failure(problem: unknown): string {
  if (!(problem instanceof WarplabError)) throw problem;
  const { what, cure, source, span } = problem;
  const text = source === undefined || span === undefined ? "" : (source.text.split("\n")[span.line - 1] ?? "").trim();
  const where = span === undefined || text === "" ? "" : ` At line ${span.line}: ${text}`;
  return `${what.replace(/\s*\n\s*/g, "; ")}.${where} Cure: ${cure}`;
}

/** Runs every size with every block; the first wrong one is told. */
function checkResult(gpu: Gpu, spec: ExerciseSpec, kernel: Kernel): Finding {
  let right = 0;
  let first = "";
  const cases = spec.sizes.flatMap((n) => spec.blocks.map((block) => ({ n, block })));
  for (const { n, block } of cases) {
    const data = randomInts(n, n + block);
    const where = `With n = ${n} and blocks of ${block} threads`;
    try {
      const { result } = launchExercise(gpu, spec, kernel, data, block);
      const expected = sumInt32(data);
      if (result === expected) right += 1;
      else if (first === "") first = `${where} the kernel gives ${result}, a plain sum gives ${expected}.`;
    } catch (problem) {
      const text = failure(problem);
      if (first === "") first = `${where}: ${text}`;
    }
  }
  if (right === cases.length) {
    return { passed: true, sentence: `The sum is right in all ${cases.length} cases (sizes and blocks).` };
  }
  return {
    passed: false,
    share: right / cases.length,
    sentence: `${first} (${right} of ${cases.length} cases right.)`,
  };
}

function checkConflicts(launch: LaunchResult, most: number): Finding {
  const worst = worstLine(launch, (line) => line.conflictDegree);
  const degree = worst?.conflictDegree ?? 0;
  if (worst === null) return { passed: false, sentence: "The kernel does not use shared memory." };
  if (degree <= most) return { passed: true, sentence: `No line has a conflict degree above ${number(degree)}.` };
  return {
    passed: false,
    sentence: `${lineText(worst, launch.kernel)} has a conflict degree of ${number(degree)}; ${most} is asked for: the lanes of a warp meet in the same banks there.`,
  };
}

function checkBarriers(launch: LaunchResult, most: number): Finding {
  const perWarp = launch.counters.barriers / launch.counters.warps;
  if (perWarp <= most) return { passed: true, sentence: `Each warp comes to ${number(perWarp)} barriers.` };
  const worst = worstLine(launch, (line) => line.barriers);
  const where = worst === null ? "" : `; most of them at ${lineText(worst, launch.kernel)}`;
  return { passed: false, sentence: `Each warp comes to ${number(perWarp)} barriers, ${most} are enough${where}.` };
}

function checkSharedRequests(launch: LaunchResult, most: number): Finding {
  const { sharedLoadRequests, sharedStoreRequests, blocks } = launch.counters;
  const perBlock = (sharedLoadRequests + sharedStoreRequests) / blocks;
  if (perBlock <= most)
    return { passed: true, sentence: `A block makes ${number(perBlock)} requests to shared memory.` };
  const worst = worstLine(launch, (line) => line.sharedRequests);
  const where = worst === null ? "" : `; most of them at ${lineText(worst, launch.kernel)}`;
  return {
    passed: false,
    sentence: `A block makes ${number(perBlock)} requests to shared memory, ${most} are enough${where}.`,
  };
}

function checkSectors(launch: LaunchResult, most: number): Finding {
  const worst = worstLine(launch, (line) => line.sectorsPerRequest);
  const sectors = launch.metrics.globalLoadSectorsPerRequest ?? 0;
  if (sectors <= most)
    return { passed: true, sentence: `A global load touches ${number(sectors)} sectors of 32 bytes.` };
  return {
    passed: false,
    sentence: `A global load touches ${number(sectors)} sectors; ${most} are enough for 32 neighbouring ints${worst === null ? "" : `: see ${lineText(worst, launch.kernel)}`}.`,
  };
}

function checkSpeedup(gpu: Gpu, spec: ExerciseSpec, launch: LaunchResult, over: string, least: number): Finding {
  const { n, block } = spec.measured;
  const version = reductionById(over);
  const baseline = runVersion(gpu, version, randomInts(n), { block }).timeMs;
  const speedup = baseline / launch.timeMs;
  const times = `${launch.timeMs.toFixed(4)} ms against ${baseline.toFixed(4)} ms of ${version.title}`;
  if (speedup >= least) return { passed: true, sentence: `${times}: ${number(speedup)} times as fast.` };
  const worst = worstLine(launch, (line) => line.warpInstructions);
  const where =
    worst === null
      ? ""
      : ` Most instructions (${Math.round(worst.share * 100)} %) are of ${lineText(worst, launch.kernel)}.`;
  return {
    passed: false,
    sentence: `${times}: ${number(speedup)} times as fast, ${least} is asked for.${where}`,
  };
}

function metricFinding(gpu: Gpu, spec: ExerciseSpec, check: CheckSpec, launch: LaunchResult): Finding {
  switch (check.kind) {
    case "conflict-degree":
      return checkConflicts(launch, check.most);
    case "barriers":
      return checkBarriers(launch, check.most);
    case "shared-requests":
      return checkSharedRequests(launch, check.most);
    case "sectors-per-request":
      return checkSectors(launch, check.most);
    case "speed-up":
      return checkSpeedup(gpu, spec, launch, check.over, check.least);
    case "result":
      throw new Error("the result is checked before the metrics");
  }
}

function checkParameters(spec: ExerciseSpec, kernel: unknown): asserts kernel is Kernel {
  const wanted = spec.guarded ? ["input", "output", "n"] : ["input", "output"];
  if (!(kernel instanceof Kernel)) {
    throw new InputError({
      what: `Exercise ${spec.id} was given something that is no kernel.`,
      cure: `Make it with kernel("name", { params: { ${wanted.join(", ")} } }, ...).`,
    });
  }
  const given = Object.keys(kernel.spec.params);
  if ([...given].sort().join() === [...wanted].sort().join()) return;
  throw new InputError({
    what: `Exercise ${spec.id}: the kernel ${kernel.name} has the parameters ${given.join(", ") || "(none)"}.`,
    cure: `Declare ${wanted.join(", ")}: input and output as ptr(i32)${spec.guarded ? ", n as i32" : ""}.`,
  });
}

function checked(check: CheckSpec, finding: Finding): CheckResult {
  const share = finding.passed ? 1 : (finding.share ?? 0);
  return {
    check: check.kind,
    passed: finding.passed,
    points: Math.floor(check.points * share * 2) / 2,
    outOf: check.points,
    sentence: finding.sentence,
  };
}

/**
 * Checks a kernel. A wrong sum gets part of the result's points, and nothing for metrics and speed.
 * @throws InputError for an unknown exercise, or for something that is no kernel with the parameters asked for.
 */
export function checkExercise(id: string, kernel: Kernel): Verdict {
  const spec = exercise(id);
  checkParameters(spec, kernel);
  const gpu = new Gpu(spec.device);
  const result = checkResult(gpu, spec, kernel);
  let measured: ExerciseLaunch | null = null;
  const { n, block } = spec.measured;
  if (result.passed) measured = launchExercise(gpu, spec, kernel, randomInts(n), block);
  const launch = measured?.launch;
  const checks = spec.checks.map((check) => {
    if (check.kind === "result") return checked(check, result);
    if (launch === undefined) return checked(check, { passed: false, sentence: "Looked at once the sum is right." });
    return checked(check, metricFinding(gpu, spec, check, launch));
  });
  const sum = (of: (each: CheckResult) => number): number => checks.reduce((total, each) => total + of(each), 0);
  return {
    exercise: id,
    title: spec.title,
    passed: checks.every((each) => each.passed),
    points: sum((each) => each.points),
    outOf: sum((each) => each.outOf),
    checks,
  };
}

const SENTENCE_WIDTH = 72;

/** A verdict for display. */
export function verdictTable(verdict: Verdict): Table {
  return table({
    title: `${verdict.exercise}: ${verdict.title}: ${number(verdict.points)} of ${number(verdict.outOf)} points`,
    columns: [
      { key: "check", title: "Check" },
      { key: "passed", title: "Passed" },
      { key: "of", title: "Points", align: "right" },
      { key: "sentence", title: "What was found" },
    ],
    rows: verdict.checks.map((each) => ({
      ...each,
      of: `${number(each.points)} of ${number(each.outOf)}`,
      // Pages keep a cell on one line.
      sentence: wrap(each.sentence, SENTENCE_WIDTH).join("\n"),
    })),
  });
}
