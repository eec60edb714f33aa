/** Observers of an SM: one records each warp's states cycle by cycle, one sums the cycles of each instruction by state. */
import { BARRIER, BRANCH, MEMBAR, SELECTED, STALL_REASONS } from "../base/stalls.js";
import { SAME_PLACE, type WarpObserver } from "../base/warp-observer.js";

/** Waits that Nsight Compute shows at the instruction that causes them, not at the one that comes after it. */
const OF_THE_CAUSE: ReadonlySet<number> = new Set([BARRIER, BRANCH, MEMBAR]);

/** Joins the changes of state to stretches of whole cycles. A state begins with the first whole cycle that has it. */
abstract class StretchObserver implements WarpObserver {
  private readonly state: number[] = [];
  private readonly at: number[] = [];
  private readonly since: number[] = [];

  /** `end`: nothing is told of the cycles from here on. */
  constructor(private readonly end: number) {}

  /** The warp in slot `warp` was in `state` at place `at` in the cycles from `from` to before `to`. */
  protected abstract stretch(warp: number, state: number, at: number, from: number, to: number): void;

  starts(warp: number, _block: number, _index: number, _time: number): void {
    this.state[warp] = -1;
  }

  enters(warp: number, state: number, time: number, at: number): void {
    const from = Math.ceil(time);
    const before = this.state[warp]!;
    const place = at === SAME_PLACE || (OF_THE_CAUSE.has(state) && before === SELECTED) ? this.at[warp]! : at;
    // Each issue is a stretch of its own, also where one follows the other at once.
    if (before === state && this.at[warp] === place && state !== SELECTED) return;
    this.close(warp, from);
    this.state[warp] = state;
    this.at[warp] = place;
    this.since[warp] = from;
  }

  leaves(warp: number, time: number): void {
    this.close(warp, Math.ceil(time));
    this.state[warp] = -1;
  }

  /** The record ends: what goes on is told up to here. */
  finish(time: number): void {
    for (const warp of this.state.keys()) this.leaves(warp, time);
  }

  private close(warp: number, to: number): void {
    const state = this.state[warp] ?? -1;
    const from = this.since[warp] ?? 0;
    const until = Math.min(to, this.end);
    if (state >= 0 && until > from) this.stretch(warp, state, this.at[warp]!, from, until);
  }
}

/** Whole cycles of one warp in one state; `to` is the cycle after the last. */
export interface RecordedStretch {
  readonly state: number;
  /** Place in the microcode. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface RecordedWarp {
  /** Warp slot of the SM; modulo the schedulers it is the warp's scheduler. */
  readonly slot: number;
  /** Number of the block on this SM, from 0, and of the warp in it. */
  readonly block: number;
  readonly warp: number;
  readonly stretches: RecordedStretch[];
}

export class WarpRecorder extends StretchObserver {
  readonly warps: RecordedWarp[] = [];
  private readonly inSlot: RecordedWarp[] = [];

  override starts(slot: number, block: number, warp: number, time: number): void {
    super.starts(slot, block, warp, time);
    const recorded: RecordedWarp = { slot, block, warp, stretches: [] };
    this.inSlot[slot] = recorded;
    this.warps.push(recorded);
  }

  protected override stretch(slot: number, state: number, at: number, from: number, to: number): void {
    this.inSlot[slot]!.stretches.push({ state, at, from, to });
  }
}

/** Cycles of all warps by place and state: what a sampling profiler estimates by samples. */
export class StallSampler extends StretchObserver {
  readonly cycles: Float64Array;

  constructor(places: number) {
    super(Number.POSITIVE_INFINITY);
    this.cycles = new Float64Array(places * STALL_REASONS.length);
  }

  protected override stretch(_slot: number, state: number, at: number, from: number, to: number): void {
    this.cycles[at * STALL_REASONS.length + state]! += to - from;
  }
}
