/**
 * What issuing a slot does: it takes its pipe or goes to the memory unit, its result is noted, and the warp comes to its
 * next slot, which waits for what it needs.
 */
import type { DeviceSpec } from "../device/spec.js";
import { LONG_GROUP } from "./bypass.js";
import type { MemoryUnit } from "./memory-unit.js";
import * as code from "./microcode.js";
import { PIPE_NAMES } from "./pipe-names.js";
import type { Scoreboard } from "./scoreboard.js";
import * as stall from "./stalls.js";
import type { WarpSchedulers } from "./warp-schedulers.js";
import type { Warps } from "./warps.js";

// What ptxas writes into its instructions' stall counts, and Nsight Compute calls a fixed wait: nvcc -arch=sm_90's code of
// test/reference/probes/probes.cu. Behind BRA, EXIT and BSYNC 5, between two memory instructions 4, between two of a
// pipe that takes one every other cycle 2.
const BRANCH_STALL_COUNT = 5;
const MEMORY_STALL_COUNT = 4;
// test/reference/h200-micro-7.json: a loop's taken branch is branch_resolving for 3 cycles and no_instruction for 4; each
// warp's EXIT is branch_resolving for 8 and drain for 4 at the least.
const BRANCH_UNIT_CYCLES = 3;
const EXIT_BRANCH_CYCLES = 8;
const EXIT_DRAIN_CYCLES = 4;

// test/reference/h200-micro-9.json: a multiply of 64 bits takes its pipe twice (hiFour: 4 cycles each). Behind it the
// scheduler dispatches nothing for two cycles (hiFfma: 7.1 cycles with four FFMA; hiLop, wideChain: 2 cycles each
// instruction of the ALU and each multiply). A warp's next one waits longer (hiFour, one warp a scheduler: 6.1 cycles).
const LONG_MULTIPLY_PASSES = 2;
const LONG_MULTIPLY_DISPATCH_CYCLES = 2;
const LONG_MULTIPLY_STALL_COUNT = 6;

/** Loads, stores and atomics. */
function isMemory(kind: number): boolean {
  return kind >= code.SHARED_LOAD && kind <= code.GLOBAL_ATOMIC;
}

/** How an issue leaves its warp: asleep until its next slot, at a barrier, or at its end. */
export const GOES_ON = 0;
export const ARRIVES = 1;
export const ENDS = 2;

export class IssueUnit {
  issues = 0;
  /** When the warp that has ended last is gone. */
  gone = 0;
  readonly pipeBusyCycles: Float64Array = new Float64Array(PIPE_NAMES.length);
  private readonly usualInterval: readonly number[];

  constructor(
    device: DeviceSpec,
    private readonly mc: code.Microcode,
    /** Volatile memory instructions bypass L1, by pc. */
    private readonly bypassesL1: Uint8Array,
    private readonly warps: Warps,
    private readonly schedulers: WarpSchedulers,
    private readonly scoreboard: Scoreboard,
    private readonly memory: MemoryUnit,
    private readonly warpCycles: Float64Array,
  ) {
    this.usualInterval = PIPE_NAMES.map((name) => device.pipes[name]?.issueIntervalCycles ?? 1);
  }

  /** The warp issues its current slot at `time`. */
  issue(warp: number, scheduler: number, time: number): number {
    const { mc, warps, warpCycles } = this;
    const pc = warps.pc[warp]!;
    const slot = warps.slot[warp]!;
    const kind = mc.kind[slot]!;
    const pipe = mc.pipe[slot]!;
    this.issues++;
    this.pipeBusyCycles[pipe]! += mc.interval[slot]!;
    let result = time + mc.latency[slot]!;
    let next = time + 1;
    let nextReason: number = stall.WAIT;
    let booked = 0;
    if ((kind < code.SHARED_LOAD || kind > code.QUEUED) && kind !== code.FENCE) {
      this.takePipe(scheduler, slot, time);
      if (kind === code.BRANCH_OUT) {
        // A branch that is not taken costs what an untaken exit does (h200-micro-4: compare, branch, load 39.9 - 22.7 - 13).
        const taken = mc.isBranch[pc] === 0 || warps.pcs[warp]![warps.pcIndex[warp]! + 1] !== pc + 1;
        next = taken ? result : time + BRANCH_STALL_COUNT;
        booked = Math.max(0, next - time - BRANCH_STALL_COUNT);
        warpCycles[stall.BRANCH]! += Math.min(BRANCH_UNIT_CYCLES, booked);
        warpCycles[stall.NO_INSTRUCTION]! += Math.max(0, booked - BRANCH_UNIT_CYCLES);
      } else if (kind === code.EXIT) next = time + BRANCH_STALL_COUNT;
    } else result = this.sendToMemory(warp, scheduler, pc, slot, time);
    if (kind === code.FENCE && warps.lastStore[warp]! > next) {
      next = warps.lastStore[warp]!;
      nextReason = stall.MEMBAR;
    }
    // The instruction's next slot, or the warp's next instruction.
    const last = slot + 1 >= warps.slotEnd[warp]!;
    this.scoreboard.note(warp, pc, slot, result, last);
    if (!last) warps.slot[warp] = slot + 1;
    else if (++warps.pcIndex[warp]! < warps.pcEnd[warp]!) warps.enter(warp, mc.slotStart);
    else {
      this.leave(warp, time);
      return ENDS;
    }
    if (kind === code.BARRIER_ARRIVE) return ARRIVES;
    this.goOn(warp, time + 1 + booked, Math.max(next, time + this.apart(slot, warps.slot[warp]!)), nextReason, time);
    return GOES_ON;
  }

  /** The warp sleeps until its next slot may issue, at `earliest` at the soonest for `reason`; books the wait from `from`. */
  goOn(warp: number, from: number, earliest: number, reason: number, now: number): void {
    const slot = this.warps.slot[warp]!;
    const ready = this.scoreboard.readyAt(warp, this.warps.pc[warp]!, slot, from, earliest, reason);
    this.schedulers.sleep(warp, this.mc.gate[slot]!, ready, now);
  }

  private takePipe(scheduler: number, slot: number, time: number): void {
    const { mc } = this;
    const { gateOpens, pipeTaken, dispatchFree, count } = this.schedulers;
    const pipe = mc.pipe[slot]!;
    const interval = mc.interval[slot]!;
    if (mc.pipeIsShared[pipe] === 1) {
      for (let s = 0; s < count; s++) gateOpens[s * code.GATES + pipe] = time + interval;
      return;
    }
    const gate = scheduler * code.GATES + pipe;
    const long = mc.group[slot] === LONG_GROUP;
    gateOpens[gate] = time + (long ? LONG_MULTIPLY_PASSES * interval : interval);
    pipeTaken[gate] = long ? gateOpens[gate]! : time + this.usualInterval[pipe]!;
    if (long) dispatchFree[scheduler] = time + 1 + LONG_MULTIPLY_DISPATCH_CYCLES;
  }

  /** When the result is there. */
  private sendToMemory(warp: number, scheduler: number, pc: number, slot: number, time: number): number {
    const { mc, warps, memory: unit } = this;
    const kind = mc.kind[slot]!;
    const records = warps.memory[warp]!;
    let at = -1;
    if (mc.traced[pc] === 1 && kind !== code.QUEUED) {
      at = warps.memoryAt[warp]!;
      warps.memoryAt[warp] = at + 3 + records[at + 2]!;
    }
    unit.issue(
      scheduler,
      time,
      kind,
      mc.latency[slot]!,
      records,
      at,
      mc.bytesPerLane[pc]!,
      warps.instance[warp]!,
      this.bypassesL1[pc] === 1,
    );
    if (unit.storedAt > 0) {
      warps.drained[warp] = unit.drainedAt;
      warps.lastStore[warp] = unit.storedAt;
    }
    return unit.result;
  }

  /** A warp leaves when its last store is in the queue to the port. */
  private leave(warp: number, time: number): void {
    const { warpCycles } = this;
    const left = time + BRANCH_STALL_COUNT + EXIT_BRANCH_CYCLES;
    this.gone = Math.max(left + EXIT_DRAIN_CYCLES, this.warps.drained[warp]!);
    warpCycles[stall.WAIT]! += BRANCH_STALL_COUNT - 1;
    warpCycles[stall.BRANCH]! += EXIT_BRANCH_CYCLES;
    warpCycles[stall.DRAIN]! += this.gone - left;
  }

  /** Cycles that ptxas has a warp wait between two of its slots where the second would find the pipe taken; 0: none. */
  private apart(slot: number, next: number): number {
    const { mc } = this;
    const kind = mc.kind[slot]!;
    if (isMemory(kind)) return isMemory(mc.kind[next]!) ? MEMORY_STALL_COUNT : 0;
    if (kind !== code.FIXED || mc.pipe[slot] !== mc.pipe[next]) return 0;
    const long = mc.group[slot] === LONG_GROUP && mc.group[next] === LONG_GROUP;
    return long ? LONG_MULTIPLY_STALL_COUNT : mc.interval[slot]!;
  }
}
