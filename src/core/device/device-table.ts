/** The GPUs side by side, as rows for a table in the course. */
import { checkArgument, listOf, object, objectWith, string } from "../base/shape.js";
import { devices } from "./catalog.js";
import { checkDevice, checkOccupancySpec } from "./check-spec.js";
import { fieldPaths, isGroup, numbersOf } from "./fields.js";
import { h200 } from "./gpus/h200.js";
import type { DeviceSpec, OccupancySpec } from "./spec.js";

export interface DeviceRow {
  readonly id: string;
  readonly name: string;
  readonly architecture: string;
  readonly computeCapability: string;
  readonly smCount: number;
  readonly smClockMHz: number;
  readonly maxWarpsPerSm: number;
  readonly maxBlocksPerSm: number;
  readonly sharedKiBPerSm: number;
  readonly l2MiB: number;
  readonly memoryGiB: number;
  readonly peakBandwidthGBps: number;
  /** The bandwidth of a plain read stream. */
  readonly readBandwidthGBps: number;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

export function deviceRow(device: DeviceSpec): DeviceRow {
  const { limits, dram } = device;
  return {
    id: device.id,
    name: device.name,
    architecture: device.architecture,
    computeCapability: `${device.computeCapability.major}.${device.computeCapability.minor}`,
    smCount: device.smCount,
    smClockMHz: device.smClockMHz,
    maxWarpsPerSm: limits.maxWarpsPerSm,
    maxBlocksPerSm: limits.maxBlocksPerSm,
    sharedKiBPerSm: limits.sharedBytesPerSm / 1024,
    l2MiB: round(device.l2.sizeBytes / 2 ** 20, 2),
    memoryGiB: round(limits.totalGlobalMemBytes / 2 ** 30, 1),
    peakBandwidthGBps: dram.peakBandwidthGBps,
    readBandwidthGBps: round(dram.peakBandwidthGBps * dram.achievableReadFraction, 0),
  };
}

/** One row a GPU, oldest first; of `list`, or of all that kernels can be timed on. */
export function deviceRows(list: readonly DeviceSpec[] = devices): readonly DeviceRow[] {
  checkArgument("deviceRows", "list", list, listOf(objectWith({ id: string })));
  for (const each of list) checkDevice(each);
  return list.map(deviceRow);
}

/** One number of a GPU and where it comes from. */
export interface SourceRow {
  /** Dotted path, such as `sharedMemory.banks`. */
  readonly field: string;
  readonly value: number | string | boolean | null;
  readonly confidence: string;
  readonly source: string;
}

function collect(path: string, value: unknown, source: unknown, rows: SourceRow[]): void {
  const own = isGroup(source) && typeof source.text === "string" ? source : null;
  if (isGroup(value)) {
    for (const [key, part] of Object.entries(value)) {
      const partSource = own ?? (isGroup(source) ? source[key] : undefined);
      collect(path === "" ? key : `${path}.${key}`, part, partSource, rows);
    }
    return;
  }
  const text = Array.isArray(value) ? value.join(", ") : value;
  rows.push({
    field: path,
    value: typeof text === "number" || typeof text === "boolean" || text === null ? text : String(text),
    confidence: String(own?.confidence ?? ""),
    source: String(own?.text ?? ""),
  });
}

/** Every number of a GPU with its source, in one order for all GPUs. */
export function sourceRows(device: OccupancySpec): readonly SourceRow[] {
  checkOccupancySpec(device);
  checkArgument("sourceRows", "device", device, objectWith({ sources: object }));
  const rows: SourceRow[] = [];
  collect("", numbersOf(device), device.sources, rows);
  const order = fieldPaths(h200);
  const place = ({ field }: SourceRow): number =>
    order.findIndex((path) => path === field || path.startsWith(`${field}.`));
  return rows.sort((a, b) => place(a) - place(b));
}
