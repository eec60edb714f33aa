/** What the timing model says of a launch. Times of cycles are at the device's `smClockMHz`. */

import type { StallRatios, StallReason } from "../base/stalls.js";
import type { SamplingReport } from "../trace/trace-sampling.js";

/** What keeps the launch from being shorter. */
export type Bound = "dispatch" | "issue" | "pipe" | "dram" | "l2" | "latency";

export interface LaunchTime {
  /** From the first block's dispatch to the last block's end, of the busiest SM; sm__cycles_active under Nsight Compute. */
  readonly cycles: number;
  /** As gpu__time_duration: cold means flushed caches, those for instructions and constants included. */
  readonly durationMicroseconds: number;
  /**
   * As two CUDA events around the launch measure it. Cold: behind work that has filled L2 with data it wrote (as
   * benchmarks clear the caches by writing a large buffer). Warm: the launch repeated on an idle GPU.
   */
  readonly timeMs: number;
  /** Share of the schedulers' cycles in which they issued. */
  readonly issueSlotUtilizationPercent: number;
  /** Warp instructions a cycle and SM. */
  readonly ipc: number;
  readonly achievedOccupancyPercent: number;
  readonly theoreticalOccupancyPercent: number;
  readonly residentBlocksPerSm: number;
  readonly stalls: StallRatios;
  readonly dominantStall: StallReason;
  readonly dramBytesRead: number;
  readonly dramBytesWritten: number;
  /** As l1tex__t_sector_hit_rate and lts__t_sector_hit_rate: of loads, stores and atomics. null: no sector looked up. */
  readonly l1HitRatePercent: number | null;
  readonly l2HitRatePercent: number | null;
  readonly bound: Bound;
  /** Share of its time that each is busy: L2's bandwidth for reads, and the busiest pipe of the SM. */
  readonly l2BusyPercent: number;
  readonly pipeBusyPercent: number;
  readonly sampling: SamplingReport;
  /** Blocks of one SM that were simulated, of all that it runs. */
  readonly simulatedBlocks: number;
  readonly blocksPerSm: number;
  /** Issued in all simulated passes: one with a clean L2, and a cold launch's with a dirty one. */
  readonly simulatedWarpInstructions: number;
  /**
   * Warp instructions that go round again in loops of compare-and-swap on shared memory, as other warps change the words, of
   * those that the counters have.
   */
  readonly repeatedShare: number;
}
