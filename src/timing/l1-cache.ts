/**
 * L1 of one SM: lines of four sectors in sets of four ways. A line that nobody has read again gives way first, one read again
 * when all of its set have been; stores take lines, too. So a working set that fits stays whole, but of what blocks read
 * again while others stream by less is kept the more is in flight, as in `test/reference/h200-reread-micro.json` (64 KiB an
 * SM: 91 %, 128 KiB 58, 192 KiB 30; with as many stores 79, 37, 19; here 88, 66, 37; 75, 42, 24).
 * Source of the method: Jaleel et al., "High performance cache replacement using re-reference interval prediction" (2010).
 */
import { LINE_BYTES, SECTORS_PER_LINE } from "./sector-sizes.js";

const WAYS = 4;
/** Ages of a line: just read again, and giving way. */
const READ_AGAIN = 0;
const GIVES_WAY = 3;
/** Knuth's multiplier: where a stretch of as many lines as there are sets begins, so that neighbours share no set. */
const SPREAD = 0x9e3779b1;

export class L1Cache {
  private readonly sets: number;
  private readonly lines: Float64Array;
  private readonly ages: Uint8Array;
  /** When each sector is there; NaN where it is not held. */
  private readonly ready: Float64Array;
  /** Draws which of a set's lines goes. */
  private draw = 1;
  /** The line looked at last, the first way of its set, and its own; -1 where it has none. */
  private line = Number.NaN;
  private first = 0;
  private way = -1;

  constructor(bytes: number) {
    this.sets = Math.max(1, Math.floor(bytes / (WAYS * LINE_BYTES)));
    this.lines = new Float64Array(this.sets * WAYS).fill(-1);
    this.ages = new Uint8Array(this.sets * WAYS).fill(GIVES_WAY);
    this.ready = new Float64Array(this.sets * WAYS * SECTORS_PER_LINE).fill(Number.NaN);
  }

  /** When a sector is there, for a load that reads it now; NaN if it is not held. */
  read(sector: number): number {
    this.goTo(sector);
    const { line, way } = this;
    if (way < 0) return Number.NaN;
    const at = this.ready[way * SECTORS_PER_LINE + (sector - line * SECTORS_PER_LINE)]!;
    if (!Number.isNaN(at)) this.ages[way] = READ_AGAIN;
    return at;
  }

  /** Brings `count` sectors of a line in, there from `readyAt` on; none: a store's line. */
  fill(sector: number, count: number, readyAt: number): void {
    this.goTo(sector);
    const { line } = this;
    if (this.way < 0) {
      const way = this.givingWay(this.first);
      this.way = way;
      this.lines[way] = line;
      for (let k = 0; k < SECTORS_PER_LINE; k++) this.ready[way * SECTORS_PER_LINE + k] = Number.NaN;
      this.ages[way] = GIVES_WAY;
    }
    const from = this.way * SECTORS_PER_LINE + (sector - line * SECTORS_PER_LINE);
    for (let k = 0; k < count; k++) this.ready[from + k] = readyAt;
  }

  /** Forgets the line of a sector. */
  drop(sector: number): void {
    this.goTo(sector);
    if (this.way >= 0) this.lines[this.way] = -1;
    this.way = -1;
  }

  private goTo(sector: number): void {
    const line = Math.floor(sector / SECTORS_PER_LINE);
    if (line === this.line) return;
    const stretch = Math.floor(line / this.sets);
    const turn = Math.imul(stretch, SPREAD) >>> 8;
    const first = (((line - stretch * this.sets + turn) | 0) % this.sets) * WAYS;
    let way = first;
    while (way < first + WAYS && this.lines[way] !== line) way++;
    this.line = line;
    this.first = first;
    this.way = way < first + WAYS ? way : -1;
  }

  /** The way of a set whose line goes: an empty one, or one at random of those that give way. */
  private givingWay(first: number): number {
    for (let way = first; way < first + WAYS; way++) if (this.lines[way]! < 0) return way;
    this.draw = (Math.imul(this.draw, 1103515245) + 12345) | 0;
    const turn = this.draw >>> 16;
    for (;;) {
      for (let k = 0; k < WAYS; k++) {
        const way = first + ((turn + k) % WAYS);
        if (this.ages[way] === GIVES_WAY) return way;
      }
      for (let way = first; way < first + WAYS; way++) this.ages[way] = this.ages[way]! + 1;
    }
  }
}
