/** One row of the table of metrics: nvprof's name and definition, Nsight Compute's name, and how the value is made. */
import type { DeviceSpec, Occupancy } from "../../device/index.js";
import type { Dim3, RawCounters } from "../../engine/engine.js";
import type { Program } from "../../lower/program.js";
import type { LaunchTime } from "../../timing/index.js";
import type { Counters } from "../counters.js";
import type { Metrics } from "../metrics.js";

/** The part of a launch's result that metrics are made of. */
export interface ProfiledLaunch {
  readonly kernel: string;
  readonly device: DeviceSpec;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  readonly registersPerThread: number;
  readonly staticSharedBytes: number;
  readonly occupancy: Occupancy;
  readonly counters: Counters;
  readonly metrics: Metrics;
  /** Predicted when it is first read. */
  readonly time: LaunchTime;
  readonly program: Program;
  readonly rawCounters: RawCounters;
}

/** exact: counted in every block. predicted: from the timing model. */
export type MetricKind = "exact" | "predicted";

/** percent: 0 to 100. ratio: a plain number. */
export type MetricUnit = "percent" | "ratio" | "bytes/s" | "count" | "bytes";

export interface MetricSpec {
  /** nvprof's name. */
  readonly name: string;
  /** The words that nvprof prints beside it. */
  readonly title: string;
  readonly definition: string;
  readonly unit: MetricUnit;
  readonly formula: string;
  /** Nsight Compute's name; several where it takes their sum. Empty: it has no counterpart. */
  readonly ncu: readonly string[];
  /** Where Nsight Compute has another unit: its unit, and the factor to it. */
  readonly inNcu?: { readonly unit: MetricUnit; readonly factor: number };
  readonly kind: MetricKind;
  /** The compute capabilities for which nvprof has it, 2.0 to 7.2 unless told otherwise. */
  readonly since?: number;
  readonly until?: number;
  /** null where the launch has nothing to divide by. */
  readonly value: (launch: ProfiledLaunch) => number | null;
  /** Why the value can be null, as the end of "n/a: ...". */
  readonly none?: string;
}

export function ratio(over: number, under: number): number | null {
  return under === 0 ? null : over / under;
}

export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : (100 * part) / whole;
}

/** Seconds of the kernel alone, as the tools measure it. */
export function seconds(launch: ProfiledLaunch): number {
  return launch.time.durationMicroseconds * 1e-6;
}

/** SMs that have a block. */
export function activeSms({ device, counters }: ProfiledLaunch): number {
  return Math.min(device.smCount, counters.blocks);
}

/** Cycles of the SMs' clock from the launch's begin to its end. */
export function elapsedCycles({ device, time }: ProfiledLaunch): number {
  return Math.max(time.cycles, time.durationMicroseconds * device.smClockMHz);
}

export function capability({ major, minor }: { readonly major: number; readonly minor: number }): number {
  return major + minor / 10;
}
