/**
 * Which blocks the last SM of a grid gets if blocks differ. Each block, by its work, goes to the slot that is free
 * first, as in the GPU's dispatcher. While blocks are left all SMs are full, so slots are equally fast on all SMs. The
 * simulation of the SM decides what happens after that.
 */
import type { BlockWork } from "../../engine/engine.js";

/** In grids with more blocks than this, adjacent blocks are dispatched together. */
const MOST_STEPS = 2 ** 18;

export interface BusySm {
  /** Linear block indices in the order of their start. */
  readonly blocks: readonly number[];
  /** The grid's work divided by this SM's: the mean number of busy SMs. */
  readonly sms: number;
  /** It has the least work, but may be last nevertheless. */
  readonly idlest: boolean;
  /** The SM's number, and the schedule that it belongs to. */
  readonly sm: number;
  readonly schedule: Schedule;
}

/** Times are in warp instructions of one slot. */
interface Schedule {
  readonly sms: number;
  /** The time at which each slot has done its last block. Slot p belongs to SM p % sms. */
  readonly ends: Float64Array;
  /** The time at which the last block was dispatched. */
  readonly given: number;
}

/**
 * Mean share of occupied slots of all SMs while they are busy, relative to that of this SM. This SM got its last block
 * at `givenCycles` and ended at `endCycles`.
 */
export function fullerPlaces({ sm, schedule }: BusySm, givenCycles: number, endCycles: number): number {
  const { sms, ends, given } = schedule;
  let lastEnd = given;
  for (let place = sm; place < ends.length; place += sms) lastEnd = Math.max(lastEnd, ends[place]!);
  const slope = (endCycles - givenCycles) / Math.max(1, lastEnd - given);
  const cyclesAt = (time: number): number =>
    time <= given ? (time * givenCycles) / Math.max(1, given) : givenCycles + (time - given) * slope;
  let taken = 0;
  let own = 0;
  const until = new Float64Array(sms);
  for (const [place, end] of ends.entries()) {
    const cycles = cyclesAt(end);
    taken += cycles;
    if (place % sms === sm) own += cycles;
    until[place % sms] = Math.max(until[place % sms]!, cycles);
  }
  const busy = until.reduce((sum, each) => sum + each, 0);
  return taken / busy / (own / until[sm]!);
}

/** A binary heap of the slots by the time at which they are free. */
class Places {
  private readonly heap: Int32Array;

  constructor(private readonly free: Float64Array) {
    this.heap = Int32Array.from(free.keys());
    for (let at = (this.heap.length >> 1) - 1; at >= 0; at--) this.sink(at);
  }

  get first(): number {
    return this.heap[0]!;
  }

  /** Occupies the first slot until `time`. */
  take(time: number): void {
    this.free[this.first] = time;
    this.sink(0);
  }

  private sink(from: number): void {
    const { heap, free } = this;
    const place = heap[from]!;
    const time = free[place]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = child + 1;
      if (right < heap.length && this.isBefore(heap[right]!, heap[child]!)) child = right;
      const next = heap[child]!;
      if (time < free[next]! || (time === free[next]! && place < next)) break;
      heap[at] = next;
      at = child;
    }
    heap[at] = place;
  }

  private isBefore(a: number, b: number): boolean {
    return this.free[a]! < this.free[b]! || (this.free[a]! === this.free[b]! && a < b);
  }
}

/**
 * If all blocks run at once, a block with this share of the largest work may take longer. The remaining iterations of
 * an unrolled loop run one after the other (sweep.cu, stridedSum: 7 iterations take longer than 8).
 */
const NEARLY_AS_MUCH = 0.75;

/** The blocks of a grid on the SMs of a GPU. Blocks are dispatched in steps, of one block each unless the grid is vast. */
interface Dispatched {
  /** Blocks of a step. */
  readonly together: number;
  /** The SM of each step. */
  readonly smOf: Int32Array;
  /** Warp instructions of each SM that has blocks. */
  readonly total: Float64Array;
  readonly schedule: Schedule;
}

/** Each block goes to the place that is free first, or to the first of several. So the first wave goes to the SMs in turn. */
function dispatched(work: BlockWork, smCount: number, residentBlocks: number): Dispatched {
  const together = Math.ceil(work.length / MOST_STEPS);
  const steps = Math.ceil(work.length / together);
  const sms = Math.min(smCount, steps);
  const free = new Float64Array(sms * residentBlocks);
  // Place p belongs to SM p % sms.
  const places = new Places(free);
  const smOf = new Int32Array(steps);
  const total = new Float64Array(sms);
  let given = 0;
  for (let step = 0; step < steps; step++) {
    let instructions = 0;
    const end = Math.min(work.length, (step + 1) * together);
    for (let block = step * together; block < end; block++) instructions += work[block]!;
    const place = places.first;
    const sm = place % sms;
    smOf[step] = sm;
    total[sm]! += instructions;
    given = free[place]!;
    places.take(given + instructions);
  }
  return { together, smOf, total, schedule: { sms, ends: free, given } };
}

/** The part of a grid that one SM does. */
export interface SmShare {
  readonly sm: number;
  readonly blocks: number;
  /** As the engines count a block's work: of the lowered program, in which a modulo is one. */
  readonly warpInstructions: number;
}

/** The share of each of the GPU's SMs, in their order; SMs without a block have 0. */
export function smShares(work: BlockWork, smCount: number, residentBlocks: number): readonly SmShare[] {
  const { together, smOf, total } = dispatched(work, smCount, residentBlocks);
  const blocks = new Float64Array(smCount);
  for (const [step, sm] of smOf.entries())
    blocks[sm]! += Math.min(work.length, (step + 1) * together) - step * together;
  return Array.from(blocks, (count, sm) => ({ sm, blocks: count, warpInstructions: total[sm] ?? 0 }));
}

/**
 * The SMs that may be last: the one whose last block ends last, and the one with the most work. If all blocks run at
 * once, the SM with the least work is added if it has nearly as much.
 */
export function lastSms(work: BlockWork, smCount: number, residentBlocks: number): readonly BusySm[] {
  const { together, smOf, total, schedule } = dispatched(work, smCount, residentBlocks);
  const { sms, ends: free } = schedule;
  const steps = smOf.length;
  const ends = Float64Array.from({ length: sms }, (_, sm) => {
    let last = 0;
    for (let place = sm; place < free.length; place += sms) last = Math.max(last, free[place]!);
    return last;
  });
  const greatest = (of: Float64Array, then: Float64Array): number => {
    let best = 0;
    for (let sm = 1; sm < sms; sm++) {
      if (of[sm]! > of[best]! || (of[sm] === of[best] && then[sm]! > then[best]!)) best = sm;
    }
    return best;
  };
  const busiest = greatest(total, ends);
  const chosen = [...new Set([greatest(ends, total), busiest])];
  const idlest = greatest(
    total.map((work) => -work),
    ends,
  );
  const share = total[idlest]! / total[busiest]!;
  const alsoIdlest = steps <= free.length && share < 1 && share >= NEARLY_AS_MUCH && !chosen.includes(idlest);
  const all = total.reduce((sum, each) => sum + each, 0);
  const blocksOf = (sm: number): number[] => {
    const blocks: number[] = [];
    for (let step = 0; step < steps; step++) {
      if (smOf[step] !== sm) continue;
      const end = Math.min(work.length, (step + 1) * together);
      for (let block = step * together; block < end; block++) blocks.push(block);
    }
    return blocks;
  };
  return [...chosen, ...(alsoIdlest ? [idlest] : [])].map((sm, index) => ({
    idlest: index === chosen.length,
    blocks: blocksOf(sm),
    sms: Math.max(1, all / total[sm]!),
    sm,
    schedule,
  }));
}
