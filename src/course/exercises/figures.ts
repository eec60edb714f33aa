/** Counters, metrics and predicted time of a launch against an exercise's limits. */

import type { LimitingFactor } from "../../core/device/index.js";
import { accessBytes } from "../../core/engine/faults.js";
import { idleShareOfSms, workOfSms } from "../../core/host/blocks-on-sms.js";
import type { Gpu } from "../../core/host/gpu.js";
import type { LaunchResult } from "../../core/host/launch-result.js";
import { countsByLine, type LineCounts } from "../../core/profiler/line-counts.js";
import { randomInts, runVersion } from "../reductions/reduction-run.js";
import { reductionById } from "../reductions/reductions.js";
import type { Finding } from "./finding.js";
import { number } from "./finding.js";
import { counted, countsLine, instructionLine, spanLine } from "./source-line.js";
import { type CheckSpec, limitFor } from "./spec.js";

export type CounterSpec = Extract<
  CheckSpec,
  {
    readonly kind:
      | "conflict-degree"
      | "barriers"
      | "instructions-per-warp"
      | "shared-requests"
      | "local-memory"
      | "sectors-per-request"
      | "empty-warp-places";
  }
>;

const INT_BYTES = 4;

/** The line of the launch with the highest value of a count; null where none has one. */
function worstLine(launch: LaunchResult, of: (line: LineCounts) => number | null): LineCounts | null {
  let worst: LineCounts | null = null;
  for (const line of countsByLine(launch)) {
    const value = of(line);
    if (value !== null && value > 0 && (worst === null || value > (of(worst) ?? 0))) worst = line;
  }
  return worst;
}

/** The line with the most of a count, as the end of a sentence; nothing where no line has any. */
export function whereMost(launch: LaunchResult, of: (line: LineCounts) => number | null): string {
  const worst = worstLine(launch, of);
  return worst === null ? "" : `; most of them at ${countsLine(worst, launch.program)}`;
}

function conflicts(launch: LaunchResult, most: number): Finding {
  const worst = worstLine(launch, (line) => line.conflictDegree);
  const degree = worst?.conflictDegree ?? 0;
  if (worst === null) return { passed: false, sentence: "The kernel does not use shared memory." };
  if (degree <= most) return { passed: true, sentence: `No line has a conflict degree above ${number(degree)}.` };
  return {
    passed: false,
    sentence: `${countsLine(worst, launch.program)} has a conflict degree of ${number(degree)}; ${most} is asked for: the lanes of a warp meet in the same banks there.`,
  };
}

function barriers(launch: LaunchResult, most: number): Finding {
  const perWarp = launch.counters.barriers / launch.counters.warps;
  if (perWarp <= most) return { passed: true, sentence: `Each warp comes to ${number(perWarp)} barriers.` };
  const where = whereMost(launch, (line) => line.barriers);
  return { passed: false, sentence: `Each warp comes to ${number(perWarp)} barriers, ${most} are enough${where}.` };
}

function instructions(launch: LaunchResult, most: number): Finding {
  const found = `A warp executes ${number(launch.metrics.instructionsPerWarp)} instructions`;
  if (launch.metrics.instructionsPerWarp <= most) return { passed: true, sentence: `${found}.` };
  return {
    passed: false,
    sentence: `${found}, ${most} are enough${whereMost(launch, (line) => line.warpInstructions)}.`,
  };
}

function sharedRequests(launch: LaunchResult, most: number): Finding {
  const { sharedLoadRequests, sharedStoreRequests, sharedAtomicRequests, blocks } = launch.counters;
  const perBlock = (sharedLoadRequests + sharedStoreRequests + sharedAtomicRequests) / blocks;
  const found = `A block makes ${number(perBlock)} requests to shared memory`;
  if (perBlock <= most) return { passed: true, sentence: `${found}.` };
  return {
    passed: false,
    sentence: `${found}, ${most} are enough${whereMost(launch, (line) => line.sharedRequests)}.`,
  };
}

/** Arrays of a thread whose index no compiler knows, and spilled registers. */
function localRequests({ program, kernel, counters, rawCounters: { requests } }: LaunchResult, most: number): Finding {
  const uses = program.instructions
    .filter(({ op, space }) => space === "local" && (op === "ld" || op === "st"))
    .map((instruction) => ({ instruction, made: requests[instruction.pc] ?? 0 }))
    .sort((a, b) => b.made - a.made);
  const perWarp = uses.reduce((sum, { made }) => sum + made, 0) / counters.warps;
  const found = `A warp makes ${number(perWarp)} requests to local memory`;
  const [worst] = uses;
  if (worst === undefined || perWarp <= most) return { passed: true, sentence: `${found}.` };
  return {
    passed: false,
    sentence: `${found}, ${most} are enough; most of them at ${instructionLine(program, worst.instruction, kernel)}.`,
  };
}

/** Loads of the input alone, for each int that a lane loads: a vector's are as many requests as it has ints. */
function sectors({ program, rawCounters: { requests, sectors: touched } }: LaunchResult, most: number): Finding {
  const input = program.params.findIndex(({ name }) => name === "input");
  const loads = program.instructions.flatMap((instruction) => {
    const { op, root, pc } = instruction;
    const ints = (accessBytes(instruction) / INT_BYTES) * (requests[pc] ?? 0);
    if (op !== "ld" || root?.kind !== "param" || root.index !== input || ints === 0) return [];
    return [{ instruction, ints, sectors: touched[pc] ?? 0 }];
  });
  const sum = (of: "ints" | "sectors"): number => loads.reduce((all, each) => all + each[of], 0);
  const found = sum("ints") === 0 ? 0 : sum("sectors") / sum("ints");
  const what = `A warp's load of input touches ${number(found)} sectors of 32 bytes for each int a lane`;
  if (found <= most) return { passed: true, sentence: `${what}.` };
  const [worst] = loads.sort((a, b) => b.sectors / b.ints - a.sectors / a.ints);
  const where = worst === undefined ? "" : `: see ${instructionLine(program, worst.instruction)}`;
  return { passed: false, sentence: `${what}; 32 neighbouring ints have 4, ${most} are enough${where}.` };
}

/** Resources by their names in a sentence. */
const TAKEN: Readonly<Record<LimitingFactor, string>> = {
  warps: "its threads",
  registers: "its registers",
  shared: "its shared memory",
  blocks: "the number of blocks",
  barriers: "its barriers",
};

/** The line that declares most of a block's shared memory, as the end of a sentence; nothing without such an array. */
function largestArray({ program }: LaunchResult): string {
  const [largest] = [...program.shared].sort((one, other) => (other.sizeBytes ?? 0) - (one.sizeBytes ?? 0));
  return largest === undefined ? "" : `; most of the memory at ${spanLine(program, largest.array.span)}`;
}

function emptyPlaces(launch: LaunchResult, most: number): Finding {
  const { device, occupancy, block, registersPerThread } = launch;
  const { activeWarpsPerSm, activeBlocksPerSm, limitingFactors } = occupancy;
  const room = device.limits.maxWarpsPerSm;
  const found = `An SM of ${device.name} holds ${counted(activeBlocksPerSm, "block")}, ${activeWarpsPerSm} of ${room} warps`;
  if (room - activeWarpsPerSm <= most) return { passed: true, sentence: `${found}.` };
  const bytes = launch.staticSharedBytes + launch.dynamicSharedBytes;
  const takes = `a block of ${block[0]} threads takes ${bytes} bytes of shared memory and ${registersPerThread} registers a thread`;
  const why = limitingFactors.map((factor) => TAKEN[factor]).join(" and ");
  const where = limitingFactors.includes("shared") ? largestArray(launch) : "";
  return { passed: false, sentence: `${found}, limited by ${why}: ${takes}${where}.` };
}

/** A counter's check on one launch. */
export function counterFinding(check: CounterSpec, launch: LaunchResult): Finding {
  const [block] = launch.block;
  const most = limitFor(check.most, block);
  switch (check.kind) {
    case "conflict-degree":
      return conflicts(launch, most);
    case "barriers":
      return barriers(launch, most);
    case "instructions-per-warp":
      return instructions(launch, most);
    case "shared-requests":
      return sharedRequests(launch, most);
    case "local-memory":
      return localRequests(launch, most);
    case "sectors-per-request":
      return sectors(launch, most);
    case "empty-warp-places":
      return emptyPlaces(launch, most);
  }
}

const baselines = new Map<string, number>();

/** Predicted time of a version of the course, which is the same each time. */
function baselineMs(gpu: Gpu, over: string, n: number, block: number): number {
  const key = `${gpu.device.id} ${over} ${n} ${block}`;
  const known = baselines.get(key) ?? runVersion(gpu, reductionById(over), randomInts(n), { block }).timeMs;
  baselines.set(key, known);
  return known;
}

/** The measured launch's time, over n elements, against that of a version of the course. */
export function speedupFinding(
  { over, least }: Extract<CheckSpec, { readonly kind: "speed-up" }>,
  gpu: Gpu,
  launch: LaunchResult,
  n: number,
): Finding {
  const baseline = baselineMs(gpu, over, n, launch.block[0]);
  const speedup = baseline / launch.timeMs;
  const times = `${launch.timeMs.toFixed(4)} ms against ${baseline.toFixed(4)} ms of ${reductionById(over).title}`;
  if (speedup >= least) return { passed: true, sentence: `${times}: ${number(speedup)} times as fast.` };
  const worst = worstLine(launch, (line) => line.warpInstructions);
  const where =
    worst === null
      ? ""
      : ` Most instructions (${Math.round(worst.share * 100)} %) are of ${countsLine(worst, launch.program)}.`;
  return {
    passed: false,
    sentence: `${times}: ${number(speedup)} times as fast, ${least} is asked for.${where}`,
  };
}

type IdleSpec = Extract<CheckSpec, { readonly kind: "idle-sms" }>;

/** "64 blocks on 80 SMs, 16 of them with no block; ...": the SMs' blocks, and the work of the busiest one. */
function sharesText(launch: LaunchResult): string {
  const shares = workOfSms(launch);
  const blocks = shares.map((share) => share.blocks);
  const none = blocks.filter((count) => count === 0).length;
  const [least, most] = [Math.min(...blocks), Math.max(...blocks)];
  const each = least === most ? `${counted(most, "block")} each` : `${least} to ${counted(most, "block")} each`;
  const who = none === 0 ? each : `${none} of them with no block`;
  const work = shares.map(({ warpInstructions }) => warpInstructions);
  const mean = work.reduce((sum, one) => sum + one, 0) / work.length;
  return `${launch.grid[0]} blocks on ${shares.length} SMs, ${who}; the busiest SM has ${number(Math.max(...work) / mean)} times the mean work`;
}

/** Where the work comes from. */
function mostText(launch: LaunchResult): string {
  const worst = worstLine(launch, (line) => line.warpInstructions);
  return worst === null ? "No line executes" : `Most instructions are of ${countsLine(worst, launch.program)}`;
}

/** The GPU on which the SMs idle most decides. */
export function idleFinding(check: IdleSpec, launches: readonly LaunchResult[]): Finding {
  const found = launches.map((launch) => ({ launch, idle: 100 * idleShareOfSms(launch) }));
  const worst = found.reduce((most, each) => (each.idle > most.idle ? each : most));
  const limit = limitFor(check.most, worst.launch.block[0]);
  if (worst.idle <= limit) {
    const all = found.map(({ launch, idle }) => `${number(idle)} % of their time on ${launch.device.name}`);
    return { passed: true, sentence: `The SMs idle ${all.join(", ")}.` };
  }
  return {
    passed: false,
    sentence: `On ${worst.launch.device.name} the SMs idle ${number(worst.idle)} % of their time, ${limit} % is enough: ${sharesText(worst.launch)}. ${mostText(worst.launch)}.`,
  };
}
