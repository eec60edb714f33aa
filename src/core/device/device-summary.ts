/** A GPU in a line, for notebooks and consoles. */
import { summarized } from "../base/summary.js";
import { deepFreeze } from "./freeze.js";
import type { OccupancySpec } from "./spec.js";

interface Shown extends Pick<OccupancySpec, "id" | "name" | "architecture" | "computeCapability" | "smCount"> {
  readonly smClockMHz?: number;
  readonly dram?: { readonly peakBandwidthGBps: number };
}

export function deviceSummary({ id, name, architecture, computeCapability, smCount, smClockMHz, dram }: Shown): string {
  const { major, minor } = computeCapability;
  const clock = smClockMHz === undefined ? "" : ` at ${smClockMHz} MHz`;
  const bandwidth = dram === undefined ? "" : `, ${dram.peakBandwidthGBps} GB/s`;
  return `${id}: ${name} (${architecture}, ${major}.${minor}), ${smCount} SMs${clock}${bandwidth}`;
}

/** `spec` frozen with all that it holds, and shown as its line. */
export function frozenDevice<T extends Shown>(spec: T): T {
  return deepFreeze(summarized(spec, deviceSummary));
}
