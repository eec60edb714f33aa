/**
 * An SM's warp schedulers: which warp each issues from, what the others wait for. Slot modulo schedulers is a warp's
 * scheduler. A scheduler issues one slot a cycle, from the warp that it issued from last as long as that one can go on, else
 * from the youngest ("greedy then youngest"; of several blocks an H200 prefers the oldest, test/DEVIATIONS.md, D19), or, on
 * other GPUs, from the next in turn that can.
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
  /** Order in which warps came. */
  private readonly age: Float64Array;
  private readonly gateOf: Uint8Array;
  private readonly lastWarp: Int32Array;
  private readonly nextStep: Float64Array;
  // Warps that may issue as far as they themselves are concerned, by scheduler; all other running ones sleep.
  private readonly asleep: WakeCalendar;
  private readonly awake: readonly Int32Array[];
  private readonly awakeCount: Int32Array;
  // Those that do not issue since the scheduler was last looked at, and the cycles that all such have waited.
  private readonly heldSince: Float64Array;
  private readonly heldByChoice: Int32Array;
  private readonly heldByPipe: Int32Array;
  private readonly heldByDispatch: Int32Array;
  private readonly heldByMio: Int32Array;
  private readonly heldByLg: Int32Array;
  private readonly inTurn: boolean;
  private arrivals = 0;

  constructor(
    readonly count: number,
    warpsPerScheduler: number,
    private readonly warpCycles: Float64Array,
    scheduling: WarpScheduling,
  ) {
    this.inTurn = scheduling === "looseRoundRobin";
    this.gateOpens = new Float64Array(count * GATES);
    this.pipeTaken = new Float64Array(count * GATES);
    this.dispatchFree = new Float64Array(count);
    this.age = new Float64Array(count * warpsPerScheduler);
    this.gateOf = new Uint8Array(count * warpsPerScheduler);
    this.lastWarp = new Int32Array(count).fill(-1);
    this.nextStep = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.asleep = new WakeCalendar(count, warpsPerScheduler);
    this.awake = Array.from({ length: count }, () => new Int32Array(warpsPerScheduler));
    this.awakeCount = new Int32Array(count);
    this.heldSince = new Float64Array(count);
    this.heldByChoice = new Int32Array(count);
    this.heldByPipe = new Int32Array(count);
    this.heldByDispatch = new Int32Array(count);
    this.heldByMio = new Int32Array(count);
    this.heldByLg = new Int32Array(count);
  }

  /** A new warp comes into slot `warp`. */
  arrive(warp: number): void {
    this.age[warp] = this.arrivals++;
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
    const { gateOpens, pipeTaken, gateOf, age, inTurn } = this;
    const slots = age.length;
    this.bookHeld(scheduler, time);
    const list = this.awake[scheduler]!;
    const count = this.asleep.wake(scheduler, time, list, this.awakeCount[scheduler]!);
    const last = this.lastWarp[scheduler]!;
    const gates = scheduler * GATES;
    const blocked = this.dispatchFree[scheduler]!;
    let bestAt = -1;
    let bestRank = Number.NEGATIVE_INFINITY;
    let free = 0;
    let pipe = 0;
    let dispatch = 0;
    let mio = 0;
    let lg = 0;
    let next = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const warp = list[i]!;
      const gate = gateOf[warp]!;
      const opens = gateOpens[gates + gate]!;
      if (opens > time) {
        if (((MIO_GATES >> gate) & 1) !== 0) mio++;
        else if (gate === LG_GATE) lg++;
        else if (pipeTaken[gates + gate]! > time) pipe++;
        else dispatch++;
        if (opens < next) next = opens;
        continue;
      }
      if (blocked > time) {
        dispatch++;
        if (blocked < next) next = blocked;
        continue;
      }
      free++;
      let rank: number;
      // In turn: those behind the last one before those up to it, each in the order of their slots.
      if (inTurn) rank = warp > last ? -warp : -warp - slots;
      else rank = warp === last ? Number.POSITIVE_INFINITY : age[warp]!;
      if (rank > bestRank) {
        bestAt = i;
        bestRank = rank;
      }
    }
    this.heldByPipe[scheduler] = pipe;
    this.heldByDispatch[scheduler] = dispatch;
    this.heldByMio[scheduler] = mio;
    this.heldByLg[scheduler] = lg;
    if (bestAt < 0) {
      this.heldByChoice[scheduler] = 0;
      this.awakeCount[scheduler] = count;
      this.nextStep[scheduler] = Math.min(Math.ceil(next), this.asleep.soonest(scheduler, time));
      return -1;
    }
    this.heldByChoice[scheduler] = free - 1;
    const best = list[bestAt]!;
    list[bestAt] = list[count - 1]!;
    this.awakeCount[scheduler] = count - 1;
    this.lastWarp[scheduler] = best;
    this.nextStep[scheduler] = free > 1 ? time + 1 : Math.min(Math.ceil(next), this.asleep.soonest(scheduler, time));
    return best;
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
