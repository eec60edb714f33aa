/**
 * Misses of L1 on their way to L2. Lines are requested one after the other, across all instructions, and only a limited
 * number of misses is outstanding. Meanwhile the tag stage processes later instructions, up to a limited distance ahead
 * of the requests.
 */
import { QueuePlaces } from "../base/queue-places.js";

/**
 * How far the tag stage may run ahead of the requests. Measured with 32 warps: a request of 32 missing lines takes 32.1
 * cycles, and 33.5 with a second request that hits the same sectors (h200/micro/pending.json).
 */
const TAGS_AHEAD_CYCLES = 16;
/**
 * A missing line occupies the tags beyond its lookup, for this share of the difference between a miss and a hit.
 * Measured: 4 and 8 requests take 45 and 76.6 cycles (h200/micro/pending.json).
 */
const MISS_SHARE = 0.5;

export class L1Misses {
  /** Outstanding misses; null: no limit. */
  private readonly underWay: QueuePlaces | null;
  private askFree = Number.NEGATIVE_INFINITY;
  private readonly missTagCycles: number;

  /**
   * `most`: limit of outstanding misses, 0 for none. `interval`, `hitInterval`: cycles of a line that misses and of one
   * that hits.
   */
  constructor(
    most: number,
    private readonly interval: number,
    hitInterval: number,
  ) {
    this.underWay = most === 0 ? null : new QueuePlaces(most);
    this.missTagCycles = MISS_SHARE * (interval - hitInterval);
  }

  /** Queues the request of a line whose tags are looked up at `start`. */
  nextLine(start: number): void {
    this.askFree = Math.max(this.askFree, start) + this.interval;
  }

  /**
   * Time at which a sector of the last requested line may be sent. At the limit it waits until an outstanding miss
   * returns.
   */
  get start(): number {
    const asked = this.askFree - this.interval;
    return this.underWay === null ? asked : Math.max(asked, this.underWay.fullUntil);
  }

  /** Notes that the miss sent last returns at `ready`. */
  note(ready: number): void {
    this.underWay?.enter(ready);
  }

  /**
   * Cycles for which an instruction with `lines` misses occupies the tags from `start` on. The lookup of all its lines
   * takes `looked` cycles.
   */
  tagCycles(lines: number, looked: number, start: number): number {
    return Math.max(looked + lines * this.missTagCycles, this.askFree - start - TAGS_AHEAD_CYCLES);
  }
}
