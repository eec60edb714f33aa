/**
 * The reasons why a warp did not issue in a cycle, with the names of Nsight Compute (Kernel Profiling Guide, "Warp
 * Stall Reasons").
 */

export const STALL_REASONS = [
  "selected",
  "not_selected",
  "wait",
  "long_scoreboard",
  "short_scoreboard",
  "barrier",
  "math_pipe_throttle",
  "mio_throttle",
  "lg_throttle",
  "branch_resolving",
  "dispatch_stall",
  "no_instruction",
  "drain",
  "membar",
  "sleeping",
] as const;

export type StallReason = (typeof STALL_REASONS)[number];

/** Warps in each state per cycle in which a scheduler issued: smsp__average_warps_issue_stalled_*_per_issue_active. */
export type StallRatios = Readonly<Record<StallReason, number>>;

/** Indices into STALL_REASONS. */
export const SELECTED = 0;
export const NOT_SELECTED = 1;
export const WAIT = 2;
export const LONG_SCOREBOARD = 3;
export const SHORT_SCOREBOARD = 4;
export const BARRIER = 5;
export const MATH_PIPE = 6;
export const MIO_THROTTLE = 7;
export const LG_THROTTLE = 8;
export const BRANCH = 9;
export const DISPATCH = 10;
export const NO_INSTRUCTION = 11;
export const DRAIN = 12;
export const MEMBAR = 13;

export function stallRatios(warpCycles: Float64Array, issues: number): StallRatios {
  const ratio = (index: number): number => (issues === 0 ? 0 : warpCycles[index]! / issues);
  return Object.fromEntries(STALL_REASONS.map((name, index) => [name, ratio(index)])) as Record<StallReason, number>;
}

/** The reason for which most warps wait, without `selected`. */
export function dominantStall(ratios: StallRatios): StallReason {
  let worst: StallReason = "not_selected";
  for (const reason of STALL_REASONS) if (reason !== "selected" && ratios[reason] > ratios[worst]) worst = reason;
  return worst;
}
