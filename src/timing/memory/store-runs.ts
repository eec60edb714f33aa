/**
 * Stores that one warp makes in a row, of which each fills up sectors of the one before: what of them leaves the SM with it. From
 * test/reference/h200/micro/runs.json, L2's write sectors by ncu. Behind loads a warp stores without others between: of
 * requests to up to 6 lines 90 to 99 % of what could go together does (of the fifth and sixth store a fifth), of 8 lines 73 % of two stores and 24 to 40 % of more, of 12
 * and 16 lines 51 and 25 % of two, 13 to 38 and 5 to 11 % of more. Where nothing but stores is under way, others come between:
 * of 5 or 6 lines 61 to 69 % of two, 35 to 48 % of more, of 8 lines 34 and 8 to 14 %; with a load between, next to nothing.
 */
import { sectorOf } from "../trace/request-sectors.js";

/** Of a run's second store, and of each further one, from the fifth on as `fifth` if it differs, by the lines of a request. */
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
/** Places by hash: a power of two. */
const PLACE_BITS = 12;
const LOAD = -1;

/** Instances of a block have the same low bits. */
function placeOf(record: number): number {
  return (Math.imul(record, 0x9e3779b1) ^ Math.imul(record / 2 ** 31, 0x85ebca6b)) >>> (32 - PLACE_BITS);
}

export class StoreRuns {
  /** Where the next record of a warp stands whose last access is noted here. */
  private readonly following = new Float64Array(1 << PLACE_BITS).fill(-1);
  /** LOAD, or how many stores the run has. */
  private readonly length = new Int32Array(1 << PLACE_BITS);
  private readonly behindLoads = new Uint8Array(1 << PLACE_BITS);
  private readonly at = new Int32Array(1 << PLACE_BITS);
  private readonly count = new Int32Array(1 << PLACE_BITS);

  /** A load's record is done; the warp's next stands at `next`. */
  loaded(next: number): void {
    const place = placeOf(next);
    this.following[place] = next;
    this.length[place] = LOAD;
  }

  /** How many of a store's sectors go with the store before it: those of `lines` lines at `at` in `memory`. */
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

/** How many sectors two requests have in common; both name theirs in order. */
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
