/**
 * L1 of one SM: lines of four sectors in sets of six ways. A line that nobody has read again gives way first, each in its turn;
 * when all of a set have been, all give way again; a store reads its line again in that sense (h200/micro/hits.json, update: the more
 * words in place are under way, the fewer of their lines are there still), takes a line if there is none, and loads find what they wrote if it was all of a
 * sector (h200/micro/hits.json: storeLoad, partLoad). So a working set that fits stays whole, one that is
 * read from end to end and does not fit is lost whole (`test/reference/h200/micro/revisit.json`, rowLaps: 192 KiB an SM stay, of
 * 256 KiB a sixth to half, of 288 KiB nothing), and of what blocks read again while others stream by less is kept the more is
 * in flight (`test/reference/h200/micro/reread.json`: 64 KiB an SM 91 %, 128 KiB 58, 192 KiB 30; here 90, 63, 34).
 */
import { LINE_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";

const WAYS = 6;
/** There is no time at which a load finds a sector of which a store has written a part. */
const IN_PART = Number.POSITIVE_INFINITY;
/** Knuth's multiplier: where a stretch of as many lines as there are sets begins, so that neighbours share no set. */
const SPREAD = 0x9e3779b1;
/** Places by line, a power of two, where it is noted which way had it last: of lines that are held most are found there. */
const PLACES = 4096;
/** Lines of different instances of a block differ in bits from here on. */
const INSTANCE_SHIFT = 20;

export class L1Cache {
  private readonly sets: number;
  private readonly lines: Float64Array;
  /** 1: read again since all of its set gave way. */
  private readonly readAgain: Uint8Array;
  /** The way of each set whose turn it is. */
  private readonly turns: Uint8Array;
  /** When each sector is there; NaN where it is not held. */
  private readonly ready: Float64Array;
  /** The way that had a line of the place. */
  private readonly found = new Int32Array(PLACES);
  /** The line looked at last, its way, -1 where it has none, and then the first way of its set. */
  private line = Number.NaN;
  private first = 0;
  private way = -1;

  constructor(bytes: number) {
    this.sets = Math.max(1, Math.floor(bytes / (WAYS * LINE_BYTES)));
    this.lines = new Float64Array(this.sets * WAYS).fill(-1);
    this.readAgain = new Uint8Array(this.sets * WAYS);
    this.turns = new Uint8Array(this.sets);
    this.ready = new Float64Array(this.sets * WAYS * SECTORS_PER_LINE).fill(Number.NaN);
  }

  /** When a sector is there, for a load that reads it now; NaN if it is not held. */
  read(sector: number): number {
    this.goTo(sector);
    const { line, way } = this;
    if (way < 0) return Number.NaN;
    const at = this.ready[way * SECTORS_PER_LINE + (sector - line * SECTORS_PER_LINE)]!;
    if (Number.isNaN(at) || at === IN_PART) return Number.NaN;
    this.readAgain[way] = 1;
    return at;
  }

  /** Whether the line of a sector has a place: stores find that enough (h200/micro/hits.json, otherSector). */
  hasLine(sector: number): boolean {
    this.goTo(sector);
    return this.way >= 0;
  }

  /** A store to a sector, all of it or a part; `again`: its line had a place when the store came. */
  write(sector: number, whole: boolean, again: boolean): void {
    this.fill(sector, 0, 0);
    if (again) this.readAgain[this.way] = 1;
    const at = this.way * SECTORS_PER_LINE + (sector - this.line * SECTORS_PER_LINE);
    const before = this.ready[at]!;
    if (Number.isNaN(before) || before === IN_PART) this.ready[at] = whole ? 0 : IN_PART;
  }

  /** Brings `count` sectors of a line in, there from `readyAt` on; none: the line alone. */
  fill(sector: number, count: number, readyAt: number): void {
    this.goTo(sector);
    const { line } = this;
    if (this.way < 0) {
      const way = this.givingWay(this.first);
      this.way = way;
      this.lines[way] = line;
      for (let k = 0; k < SECTORS_PER_LINE; k++) this.ready[way * SECTORS_PER_LINE + k] = Number.NaN;
      this.readAgain[way] = 0;
    }
    const from = this.way * SECTORS_PER_LINE + (sector - line * SECTORS_PER_LINE);
    for (let k = 0; k < count; k++) this.ready[from + k] = readyAt;
  }

  /** Forgets the line of a sector. */
  drop(sector: number): void {
    this.goTo(sector);
    if (this.way >= 0) this.lines[this.way] = -1;
    this.line = Number.NaN;
  }

  private goTo(sector: number): void {
    const line = Math.floor(sector / SECTORS_PER_LINE);
    if (line === this.line) return;
    const place = ((line | 0) ^ ((line | 0) >>> INSTANCE_SHIFT)) & (PLACES - 1);
    this.line = line;
    this.way = this.found[place]!;
    if (this.lines[this.way] !== line) this.search(line, place);
  }

  private search(line: number, place: number): void {
    const stretch = Math.floor(line / this.sets);
    const turn = Math.imul(stretch, SPREAD) >>> 8;
    const first = (((line - stretch * this.sets + turn) | 0) % this.sets) * WAYS;
    let way = first;
    while (way < first + WAYS && this.lines[way] !== line) way++;
    this.first = first;
    this.way = -1;
    if (way === first + WAYS) return;
    this.way = way;
    this.found[place] = way;
  }

  /** The way of a set whose line goes: an empty one, or the next that gives way. */
  private givingWay(first: number): number {
    for (let way = first; way < first + WAYS; way++) if (this.lines[way]! < 0) return way;
    const turn = this.turns[first / WAYS]!;
    let k = 0;
    while (k < WAYS && this.readAgain[first + ((turn + k) % WAYS)] === 1) k++;
    if (k === WAYS) {
      this.readAgain.fill(0, first, first + WAYS);
      k = 0;
    }
    this.turns[first / WAYS] = (turn + k + 1) % WAYS;
    return first + ((turn + k) % WAYS);
  }
}
