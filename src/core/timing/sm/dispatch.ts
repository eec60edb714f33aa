/**
 * Block dispatch as one SM sees it. The GPU's dispatcher issues one block every `blockDispatchNanoseconds`, to all SMs
 * in turn. It is faster while it fills the GPU at the start of a launch. When a block ends, its slot is used again
 * after the turnaround. In that time the SM reports the end, sets up registers and shared memory, and starts the warps.
 * The turnaround is the residency of an empty one-warp block, less its few instructions.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";

// A warp fetches its first instruction for 12 cycles, which Nsight Compute counts as no_instruction. Before that, it
// counts the warp as active for 20 cycles without any state (test/reference/h200/micro/set-7.json).
export const FETCH_CYCLES = 12;
export const UNSEEN_CYCLES = 20;

/** Blocks that one SM can receive in a row above its share of the dispatcher's rate, while other SMs request none. */
const UNUSED_SHARES = 4;

/** Cycles from the end of a block to the start of the next block's first warp. */
export function turnaroundCycles({ launch, pipes }: DeviceSpec): number {
  // An empty kernel loads its stack pointer before it exits, and its warps wait for that load.
  return Math.max(1, launch.emptyBlockResidencyCycles - FETCH_CYCLES - pipes.constant.latencyCycles);
}

export class Dispatcher {
  /** Cycles between two blocks for this SM when all SMs request blocks. */
  readonly intervalCycles: number;
  readonly turnaroundCycles: number;
  readonly perWarpCycles: number;
  /** Cycles between blocks that replace an ended one, and between those of the first wave. */
  readonly burstInterval: number;
  /** When the dispatcher has served all requests of this SM, at the SM's fair share of its rate. */
  private served: number = FRACTION;

  constructor(device: DeviceSpec, activeSms: number) {
    const { launch } = device;
    this.intervalCycles = (launch.blockDispatchNanoseconds * device.smClockMHz * activeSms) / 1000;
    this.burstInterval = Math.min(this.intervalCycles, launch.firstRoundIntervalCycles);
    this.turnaroundCycles = turnaroundCycles(device);
    this.perWarpCycles = launch.residencyPerWarpCycles;
  }

  /** When the first warp of the next block of the first wave starts. */
  startFirst(): number {
    const given = this.served;
    this.served = given + this.burstInterval;
    return given + this.turnaroundCycles;
  }

  /** When the first warp of the block starts that replaces one that ended at `time`. */
  start(time: number): number {
    // SMs do not all request at the same time: one that has requested less than its share is served at once.
    const given = Math.max(time, this.served - UNUSED_SHARES * this.intervalCycles);
    this.served = Math.max(time, this.served) + this.intervalCycles;
    return given + this.turnaroundCycles;
  }
}
