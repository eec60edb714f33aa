/** When a launch is over: behind the dispatcher, which fills the GPU first, the SM that is farthest from L2, and the end of its memory accesses. */
import type { DeviceSpec, LaunchCosts } from "../../device/spec.js";
import { turnaroundCycles } from "../sm/dispatch.js";

/**
 * How much longer loads from L2 take the SM that is farthest from it than the mean one (h200/micro/prologue.json, chase of 2^17
 * lines: 338 cycles and 323, of which 30 are the loop's).
 */
const FARTHEST_SM = 0.052;
/** Lines that each SM has touched, from which on a launch takes longest to end. */
const MANY_LINES = 256;

/** Cycles that a load takes longer on the SM that is done last, where all have their blocks from the start. */
export function lastSmDistanceCycles(device: DeviceSpec, activeSms: number): number {
  return (FARTHEST_SM * device.l2.hitLatencyCycles * (activeSms - 1)) / (activeSms + 1);
}

/** In which the dispatcher gives out so many blocks, to whatever SMs. */
function givenOutCycles({ launch, smClockMHz }: DeviceSpec, blocks: number): number {
  return (blocks * launch.blockDispatchNanoseconds * smClockMHz) / 1000;
}

/**
 * The SMs get their first `resident` blocks one after the other; the last of them starts when all but its own are given out.
 *
 * In a grid of many rounds the SMs that start late run fewer blocks, and half of this is lost in the mean, but not of what DRAM has to do, which
 * gives all it has to the SMs that are there: `dramShare` of the time it is busy (4 Mi words, read by 8 a thread: 6.2 us in blocks of 128 as of
 * 256 and 512, h200/micro/ends.json). Where all blocks are resident,
 * what is busiest works before the last ones start: only what its `busyCycles` do not fill is lost. 4096 blocks of 64 threads end
 * later than 256 of 1024 by 1.9 us if they spin, 1.6 to 1.9 if they read or write 1 MiB, 1.1 if 3 MiB (h200/micro/launch.json), 0 to
 * .1 if they read 8 or 16 MiB (h200/micro/ends.json).
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

/** The dispatcher has given out all blocks, and the last one has run for `blockCycles`. */
export function dispatchedCycles(device: DeviceSpec, blocks: number, blockCycles: number): number {
  return givenOutCycles(device, blocks) + turnaroundCycles(device) + blockCycles;
}

/** What it takes longer to end than one that accesses no global memory. */
export function memoryEndMicroseconds(launch: LaunchCosts, linesOfSm: number): number {
  if (linesOfSm === 0) return 0;
  const { memoryEndMicroseconds: few, fullMemoryEndMicroseconds: many } = launch;
  return few + (many - few) * Math.min(1, linesOfSm / MANY_LINES);
}
