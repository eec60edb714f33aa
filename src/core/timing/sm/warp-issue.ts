/**
 * The issue of a slot: it occupies its pipe or goes to the memory unit, and the scoreboard notes its result. Then the
 * warp moves on to its next slot.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { PIPE_NAMES, type PipeName } from "../base/pipe-names.js";
import { BARRIER, BRANCH, DRAIN, MEMBAR, NO_INSTRUCTION, SELECTED, WAIT } from "../base/stalls.js";
import type { WarpObserver } from "../base/warp-observer.js";
import { LONG_GROUP } from "../program/bypass.js";
import type { Microcode } from "../program/microcode.js";
import * as slots from "../program/slot-info.js";
import { END, type WarpStreams } from "../program/warp-streams.js";
import { instanceOfSlot, isLocal } from "../trace/request-sectors.js";
import { SpinLoops } from "../trace/spin-loops.js";
import { RECORD_HEADER } from "../trace/trace.js";
import type { MemoryUnit } from "./memory-unit.js";
import type { Scoreboard } from "./scoreboard.js";
import { SharedUnit } from "./shared-unit.js";
import type { Warp } from "./warp.js";
import type { WarpScheduler } from "./warp-scheduler.js";

// Stall counts that ptxas writes for sm_90, which Nsight Compute counts as fixed waits
// (test/reference/h200/kernels/probes.cu). They are 5 after BRA, EXIT and BSYNC, and 4 between two memory instructions.
// They are 2 between two instructions of a pipe that takes one every other cycle.
const BRANCH_STALL_COUNT = 5;
const MEMORY_STALL_COUNT = 4;
// A taken branch of a loop is branch_resolving for 3 cycles and no_instruction for 4. EXIT is branch_resolving for 8
// cycles and drain for 4 or more (test/reference/h200/micro/set-7.json).
const BRANCH_UNIT_CYCLES = 3;
const EXIT_BRANCH_CYCLES = 8;
const EXIT_DRAIN_CYCLES = 4;

// A 64-bit multiply takes its pipe twice, and the scheduler dispatches nothing for two cycles after it. The next
// multiply of the same warp waits longer: 6.1 cycles for one warp a scheduler (test/reference/h200/micro/set-9.json,
// hiFour).
const LONG_MULTIPLY_PASSES = 2;
const LONG_MULTIPLY_DISPATCH_CYCLES = 2;
const LONG_MULTIPLY_STALL_COUNT = 6;

// An instruction that reads three registers occupies the register file for two cycles. An instruction in the second
// cycle issues if it reads at most one register; else its dispatch is a cycle late. That counts as dispatch_stall, not
// math_pipe_throttle (test/reference/h200/micro/set-9.json, ffmaThree).
const THREE_OPERAND_CYCLES = 2;

const QUEUED: ReadonlySet<PipeName> = new Set<PipeName>(["special", "match", "redux", "fp64"]);

/** The state of the warp after an issue: asleep until its next slot, at a barrier, or ended. */
export const GOES_ON = 0;
export const ARRIVES = 1;
export const ENDS = 2;

/**
 * The time of a fence as a share of L2's latency. A fence goes to L2 and back after the store before it has completed:
 * 272 cycles alone, 403 after a store (h200/micro/runs.json, fences).
 */
const FENCE = 0.97;
const FENCE_BEHIND_STORE = 0.45;

export class IssueUnit {
  /**
   * All issued slots, the replayed ones of compare-and-swap loops, and the BSYNCs of lanes that arrive before others of
   * their warp.
   */
  issued = 0;
  repeats = 0;
  arrivals = 0;
  /** When the warp that ended last has left. */
  gone: number = Number.NaN;
  readonly pipeBusyCycles: Float64Array = new Float64Array(PIPE_NAMES.length);
  /** By pipe; null if each scheduler has its own unit or the pipe has no queue. */
  private readonly units: readonly (SharedUnit | null)[];
  private readonly stream: Int32Array;
  private readonly pcOf: Int32Array;
  private readonly info: Int32Array;
  private readonly latency: Float64Array;
  private readonly interval: Float64Array;
  private readonly bytesPerLane: Uint8Array;
  private readonly localSectors: number;
  private readonly spinLoops: SpinLoops;
  private readonly l2Latency: number;
  private readonly matchLatency: number;
  private readonly matchValueLatency: number;
  private readonly matchInterval: number;

  constructor(
    device: DeviceSpec,
    mc: Microcode,
    streams: WarpStreams,
    /** 1 for volatile memory instructions, which bypass L1, by pc. */
    private readonly bypassesL1: Uint8Array,
    warps: number,
    private readonly schedulers: readonly WarpScheduler[],
    private readonly scoreboard: Scoreboard,
    private readonly memory: MemoryUnit,
    private readonly warpCycles: Float64Array,
    private readonly observer: WarpObserver | null = null,
  ) {
    this.units = PIPE_NAMES.map((name) =>
      QUEUED.has(name) && device.pipes[name]?.sharedBy === "sm" ? new SharedUnit(device.schedulersPerSm) : null,
    );
    this.stream = streams.slots;
    this.pcOf = mc.pcOf;
    this.info = mc.info;
    this.latency = mc.latency;
    this.interval = mc.interval;
    this.bytesPerLane = mc.bytesPerLane;
    this.localSectors = mc.localSectors;
    this.spinLoops = new SpinLoops(warps, device.sharedMemory.banks);
    this.l2Latency = device.l2.hitLatencyCycles;
    this.matchLatency = device.matchAny?.latencyCycles ?? 0;
    this.matchValueLatency = device.matchAny?.latencyPerValueCycles ?? 0;
    this.matchInterval = device.matchAny?.intervalPerValueCycles ?? 0;
  }

  /** Issued slots of the traces' instructions. */
  get issues(): number {
    return this.issued - this.repeats - this.arrivals;
  }

  /** The warp issues its current slot at `time`. */
  issue(warp: Warp, scheduler: number, time: number): number {
    const { warpCycles } = this;
    const { slot } = warp;
    const info = this.info[slot]!;
    const kind = slots.kindOf(info);
    const pipe = slots.pipeOf(info);
    const unit = this.units[pipe]!;
    let interval = this.interval[slot]!;
    let result = time + this.latency[slot]!;
    if (kind === slots.FIXED && (info & slots.TRACED) !== 0) {
      const values = this.valuesOf(warp);
      interval = values * this.matchInterval;
      result = time + this.matchLatency + values * this.matchValueLatency;
    }
    this.issued++;
    if (this.observer !== null) this.observer.enters(warp.index, SELECTED, time, slot);
    this.pipeBusyCycles[pipe]! += interval;
    let next = time + 1;
    let nextReason: number = WAIT;
    let from = next;
    if (slots.goesToMemory(kind)) {
      result = this.sendToMemory(warp, scheduler, slot, info, time);
      if (kind === slots.FENCE) {
        next = Math.max(next, warp.lastStore + FENCE_BEHIND_STORE * this.l2Latency) + FENCE * this.l2Latency;
        nextReason = MEMBAR;
      }
    } else if (unit !== null) {
      const taken = unit.take(scheduler, time, interval);
      result += taken - time;
      if (kind === slots.LANE_REGISTER) this.memory.laneRegister(taken);
      this.schedulers[scheduler]!.gateOpens[pipe] = Math.max(time + 1, unit.fullUntil(scheduler));
    } else {
      this.takePipe(scheduler, info, interval, time);
      if (kind === slots.BRANCH_OUT) {
        next = this.isTaken(warp, slot, info) || this.goesRoundAgain(warp, info) ? result : time + BRANCH_STALL_COUNT;
        const booked = Math.max(0, next - time - BRANCH_STALL_COUNT);
        warpCycles[BRANCH]! += Math.min(BRANCH_UNIT_CYCLES, booked);
        warpCycles[NO_INSTRUCTION]! += Math.max(0, booked - BRANCH_UNIT_CYCLES);
        if (this.observer !== null && booked > 0) {
          this.observer.enters(warp.index, BRANCH, from, slot);
          if (booked > BRANCH_UNIT_CYCLES)
            this.observer.enters(warp.index, NO_INSTRUCTION, from + BRANCH_UNIT_CYCLES, slot);
        }
        from += booked;
        if ((info & slots.ARRIVAL) !== 0) this.arrivals++;
      } else if (kind === slots.EXIT) next = time + BRANCH_STALL_COUNT;
    }
    this.scoreboard.note(warp, slot, info, result);
    // The next slot of the instruction, or the first slot of the next instruction.
    const following = (info & slots.LAST) === 0 ? slot + 1 : ++warp.at < warp.end ? this.stream[warp.at]! : END;
    if (following === END) {
      this.leave(warp, slot, time);
      return ENDS;
    }
    warp.slot = following;
    if (kind === slots.BARRIER_ARRIVE) {
      if (this.observer !== null) this.observer.enters(warp.index, BARRIER, time + 1, slot);
      return ARRIVES;
    }
    const apart = time + stallCount(info, interval, this.info[following]!);
    const mayYield = kind === slots.FIXED && unit === null;
    this.goOn(warp, scheduler, from, apart > next ? apart : next, nextReason, time, mayYield);
    return GOES_ON;
  }

  /**
   * The warp sleeps until its next slot may issue, but not before `earliest`, which is due to `reason`. Books the wait
   * from `from`. `mayYield`: the previous instruction has a stall count for its result.
   */
  goOn(
    warp: Warp,
    scheduler: number,
    from: number,
    earliest: number,
    reason: number,
    now: number,
    mayYield: boolean,
  ): void {
    const { slot } = warp;
    const ready = this.scoreboard.readyAt(warp, slot, from, earliest, reason);
    const yields = mayYield && this.scoreboard.waitsForResult;
    this.schedulers[scheduler]!.sleep(warp.index, slots.gateOf(this.info[slot]!), ready, now, yields);
  }

  /** A branch that is not taken costs as much as an EXIT that is not taken (h200/micro/set-4.json). */
  private isTaken(warp: Warp, slot: number, info: number): boolean {
    if ((info & slots.IS_BRANCH) === 0) return true;
    const following = this.stream[warp.at + 1]!;
    return following === END || this.pcOf[following] !== this.pcOf[slot]! + 1 || this.isArrival(following);
  }

  private isArrival(slot: number): boolean {
    return (this.info[slot]! & slots.ARRIVAL) !== 0;
  }

  /**
   * Whether a compare-and-swap loop repeats after its traced iterations; then the warp goes back to the loop's head.
   */
  private goesRoundAgain(warp: Warp, info: number): boolean {
    if ((info & slots.SPIN_BRANCH) === 0 || !this.spinLoops.goesAgain(warp.index)) return false;
    const { spinLoops } = this;
    const head = spinLoops.headAt[warp.index]!;
    const round = warp.at + 1 - head;
    this.repeats += round;
    warp.at = head - 1;
    warp.memoryAt = spinLoops.headMemoryAt[warp.index]!;
    return true;
  }

  /** The distinct values of a match.any, which the unit serves one after the other (`MatchAnySpec`). */
  private valuesOf(warp: Warp): number {
    const at = warp.memoryAt;
    warp.memoryAt = at + RECORD_HEADER + warp.memory[at + 2]!;
    return warp.memory[at + 1]!;
  }

  private takePipe(scheduler: number, info: number, interval: number, time: number): void {
    const taken = this.schedulers[scheduler]!;
    const { gateOpens, pipeTaken } = taken;
    const pipe = slots.pipeOf(info);
    if ((info & slots.SHARED_PIPE) !== 0) {
      for (const each of this.schedulers) each.gateOpens[pipe] = time + interval;
    } else if (slots.groupOf(info) === LONG_GROUP) {
      gateOpens[pipe] = pipeTaken[pipe] = time + LONG_MULTIPLY_PASSES * interval;
      taken.dispatchFree = time + 1 + LONG_MULTIPLY_DISPATCH_CYCLES;
    } else {
      gateOpens[pipe] = pipeTaken[pipe] = time + interval;
      if ((info & slots.READS_BANKS) !== 0) {
        const late = taken.registersTaken > time ? 1 : 0;
        if (late > 0) taken.dispatchFree = time + 1 + late;
        if ((info & slots.READS_LONG) !== 0) taken.registersTaken = time + late + THREE_OPERAND_CYCLES;
      }
    }
  }

  /** Sends the slot to the memory unit; returns when its result is available. */
  private sendToMemory(warp: Warp, scheduler: number, slot: number, info: number, time: number): number {
    const { memory: unit } = this;
    const kind = slots.kindOf(info);
    const records = warp.memory;
    const pc = this.pcOf[slot]!;
    let at = -1;
    if ((info & slots.TRACED) !== 0 && kind !== slots.QUEUED) {
      at = warp.memoryAt;
      warp.memoryAt = at + RECORD_HEADER + records[at + 2]!;
    }
    const local = at >= 0 && this.localSectors > 0 && isLocal(records, at + RECORD_HEADER, records[at + 2]!);
    unit.issue(
      scheduler,
      time,
      kind,
      this.latency[slot]!,
      records,
      at,
      this.bytesPerLane[pc]!,
      local ? instanceOfSlot(warp.index, this.localSectors) : warp.instance,
      this.bypassesL1[pc] === 1,
    );
    this.schedulers[scheduler]!.closeMemory(unit.fullUntil(scheduler));
    if ((info & (slots.SPIN_LOAD | slots.SPIN_SWAP)) !== 0 && at >= 0)
      this.spin(warp, info, at, this.bytesPerLane[pc]!);
    if (unit.storedAt > 0) {
      warp.drained = unit.drainedAt;
      warp.lastStore = unit.storedAt;
    }
    return unit.result;
  }

  private spin(warp: Warp, info: number, at: number, size: number): void {
    const { memory: unit, spinLoops } = this;
    if ((info & slots.SPIN_LOAD) !== 0) spinLoops.load(warp.index, warp.at, at, unit.servedAt);
    else spinLoops.swap(warp.index, warp.instance, warp.memory, at, size, unit.servedAt);
  }

  /** A warp leaves when its last store is in the queue to the port. */
  private leave(warp: Warp, slot: number, time: number): void {
    const { warpCycles, observer } = this;
    const left = time + BRANCH_STALL_COUNT + EXIT_BRANCH_CYCLES;
    this.gone = Math.max(left + EXIT_DRAIN_CYCLES, warp.drained);
    warpCycles[WAIT]! += BRANCH_STALL_COUNT - 1;
    warpCycles[BRANCH]! += EXIT_BRANCH_CYCLES;
    warpCycles[DRAIN]! += this.gone - left;
    if (observer === null) return;
    observer.enters(warp.index, WAIT, time + 1, slot);
    observer.enters(warp.index, BRANCH, time + BRANCH_STALL_COUNT, slot);
    observer.enters(warp.index, DRAIN, left, slot);
  }
}

/**
 * Cycles that ptxas makes a warp wait between two of its slots because the second would find the pipe busy; 0: none.
 */
function stallCount(info: number, interval: number, next: number): number {
  const kind = slots.kindOf(info);
  if (slots.accessesMemory(kind)) return slots.accessesMemory(slots.kindOf(next)) ? MEMORY_STALL_COUNT : 0;
  if ((kind !== slots.FIXED && kind !== slots.LANE_REGISTER) || slots.pipeOf(info) !== slots.pipeOf(next)) return 0;
  const long = slots.groupOf(info) === LONG_GROUP && slots.groupOf(next) === LONG_GROUP;
  return long ? LONG_MULTIPLY_STALL_COUNT : interval;
}
