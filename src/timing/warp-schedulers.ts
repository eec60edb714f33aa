/**
 * An SM's warp schedulers: which warp each issues from, what the others wait for. Slot modulo schedulers is a warp's
 * scheduler. A scheduler issues one slot a cycle, from the warp that it issued from last as long as that one can go on, else
 * from the youngest of the oldest block ("greedy then youngest", Huerta et al., arXiv 2503.20481, where there is one block;
 * h200-refill-micro.json, order: a block waits for those before it), or, on other GPUs, from the next in turn that can.
 */
import type { WarpScheduling } from "../device/spec.js";
import { GATES, LG_GATE, MIO_GATE, MIO_GATES } from "./microcode.js";
import { DISPATCH, LG_THROTTLE, MATH_PIPE, MIO_THROTTLE, NOT_SELECTED } from "./stalls.js";
import { WakeCalendar } from "./wake-calendar.js";

export class WarpSchedulers {
  /** Until when each gate of each scheduler is shut, [scheduler * GATES + gate]. */
  readonly gateOpens: Float64Array;
  /** Until then a closed gate is the pipe's own; behind that, what the register file or another pipe holds up. */
  readonly pipeTaken: Float64Array;
  /** The scheduler dispatches nothing before. */
  readonly dispatchFree: Float64Array;
  /** What comes first: the greatest. */
  private readonly order: Float64Array;
  private readonly gateOf: Uint8Array;
  private readonly lastWarp: Int32Array;
  private readonly nextStep: Float64Array;
  // Warps that may issue as far as they themselves are concerned, by scheduler and the gate that they wait at; all other
  // running ones sleep.
  private readonly asleep: WakeCalendar;
  private readonly awake: Int32Array;
  private readonly awakeCount: Int32Array;
  /** Where each stands there; -1: asleep. */
  private readonly placeOf: Int32Array;
  /** Of each scheduler the gates that any warp waits at, a bit each. */
  private readonly gatesInUse: Int32Array;
  private readonly woken: Int32Array;
  // Those that do not issue since the scheduler was last looked at, and the cycles that all such have waited.
  private readonly heldSince: Float64Array;
  private readonly heldByChoice: Int32Array;
  private readonly heldByPipe: Int32Array;
  private readonly heldByDispatch: Int32Array;
  private readonly heldByMio: Int32Array;
  private readonly heldByLg: Int32Array;
  private readonly inTurn: boolean;

  constructor(
    readonly count: number,
    private readonly warpsPerScheduler: number,
    private readonly warpCycles: Float64Array,
    scheduling: WarpScheduling,
  ) {
    this.inTurn = scheduling === "looseRoundRobin";
    this.gateOpens = new Float64Array(count * GATES);
    this.pipeTaken = new Float64Array(count * GATES);
    this.dispatchFree = new Float64Array(count);
    this.order = new Float64Array(count * warpsPerScheduler);
    this.gateOf = new Uint8Array(count * warpsPerScheduler);
    this.lastWarp = new Int32Array(count).fill(-1);
    this.nextStep = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.asleep = new WakeCalendar(count, warpsPerScheduler);
    this.awake = new Int32Array(count * GATES * warpsPerScheduler);
    this.awakeCount = new Int32Array(count * GATES);
    this.placeOf = new Int32Array(count * warpsPerScheduler).fill(-1);
    this.gatesInUse = new Int32Array(count);
    this.woken = new Int32Array(warpsPerScheduler);
    this.heldSince = new Float64Array(count);
    this.heldByChoice = new Int32Array(count);
    this.heldByPipe = new Int32Array(count);
    this.heldByDispatch = new Int32Array(count);
    this.heldByMio = new Int32Array(count);
    this.heldByLg = new Int32Array(count);
  }

  /** A new warp comes into slot `warp`; those of a greater `order` issue before it. */
  arrive(warp: number, order: number): void {
    this.order[warp] = order;
  }

  /** The warp can do nothing before `time`; then its next slot goes by way of `gate`. */
  sleep(scheduler: number, warp: number, gate: number, time: number, now: number): void {
    this.gateOf[warp] = gate;
    const until = Math.max(now + 1, Math.ceil(time));
    this.asleep.sleep(scheduler, warp, until, now);
    if (until < this.nextStep[scheduler]!) this.nextStep[scheduler] = until;
  }

  /** The next cycle in which a scheduler has to be looked at; infinite where none has. */
  soonest(): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (let s = 0; s < this.count; s++) if (this.nextStep[s]! < soonest) soonest = this.nextStep[s]!;
    return soonest;
  }

  /** Whether the scheduler has to be looked at at `time`. */
  isDue(scheduler: number, time: number): boolean {
    return this.nextStep[scheduler]! <= time;
  }

  /** The scheduler's memory queue has no room before `until`. */
  closeMemory(scheduler: number, until: number): void {
    this.gateOpens[scheduler * GATES + MIO_GATE] = until;
    this.gateOpens[scheduler * GATES + LG_GATE] = until;
  }

  /** The warp that the scheduler issues from at `time`; -1: none. */
  choose(scheduler: number, time: number): number {
    const { gateOpens, pipeTaken, awakeCount } = this;
    this.bookHeld(scheduler, time);
    this.wake(scheduler, time);
    const gates = scheduler * GATES;
    const blocked = this.dispatchFree[scheduler]!;
    let open = 0;
    let free = 0;
    let pipe = 0;
    let dispatch = 0;
    let mio = 0;
    let lg = 0;
    let next = Number.POSITIVE_INFINITY;
    for (let left = this.gatesInUse[scheduler]!; left !== 0; left &= left - 1) {
      const gate = 31 - Math.clz32(left & -left);
      const waiting = awakeCount[gates + gate]!;
      const opens = gateOpens[gates + gate]!;
      if (opens > time) {
        if (((MIO_GATES >> gate) & 1) !== 0) mio += waiting;
        else if (gate === LG_GATE) lg += waiting;
        else if (pipeTaken[gates + gate]! > time) pipe += waiting;
        else dispatch += waiting;
        if (opens < next) next = opens;
      } else if (blocked > time) {
        dispatch += waiting;
        if (blocked < next) next = blocked;
      } else {
        free += waiting;
        open |= 1 << gate;
      }
    }
    this.heldByPipe[scheduler] = pipe;
    this.heldByDispatch[scheduler] = dispatch;
    this.heldByMio[scheduler] = mio;
    this.heldByLg[scheduler] = lg;
    this.heldByChoice[scheduler] = Math.max(0, free - 1);
    this.nextStep[scheduler] = free > 1 ? time + 1 : Math.min(Math.ceil(next), this.asleep.soonest(scheduler, time));
    if (free === 0) return -1;
    const best = this.firstOf(scheduler, open);
    this.leave(scheduler, best);
    this.lastWarp[scheduler] = best;
    return best;
  }

  /** The warps whose time has come stand at their gates. */
  private wake(scheduler: number, time: number): void {
    const { woken, awakeCount, gateOf, warpsPerScheduler } = this;
    const count = this.asleep.wake(scheduler, time, woken, 0);
    for (let i = 0; i < count; i++) {
      const warp = woken[i]!;
      const gate = gateOf[warp]!;
      const list = scheduler * GATES + gate;
      const place = list * warpsPerScheduler + awakeCount[list]!++;
      this.awake[place] = warp;
      this.placeOf[warp] = place;
      this.gatesInUse[scheduler]! |= 1 << gate;
    }
  }

  /** The warp that goes first of those at the gates `open`, of which there are some. */
  private firstOf(scheduler: number, open: number): number {
    const { awake, awakeCount, gateOf, order, inTurn, warpsPerScheduler } = this;
    const last = this.lastWarp[scheduler]!;
    if (!inTurn && last >= 0 && this.placeOf[last]! >= 0 && ((open >> gateOf[last]!) & 1) !== 0) return last;
    const slots = order.length;
    let best = -1;
    let bestRank = Number.NEGATIVE_INFINITY;
    for (let left = open; left !== 0; left &= left - 1) {
      const list = scheduler * GATES + 31 - Math.clz32(left & -left);
      const from = list * warpsPerScheduler;
      const end = from + awakeCount[list]!;
      for (let place = from; place < end; place++) {
        const warp = awake[place]!;
        // In turn: those behind the last one before those up to it, each in the order of their slots.
        const rank = !inTurn ? order[warp]! : warp > last ? -warp : -warp - slots;
        if (rank > bestRank) {
          best = warp;
          bestRank = rank;
        }
      }
    }
    return best;
  }

  /** The warp leaves its gate. */
  private leave(scheduler: number, warp: number): void {
    const { awake, awakeCount, placeOf } = this;
    const gate = this.gateOf[warp]!;
    const list = scheduler * GATES + gate;
    const left = --awakeCount[list]!;
    const moved = awake[list * this.warpsPerScheduler + left]!;
    const place = placeOf[warp]!;
    awake[place] = moved;
    placeOf[moved] = place;
    placeOf[warp] = -1;
    if (left === 0) this.gatesInUse[scheduler]! &= ~(1 << gate);
  }

  /** Books what the warps that were not chosen have waited since. */
  private bookHeld(scheduler: number, time: number): void {
    const { warpCycles } = this;
    const span = time - this.heldSince[scheduler]!;
    this.heldSince[scheduler] = time;
    warpCycles[NOT_SELECTED]! += span * this.heldByChoice[scheduler]!;
    warpCycles[MATH_PIPE]! += span * this.heldByPipe[scheduler]!;
    warpCycles[DISPATCH]! += span * this.heldByDispatch[scheduler]!;
    warpCycles[MIO_THROTTLE]! += span * this.heldByMio[scheduler]!;
    warpCycles[LG_THROTTLE]! += span * this.heldByLg[scheduler]!;
  }
}
