/**
 * Metrics: ratios derived from counters, with nvprof's names beside (CUDA Profiler User's Guide, metrics reference).
 * A ratio whose denominator is zero is null: the kernel did nothing of the kind.
 */
import type { Counters } from "./counters.js";

export interface Metrics {
  /** branch_efficiency: share of branches in which the warp's lanes all went one way, percent. */
  readonly branchEfficiencyPercent: number | null;
  /** warp_execution_efficiency: active lanes an instruction over 32, percent. */
  readonly warpExecutionEfficiencyPercent: number | null;
  /** warp_nonpred_execution_efficiency. */
  readonly warpNonPredicatedExecutionEfficiencyPercent: number | null;
  /** inst_per_warp. */
  readonly instructionsPerWarp: number;
  /** gld_transactions_per_request, in 32-byte sectors; gst likewise. */
  readonly globalLoadSectorsPerRequest: number | null;
  readonly globalStoreSectorsPerRequest: number | null;
  /** gld_efficiency, gst_efficiency: bytes asked for over bytes of the sectors moved, percent. */
  readonly globalLoadEfficiencyPercent: number | null;
  readonly globalStoreEfficiencyPercent: number | null;
  /** shared_load_transactions_per_request: the conflict degree; 1 is free of conflicts. */
  readonly sharedLoadConflictDegree: number | null;
  readonly sharedStoreConflictDegree: number | null;
}

const SECTOR_BYTES = 32;

function ratio(over: number, under: number): number | null {
  return under === 0 ? null : over / under;
}

function percent(over: number, under: number): number | null {
  return under === 0 ? null : (100 * over) / under;
}

export function deriveMetrics(counters: Counters, warpSize: number): Metrics {
  const c = counters;
  const lanes = c.warpInstructions * warpSize;
  return {
    branchEfficiencyPercent: percent(c.branches - c.divergentBranches, c.branches),
    warpExecutionEfficiencyPercent: percent(c.threadInstructions, lanes),
    warpNonPredicatedExecutionEfficiencyPercent: percent(c.threadInstructionsPredicatedOn, lanes),
    instructionsPerWarp: c.warps === 0 ? 0 : c.warpInstructions / c.warps,
    globalLoadSectorsPerRequest: ratio(c.globalLoadSectors, c.globalLoadRequests),
    globalStoreSectorsPerRequest: ratio(c.globalStoreSectors, c.globalStoreRequests),
    globalLoadEfficiencyPercent: percent(c.globalLoadBytes, c.globalLoadSectors * SECTOR_BYTES),
    globalStoreEfficiencyPercent: percent(c.globalStoreBytes, c.globalStoreSectors * SECTOR_BYTES),
    sharedLoadConflictDegree: ratio(c.sharedLoadWavefronts, c.sharedLoadWavefronts - c.sharedLoadBankConflicts),
    sharedStoreConflictDegree: ratio(c.sharedStoreWavefronts, c.sharedStoreWavefronts - c.sharedStoreBankConflicts),
  };
}
