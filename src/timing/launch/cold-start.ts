/** What a launch waits for before its first instruction, where caches have been emptied. */
import type { DeviceSpec } from "../../device/spec.js";
import type { PredictInput } from "./predict-input.js";

/**
 * Trips to DRAM before the first instruction that does something: one for the instructions, one for what the first access of
 * global memory needs. Of h200/micro/set-3.json, ncu: readAll of 1 MiB is active for 3067 cycles, 1500 of them its own; fmaChain
 * (h200/micro/ends.json), which accesses nothing, .3 us less.
 */
const INSTRUCTION_TRIPS = 1;
const ACCESS_TRIPS = 1;

/** Cycles of a launch in front of its first instruction, caches as they are. `accesses`: it accesses global memory. */
export function coldStartCycles(device: DeviceSpec, cacheState: PredictInput["cacheState"], accesses: boolean): number {
  return cacheState === "cold" ? (INSTRUCTION_TRIPS + (accesses ? ACCESS_TRIPS : 0)) * device.dram.latencyCycles : 0;
}
