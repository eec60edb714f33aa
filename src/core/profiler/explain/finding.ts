/** A finding of `explain`: a sentence, the numbers that it rests on, and the line that it is about. */
import type { LaunchResult } from "../../host/launch-result.js";
import { formatNumber } from "../../show/number-format.js";
import { groupByLine, placeOfLine, type SourceLine } from "../source-lines.js";

export type RuleName =
  | "too few blocks"
  | "uncoalesced access"
  | "bank conflicts"
  | "divergence"
  | "idle lanes"
  | "low occupancy"
  | "tail effect"
  | "short blocks"
  | "memory bound"
  | "L1 bound"
  | "shared memory bound"
  | "compute bound"
  | "latency bound"
  | "barrier stalls"
  | "atomics on one address";

/** A metric with its value, by the name that nvprof or Nsight Compute gives it where one does. */
export interface Evidence {
  readonly metric: string;
  readonly value: number;
  /** "%", "sectors"; empty for a plain number. */
  readonly unit: string;
  /** Counted exactly over all blocks, or predicted by the timing model. */
  readonly kind: "exact" | "predicted";
}

export interface Finding {
  readonly rule: RuleName;
  /** Says what bounds the kernel. */
  readonly sentence: string;
  /** Says what to try. */
  readonly advice: string;
  readonly evidence: readonly Evidence[];
  /** null where the whole launch is meant. */
  readonly line: SourceLine | null;
  /** The cause, as the words after "Without". */
  readonly without: string;
  /** The share of its time that the launch would take without the cause. The timing model has tried it. */
  readonly timeLeft: number;
}

/** A cause that a rule has evidence for, before the timing model has tried the launch without it. */
export interface Cause extends Omit<Finding, "timeLeft"> {
  /** Predicts the launch without the cause: the share of its time that is left. */
  readonly tryWithout: (launch: LaunchResult) => number;
}

export function exact(metric: string, value: number, unit = ""): Evidence {
  return { metric, value, unit, kind: "exact" };
}

export function predicted(metric: string, value: number, unit = ""): Evidence {
  return { metric, value, unit, kind: "predicted" };
}

/** The line with the most of a quantity, by instruction; null where no instruction has any. */
export function lineWithMost({ program }: LaunchResult, amountOf: (pc: number) => number): SourceLine | null {
  const lines = groupByLine(program.instructions.filter(({ pc }) => amountOf(pc) > 0));
  const [most] = lines
    .map((line) => ({ line, amount: line.instructions.reduce((sum, { pc }) => sum + amountOf(pc), 0) }))
    .sort((a, b) => b.amount - a.amount);
  return most === undefined ? null : placeOfLine(program, most.line);
}

/** Whole numbers and large ones to the unit, others with three digits. */
export function shortNumber(value: number): string {
  const whole = Number.isInteger(value) || Math.abs(value) >= 1000;
  return formatNumber(value, whole ? { decimals: 0, grouping: true } : { significant: 3 });
}

export function evidenceText({ metric, value, unit, kind }: Evidence): string {
  return `${metric} ${shortNumber(value)}${unit === "" ? "" : ` ${unit}`}${kind === "predicted" ? " (predicted)" : ""}`;
}

/** "Without bank conflicts this launch would take 0.61 of its duration (predicted)." */
export function timeLeftText({ without, timeLeft }: Finding): string {
  return `Without ${without} this launch would take ${timeLeft.toFixed(2)} of its duration (predicted).`;
}

export function lineText(line: SourceLine | null): string {
  return line === null ? "" : ` Line ${line.line}: ${line.text}`;
}
