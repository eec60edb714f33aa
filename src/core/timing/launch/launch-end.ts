/**
 * The end of a launch. The launch waits for the dispatcher, which fills the GPU first, for the SM farthest from L2, and
 * for its last memory accesses.
 */
import type { DeviceSpec, LaunchCosts } from "../../device/spec.js";
import { turnaroundCycles } from "../sm/dispatch.js";

/**
 * How much longer loads from L2 take on the farthest SM than on the mean one (h200/micro/prologue.json, chase of 2^17
 * lines: 338 against 323 cycles).
 */
const FARTHEST_SM = 0.052;
/** Lines touched by each SM from which on the end of a launch takes longest. */
const MANY_LINES = 256;

/** Extra cycles of a load on the SM that is done last, if all SMs have their blocks from the start. */
export function lastSmDistanceCycles(device: DeviceSpec, activeSms: number): number {
  return (FARTHEST_SM * device.l2.hitLatencyCycles * (activeSms - 1)) / (activeSms + 1);
}

/** Cycles in which the dispatcher starts `blocks` blocks, on any SMs. */
function givenOutCycles({ launch, smClockMHz }: DeviceSpec, blocks: number): number {
  return (blocks * launch.blockDispatchNanoseconds * smClockMHz) / 1000;
}

/**
 * Cycles lost while the dispatcher gives the SMs their first `resident` blocks in turn. The last SM starts when all
 * blocks but its own are dispatched. In a grid of several waves of blocks, SMs that start late run fewer blocks, so
 * half of this is lost in the mean. Time in which DRAM is busy (`dramShare`) is not lost, because DRAM serves the SMs
 * that have started. If all blocks are resident, the busiest resource works before the last SM starts, so only time
 * beyond its `busyCycles` is lost. Measured for 4096 blocks of 64 threads against 256 of 1024: 1.9 us if they spin, 1.1
 * if they read 3 MiB (h200/micro/launch.json).
 */
export function fillCycles(
  device: DeviceSpec,
  launch: {
    readonly activeSms: number;
    readonly blocks: number;
    readonly resident: number;
    readonly rounds: boolean;
    readonly busyCycles: number;
    readonly dramShare: number;
  },
): number {
  const { activeSms, blocks, resident, rounds, busyCycles, dramShare } = launch;
  const firstRound = givenOutCycles(device, Math.min(blocks, activeSms * resident));
  const fill = Math.max(0, firstRound - resident * device.launch.firstRoundIntervalCycles);
  return rounds ? (fill / 2) * (1 - dramShare) : Math.max(0, fill - busyCycles);
}

/** Cycles until the dispatcher has dispatched all blocks and the last one has run for `blockCycles`. */
export function dispatchedCycles(device: DeviceSpec, blocks: number, blockCycles: number): number {
  return givenOutCycles(device, blocks) + turnaroundCycles(device) + blockCycles;
}

/** Extra time at the end of a launch that accesses global memory. */
export function memoryEndMicroseconds(launch: LaunchCosts, linesOfSm: number): number {
  if (linesOfSm === 0) return 0;
  const { memoryEndMicroseconds: few, fullMemoryEndMicroseconds: many } = launch;
  return few + (many - few) * Math.min(1, linesOfSm / MANY_LINES);
}
