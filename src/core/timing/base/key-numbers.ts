/** Numbers keys from 0 in the order of their first use, so that the state of each key can be kept in flat arrays. */
import { FRACTION } from "./fraction.js";

export class KeyNumbers {
  /** How many keys have a number. */
  count = 0;
  private keys: Float64Array = new Float64Array(64);
  /** The number plus 1; 0 marks a free entry. */
  private numbers: Int32Array = new Int32Array(64);

  /** The key's number; a new one if it has none yet. */
  of(key: number): number {
    const at = this.placeOf(key);
    if (this.numbers[at] !== 0) return this.numbers[at]! - 1;
    this.keys[at] = key;
    this.numbers[at] = ++this.count;
    if (2 * this.count > this.keys.length) this.grow();
    return this.count - 1;
  }

  /** The key's number; -1 if it has none. */
  known(key: number): number {
    return this.numbers[this.placeOf(key)]! - 1;
  }

  private placeOf(key: number): number {
    const { keys, numbers } = this;
    const wide = key + FRACTION;
    const hash = Math.imul(wide | 0, 0x9e3779b1) ^ Math.imul((wide / 4294967296) | 0, 0x85ebca6b);
    const mask = keys.length - 1;
    let at = (Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35) >>> 7) & mask;
    while (numbers[at] !== 0 && keys[at] !== key) at = (at + 1) & mask;
    return at;
  }

  private grow(): void {
    const { keys, numbers } = this;
    this.keys = new Float64Array(4 * keys.length);
    this.numbers = new Int32Array(4 * keys.length);
    for (let old = 0; old < keys.length; old++) {
      if (numbers[old] === 0) continue;
      const at = this.placeOf(keys[old]!);
      this.keys[at] = keys[old]!;
      this.numbers[at] = numbers[old]!;
    }
  }
}

/** `values`, extended if it has no entry `index`; new entries are `otherwise`. */
export function withRoom(values: Float64Array, index: number, otherwise: number): Float64Array {
  if (index < values.length) return values;
  const longer = new Float64Array(Math.max(2 * values.length, index + 1)).fill(otherwise, values.length);
  longer.set(values);
  return longer;
}
