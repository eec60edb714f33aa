/** Whole numbers by whole numbers: a hash table without objects. */

const EMPTY = -2147483648;

export class SectorMap {
  private keys: Int32Array = new Int32Array(64).fill(EMPTY);
  private values: Int32Array = new Int32Array(64);
  private count = 0;

  private slotOf(key: number): number {
    const mask = this.keys.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
    while (this.keys[slot] !== key && this.keys[slot] !== EMPTY) slot = (slot + 1) & mask;
    return slot;
  }

  /** `otherwise` where nothing has been set. */
  get(key: number, otherwise: number): number {
    const slot = this.slotOf(key);
    return this.keys[slot] === EMPTY ? otherwise : this.values[slot]!;
  }

  set(key: number, value: number): void {
    let slot = this.slotOf(key);
    if (this.keys[slot] === EMPTY) {
      if (++this.count * 2 > this.keys.length) {
        this.grow();
        slot = this.slotOf(key);
      }
      this.keys[slot] = key;
    }
    this.values[slot] = value;
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new Int32Array(keys.length * 4).fill(EMPTY);
    this.values = new Int32Array(keys.length * 4);
    for (let old = 0; old < keys.length; old++) {
      const key = keys[old]!;
      if (key === EMPTY) continue;
      const slot = this.slotOf(key);
      this.keys[slot] = key;
      this.values[slot] = values[old]!;
    }
  }
}
