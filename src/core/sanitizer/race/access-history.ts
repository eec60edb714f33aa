/**
 * The last write and the last reads of every 32-bit word of a memory. Pages of words come into being when they are accessed. A
 * word of which some access touches a part alone is kept byte by byte from then on.
 */

/** Integers of one record: grid, block, thread and pc, epoch, time. A grid of 0 is no record. */
export const RECORD: number = 5;
export const WRITE = 0;
export const READ: number = RECORD;
/** A read that is not ordered with the other one. */
export const OTHER_READ: number = 2 * RECORD;
/** The value that the last write left. */
export const VALUE: number = 3 * RECORD;
export const WORD: number = 3 * RECORD + 1;

const PAGE_BITS = 8;

/** A value that an atomic or volatile store has left. */
export interface Version {
  readonly value: number;
  /** Who has left it; null for what stood there before. */
  readonly record: Int32Array | null;
  /** The store completes a read-modify-write that is no atomic. */
  readonly update: boolean;
}

const MOST_VERSIONS = 64;

/** The last values of one word, in the order of the run. */
export class Versions {
  private readonly list: Version[] = [];
  /** The number of the first one in the list. */
  first = 0;

  /** One more than the number of the last. */
  get end(): number {
    return this.first + this.list.length;
  }

  at(number: number): Version | undefined {
    return this.list[number - this.first];
  }

  add(version: Version): void {
    this.list.push(version);
    if (this.list.length <= MOST_VERSIONS) return;
    this.list.shift();
    this.first++;
  }
}

export class AccessHistory {
  private readonly pages: (Int32Array | undefined)[] = [];
  /**
   * The last two atomic or volatile writes, of few words: the second is not ordered with the first. They are kept beside the
   * plain write, since they need not be ordered with one another.
   */
  private readonly strong: Map<number, Int32Array> = new Map();

  private readonly versions: Map<number, Versions> = new Map();
  /** The words kept byte by byte, and the history of their bytes: a byte's place is its address. */
  private readonly split: Set<number> = new Set();
  private bytes: AccessHistory | null = null;

  /** Whether the history is one of words or of bytes. */
  constructor(readonly unit: 1 | 4 = 4) {}

  get hasParts(): boolean {
    return this.bytes !== null;
  }

  /** The history of the word's bytes, if it is kept byte by byte. */
  partsOf(word: number): AccessHistory | null {
    return this.split.has(word) ? this.bytes : null;
  }

  /** Keeps the word byte by byte: each byte begins with what is known of the word. */
  splitWord(word: number): AccessHistory {
    this.bytes ??= new AccessHistory(1);
    const { bytes } = this;
    if (this.split.has(word)) return bytes;
    this.split.add(word);
    const from = this.offset(word);
    const records = this.page(word).subarray(from, from + WORD);
    const strong = this.strong.get(word);
    for (let byte = 4 * word; byte < 4 * word + 4; byte++) {
      const to = bytes.offset(byte);
      const page = bytes.page(byte);
      page.set(records, to);
      page[to + VALUE] = (records[VALUE]! >>> (8 * (byte & 3))) & 0xff;
      if (strong !== undefined) bytes.strong.set(byte, strong.slice());
    }
    return bytes;
  }

  /** The values of a word that a volatile load has read; undefined for other words. */
  versionsOf(word: number): Versions | undefined {
    return this.versions.size === 0 ? undefined : this.versions.get(word);
  }

  startVersions(word: number, value: number): Versions {
    const versions = new Versions();
    versions.add({ value, record: null, update: false });
    this.versions.set(word, versions);
    return versions;
  }

  /** The page of a word; `offset` is where the word's records start in it. */
  page(word: number): Int32Array {
    const index = word >>> PAGE_BITS;
    const known = this.pages[index];
    if (known !== undefined) return known;
    const page = new Int32Array(WORD << PAGE_BITS);
    this.pages[index] = page;
    return page;
  }

  /** Two records; undefined before the first such write. */
  strongWrites(word: number): Int32Array | undefined {
    return this.strong.size === 0 ? undefined : this.strong.get(word);
  }

  startStrongWrites(word: number): Int32Array {
    const records = new Int32Array(2 * RECORD);
    this.strong.set(word, records);
    return records;
  }

  /** A plain write follows them. */
  endStrongWrites(word: number): void {
    if (this.strong.size > 0) this.strong.delete(word);
    if (this.versions.size > 0) this.versions.delete(word);
  }

  /** Forgets all accesses. */
  clear(): void {
    for (const page of this.pages) page?.fill(0);
    this.strong.clear();
    this.versions.clear();
    this.split.clear();
    this.bytes?.clear();
  }

  offset(word: number): number {
    return (word & ((1 << PAGE_BITS) - 1)) * WORD;
  }
}
