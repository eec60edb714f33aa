/**
 * Block dispatch as one SM sees it. The GPU's dispatcher gives out one block every `blockDispatchNanoseconds`, to all
 * SMs in turn, and many more while it fills the GPU at the start of a launch; a place that a block leaves is taken again after the turnaround (end seen, next block chosen, registers
 * and shared memory set up, warps started one after the other). The turnaround is what an empty one-warp block holds its
 * place for, less the few instructions it runs.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";

// Of a warp's start, from test/reference/h200/micro/set-7.json: its first instruction is there after 12 cycles, which Nsight
// Compute calls no_instruction; before them it counts the warp as active for 20 cycles without any state.
export const FETCH_CYCLES = 12;
export const UNSEEN_CYCLES = 20;

/** Blocks that one SM can be given in a row faster than its share of the dispatcher, other SMs asking for none. */
const UNUSED_SHARES = 4;

/** From a block's end to the start of the next one's first warp. */
export function turnaroundCycles({ launch, pipes }: DeviceSpec): number {
  // An empty kernel loads its stack pointer and exits, for which its warps wait before they leave.
  return Math.max(1, launch.emptyBlockResidencyCycles - FETCH_CYCLES - pipes.constant.latencyCycles);
}

export class Dispatcher {
  /** Cycles between two blocks for this SM when all SMs want one. */
  readonly intervalCycles: number;
  readonly turnaroundCycles: number;
  readonly perWarpCycles: number;
  /** Cycles between blocks that come for the end of one, and between those of the first round. */
  readonly burstInterval: number;
  /** When the dispatcher has served all that this SM has asked for, at the SM's fair share of its rate. */
  private served: number = FRACTION;

  constructor(device: DeviceSpec, activeSms: number) {
    const { launch } = device;
    this.intervalCycles = (launch.blockDispatchNanoseconds * device.smClockMHz * activeSms) / 1000;
    this.burstInterval = Math.min(this.intervalCycles, launch.firstRoundIntervalCycles);
    this.turnaroundCycles = turnaroundCycles(device);
    this.perWarpCycles = launch.residencyPerWarpCycles;
  }

  /** When the first warp of the next block of the first round starts. */
  startFirst(): number {
    const given = this.served;
    this.served = given + this.burstInterval;
    return given + this.turnaroundCycles;
  }

  /** When the first warp of the next block starts for a block that ended at `time`. */
  start(time: number): number {
    // SMs do not all ask at the same time: one that has asked for less than its share is served at once.
    const given = Math.max(time, this.served - UNUSED_SHARES * this.intervalCycles);
    this.served = Math.max(time, this.served) + this.intervalCycles;
    return given + this.turnaroundCycles;
  }
}
