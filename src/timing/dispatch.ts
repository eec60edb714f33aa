/**
 * Block dispatch as one SM sees it. The GPU's dispatcher gives out one block every `blockDispatchNanoseconds`, to all
 * SMs in turn; a place that a block leaves is taken again after the turnaround (end seen, next block chosen, registers
 * and shared memory set up, warps started one after the other). The turnaround is what an empty one-warp block holds its
 * place for, less the few instructions it runs.
 */
import type { DeviceSpec } from "../device/spec.js";

export class Dispatcher {
  /** Cycles between two blocks for this SM when all SMs want one. */
  readonly intervalCycles: number;
  readonly turnaroundCycles: number;
  readonly perWarpCycles: number;
  private lastGiven = Number.NEGATIVE_INFINITY;

  constructor(device: DeviceSpec, activeSms: number) {
    const { launch, pipes } = device;
    this.intervalCycles = (launch.blockDispatchNanoseconds * device.smClockMHz * activeSms) / 1000;
    // An empty kernel loads its stack pointer and exits.
    this.turnaroundCycles = Math.max(1, launch.emptyBlockResidencyCycles - pipes.constant.latencyCycles);
    this.perWarpCycles = launch.residencyPerWarpCycles;
  }

  /** When the first warp of the next block starts, its place being free since `freeAt`. */
  start(freeAt: number): number {
    const given = Math.max(freeAt, this.lastGiven + this.intervalCycles);
    this.lastGiven = given;
    return given + this.turnaroundCycles;
  }
}
