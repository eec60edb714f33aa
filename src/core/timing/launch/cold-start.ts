/** The wait of a launch before its first instruction, if caches have been emptied. */
import type { DeviceSpec } from "../../device/spec.js";
import type { PredictInput } from "./predict-input.js";

/**
 * DRAM latencies before the first useful instruction: one for the instructions, one for the first access of global
 * memory. Measured: readAll of 1 MiB is active for 3067 cycles, 1500 of them its own (h200/micro/set-3.json, ncu).
 */
const INSTRUCTION_TRIPS = 1;
const ACCESS_TRIPS = 1;

/**
 * Cycles of a launch before its first instruction, with the caches in the given state. `accesses`: it accesses global
 * memory.
 */
export function coldStartCycles(device: DeviceSpec, cacheState: PredictInput["cacheState"], accesses: boolean): number {
  return cacheState === "cold" ? (INSTRUCTION_TRIPS + (accesses ? ACCESS_TRIPS : 0)) * device.dram.latencyCycles : 0;
}
