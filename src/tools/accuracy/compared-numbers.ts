/** The quantities that a launch is compared in, simulated and measured, and their differences. */
import { STALL_REASONS, type StallReason } from "../../core/timing/index.js";

/** The numbers of one launch. null: the source does not say. */
export interface LaunchNumbers {
  /** As two CUDA events around the launch, or the host's clock where the table says so. */
  readonly timeMs: number | null;
  /** The kernel alone: gpu__time_duration. */
  readonly durationMicroseconds: number | null;
  /** Cycles in which an SM held a warp, mean over the SMs: sm__cycles_active.avg. */
  readonly cyclesActive: number | null;
  readonly warpInstructions: number | null;
  readonly instructionsPerWarp: number | null;
  readonly achievedOccupancyPercent: number | null;
  readonly registersPerThread: number | null;
  readonly branchEfficiencyPercent: number | null;
  readonly globalLoadEfficiencyPercent: number | null;
  readonly globalStoreEfficiencyPercent: number | null;
  readonly globalLoadSectors: number | null;
  readonly globalStoreSectors: number | null;
  readonly sharedWavefronts: number | null;
  readonly l1HitRatePercent: number | null;
  readonly l2HitRatePercent: number | null;
  readonly dramBytesRead: number | null;
  readonly dramBytesWritten: number | null;
  readonly dominantStall: StallReason | null;
  /** Warps in each state per cycle in which a scheduler issued; null where no stall was measured. */
  readonly stalls: Readonly<Partial<Record<StallReason, number>>> | null;
}

export const NO_NUMBERS: LaunchNumbers = Object.freeze({
  timeMs: null,
  durationMicroseconds: null,
  cyclesActive: null,
  warpInstructions: null,
  instructionsPerWarp: null,
  achievedOccupancyPercent: null,
  registersPerThread: null,
  branchEfficiencyPercent: null,
  globalLoadEfficiencyPercent: null,
  globalStoreEfficiencyPercent: null,
  globalLoadSectors: null,
  globalStoreSectors: null,
  sharedWavefronts: null,
  l1HitRatePercent: null,
  l2HitRatePercent: null,
  dramBytesRead: null,
  dramBytesWritten: null,
  dominantStall: null,
  stalls: null,
});

/** Errors of these are percent of the measured number. */
export type RelativeQuantity =
  | "timeMs"
  | "durationMicroseconds"
  | "cyclesActive"
  | "warpInstructions"
  | "instructionsPerWarp"
  | "globalLoadSectors"
  | "globalStoreSectors"
  | "sharedWavefronts"
  | "dramBytesRead"
  | "dramBytesWritten";

/** Errors of these, percentages themselves, are points. */
export type ShareQuantity =
  | "achievedOccupancyPercent"
  | "branchEfficiencyPercent"
  | "globalLoadEfficiencyPercent"
  | "globalStoreEfficiencyPercent"
  | "l1HitRatePercent"
  | "l2HitRatePercent";

export const RELATIVE_QUANTITIES: readonly RelativeQuantity[] = Object.freeze([
  "timeMs",
  "durationMicroseconds",
  "cyclesActive",
  "warpInstructions",
  "instructionsPerWarp",
  "globalLoadSectors",
  "globalStoreSectors",
  "sharedWavefronts",
  "dramBytesRead",
  "dramBytesWritten",
]);

export const SHARE_QUANTITIES: readonly ShareQuantity[] = Object.freeze([
  "achievedOccupancyPercent",
  "branchEfficiencyPercent",
  "globalLoadEfficiencyPercent",
  "globalStoreEfficiencyPercent",
  "l1HitRatePercent",
  "l2HitRatePercent",
]);

/** Signed errors of the quantities that were measured, simulated less measured: percent, or points of a percentage. */
export type NumberErrors = Readonly<Partial<Record<RelativeQuantity | ShareQuantity, number>>>;

export function numberErrors(simulated: LaunchNumbers, measured: LaunchNumbers): NumberErrors {
  const errors: Partial<Record<RelativeQuantity | ShareQuantity, number>> = {};
  for (const key of RELATIVE_QUANTITIES) {
    const [is, should] = [simulated[key], measured[key]];
    if (is !== null && should !== null && should !== 0) errors[key] = (100 * (is - should)) / should;
  }
  for (const key of SHARE_QUANTITIES) {
    const [is, should] = [simulated[key], measured[key]];
    if (is !== null && should !== null) errors[key] = is - should;
  }
  return errors;
}

/** The reason that most warps waited for; `selected` is none. null for no stall at all. */
export function dominantOf(stalls: Readonly<Partial<Record<StallReason, number>>>): StallReason | null {
  let worst: StallReason | null = null;
  for (const reason of STALL_REASONS) {
    if (reason === "selected") continue;
    const ratio = stalls[reason] ?? 0;
    if (ratio > 0 && (worst === null || ratio > (stalls[worst] ?? 0))) worst = reason;
  }
  return worst;
}

export function meanAbsolute(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length;
}

/**
 * Kendall's rank correlation, tau-b (Biometrika 33, 1945). It is 1 where both put the launches in the same order, and
 * -1 in the opposite one. It is null for fewer than two launches, or where one side has only one value.
 */
export function kendallTau(pairs: readonly (readonly [a: number, b: number])[]): number | null {
  let [agreeing, tiedA, tiedB, all] = [0, 0, 0, 0];
  for (const [i, left] of pairs.entries()) {
    for (const right of pairs.slice(i + 1)) {
      const signA = Math.sign(left[0] - right[0]);
      const signB = Math.sign(left[1] - right[1]);
      all++;
      agreeing += signA * signB;
      if (signA === 0) tiedA++;
      if (signB === 0) tiedB++;
    }
  }
  const scale = Math.sqrt((all - tiedA) * (all - tiedB));
  return scale === 0 ? null : agreeing / scale;
}

/** A launch's simulated time, and the measured times of its runs. */
export interface TimedRuns {
  readonly simulatedMs: number;
  readonly runsMs: readonly number[];
}

/** How many pairs of launches have an order that their runs agree on, and Kendall's tau over those; null where none has. */
export interface DecidedOrder {
  readonly pairs: number;
  readonly of: number;
  readonly tau: number | null;
}

/** Kendall's tau over the pairs of launches that every run puts in the same order: others have no order to be right about. */
export function decidedOrder(launches: readonly TimedRuns[]): DecidedOrder {
  let [agreeing, pairs, of] = [0, 0, 0];
  for (const [i, left] of launches.entries()) {
    for (const right of launches.slice(i + 1)) {
      of++;
      const before = Math.max(...left.runsMs) < Math.min(...right.runsMs);
      if (!before && Math.max(...right.runsMs) >= Math.min(...left.runsMs)) continue;
      pairs++;
      agreeing += Math.sign(right.simulatedMs - left.simulatedMs) * (before ? 1 : -1);
    }
  }
  return { pairs, of, tau: pairs === 0 ? null : agreeing / pairs };
}
