/** A finding of `explain`: a sentence, the numbers that it rests on, and the line that it is about. */
import { writtenLine } from "../../base/written-line.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { formatNumber } from "../../show/number-format.js";

export type RuleName =
  | "too few blocks"
  | "uncoalesced access"
  | "bank conflicts"
  | "divergence"
  | "low occupancy"
  | "tail effect"
  | "short blocks"
  | "memory bound"
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

export interface SourceLine {
  /** The kernel, or the device function that the line belongs to. */
  readonly function: string;
  /** From 1, in that function's text. */
  readonly line: number;
  readonly text: string;
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
  /** About the share of the time that is at stake, 0 to 1; findings stand in its order. */
  readonly weight: number;
}

export function exact(metric: string, value: number, unit = ""): Evidence {
  return { metric, value, unit, kind: "exact" };
}

export function predicted(metric: string, value: number, unit = ""): Evidence {
  return { metric, value, unit, kind: "predicted" };
}

/** The line with the most of a quantity, by instruction; null where no instruction has any. */
export function lineWithMost({ program }: LaunchResult, amountOf: (pc: number) => number): SourceLine | null {
  const byLine = new Map<string, { amount: number; source: number; line: number }>();
  for (const { pc, source, span } of program.instructions) {
    const amount = amountOf(pc);
    if (!(amount > 0)) continue;
    const key = `${source}:${span.line}`;
    const sum = byLine.get(key) ?? { amount: 0, source, line: span.line };
    byLine.set(key, { ...sum, amount: sum.amount + amount });
  }
  const [most] = [...byLine.values()].sort((a, b) => b.amount - a.amount);
  if (most === undefined) return null;
  const text = program.sources[most.source];
  return {
    function: text?.name ?? "",
    line: most.line,
    text: (text === undefined ? "" : (writtenLine(text, most.line) ?? "")).trim(),
  };
}

/** Whole numbers and large ones to the unit, others with three digits. */
export function shortNumber(value: number): string {
  const whole = Number.isInteger(value) || Math.abs(value) >= 1000;
  return formatNumber(value, whole ? { decimals: 0, grouping: true } : { significant: 3 });
}

export function evidenceText({ metric, value, unit, kind }: Evidence): string {
  return `${metric} ${shortNumber(value)}${unit === "" ? "" : ` ${unit}`}${kind === "predicted" ? " (predicted)" : ""}`;
}

export function lineText(line: SourceLine | null): string {
  return line === null ? "" : ` Line ${line.line}: ${line.text}`;
}
