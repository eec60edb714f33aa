/** A seeded source of choices: sfc32 (Chris Doty-Humphrey, PractRand), seeded from one number. */

export class Choices {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = 0x9e3779b9 ^ seed;
    this.#c = Math.imul(seed, 0x85ebca6b);
    for (let round = 0; round < 15; round++) this.bits();
  }

  /** 32 random bits, as an unsigned number. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** 0 to count - 1. */
  below(count: number): number {
    return Math.floor((this.bits() / 2 ** 32) * count);
  }

  /** low to high, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.bits() < probability * 2 ** 32;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}
