/**
 * Bandwidth, speed-up and share of the peak of a ladder of kernel versions, as Lab 28 defines them.
 * Bandwidth is bytes read / event time in units of 10^9 bytes a second (its printf: `(bytes / 1e9) / (ms / 1000)`,
 * global reads only). Speed-up is the baseline's time over the version's; the first version is the baseline.
 */

import { InputError } from "../base/errors.js";
import {
  anything,
  checkArgument,
  checkOptions,
  listOf,
  objectWith,
  optional,
  positive,
  string,
} from "../base/shape.js";
import { shown } from "../base/shown.js";
import { count, gigabytesPerSecond, milliseconds, percentOfOne, times } from "./number-format.js";
import { type ColumnSpec, type Table, table } from "./table.js";

export interface MeasuredVersion {
  readonly version: string;
  /** Event time. */
  readonly timeMs: number;
  /** Bytes the kernel reads from global memory. */
  readonly bytes: number;
}

export interface VersionSpeed extends MeasuredVersion {
  readonly bandwidthGBps: number;
  /** Baseline's time over this version's. */
  readonly timeSpeedup: number;
  /** This version's bandwidth over the baseline's; differs from timeSpeedup when the versions read different bytes. */
  readonly bandwidthSpeedup: number;
  /** Bandwidth over the device's peak, 0..1; null when no peak was given. */
  readonly peakShare: number | null;
}

export interface SpeedupOptions {
  /** The version that the others are compared with; default the first. */
  readonly baseline?: string;
  /** The device's peak DRAM bandwidth. */
  readonly peakGBps?: number;
}

/** @throws InputError naming the row and the field. */
function checkPositive(value: number, field: string, version: string): void {
  if (Number.isFinite(value) && value > 0) return;
  throw new InputError({
    what: `Version "${version}" has ${field} = ${shown(value)}.`,
    cure: `${field} must be a positive, finite number.`,
  });
}

/** Bytes over time in 10^9 bytes a second: `bytes` per 10^6 in one millisecond. */
export function bandwidthGBps(bytes: number, timeMs: number): number {
  return bytes / (timeMs * 1e6);
}

/**
 * The ladder with bandwidth, speed-ups and share of the peak, in the given order.
 * @throws InputError for a time or a size that is not positive, a repeated version or an unknown baseline.
 */
export function speedups(rows: readonly MeasuredVersion[], options: SpeedupOptions = {}): readonly VersionSpeed[] {
  checkArgument("speedups", "rows", rows, listOf(objectWith({ version: string, timeMs: anything, bytes: anything })));
  checkOptions<SpeedupOptions>("speedups", options, { baseline: optional(string), peakGBps: optional(positive) });
  for (const [index, { version, timeMs, bytes }] of rows.entries()) {
    checkPositive(timeMs, "timeMs", version);
    checkPositive(bytes, "bytes", version);
    if (rows.findIndex((row) => row.version === version) !== index) {
      throw new InputError({ what: `Two rows are of version "${version}".`, cure: "Name each version differently." });
    }
  }
  const { peakGBps } = options;
  if (peakGBps !== undefined) checkPositive(peakGBps, "peakGBps", "of the device");
  const baseline = options.baseline === undefined ? rows[0] : rows.find((row) => row.version === options.baseline);
  if (baseline === undefined) {
    if (rows.length === 0 && options.baseline === undefined) return [];
    throw new InputError({
      what: `The baseline "${options.baseline}" is not among the versions.`,
      cure: `Name one of: ${rows.map((row) => row.version).join(", ")}.`,
    });
  }
  const baselineGBps = bandwidthGBps(baseline.bytes, baseline.timeMs);
  return rows.map(({ version, timeMs, bytes }) => {
    const rate = bandwidthGBps(bytes, timeMs);
    return {
      version,
      timeMs,
      bytes,
      bandwidthGBps: rate,
      timeSpeedup: baseline.timeMs / timeMs,
      bandwidthSpeedup: rate / baselineGBps,
      peakShare: peakGBps === undefined ? null : rate / peakGBps,
    };
  });
}

const SPEED_COLUMNS: readonly ColumnSpec<VersionSpeed>[] = [
  { key: "version", title: "Version" },
  { key: "timeMs", title: "Event time", unit: "ms", format: milliseconds },
  { key: "bytes", title: "Bytes read", format: count },
  { key: "bandwidthGBps", title: "Bandwidth", unit: "GB/s", format: gigabytesPerSecond },
  { key: "timeSpeedup", title: "Time speed-up", format: times },
  { key: "bandwidthSpeedup", title: "Bandwidth speed-up", format: times },
  { key: "peakShare", title: "Share of peak", format: percentOfOne },
];

/** Lab 28's two tables in one: time, bandwidth and both speed-ups; the share of the peak where it is known. */
export function speedupTable(
  rows: readonly VersionSpeed[],
  texts: { readonly title?: string; readonly note?: string } = {},
): Table {
  checkArgument("speedupTable", "rows", rows, listOf(objectWith({ version: string })));
  checkOptions<typeof texts>("speedupTable", texts, { title: optional(string), note: optional(string) });
  const withPeak = rows.some((row) => row.peakShare !== null);
  const columns = SPEED_COLUMNS.filter(({ key }) => key !== "bytes" && (withPeak || key !== "peakShare"));
  return table({ ...texts, columns, rows });
}
