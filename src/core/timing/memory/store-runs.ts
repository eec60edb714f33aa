/**
 * Merges adjacent stores of one warp, each of which fills sectors of the one before. Warps that have just loaded store
 * without others in between. Their requests to up to 6 lines then merge by 90 to 99 %, those to 16 lines by 5 to 25 %.
 * Where only stores are in flight, stores of other warps come between. Requests to up to 6 lines then merge by 35 to 69
 * % (h200/micro/runs.json, L2's write sectors by ncu).
 */
import { sectorOf } from "../trace/request-sectors.js";

/**
 * Merged share of a run's second store and of each further one, by the lines of a request. `fifth` applies from the
 * fifth store on.
 */
interface Share {
  readonly lines: number;
  readonly second: number;
  readonly further: number;
  readonly fifth?: number;
}

const BEHIND_LOADS: readonly Share[] = [
  { lines: 6, second: 0.98, further: 0.94, fifth: 0.2 },
  { lines: 8, second: 0.73, further: 0.2 },
  { lines: 12, second: 0.5, further: 0.2 },
  { lines: 16, second: 0.25, further: 0.03 },
];
const ALONE: readonly Share[] = [
  { lines: 6, second: 0.65, further: 0.3 },
  { lines: 8, second: 0.34, further: 0.05 },
  { lines: 12, second: 0.16, further: 0.03 },
];
/** Slots by hash: a power of two. */
const PLACE_BITS = 12;
const LOAD = -1;

/** Instances of a block have the same low bits. */
function placeOf(record: number): number {
  return (Math.imul(record, 0x9e3779b1) ^ Math.imul(record / 2 ** 31, 0x85ebca6b)) >>> (32 - PLACE_BITS);
}

export class StoreRuns {
  /** The next record of the warp whose last access is noted here. */
  private readonly following = new Float64Array(1 << PLACE_BITS).fill(-1);
  /** LOAD, or the number of stores in the run. */
  private readonly length = new Int32Array(1 << PLACE_BITS);
  private readonly behindLoads = new Uint8Array(1 << PLACE_BITS);
  private readonly at = new Int32Array(1 << PLACE_BITS);
  private readonly count = new Int32Array(1 << PLACE_BITS);

  /** Notes that the warp's last access was a load; its next record is at `next`. */
  loaded(next: number): void {
    const place = placeOf(next);
    this.following[place] = next;
    this.length[place] = LOAD;
  }

  /**
   * Number of a store's sectors that merge with the store before it. The store names `count` sectors of `lines` lines
   * at `at` in `memory`.
   */
  merged(memory: Int32Array, at: number, count: number, lines: number, record: number, next: number): number {
    const before = placeOf(record);
    const follows = this.following[before] === record;
    const length = follows ? this.length[before]! : 0;
    const behindLoads = follows && (length === LOAD || this.behindLoads[before] === 1);
    const merged =
      length > 0
        ? shareOf(behindLoads ? BEHIND_LOADS : ALONE, lines, length) *
          common(memory, at, count, this.at[before]!, this.count[before]!)
        : 0;
    const place = placeOf(next);
    this.following[place] = next;
    this.length[place] = Math.max(0, length) + 1;
    this.behindLoads[place] = behindLoads ? 1 : 0;
    this.at[place] = at;
    this.count[place] = count;
    return merged;
  }
}

function shareOf(shares: readonly Share[], lines: number, length: number): number {
  const share = shares.find((each) => lines <= each.lines);
  if (share === undefined) return 0;
  if (length === 1) return share.second;
  return length < 4 ? share.further : (share.fifth ?? share.further);
}

/** Number of common sectors of two requests, whose sectors are sorted. */
function common(memory: Int32Array, at: number, count: number, other: number, others: number): number {
  let both = 0;
  for (let i = 0, j = 0; i < count && j < others; ) {
    const difference = sectorOf(memory[at + i]!) - sectorOf(memory[other + j]!);
    if (difference === 0) both++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return both;
}
