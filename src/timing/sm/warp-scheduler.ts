/**
 * One of an SM's warp schedulers: which warp it issues from, what the others wait for. Slot modulo schedulers is a warp's
 * scheduler. A scheduler issues one slot a cycle, from the warp that it issued from last as long as that one can go on, else
 * from the youngest of the oldest block ("greedy then youngest", Huerta et al., arXiv 2503.20481, where there is one block;
 * h200/micro/refill.json, order: a block waits for those before it), or, on other GPUs, from the next in turn that can.
 *
 * An instruction yields where the next one waits for its result for a number of cycles that ptxas knows: it sets the yield of
 * those that have a stall count for that. Its warp then comes behind all that don't yield, the oldest block's first, of a block the one
 * that issued longest ago (h200/micro/yield.json: 8 warps of a block in chains of 64 multiply-adds take rounds of 566 to 580
 * cycles, all alike, of 8 blocks the two oldest 298 and 303 and four wait; without a result to wait for, 16 warps of two blocks, the
 * youngest of a block are done at half of the oldest's time: h200/micro/progress.json, ffma).
 */
import type { WarpScheduling } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";
import { DISPATCH, LG_THROTTLE, MATH_PIPE, MIO_THROTTLE, NOT_SELECTED } from "../base/stalls.js";
import { SAME_PLACE, type WarpObserver } from "../base/warp-observer.js";
import { GATES, LG_GATE, MIO_GATE, MIO_GATES } from "../program/microcode.js";
import { WakeCalendar } from "./wake-calendar.js";

/** More than a simulation lasts: warps that yield come by their blocks before all. */
const BLOCK_CYCLES = 1e9;

export class WarpScheduler {
  /** Until when each gate is shut. */
  readonly gateOpens: Float64Array = new Float64Array(GATES);
  /** Until then a closed gate is the pipe's own; behind that, what another scheduler or pipe holds up. */
  readonly pipeTaken: Float64Array = new Float64Array(GATES);
  /** It dispatches nothing before. */
  dispatchFree: number = FRACTION;
  /** Until then the register file is still read for an instruction issued before. */
  registersTaken: number = FRACTION;
  /** The next cycle in which it has to be looked at; infinite where there is none. */
  nextStep: number = Number.POSITIVE_INFINITY;
  /** The number of each one's block, as the SM counts them. */
  private readonly blockOf: Int32Array;
  /** What comes first: the greatest; and the same of a warp that doesn't yield. */
  private readonly rank: Float64Array;
  private readonly order: Float64Array;
  private readonly gateOf: Uint8Array;
  private lastWarp = -1;
  // Warps that may issue as far as they themselves are concerned, by the gate that they wait at; all other running ones sleep.
  private readonly asleep: WakeCalendar;
  private readonly awake: Int32Array;
  private readonly awakeCount = new Int32Array(GATES);
  /** Where each stands there; -1: asleep. */
  private readonly placeOf: Int32Array;
  /** The gates that any warp waits at, a bit each. */
  private gatesInUse = 0;
  private readonly woken: Int32Array;
  // Whether there are warps that do not issue since it was last looked at, how many, and the cycles that all such have waited.
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

  /** Warp `index` of the SM's block number `block`, of so many warps each, comes into slot `warp`. */
  arrive(warp: number, block: number, index: number, warpsPerBlock: number): void {
    this.blockOf[warp] = block;
    this.order[warp] = index - block * warpsPerBlock;
  }

  /** The warp can do nothing before `time`; then its next slot goes by way of `gate`, and lets others go first if it `yields`. */
  sleep(warp: number, gate: number, time: number, now: number, yields: boolean): void {
    this.gateOf[warp] = gate;
    this.rank[warp] = yields && this.heedsYields ? -BLOCK_CYCLES * (1 + this.blockOf[warp]!) - now : this.order[warp]!;
    const until = Math.max(now + 1, Math.ceil(time));
    this.asleep.sleep(warp, until, now);
    if (until < this.nextStep) this.nextStep = until;
  }

  /** Its memory queue has no room before `until`. */
  closeMemory(until: number): void {
    this.gateOpens[MIO_GATE] = until;
    this.gateOpens[LG_GATE] = until;
  }

  /** The warp that it issues from at `time`; -1: none. */
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

  /** The warps whose time has come stand at their gates. */
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

  /** The warp that goes first of those at the gates `open`, of which there are some. */
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
        // In turn: those behind the last one before those up to it, each in the order of their slots.
        const rank = !inTurn ? rankOf[warp]! : warp > last ? -warp : -warp - slots;
        if (rank > bestRank) {
          best = warp;
          bestRank = rank;
        }
      }
    }
    return best;
  }

  /** The warp leaves its gate. */
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

  /** Books what the warps that were not chosen have waited since. */
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
