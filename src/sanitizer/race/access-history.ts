/** The last write and the last reads of every 32-bit word of a memory. Pages of words come into being when they are accessed. */

/** Integers of one record: grid, block, thread and pc, epoch, time. A grid of 0 is no record. */
export const RECORD: number = 5;
export const WRITE = 0;
export const READ: number = RECORD;
/** A read that is not ordered with the other one. */
export const OTHER_READ: number = 2 * RECORD;
/** The value that the last write left. */
export const VALUE: number = 3 * RECORD;
export const WORD: number = 3 * RECORD + 1;

const PAGE_BITS = 10;

export class AccessHistory {
  private readonly pages: (Int32Array | undefined)[] = [];

  /** The page of a word; `offset` is where the word's records start in it. */
  page(word: number): Int32Array {
    const index = word >>> PAGE_BITS;
    const known = this.pages[index];
    if (known !== undefined) return known;
    const page = new Int32Array(WORD << PAGE_BITS);
    this.pages[index] = page;
    return page;
  }

  /** Forgets all accesses. */
  clear(): void {
    for (const page of this.pages) page?.fill(0);
  }

  offset(word: number): number {
    return (word & ((1 << PAGE_BITS) - 1)) * WORD;
  }
}
