/** The result of a launch. */
import { amount, checkArgument, objectWith, positive } from "../base/shape.js";
import { summarized } from "../base/summary.js";
import type { DeviceSpec, Occupancy } from "../device/index.js";
import type { Dim3, PrintfRecord, RawCounters } from "../engine/engine.js";
import type { Program } from "../lower/program.js";
import type { Counters } from "../profile/counters.js";
import type { ExpectedWavefronts } from "../profile/fill-collisions.js";
import { launches } from "../profile/launch-shape.js";
import type { Metrics } from "../profile/metrics.js";
import type { LaunchTime, PredictInput, SmRecord, StallSamples } from "../timing/index.js";
import type { ChildGridsResult } from "./children/child-grids.js";
import type { LaunchWarning } from "./launch-warning.js";

export interface LaunchResult {
  readonly kernel: string;
  readonly device: DeviceSpec;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  readonly registersPerThread: number;
  readonly staticSharedBytes: number;
  readonly occupancy: Occupancy;
  /** Exact, over every block. */
  readonly counters: Counters;
  readonly metrics: Metrics;
  /** Shared wavefronts as a hardware profiler shows them: with the expected collisions of accesses and L1's fills. */
  readonly expectedWavefronts: ExpectedWavefronts;
  /**
   * Warp instructions as a hardware profiler shows them. Additions of floats to shared memory repeat
   * where other warps come first. These repeats are included here; `counters` leave them out.
   */
  readonly expectedWarpInstructions: number;
  /** Predicted, as two CUDA events around the launch would measure it, in milliseconds, child grids included. */
  readonly timeMs: number;
  /** The prediction with what it consists of, without child grids; `durationMicroseconds` is the kernel alone. */
  readonly time: LaunchTime;
  /** The grids that the kernel's grids have launched (dynamic parallelism); null for none. Not part of `counters`. */
  readonly children: ChildGridsResult | null;
  /**
   * Lines of the kernel's printf, in order. They go to stdout when the host waits next, unless the program reads them here
   * before: then it has them.
   */
  readonly printed: readonly PrintfRecord[];
  /** Whether the data was in L2 when the launch started, as the launch asked. */
  readonly cache: "cold" | "warm";
  /** The kernel's own warnings, then the first of each kind and line that the run has found. */
  readonly warnings: readonly LaunchWarning[];
  readonly program: Program;
  /** Per instruction, for profiles by line. */
  readonly rawCounters: RawCounters;
  /** Predicted: warp cycles of one SM by instruction and stall reason; simulated when first read. */
  readonly stallSamples: StallSamples;
  /**
   * Exact: warp instructions of each block, by its linear index; of the lowered program, in which a modulo is one. null under a
   * seeded schedule, or for a vast grid.
   */
  readonly blockInstructions: Uint32Array | null;
  /**
   * Predicted: the warps of one SM in the launch's first `cycles` cycles; `timeline` shows it. With `mostBlocks` those of an
   * SM that gets no more blocks.
   */
  readonly recordWarps: (cycles: number, mostBlocks?: number) => SmRecord;
  /** The predicted time of the same traces after `change` to the device, the program or the traces: a what-if. */
  readonly timeIf: (change: (input: PredictInput) => PredictInput) => LaunchTime;
  /** Host time that the simulation took, for progress and benchmarks: not part of any result. */
  readonly hostMs: { readonly compile: number; readonly run: number; readonly timing: number };
}

function sizes([x, y, z]: Dim3): string {
  return z > 1 ? `(${x}, ${y}, ${z})` : y > 1 ? `(${x}, ${y})` : String(x);
}

function launchSummary(launch: LaunchResult, printed: number): string {
  const { kernel, grid, block, device, timeMs, cache, counters, children, warnings } = launch;
  const rows = [
    `${kernel}<<<${sizes(grid)}, ${sizes(block)}>>> on ${device.id}: event time ${(timeMs * 1000).toPrecision(4)} us (predicted, caches ${cache})`,
    `${counters.warpInstructions} warp instructions, occupancy ${Math.round(launch.occupancy.theoreticalOccupancy * 100)} %`,
    ...(children === null ? [] : [`${children.count} child grids, ${children.depth} levels deep`]),
    ...(printed === 0 ? [] : [`printf lines in .printed: ${printed}`]),
    ...warnings.map(({ message }) => `warning: ${message}`),
    "See .counters, .metrics, .time and .occupancy, or explain(launch) and ncu(launch).",
  ];
  return rows.join("\n  ");
}

/** Shown by consoles and notebooks as a few lines; `printed`: how many lines of printf there are. */
export function shownLaunch(launch: LaunchResult, printed: number): LaunchResult {
  launches.set(launch.counters, launch);
  return summarized(launch, (shown) => launchSummary(shown, printed));
}

/** 10^9 bytes a second at the predicted time: give the bytes that the algorithm has to move. */
export function bandwidthGBps(result: Pick<LaunchResult, "timeMs">, bytes: number): number {
  checkArgument("bandwidthGBps", "result", result, objectWith({ timeMs: positive }, "what gpu.launch(...) returns"));
  checkArgument("bandwidthGBps", "bytes", bytes, amount);
  return bytes / (result.timeMs * 1e6);
}
