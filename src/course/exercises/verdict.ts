/** The verdict on an answer, as data and as a table. */
import { boolean, checkArgument, finite, listOf, objectWith, type Shape, string } from "../../core/base/shape.js";
import { wrap } from "../../core/show/output/plain-text.js";
import { type Table, table } from "../../core/show/table.js";
import { type Finding, number, type Reached } from "./finding.js";
import { type CheckSpec, checkName, type ExerciseSpec, pointsOf } from "./spec.js";

export interface CheckResult {
  /** Its kind, with the GPU where it is of one, as "bandwidth v100". */
  readonly check: string;
  /** With all of its points. */
  readonly passed: boolean;
  /** Not looked at, as it waits for another check. */
  readonly waits?: true;
  readonly points: number;
  readonly outOf: number;
  /** The finding, for the learner. */
  readonly sentence: string;
  /** There for a check whose points come in steps. */
  readonly reached?: Reached;
  /** TypeScript to paste where more can be seen. */
  readonly look?: string;
}

export interface Verdict {
  readonly exercise: string;
  readonly title: string;
  /** Sizes, blocks, data and schedules were drawn from it; given again, it gives the same verdict. */
  readonly seed: number;
  /** Ids of the GPUs that it ran on. */
  readonly devices: readonly string[];
  readonly passed: boolean;
  /** From the starter up: what the checks give beyond its points, on a scale that ends at `outOf`. */
  readonly points: number;
  readonly outOf: number;
  /** Points that the checks give to the untouched starter. */
  readonly starter: number;
  readonly checks: readonly CheckResult[];
}

function checked(
  check: CheckSpec,
  { passed, waits, share = 0, points, sentence, reached, look }: Finding,
): CheckResult {
  // Half points, rounded down.
  const part = points ?? Math.floor(check.points * share * 2) / 2;
  return {
    check: checkName(check),
    passed,
    ...(waits === undefined ? {} : { waits }),
    points: passed ? check.points : part,
    outOf: check.points,
    sentence,
    ...(reached === undefined ? {} : { reached }),
    ...(look === undefined ? {} : { look }),
  };
}

export function verdictOf(
  spec: ExerciseSpec,
  { seed, devices }: Pick<Verdict, "seed" | "devices">,
  finding: (check: CheckSpec) => Finding,
): Verdict {
  const checks = spec.checks.map((check) => checked(check, finding(check)));
  const sum = (of: (each: CheckResult) => number): number => checks.reduce((total, each) => total + of(each), 0);
  return {
    exercise: spec.id,
    title: spec.title,
    seed,
    devices,
    passed: checks.every((each) => each.passed),
    points: fromStarterUp(
      sum((each) => each.points),
      spec,
    ),
    outOf: pointsOf(spec),
    starter: spec.starterPoints,
    checks,
  };
}

/** Half points, rounded down; none for what the starter has, too. */
function fromStarterUp(given: number, spec: ExerciseSpec): number {
  const { starterPoints } = spec;
  const all = pointsOf(spec);
  return Math.max(0, Math.floor((2 * all * (given - starterPoints)) / (all - starterPoints)) / 2);
}

/** How the checks' points become those of the verdict; null where they are the same. */
export function countingSentence({ checks, points, outOf, starter }: Verdict): string | null {
  const given = checks.reduce((sum, each) => sum + each.points, 0);
  if (starter === 0 || given === outOf) return null;
  const has = `The checks give ${number(given)}, and the untouched starter gets ${number(starter)} from them`;
  if (given <= starter) return `${has}: only what goes beyond that counts.`;
  return `${has}. Beyond the starter's that is ${number(given - starter)} of ${number(outOf - starter)}, which makes ${number(points)} of ${number(outOf)}.`;
}

/** The word of a report for a check that waits for another one. */
export const NOT_REACHED = "not reached";

const SENTENCE_WIDTH = 72;

const verdictShape: Shape = objectWith(
  {
    exercise: string,
    title: string,
    seed: finite,
    points: finite,
    outOf: finite,
    starter: finite,
    checks: listOf(objectWith({ check: string, passed: boolean, points: finite, outOf: finite, sentence: string })),
  },
  "what checkExercise(...) returns",
);

/** A verdict for display. */
export function verdictTable(verdict: Verdict): Table {
  checkArgument("verdictTable", "verdict", verdict, verdictShape);
  const counting = countingSentence(verdict);
  const look = verdict.checks.find((each) => each.look !== undefined)?.look;
  const again = `Sizes, data and schedules are drawn anew each time; { seed: ${verdict.seed} } as checkExercise's third argument repeats these.`;
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
      passed: each.waits === true ? NOT_REACHED : each.passed,
      of: `${number(each.points)} of ${number(each.outOf)}`,
      // Pages keep a cell on one line.
      sentence: wrap(each.sentence, SENTENCE_WIDTH).join("\n"),
    })),
    note: [counting, again, look === undefined ? null : `To look: ${look}`].filter((part) => part !== null).join(" "),
  });
}
