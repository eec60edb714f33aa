/**
 * The positions of the lanes of one warp. Lanes at one pc go together as a group (a pc and a mask). One group runs; the
 * others are ready, wait at a warp primitive or a block barrier, or are parked because they spin.
 */

import type { WatchedWord } from "./watched-words.js";

/** Lanes that wait at a warp primitive for the other lanes of its mask. */
export interface WarpWait {
  readonly pc: number;
  readonly lanes: number;
  readonly mask: number;
  readonly key: string;
}
/** Lanes that wait at a block barrier or a grid barrier. */
export interface BarrierWait {
  readonly pc: number;
  readonly lanes: number;
}
/** Lanes that spin: their registers repeat, and memory had this version. */
export interface Parked {
  readonly pc: number;
  readonly lanes: number;
  readonly version: number;
  /** The words for which they wait; null where these are not known. */
  readonly watched: readonly WatchedWord[] | null;
}
/** In place of a version: not proven to spin, only long in a loop. */
export const NOT_PROVEN = -1;

/** A group of lanes that a schedule holds before an instruction, once, until nobody else of the block can go on. */
export interface Hold {
  readonly block: number;
  readonly warp: number;
  readonly lanes: number;
  readonly pc: number;
}

export interface WarpControl {
  live: number;
  pc: number;
  mask: number;
  readonly readyPc: Int32Array;
  readonly readyMask: Int32Array;
  readyCount: number;
  waits: readonly WarpWait[];
  barrier: readonly BarrierWait[];
  parked: readonly Parked[];
  /** Holds of the schedule that have been made. */
  held: readonly Hold[];
  issued: number;
}

export class Warp implements WarpControl {
  live = 0;
  pc = 0;
  /** Lanes of the running group; 0 if none. */
  mask = 0;
  /** The ready groups, highest pc first, so that the last one is next. */
  readonly readyPc: Int32Array = new Int32Array(33);
  readonly readyMask: Int32Array = new Int32Array(33);
  readyCount = 0;
  waits: readonly WarpWait[] = [];
  barrier: readonly BarrierWait[] = [];
  parked: readonly Parked[] = [];
  held: readonly Hold[] = [];
  issued = 0;
  /** Value of `issued` up to which the launch's budget was charged. */
  charged = 0;
  /** Value of `issued` when the running group was scheduled. */
  scheduledAt = 0;
  /** Spin detection: backward branches since then, the pc of the last snapshot and its memory version. */
  backEdges = 0;
  snapshotPc = -1;
  snapshotVersion = 0;
  snapshotMask = 0;
  /** Lanes that were proven to spin go on: their next turn of the loop is compared with the one after it. */
  suspected = false;
  /** Backward branches taken in the bursts of a seeded schedule since it was last seen whether the warp spins. */
  loops = 0;

  constructor(
    readonly index: number,
    /** Word offset of its registers. */
    readonly base: number,
    /** Lanes that exist: the last warp of a block may be partial. */
    readonly existing: number,
  ) {}

  /** All lanes at pc 0. */
  start(): void {
    this.live = this.existing;
    this.pc = 0;
    this.mask = this.existing;
    this.readyCount = 0;
    this.waits = [];
    this.barrier = [];
    this.parked = [];
    this.held = [];
    this.issued = 0;
    this.charged = 0;
    this.suspected = false;
    this.loops = 0;
    this.startGroup();
  }

  startGroup(): void {
    this.scheduledAt = this.issued;
    this.backEdges = 0;
    this.snapshotPc = -1;
  }

  /** Adds lanes that can go on at `pc`, joining those already there. */
  makeReady(pc: number, lanes: number): void {
    const { readyPc, readyMask } = this;
    let at = this.readyCount;
    while (at > 0 && readyPc[at - 1]! < pc) at--;
    if (at > 0 && readyPc[at - 1] === pc) {
      readyMask[at - 1]! |= lanes;
      return;
    }
    readyPc.copyWithin(at + 1, at, this.readyCount);
    readyMask.copyWithin(at + 1, at, this.readyCount);
    readyPc[at] = pc;
    readyMask[at] = lanes;
    this.readyCount++;
  }

  /** Takes the ready group at index `at` out and runs it. */
  runReady(at: number): void {
    this.pc = this.readyPc[at]!;
    this.mask = this.readyMask[at]!;
    this.readyCount--;
    this.readyPc.copyWithin(at, at + 1, this.readyCount + 1);
    this.readyMask.copyWithin(at, at + 1, this.readyCount + 1);
    this.startGroup();
  }

  /** Puts the running group back among the ready ones. */
  suspend(): void {
    if (this.mask !== 0) this.makeReady(this.pc, this.mask);
    this.mask = 0;
  }

  get atBarrier(): number {
    let lanes = 0;
    for (const wait of this.barrier) lanes |= wait.lanes;
    return lanes;
  }

  save(): WarpControl {
    const { live, pc, mask, readyCount, waits, barrier, parked, held, issued } = this;
    const readyPc = this.readyPc.slice(0, readyCount);
    const readyMask = this.readyMask.slice(0, readyCount);
    return { live, pc, mask, readyPc, readyMask, readyCount, waits, barrier, parked, held, issued };
  }

  restore(saved: WarpControl): void {
    this.live = saved.live;
    this.pc = saved.pc;
    this.mask = saved.mask;
    this.readyPc.set(saved.readyPc);
    this.readyMask.set(saved.readyMask);
    this.readyCount = saved.readyCount;
    this.waits = saved.waits;
    this.barrier = saved.barrier;
    this.parked = saved.parked;
    this.held = saved.held;
    this.issued = saved.issued;
    this.charged = saved.issued;
    this.startGroup();
  }
}
