/**
 * Stores to one line that follow each other closely leave the SM as one: it keeps the lines of its last stores open. From
 * test/reference/h200/micro/pattern.json, L2's write requests by ncu: eight warps that each write four words of the same 8
 * lines send each line once (columnsWrite, 8x32); of 16 lines, two words each, 37 % are merged (16x16), of 32 lines none. Two
 * to four stores in a row of one warp that fill each other's gaps merge by 80 to 95 % if each is of 16 sectors of 4 lines or less
 * (structStore; of more: store-runs.ts).
 */

import { FRACTION } from "../base/fraction.js";
import { hashShare } from "../base/latency-spread.js";

/**
 * Which stores come between two of a line is not the GPU's choice here (test/DEVIATIONS.md, K3), so a line stays open for as many further ones,
 * spread evenly; a warp's stores in a row, which here come apart, merge whatever came between, and of requests to many
 * lines a share, wherever they stand.
 */
const SHORTEST_OPEN = 8;
const LONGEST_OPEN = 16;
const MOST_LINES_IN_A_ROW = 4;
const MANY_LINES = 8;
const MOST_SECTORS = 16;
/**
 * Of 64 bits a lane and more a request goes in passes of 128 bytes, each to all of many lines (h200/micro/columns.json, storeDown of doubles in
 * blocks of 16x16: L2 writes 1.48 sectors for one of the request's, as of blocks of 32x8; of floats 1.3).
 */
const PASS_BYTES = 128;
const OPEN_OF_MANY = 64;
const MERGED_OF_MANY = 0.45;
/**
 * Behind an idle port it is open for so long (h200/micro/tree.json, warpStoreOnly: of stores to one line every 3.8 cycles each
 * fourth is sent).
 */
const OPEN_CYCLES = 16;
/** Places by hash: a power of two. */
const PLACE_BITS = 7;

export class StoreMerging {
  /** Of the request taken last: its lines and sectors that go out by themselves. */
  lines = 0;
  sectors = 0;
  private readonly open = new Float64Array(1 << PLACE_BITS).fill(-1);
  private readonly openedAt = new Float64Array(1 << PLACE_BITS);
  private readonly written = new Uint8Array(1 << PLACE_BITS);
  /** Where the warp's next record stands if it stores in a row. */
  private readonly following = new Float64Array(1 << PLACE_BITS);
  private readonly closesAt = new Float64Array(1 << PLACE_BITS);
  private opened = 0;
  private now: number = FRACTION;
  private closes: number = FRACTION;

  /**
   * The next request comes at `now`, `bytes` bytes of `sectors` sectors of `lines` lines, and is sent at `sent`; whether any of them may go
   * with others.
   */
  begin(lines: number, sectors: number, bytes: number, now: number, sent: number): boolean {
    this.now = now;
    this.closes = sent + OPEN_CYCLES;
    const few = sectors * (lines > MANY_LINES ? bytes / PASS_BYTES : 1) <= MOST_SECTORS;
    this.lines = few ? 0 : lines;
    this.sectors = few ? 0 : sectors;
    if (!few) this.opened += lines;
    return few;
  }

  /** So many sectors of the request taken last go with others, and their share of its lines. */
  leave(sectors: number): void {
    this.lines *= 1 - sectors / this.sectors;
    this.sectors -= sectors;
  }

  /**
   * The request writes `sectors`, a bit each, of `line`, one of `lines`. `record`, `next`: what tells its place among the warp's
   * accesses from all others, and the next one's.
   */
  take(line: number, sectors: number, lines: number, record: number, next: number): void {
    const at = (Math.imul(line, 0x9e3779b1) ^ Math.imul((line / 4294967296) | 0, 0x85ebca6b)) >>> (32 - PLACE_BITS);
    const isOpen =
      this.open[at] === line &&
      ((lines <= MOST_LINES_IN_A_ROW && this.following[at] === record) || this.stays(line, at, lines));
    let fresh = sectors;
    if (isOpen) {
      fresh &= ~this.written[at]!;
      this.written[at]! |= sectors;
    } else {
      this.open[at] = line;
      this.openedAt[at] = this.opened++;
      this.closesAt[at] = this.closes;
      this.written[at] = sectors;
      this.lines++;
    }
    this.following[at] = next;
    for (; fresh !== 0; fresh &= fresh - 1) this.sectors++;
  }

  /** Whether a line is open still when a request to `lines` lines comes. */
  private stays(line: number, at: number, lines: number): boolean {
    const further = this.opened - this.openedAt[at]!;
    if (further >= OPEN_OF_MANY || this.now > this.closesAt[at]!) return false;
    const chance = hashShare(line + 0.37 * this.opened);
    return lines > MANY_LINES
      ? chance < MERGED_OF_MANY
      : further < SHORTEST_OPEN + (LONGEST_OPEN - SHORTEST_OPEN) * chance;
  }
}
