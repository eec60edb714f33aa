/** An undo log: words and their values before they were overwritten. */
export class Journal {
  /** `only`: what is written to other arrays is forgotten; the registers' need not be told at all then. */
  constructor(private readonly only: Int32Array | null = null) {}

  get ofRegisters(): boolean {
    return this.only === null;
  }

  private readonly arrays: Int32Array[] = [];
  private readonly indices: number[] = [];
  private readonly values: number[] = [];

  /** Remembers `count` words of `array` from `index` on. */
  record(array: Int32Array, index: number, count: number): void {
    if (this.only !== null && array !== this.only) return;
    for (let k = index; k < index + count; k++) {
      this.arrays.push(array);
      this.indices.push(k);
      this.values.push(array[k] ?? 0);
    }
  }

  /** Writes everything back, latest first. */
  undo(): void {
    for (let k = this.arrays.length - 1; k >= 0; k--) {
      const array = this.arrays[k];
      const index = this.indices[k];
      if (array !== undefined && index !== undefined) array[index] = this.values[k] ?? 0;
    }
    this.arrays.length = 0;
    this.indices.length = 0;
    this.values.length = 0;
  }
}
