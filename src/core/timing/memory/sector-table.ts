/**
 * Contents of a cache as a hash table from sector keys to the time of the last touch and the time of arrival. Age
 * decides on eviction: a sector is held if fewer bytes than the capacity have come in since its last touch. This is LRU
 * over bytes, without sets or lists.
 */
import { FRACTION } from "../base/fraction.js";

export const NOT_HELD = -1;

/** Adjacent words of an entry: the key plus 1 (0: none), last touch, time of arrival, number of marks. */
const ENTRY = 4;
const TOUCHED = 1;
const READY = 2;
const MARK = 3;

export class SectorTable {
  private entries: Float64Array;
  /** A table of the same size for the next `grow`; null: none. */
  private spare: Float64Array | null = null;
  private mask: number;
  private count = 0;
  /** The last key that was not held, and its slot. */
  private missed = Number.NaN;
  private missedAt = 0;
  /** Bytes brought in so far. */
  filledBytes: number = FRACTION;

  constructor(
    private readonly capacityBytes: number,
    initialSlots = 4096,
  ) {
    this.entries = new Float64Array(ENTRY * initialSlots);
    this.mask = initialSlots - 1;
  }

  /** Slot of the key, or where it would be. Keys of a block's instances differ in their upper bits alone. */
  private placeOf(key: number): number {
    const { entries, mask } = this;
    let hash = Math.imul(key | 0, 0x9e3779b1) ^ Math.imul((key / 4294967296) | 0, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
    let slot = (hash >>> 7) & mask;
    for (;;) {
      const found = entries[ENTRY * slot]!;
      if (found === key + 1 || found === 0) return ENTRY * slot;
      slot = (slot + 1) & mask;
    }
  }

  /** Touches a sector and returns its slot if it is held; else NOT_HELD. */
  find(key: number): number {
    const at = this.placeOf(key);
    const { entries } = this;
    if (entries[at] === 0 || this.filledBytes - entries[at + TOUCHED]! >= this.capacityBytes) {
      this.missed = key;
      this.missedAt = at;
      return NOT_HELD;
    }
    entries[at + TOUCHED] = this.filledBytes;
    return at;
  }

  readyAt(at: number): number {
    return this.entries[at + READY]!;
  }

  /** Marks the sector; returns how often it was marked before (2: twice or more). */
  mark(at: number): number {
    const before = this.entries[at + MARK]!;
    if (before < 2) this.entries[at + MARK] = before + 1;
    return before;
  }

  /** Brings in `bytes` under `key`, available from `readyAt` on. */
  fill(key: number, bytes: number, readyAt: number): number {
    let at = key === this.missed ? this.missedAt : this.placeOf(key);
    if (this.entries[at] === 0) {
      this.missed = Number.NaN;
      if (++this.count * 2 > this.mask) {
        this.grow();
        at = this.placeOf(key);
      }
      this.entries[at] = key + 1;
    }
    const { entries } = this;
    this.filledBytes += bytes;
    entries[at + TOUCHED] = this.filledBytes;
    entries[at + READY] = readyAt;
    entries[at + MARK] = 0;
    return at;
  }

  /** Evicts a sector. */
  drop(key: number): void {
    const at = this.placeOf(key);
    if (this.entries[at] !== 0) this.entries[at + TOUCHED] = Number.NEGATIVE_INFINITY;
  }

  /** Makes room: drops evicted entries, and doubles the table if few were dropped. */
  private grow(): void {
    const { entries } = this;
    const oldest = this.filledBytes - this.capacityBytes;
    this.count = 1;
    for (let old = 0; old < entries.length; old += ENTRY)
      if (entries[old] !== 0 && entries[old + TOUCHED]! > oldest) this.count++;
    const slots = entries.length / ENTRY;
    const size = this.count * 4 > slots ? slots * 2 : slots;
    if (size === slots && this.spare !== null) this.entries = this.spare.fill(0);
    else this.entries = new Float64Array(ENTRY * size);
    this.spare = size === slots ? entries : null;
    this.mask = size - 1;
    for (let old = 0; old < entries.length; old += ENTRY) {
      const key = entries[old]! - 1;
      if (key === -1 || entries[old + TOUCHED]! <= oldest) continue;
      const at = this.placeOf(key);
      for (let word = 0; word < ENTRY; word++) this.entries[at + word] = entries[old + word]!;
    }
  }
}
