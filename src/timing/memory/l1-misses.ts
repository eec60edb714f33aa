/**
 * What L1 asks L2 for: one line after the other, each of an instruction's and all instructions', and no more at a time than can be
 * under way. The tags look at what comes behind meanwhile, so far as the asking is not too far behind them.
 */
import { QueuePlaces } from "../base/queue-places.js";

/**
 * h200/micro/pending.json, 32 warps: of 32 lines each a request takes 32.1 cycles, with a second to the same sectors 33.5, of which the
 * tags take 8 and of the first 20; so they are ahead by 12 cycles at the least.
 */
const TAGS_AHEAD_CYCLES = 16;
/**
 * A line that misses keeps the tags beyond the look at it for this part of what it takes more than one that is there (ibid.: with 4 and 8
 * requests 45 and 76.6 cycles, the further ones 8 each, so the first 20 to 21).
 */
const MISS_SHARE = 0.5;

export class L1Misses {
  /** Those under way; null: as many as may be. */
  private readonly underWay: QueuePlaces | null;
  private askFree = Number.NEGATIVE_INFINITY;
  private readonly missTagCycles: number;

  /** `most`: misses that can be under way; 0: no limit. `interval`, `hitInterval`: cycles a line that misses, that is there. */
  constructor(
    most: number,
    private readonly interval: number,
    hitInterval: number,
  ) {
    this.underWay = most === 0 ? null : new QueuePlaces(most);
    this.missTagCycles = MISS_SHARE * (interval - hitInterval);
  }

  /** A line of an instruction that the tags take at `start` is asked for behind those before it. */
  nextLine(start: number): void {
    this.askFree = Math.max(this.askFree, start) + this.interval;
  }

  /** When a sector of the line asked for last may go: it waits until one of those under way comes back, if there are as many as can be. */
  get start(): number {
    const asked = this.askFree - this.interval;
    return this.underWay === null ? asked : Math.max(asked, this.underWay.fullUntil);
  }

  /** It comes back at `ready`. */
  note(ready: number): void {
    this.underWay?.enter(ready);
  }

  /** Cycles that an instruction, `lines` of which miss, keeps the tags, from `start` on; the look at all its lines takes `looked`. */
  tagCycles(lines: number, looked: number, start: number): number {
    return Math.max(looked + lines * this.missTagCycles, this.askFree - start - TAGS_AHEAD_CYCLES);
  }
}
