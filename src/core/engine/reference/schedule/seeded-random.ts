/** A small generator of random numbers with a seed (Marsaglia, "Xorshift RNGs", 2003). */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    // Spread neighbouring seeds; a xorshift state must not be 0.
    this.state = Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^ 0x5bd1e995 || 1;
    for (let k = 0; k < 4; k++) this.next();
  }

  /** 32 random bits as an i32. */
  next(): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x;
    return x;
  }

  /** 0 to `count` - 1. */
  below(count: number): number {
    return (this.next() >>> 0) % count;
  }

  /** Puts `items` into an order of chance (Fisher and Yates). */
  shuffle<T>(items: T[]): void {
    for (let k = items.length - 1; k > 0; k--) {
      const other = this.below(k + 1);
      [items[k], items[other]] = [items[other]!, items[k]!];
    }
  }
}
