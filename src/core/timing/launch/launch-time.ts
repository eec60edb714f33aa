/** Results of the timing model for a launch. Cycles are of the device's `smClockMHz`. */

import type { PipeName } from "../base/pipe-names.js";
import type { StallRatios, StallReason } from "../base/stalls.js";
import type { SamplingReport } from "../trace/trace-sampling.js";

/** The resource that bounds the launch's time. */
export type Bound = "dispatch" | "issue" | "pipe" | "dram" | "l2" | "latency";

export interface LaunchTime {
  /**
   * From the first block's dispatch to the last block's end, of the busiest SM; sm__cycles_active under Nsight Compute.
   */
  readonly cycles: number;
  /** As gpu__time_duration. Cold means flushed caches, including those for instructions and constants. */
  readonly durationMicroseconds: number;
  /**
   * As two CUDA events around the launch measure it. Cold: after work that has filled L2 with dirty data (as benchmarks
   * clear the caches by writing a large buffer). Warm: the launch repeated on an idle GPU.
   */
  readonly timeMs: number;
  /** Share of the schedulers' cycles in which they issued. */
  readonly issueSlotUtilizationPercent: number;
  /** Warp instructions per cycle and SM. */
  readonly ipc: number;
  readonly achievedOccupancyPercent: number;
  readonly theoreticalOccupancyPercent: number;
  readonly residentBlocksPerSm: number;
  readonly stalls: StallRatios;
  readonly dominantStall: StallReason;
  readonly dramBytesRead: number;
  readonly dramBytesWritten: number;
  /**
   * As l1tex__t_sector_hit_rate and lts__t_sector_hit_rate, over loads, stores and atomics. null: no sector was looked
   * up.
   */
  readonly l1HitRatePercent: number | null;
  readonly l2HitRatePercent: number | null;
  readonly bound: Bound;
  /** Share of its time that each is busy: L2's bandwidth for reads, and the busiest pipe of the SM. */
  readonly l2BusyPercent: number;
  readonly pipeBusyPercent: number;
  readonly busiestPipe: PipeName;
  readonly sampling: SamplingReport;
  /** Blocks of one SM that were simulated, of all that it runs. */
  readonly simulatedBlocks: number;
  readonly blocksPerSm: number;
  /** Issued in all simulated passes: one with a clean L2, and a cold launch's with a dirty one. */
  readonly simulatedWarpInstructions: number;
  /**
   * Retries of compare-and-swap loops on shared memory, relative to the warp instructions that the counters hold. A
   * loop retries because other warps change the word.
   */
  readonly repeatedShare: number;
}
