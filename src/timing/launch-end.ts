/** When a launch is over: behind the dispatcher, which fills the GPU first, the SM that is farthest from L2, and the end of its memory accesses. */
import type { DeviceSpec, LaunchCosts } from "../device/spec.js";
import { turnaroundCycles } from "./dispatch.js";

/**
 * How much longer loads from L2 take the SM that is farthest from it than the mean one (h200-prologue-micro.json, chase of 2^17
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
 * `rounds`: in a grid of many rounds the SMs that start late run fewer blocks, and half of this is lost in the mean.
 */
export function fillCycles(
  device: DeviceSpec,
  activeSms: number,
  blocks: number,
  resident: number,
  rounds: boolean,
): number {
  const firstRound = givenOutCycles(device, Math.min(blocks, activeSms * resident));
  const fill = Math.max(0, firstRound - resident * device.launch.firstRoundIntervalCycles);
  return rounds ? fill / 2 : fill;
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
