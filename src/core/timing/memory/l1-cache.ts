/**
 * L1 of one SM: lines of four sectors in sets of six ways. Lines not read again since they came are evicted first, in
 * turn. If all lines of a set have been read again, all become candidates. A store reuses its line in the same way, or
 * allocates one. A load hits data of a store only if the store wrote the whole sector. A working set that fits stays
 * whole; one that is read end to end and does not fit is lost. Measured: of 64, 128 and 192 KiB read again during a
 * stream, 91, 58 and 30 % hit (h200/micro/reread.json); this model gives 90, 63 and 34.
 */
import { LINE_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";

const WAYS = 6;
/** Stands for a time that never comes: loads miss a sector of which a store wrote a part. */
const IN_PART = Number.POSITIVE_INFINITY;
/**
 * Knuth's multiplier. It spreads stretches of as many lines as there are sets, so that adjacent stretches share no set.
 */
const SPREAD = 0x9e3779b1;
/** Slots of a direct-mapped table from lines to their last way, a power of two. Most lookups of held lines end here. */
const PLACES = 4096;
/** Lines of different instances of a block differ in bits from here on. */
const INSTANCE_SHIFT = 20;

export class L1Cache {
  private readonly sets: number;
  private readonly lines: Float64Array;
  /** 1: read again since all lines of the set became candidates. */
  private readonly readAgain: Uint8Array;
  /** The next way to evict, by set. */
  private readonly turns: Uint8Array;
  /** Time at which each sector is available; NaN if it is not held. */
  private readonly ready: Float64Array;
  /** The way found last, by slot. */
  private readonly found = new Int32Array(PLACES);
  /** The line looked up last, the first way of its set, and its way (-1: not held). */
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

  /** Time at which a sector is available to a load that reads it now; NaN on a miss. */
  read(sector: number): number {
    this.goTo(sector);
    const { line, way } = this;
    if (way < 0) return Number.NaN;
    const at = this.ready[way * SECTORS_PER_LINE + (sector - line * SECTORS_PER_LINE)]!;
    if (Number.isNaN(at) || at === IN_PART) return Number.NaN;
    this.readAgain[way] = 1;
    return at;
  }

  /** Whether L1 holds the line of a sector. That is enough for a store to hit (h200/micro/hits.json, otherSector). */
  hasLine(sector: number): boolean {
    this.goTo(sector);
    return this.way >= 0;
  }

  /** A store to a sector, whole or in part. `again`: L1 held its line when the store came. */
  write(sector: number, whole: boolean, again: boolean): void {
    this.fill(sector, 0, 0);
    if (again) this.readAgain[this.way] = 1;
    const at = this.way * SECTORS_PER_LINE + (sector - this.line * SECTORS_PER_LINE);
    const before = this.ready[at]!;
    if (Number.isNaN(before) || before === IN_PART) this.ready[at] = whole ? 0 : IN_PART;
  }

  /**
   * Allocates the line of a sector and makes `count` sectors available from `readyAt` on; 0 allocates the line alone.
   */
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

  /** Evicts the line of a sector. */
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

  /** The way of a set to fill: an empty one, or the next to evict. */
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
