/**
 * Merges stores to one line that follow each other closely, because the SM keeps the lines of its last stores open.
 * Measured as L2's write requests: eight warps that each write four words of the same 8 lines send each line once. With
 * 16 lines 37 % are merged, with 32 none (h200/micro/pattern.json, columnsWrite). Adjacent stores of one warp merge by
 * 80 to 95 %, up to 16 sectors of 4 lines each. `store-runs.ts` merges larger ones.
 */

import { FRACTION } from "../base/fraction.js";
import { hashShare } from "../base/latency-spread.js";

/**
 * The model cannot know which stores come between two stores to a line (test/DEVIATIONS.md, K3). A line therefore stays
 * open for 8 to 16 further lines, evenly spread. A warp's adjacent stores merge whatever came between. Requests to many
 * lines merge by a fixed share.
 */
const SHORTEST_OPEN = 8;
const LONGEST_OPEN = 16;
const MOST_LINES_IN_A_ROW = 4;
const MANY_LINES = 8;
const MOST_SECTORS = 16;
/**
 * Wide requests go in passes of 128 bytes, each to all of many lines. Measured on stores of doubles to 16 lines: L2
 * writes 1.48 sectors for each sector of the request (h200/micro/columns.json, storeDown).
 */
const PASS_BYTES = 128;
const OPEN_OF_MANY = 64;
const MERGED_OF_MANY = 0.45;
/**
 * Cycles for which a line stays open after an idle port (h200/micro/tree.json, warpStoreOnly: of stores every 3.8
 * cycles, each fourth is sent).
 */
const OPEN_CYCLES = 16;
/** Slots by hash: a power of two. */
const PLACE_BITS = 7;

export class StoreMerging {
  /** Lines and sectors of the last request that are not merged. */
  lines = 0;
  sectors = 0;
  private readonly open = new Float64Array(1 << PLACE_BITS).fill(-1);
  private readonly openedAt = new Float64Array(1 << PLACE_BITS);
  private readonly written = new Uint8Array(1 << PLACE_BITS);
  /** The warp's next record, if its stores are adjacent. */
  private readonly following = new Float64Array(1 << PLACE_BITS);
  private readonly closesAt = new Float64Array(1 << PLACE_BITS);
  private opened = 0;
  private now: number = FRACTION;
  private closes: number = FRACTION;

  /**
   * Begins a request of `bytes` bytes in `sectors` sectors of `lines` lines, which comes at `now` and is sent at
   * `sent`. Returns whether any of them may merge.
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

  /** Removes merged sectors of the last request, and their share of its lines. */
  leave(sectors: number): void {
    this.lines *= 1 - sectors / this.sectors;
    this.sectors -= sectors;
  }

  /**
   * The request writes `sectors` (a bit mask) of `line`, one of its `lines`. `record` and `next` identify this access
   * and the warp's next one.
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

  /** Whether a line is still open when a request to `lines` lines comes. */
  private stays(line: number, at: number, lines: number): boolean {
    const further = this.opened - this.openedAt[at]!;
    if (further >= OPEN_OF_MANY || this.now > this.closesAt[at]!) return false;
    const chance = hashShare(line + 0.37 * this.opened);
    return lines > MANY_LINES
      ? chance < MERGED_OF_MANY
      : further < SHORTEST_OPEN + (LONGEST_OPEN - SHORTEST_OPEN) * chance;
  }
}
