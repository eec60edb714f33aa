/**
 * A cache's contents as a hash table from sector keys to "when last touched" and "when the data is there". Which lines a
 * real cache has evicted is decided by age: a sector is still held if fewer bytes than the capacity have been brought in
 * since its last touch (LRU over bytes), which needs no sets and no lists.
 */

export const NOT_HELD = -1;

export class SectorTable {
  private keys: Float64Array;
  private touched: Float64Array;
  private ready: Float64Array;
  private flags: Uint8Array;
  private mask: number;
  private count = 0;
  /** Bytes brought in so far. */
  filledBytes = 0;

  constructor(
    private readonly capacityBytes: number,
    initialSlots = 4096,
  ) {
    this.keys = new Float64Array(initialSlots).fill(-1);
    this.touched = new Float64Array(initialSlots);
    this.ready = new Float64Array(initialSlots);
    this.flags = new Uint8Array(initialSlots);
    this.mask = initialSlots - 1;
  }

  private slotOf(key: number): number {
    let slot = (Math.imul(key | 0, 0x9e3779b1) ^ Math.imul((key / 4294967296) | 0, 0x85ebca6b)) >>> 7;
    slot &= this.mask;
    while (this.keys[slot] !== key && this.keys[slot] !== -1) slot = (slot + 1) & this.mask;
    return slot;
  }

  /** Slot of a sector that is held, touched now; NOT_HELD else. */
  find(key: number): number {
    const slot = this.slotOf(key);
    if (this.keys[slot] === -1 || this.filledBytes - this.touched[slot]! >= this.capacityBytes) return NOT_HELD;
    this.touched[slot] = this.filledBytes;
    return slot;
  }

  readyAt(slot: number): number {
    return this.ready[slot]!;
  }

  /** Marks the sector; how often it was marked before, 2 for oftener. */
  mark(slot: number): number {
    const before = this.flags[slot]!;
    if (before < 2) this.flags[slot] = before + 1;
    return before;
  }

  /** Brings `bytes` in under `key`, there from `readyAt` on. */
  fill(key: number, bytes: number, readyAt: number): number {
    let slot = this.slotOf(key);
    if (this.keys[slot] === -1) {
      if (++this.count * 2 > this.mask) {
        this.grow();
        slot = this.slotOf(key);
      }
      this.keys[slot] = key;
    }
    this.filledBytes += bytes;
    this.touched[slot] = this.filledBytes;
    this.ready[slot] = readyAt;
    this.flags[slot] = 0;
    return slot;
  }

  /** Forgets a sector. */
  drop(key: number): void {
    const slot = this.slotOf(key);
    if (this.keys[slot] !== -1) this.touched[slot] = Number.NEGATIVE_INFINITY;
  }

  /** Makes room: by leaving out what is no longer held, and in a larger table if that is little. */
  private grow(): void {
    const { keys, touched, ready, flags } = this;
    const oldest = this.filledBytes - this.capacityBytes;
    this.count = 1;
    for (let old = 0; old < keys.length; old++) if (keys[old] !== -1 && touched[old]! > oldest) this.count++;
    const size = this.count * 4 > keys.length ? keys.length * 2 : keys.length;
    this.keys = new Float64Array(size).fill(-1);
    this.touched = new Float64Array(size);
    this.ready = new Float64Array(size);
    this.flags = new Uint8Array(size);
    this.mask = size - 1;
    for (let old = 0; old < keys.length; old++) {
      const key = keys[old]!;
      if (key === -1 || touched[old]! <= oldest) continue;
      const slot = this.slotOf(key);
      this.keys[slot] = key;
      this.touched[slot] = touched[old]!;
      this.ready[slot] = ready[old]!;
      this.flags[slot] = flags[old]!;
    }
  }
}
