/**
 * Lines that requests ask for, by what they cost to trace and to simulate: one that was asked for shortly before is at hand, others
 * are looked up anew.
 */
import { SECTORS_PER_LINE } from "./sector-sizes.js";

/** Lines of a request, in the mean, that differ by this share tell that a block does not go on as it began. */
const UNLIKE = 0.1;

export function areAlike(linesOfRequest: number, others: number): boolean {
  return Math.abs(linesOfRequest - others) <= UNLIKE * others;
}

const RECENT_BITS = 12;

export class LineCount {
  requests = 0;
  anew = 0;
  again = 0;
  /** By a hash, lines that were asked for. */
  private readonly recent = new Int32Array(1 << RECENT_BITS).fill(-1);

  get asked(): number {
    return this.anew + this.again;
  }

  get linesOfRequest(): number {
    return this.asked / Math.max(1, this.requests);
  }

  /** What they cost, in lines asked for anew, if one asked for again costs `shareAgain` of that. */
  cost(shareAgain: number): number {
    return this.anew + shareAgain * this.again;
  }

  /** Adds a request: `count` sectors from `from` on, ascending. */
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
