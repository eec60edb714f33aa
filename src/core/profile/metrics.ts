/**
 * Metrics: ratios derived from counters, with nvprof's names beside (CUDA Profiler User's Guide, metrics reference).
 * A ratio whose denominator is zero is null: the kernel did nothing of the kind.
 *
 * The bytes of a transaction differ by generation. Fermi's L1 has lines of 128 bytes without sectors, so a load moves whole
 * lines. Its stores bypass L1 in segments of 32 bytes, one to four of a line in one transaction. From Kepler on loads and
 * stores move sectors of 32 bytes. Sources: CUDA C Programming Guide, compute capability 2.x; Professional CUDA C
 * Programming, chapter 4.
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
  /** 32-byte sectors that a request touches, on every GPU (Nsight Compute: sectors per request). */
  readonly globalLoadSectorsPerRequest: number | null;
  readonly globalStoreSectorsPerRequest: number | null;
  /** gld_transactions_per_request, gst_transactions_per_request: lines of 128 bytes on Fermi, else sectors. */
  readonly globalLoadTransactionsPerRequest: number | null;
  readonly globalStoreTransactionsPerRequest: number | null;
  /** gld_efficiency, gst_efficiency: bytes that lanes asked for over bytes moved, percent; above 100 where lanes share. */
  readonly globalLoadEfficiencyPercent: number | null;
  readonly globalStoreEfficiencyPercent: number | null;
  /** shared_load_transactions_per_request: the conflict degree; 1 is free of conflicts. */
  readonly sharedLoadConflictDegree: number | null;
  readonly sharedStoreConflictDegree: number | null;
}

/** The part of a GPU that decides what its profiler counts. */
export interface ProfiledDevice {
  readonly warpSize: number;
  readonly l1: { readonly cachesGlobalLoads: boolean; readonly sectorBytes: number };
}

/** The unit of `Counters.globalLoadSectors`. */
const SECTOR_BYTES = 32;
/** The unit of `Counters.globalLoadLines`. */
const LINE_BYTES = 128;

function ratio(over: number, under: number): number | null {
  return under === 0 ? null : over / under;
}

function percent(over: number, under: number): number | null {
  return under === 0 ? null : (100 * over) / under;
}

export function deriveMetrics(counters: Counters, device: ProfiledDevice): Metrics {
  const c = counters;
  const lanes = c.warpInstructions * device.warpSize;
  const { cachesGlobalLoads, sectorBytes } = device.l1;
  const wholeLines = sectorBytes === LINE_BYTES;
  const loadBytes =
    wholeLines && cachesGlobalLoads ? c.globalLoadLines * LINE_BYTES : c.globalLoadSectors * SECTOR_BYTES;
  const loads = wholeLines && cachesGlobalLoads ? c.globalLoadLines : c.globalLoadSectors;
  const stores = wholeLines ? c.globalStoreLines : c.globalStoreSectors;
  return {
    branchEfficiencyPercent: percent(c.branches - c.divergentBranches, c.branches),
    warpExecutionEfficiencyPercent: percent(c.threadInstructions, lanes),
    warpNonPredicatedExecutionEfficiencyPercent: percent(c.threadInstructionsPredicatedOn, lanes),
    instructionsPerWarp: c.warps === 0 ? 0 : c.warpInstructions / c.warps,
    globalLoadSectorsPerRequest: ratio(c.globalLoadSectors, c.globalLoadRequests),
    globalStoreSectorsPerRequest: ratio(c.globalStoreSectors, c.globalStoreRequests),
    globalLoadTransactionsPerRequest: ratio(loads, c.globalLoadRequests),
    globalStoreTransactionsPerRequest: ratio(stores, c.globalStoreRequests),
    globalLoadEfficiencyPercent: percent(c.globalLoadBytes, loadBytes),
    globalStoreEfficiencyPercent: percent(c.globalStoreBytes, c.globalStoreSectors * SECTOR_BYTES),
    sharedLoadConflictDegree: ratio(c.sharedLoadWavefronts, c.sharedLoadWavefronts - c.sharedLoadBankConflicts),
    sharedStoreConflictDegree: ratio(c.sharedStoreWavefronts, c.sharedStoreWavefronts - c.sharedStoreBankConflicts),
  };
}
