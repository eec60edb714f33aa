/**
 * A warp scheduler of the SM: it chooses the warp that issues and books the stalls of the others. A warp's scheduler is
 * its slot modulo the number of schedulers. A scheduler issues one slot a cycle, from the same warp as long as that one
 * is eligible. Else it takes the youngest warp of the oldest block ("greedy then youngest", Huerta et al., arXiv
 * 2503.20481). On other GPUs it takes the next eligible warp in turn.
 *
 * An instruction yields if the next one waits for its result for a number of cycles that ptxas knows, because ptxas
 * sets its yield flag. A warp that yields comes after all warps that do not. Among those that yield, the oldest block
 * comes first, and within a block the warp that issued longest ago. This stands for the equal progress of the 8 warps
 * of a block in a chain of FMAs (h200/micro/yield.json).
 */
import type { WarpScheduling } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";
import { DISPATCH, LG_THROTTLE, MATH_PIPE, MIO_THROTTLE, NOT_SELECTED } from "../base/stalls.js";
import { SAME_PLACE, type WarpObserver } from "../base/warp-observer.js";
import { GATES, LG_GATE, MIO_GATE, MIO_GATES } from "../program/microcode.js";
import { WakeCalendar } from "./wake-calendar.js";

/** Longer than a simulation, so that the block of a warp that yields counts more than its last issue. */
const BLOCK_CYCLES = 1e9;

export class WarpScheduler {
  /** The cycle in which each gate opens. */
  readonly gateOpens: Float64Array = new Float64Array(GATES);
  /** Until then the pipe itself closes the gate; after that, another scheduler or pipe does. */
  readonly pipeTaken: Float64Array = new Float64Array(GATES);
  /** The scheduler dispatches nothing before this cycle. */
  dispatchFree: number = FRACTION;
  /** Until then the register file is busy with the operands of an earlier instruction. */
  registersTaken: number = FRACTION;
  /** The next cycle in which the scheduler may issue; infinite if there is none. */
  nextStep: number = Number.POSITIVE_INFINITY;
  /** The number of each warp's block, in the order in which the SM started them. */
  private readonly blockOf: Int32Array;
  /** The warp with the highest rank goes first; `order` is its rank while it does not yield. */
  private readonly rank: Float64Array;
  private readonly order: Float64Array;
  private readonly gateOf: Uint8Array;
  private lastWarp = -1;
  // Awake warps wait only for their gate, and are listed by gate; all other running warps sleep.
  private readonly asleep: WakeCalendar;
  private readonly awake: Int32Array;
  private readonly awakeCount = new Int32Array(GATES);
  /** The index of each warp in `awake`; -1: asleep. */
  private readonly placeOf: Int32Array;
  /** The gates at which warps wait, a bit each. */
  private gatesInUse = 0;
  private readonly woken: Int32Array;
  // Whether warps were held at the last step, since when, and how many for each stall reason.
  private holds = false;
  private heldSince: number = FRACTION;
  private heldByChoice = 0;
  private heldByPipe = 0;
  private heldByDispatch = 0;
  private heldByMio = 0;
  private heldByLg = 0;
  private readonly inTurn: boolean;
  private readonly heedsYields: boolean;

  /** `slots`: warp slots of the SM. */
  constructor(
    slots: number,
    private readonly warps: number,
    private readonly warpCycles: Float64Array,
    scheduling: WarpScheduling,
    private readonly observer: WarpObserver | null = null,
  ) {
    this.inTurn = scheduling === "looseRoundRobin";
    this.heedsYields = scheduling === "greedyUntilYield";
    this.blockOf = new Int32Array(slots);
    this.rank = new Float64Array(slots);
    this.order = new Float64Array(slots);
    this.gateOf = new Uint8Array(slots);
    this.asleep = new WakeCalendar(slots, warps);
    this.awake = new Int32Array(GATES * warps);
    this.placeOf = new Int32Array(slots).fill(-1);
    this.woken = new Int32Array(warps);
  }

  /** Warp `index` of the SM's block number `block` takes slot `warp`. */
  arrive(warp: number, block: number, index: number, warpsPerBlock: number): void {
    this.blockOf[warp] = block;
    this.order[warp] = index - block * warpsPerBlock;
  }

  /** The warp sleeps until `time`. Its next slot goes through `gate`; the warp has low priority if it `yields`. */
  sleep(warp: number, gate: number, time: number, now: number, yields: boolean): void {
    this.gateOf[warp] = gate;
    this.rank[warp] = yields && this.heedsYields ? -BLOCK_CYCLES * (1 + this.blockOf[warp]!) - now : this.order[warp]!;
    const until = Math.max(now + 1, Math.ceil(time));
    this.asleep.sleep(warp, until, now);
    if (until < this.nextStep) this.nextStep = until;
  }

  /** The scheduler's memory queue is full until `until`. */
  closeMemory(until: number): void {
    this.gateOpens[MIO_GATE] = until;
    this.gateOpens[LG_GATE] = until;
  }

  /** The warp that issues at `time`; -1: none. */
  choose(time: number): number {
    if (this.holds) this.bookHeld(time);
    this.wake(time);
    const { gateOpens, pipeTaken, awakeCount, dispatchFree } = this;
    let open = 0;
    let free = 0;
    let pipe = 0;
    let dispatch = 0;
    let mio = 0;
    let lg = 0;
    let next = Number.POSITIVE_INFINITY;
    for (let left = this.gatesInUse; left !== 0; left &= left - 1) {
      const gate = 31 - Math.clz32(left & -left);
      const waiting = awakeCount[gate]!;
      const opens = gateOpens[gate]!;
      if (opens > time) {
        if (((MIO_GATES >> gate) & 1) !== 0) mio += waiting;
        else if (gate === LG_GATE) lg += waiting;
        else if (pipeTaken[gate]! > time) pipe += waiting;
        else dispatch += waiting;
        if (opens < next) next = opens;
      } else if (dispatchFree > time) {
        dispatch += waiting;
        if (dispatchFree < next) next = dispatchFree;
      } else {
        free += waiting;
        open |= 1 << gate;
      }
    }
    if (free > 1 || pipe + dispatch + mio + lg > 0) {
      this.holds = true;
      this.heldSince = time;
      this.heldByChoice = Math.max(0, free - 1);
      this.heldByPipe = pipe;
      this.heldByDispatch = dispatch;
      this.heldByMio = mio;
      this.heldByLg = lg;
    }
    this.nextStep = free > 1 ? time + 1 : Math.min(Math.ceil(next), this.asleep.soonest(time));
    const best = free === 0 ? -1 : this.firstOf(open);
    if (best >= 0) {
      this.leave(best);
      this.lastWarp = best;
    }
    if (this.observer !== null) this.tellHeld(this.observer, time, open);
    return best;
  }

  /** Tells why each warp that stands at a gate does not issue at `time`; the gates `open` let warps through. */
  private tellHeld(observer: WarpObserver, time: number, open: number): void {
    const { awake, awakeCount, gateOpens, pipeTaken, warps } = this;
    for (let left = this.gatesInUse; left !== 0; left &= left - 1) {
      const gate = 31 - Math.clz32(left & -left);
      let state: number = DISPATCH;
      if (((open >> gate) & 1) !== 0) state = NOT_SELECTED;
      else if (gateOpens[gate]! > time) {
        if (((MIO_GATES >> gate) & 1) !== 0) state = MIO_THROTTLE;
        else if (gate === LG_GATE) state = LG_THROTTLE;
        else if (pipeTaken[gate]! > time) state = MATH_PIPE;
      }
      const from = gate * warps;
      for (let i = 0; i < awakeCount[gate]!; i++) observer.enters(awake[from + i]!, state, time, SAME_PLACE);
    }
  }

  /** Moves the warps that wake to their gates. */
  private wake(time: number): void {
    const { woken, awake, awakeCount, gateOf, placeOf, warps } = this;
    const count = this.asleep.wake(time, woken, 0);
    for (let i = 0; i < count; i++) {
      const warp = woken[i]!;
      const gate = gateOf[warp]!;
      const place = gate * warps + awakeCount[gate]!++;
      awake[place] = warp;
      placeOf[warp] = place;
      this.gatesInUse |= 1 << gate;
    }
  }

  /** The warp with the highest priority at the gates `open`, at which at least one warp waits. */
  private firstOf(open: number): number {
    const { awake, awakeCount, gateOf, rank: rankOf, inTurn, warps, lastWarp: last } = this;
    const goesOn = !inTurn && last >= 0 && this.placeOf[last]! >= 0 && rankOf[last] === this.order[last];
    if (goesOn && ((open >> gateOf[last]!) & 1) !== 0) return last;
    const slots = rankOf.length;
    let best = -1;
    let bestRank = Number.NEGATIVE_INFINITY;
    for (let left = open; left !== 0; left &= left - 1) {
      const gate = 31 - Math.clz32(left & -left);
      const from = gate * warps;
      const end = from + awakeCount[gate]!;
      for (let place = from; place < end; place++) {
        const warp = awake[place]!;
        // In turn: warps after the last one come before those up to it, each in the order of their slots.
        const rank = !inTurn ? rankOf[warp]! : warp > last ? -warp : -warp - slots;
        if (rank > bestRank) {
          best = warp;
          bestRank = rank;
        }
      }
    }
    return best;
  }

  /** Removes the warp from its gate. */
  private leave(warp: number): void {
    const { awake, awakeCount, placeOf } = this;
    const gate = this.gateOf[warp]!;
    const left = --awakeCount[gate]!;
    const moved = awake[gate * this.warps + left]!;
    const place = placeOf[warp]!;
    awake[place] = moved;
    placeOf[moved] = place;
    placeOf[warp] = -1;
    if (left === 0) this.gatesInUse &= ~(1 << gate);
  }

  /** Books the cycles since the last step for the warps that were not chosen. */
  private bookHeld(time: number): void {
    const { warpCycles } = this;
    const span = time - this.heldSince;
    this.holds = false;
    warpCycles[NOT_SELECTED]! += span * this.heldByChoice;
    warpCycles[MATH_PIPE]! += span * this.heldByPipe;
    warpCycles[DISPATCH]! += span * this.heldByDispatch;
    warpCycles[MIO_THROTTLE]! += span * this.heldByMio;
    warpCycles[LG_THROTTLE]! += span * this.heldByLg;
  }
}
