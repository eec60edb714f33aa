/** Says of each number how far to believe it: exact, or predicted and by how much the predictions were off. */

import { checkArgument, either, objectWith, oneOf, string } from "../../base/shape.js";
import type { DeviceSpec } from "../../device/index.js";
import type { MetricValue } from "../../profile/metric.js";
import { MEASURED_ERRORS, type MeasuredError, type MeasuredErrors } from "./measured-errors.js";

const OCCUPANCY: ReadonlySet<string> = new Set(["achieved_occupancy", "active_warps"]);
const L1: ReadonlySet<string> = new Set(["global_hit_rate", "l1_cache_global_hit_rate"]);
const L2: ReadonlySet<string> = new Set(["l2_tex_hit_rate", "l2_l1_read_hit_rate"]);

/** The quantities that validation compares with measured launches. For others only the time's error is known. */
function comparedAs(name: string): keyof MeasuredErrors | null {
  if (OCCUPANCY.has(name)) return "occupancyPoints";
  if (L1.has(name)) return "l1HitRatePoints";
  if (L2.has(name)) return "l2HitRatePoints";
  const timed = name === "duration" || /throughput|cycles/.test(name);
  return timed ? "timePercent" : null;
}

function words(error: MeasuredError, unit: string): string {
  return `predicted, off by ${error.mean.toFixed(1)} ${unit} in the mean of ${error.launches} measured launches of this GPU`;
}

/** Counts of instructions and branches: nvcc's code may have others where the accesses are the same. */
const OF_INSTRUCTIONS =
  /^(inst_(?!executed_(global|shared|local))|thread_inst|not_predicated|cf_|branch|divergent_branch|warp_)/;

function compilerWords(errors: MeasuredErrors | undefined): string {
  const error = errors?.instructionsPercent ?? null;
  return error === null
    ? "nvcc's own code may have other instructions"
    : `nvcc's own code has ${error.mean.toFixed(1)} % more or fewer instructions in the mean of ${error.launches} measured launches`;
}

/**
 * How far to believe a metric, or the `duration`, on a GPU.
 * @example
 * fidelity(launch.device, metric(launch, "achieved_occupancy"));
 * // "predicted, off by 2.8 points in the mean of 2258 measured launches of this GPU"
 */
export function fidelity(
  device: Pick<DeviceSpec, "id">,
  number: Pick<MetricValue, "name" | "kind"> | "duration",
): string {
  checkArgument("fidelity", "device", device, objectWith({ id: string }));
  checkArgument("fidelity", "number", number, either(oneOf("duration"), objectWith({ name: string, kind: string })));
  const errors = MEASURED_ERRORS[device.id];
  if (number !== "duration" && number.kind === "exact") {
    return OF_INSTRUCTIONS.test(number.name) ? `exact for the simulated code; ${compilerWords(errors)}` : "exact";
  }
  if (errors === undefined) return "predicted; no launch of this GPU was measured";
  const quantity = comparedAs(number === "duration" ? number : number.name);
  const error = quantity === null ? null : errors[quantity];
  if (error !== null) return words(error, quantity?.endsWith("Points") === true ? "points" : "%");
  return errors.timePercent === null
    ? "predicted"
    : `predicted, not compared itself; times are off by ${errors.timePercent.mean.toFixed(1)} % in the mean of ${errors.timePercent.launches} measured launches of this GPU`;
}

/** Lines for the end of a report. */
export function fidelityLines(device: Pick<DeviceSpec, "id">): readonly string[] {
  return [
    `Counts: exact for the simulated code; ${compilerWords(MEASURED_ERRORS[device.id])}.`,
    `Times and rates: ${fidelity(device, "duration")}.`,
    `Achieved occupancy: ${fidelity(device, { name: "achieved_occupancy", kind: "predicted" })}.`,
  ];
}
