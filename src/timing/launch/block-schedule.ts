/**
 * Which blocks the SM gets that is done last, where blocks differ: each block of the grid, by what it has to do, given to
 * the place that is free first, as the GPU's dispatcher does. While blocks are left all SMs are full, so a place is as
 * fast on one as on another; what happens once none is left, the simulation of the SM says.
 */
import type { BlockWork } from "../../engine/engine.js";

/** Of more blocks than this neighbours are given out together. */
const MOST_STEPS = 2 ** 18;

export interface BusySm {
  /** By linear index, in the order of their start. */
  readonly blocks: readonly number[];
  /** All the grid's work over this SM's: as many SMs are busy beside it, in the mean. */
  readonly sms: number;
  /** It has least to do, and may be last all the same. */
  readonly idlest: boolean;
  /** Its number, and the schedule that it is of. */
  readonly sm: number;
  readonly schedule: Schedule;
}

/** In warp instructions of one place. */
interface Schedule {
  readonly sms: number;
  /** When each place has done its last block; place p is one of SM p % sms. */
  readonly ends: Float64Array;
  /** When the last block was given out. */
  readonly given: number;
}

/**
 * Share of its places that is taken while an SM is at work: of all SMs over that of this one, which was given its last
 * block at `givenCycles` and ended at `endCycles`.
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

/** The free places by the time from which they are: a binary heap. */
class Places {
  private readonly heap: Int32Array;

  constructor(private readonly free: Float64Array) {
    this.heap = Int32Array.from(free.keys());
    for (let at = (this.heap.length >> 1) - 1; at >= 0; at--) this.sink(at);
  }

  get first(): number {
    return this.heap[0]!;
  }

  /** The first place is free from `time` on. */
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
 * Where all blocks run at once, one that has this share of the most to do may take longer: rounds left over from an unrolled loop come
 * one after the other (sweep.cu, stridedSum: blocks of 7 rounds take longer than those of 8).
 */
const NEARLY_AS_MUCH = 0.75;

/**
 * The SMs that may be last: the one of the last block's end, and the one that has most to do, if that is another; where all blocks run
 * at once also the one that has least, if that is nearly as much.
 */
export function lastSms(work: BlockWork, smCount: number, residentBlocks: number): readonly BusySm[] {
  const together = Math.ceil(work.length / MOST_STEPS);
  const steps = Math.ceil(work.length / together);
  const sms = Math.min(smCount, steps);
  const free = new Float64Array(sms * residentBlocks);
  // Place p is one of SM p % sms: the first round goes round the SMs.
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
  const schedule = { sms, ends: free, given };
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
