/** An undo log: words and their values before they were overwritten. */

/** Words of an entry: whose word it is, its index, its value. */
const ENTRY = 3;

export class Journal {
  private readonly arrays: Int32Array[] = [];
  private entries = new Int32Array(ENTRY * 64);
  private end = 0;

  /** `only`: what is written to other arrays is forgotten; the registers' need not be told at all then. */
  constructor(private readonly only: Int32Array | null = null) {}

  get ofRegisters(): boolean {
    return this.only === null;
  }

  /** Whether what is written to `array` is remembered. */
  keeps(array: Int32Array): boolean {
    return this.only === null || array === this.only;
  }

  /** Remembers `count` words of `array` from `index` on. */
  record(array: Int32Array, index: number, count: number): void {
    if (!this.keeps(array)) return;
    let owner = this.arrays.indexOf(array);
    if (owner < 0) owner = this.arrays.push(array) - 1;
    let to = this.end;
    this.end += ENTRY * count;
    while (this.end > this.entries.length) this.grow();
    const { entries } = this;
    for (let k = index; k < index + count; k++) {
      entries[to] = owner;
      entries[to + 1] = k;
      // A page that is written first comes with one fault of the system's, one that is read first with two.
      const value = Atomics.exchange(array, k, 0);
      array[k] = value;
      entries[to + 2] = value;
      to += ENTRY;
    }
  }

  private grow(): void {
    const longer = new Int32Array(2 * this.entries.length);
    longer.set(this.entries);
    this.entries = longer;
  }

  forget(): void {
    this.end = 0;
  }

  /** Writes everything back, latest first. */
  undo(): void {
    const { arrays, entries } = this;
    for (let at = this.end - ENTRY; at >= 0; at -= ENTRY) {
      arrays[entries[at]!]![entries[at + 1]!] = entries[at + 2]!;
    }
    this.forget();
  }
}
