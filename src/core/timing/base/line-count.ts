/**
 * Counts the lines that requests access, by their cost to trace and to simulate. A line that was accessed recently is
 * cheap; others need a new lookup.
 */
import { SECTORS_PER_LINE } from "./sector-sizes.js";

/** If the mean number of lines a request differs by this share, the block's access pattern has changed. */
const UNLIKE = 0.1;

export function areAlike(linesOfRequest: number, others: number): boolean {
  return Math.abs(linesOfRequest - others) <= UNLIKE * others;
}

const RECENT_BITS = 12;

export class LineCount {
  requests = 0;
  anew = 0;
  again = 0;
  /** Recently accessed lines, by hash. */
  private readonly recent = new Int32Array(1 << RECENT_BITS).fill(-1);

  get asked(): number {
    return this.anew + this.again;
  }

  get linesOfRequest(): number {
    return this.asked / Math.max(1, this.requests);
  }

  /** The cost in first accesses to a line, if a repeated access costs `shareAgain` of a first one. */
  cost(shareAgain: number): number {
    return this.anew + shareAgain * this.again;
  }

  /** Adds a request: `count` ascending sectors from index `from`. */
  add(sectors: ArrayLike<number>, from: number, count: number): void {
    const { recent } = this;
    this.requests++;
    let last = -1;
    for (let at = from; at < from + count; at++) {
      const line = Math.floor(sectors[at]! / SECTORS_PER_LINE);
      if (line === last) continue;
      last = line;
      const place = Math.imul(line, 0x9e3779b1) >>> (32 - RECENT_BITS);
      if (recent[place] === line) this.again++;
      else this.anew++;
      recent[place] = line;
    }
  }
}
