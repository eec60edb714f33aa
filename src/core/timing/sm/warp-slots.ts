/**
 * The warp slots of an SM. A warp that exits frees its slot and registers, but the SM requests new blocks only when a
 * block ends. Then as many blocks start as find slots, including those of exited warps of running blocks. This stands
 * for 22 blocks of 4 warps where 16 fit, if one warp of each block runs longer (test/reference/h200/micro/refill.json).
 * The warps of a block go to the schedulers in turn, and each block begins with another scheduler.
 */

export class WarpSlots {
  /**
   * Slot of warp w of the block in place p: p * warpsPerBlock + w. A slot's scheduler is the slot modulo the number of
   * schedulers.
   */
  readonly slotOf: Int32Array;
  /** Place of the block whose warp is in a slot. */
  readonly placeOf: Int32Array;
  /** When the last warp of the slot left; infinite while the slot is taken. */
  private readonly freeAt: Float64Array;
  private readonly placeFree: Uint8Array;
  private readonly freeSlots: Int32Array;
  private rotation = 0;

  constructor(
    private readonly schedulers: number,
    slotsPerScheduler: number,
    private readonly warpsPerBlock: number,
    mostBlocks: number,
    /** If false, the slots of a block are free only when all of it has ended. */
    private readonly warpsLeave: boolean,
  ) {
    this.slotOf = new Int32Array(mostBlocks * warpsPerBlock);
    this.placeOf = new Int32Array(schedulers * slotsPerScheduler);
    this.freeAt = new Float64Array(schedulers * slotsPerScheduler);
    this.placeFree = new Uint8Array(mostBlocks).fill(1);
    this.freeSlots = new Int32Array(schedulers);
  }

  get count(): number {
    return this.freeAt.length;
  }

  /** Whether a block finds room at `time`. */
  hasRoom(time: number): boolean {
    return this.placeFree.includes(1) && this.firstScheduler(time) >= 0;
  }

  /** The scheduler for the first warp of a new block such that all its warps find slots; -1: none. */
  private firstScheduler(time: number): number {
    const { schedulers, freeSlots } = this;
    freeSlots.fill(0);
    for (let slot = 0; slot < this.count; slot++) if (this.freeAt[slot]! <= time) freeSlots[slot % schedulers]!++;
    for (let turn = 0; turn < schedulers; turn++) {
      const first = (this.rotation + turn) % schedulers;
      let fits = true;
      for (let s = 0; s < schedulers && fits; s++) {
        const nth = (s - first + schedulers) % schedulers;
        fits = freeSlots[s]! >= Math.ceil((this.warpsPerBlock - nth) / schedulers);
      }
      if (fits) return first;
    }
    return -1;
  }

  /** Gives a block its slots and returns its place; there must be room. */
  take(time: number): number {
    const { schedulers, warpsPerBlock } = this;
    const place = this.placeFree.indexOf(1);
    const first = this.firstScheduler(time);
    this.placeFree[place] = 0;
    this.rotation = (first + 1) % schedulers;
    for (let warp = 0; warp < warpsPerBlock; warp++) {
      let slot = (first + warp) % schedulers;
      while (this.freeAt[slot]! > time) slot += schedulers;
      this.freeAt[slot] = Number.POSITIVE_INFINITY;
      this.placeOf[slot] = place;
      this.slotOf[place * warpsPerBlock + warp] = slot;
    }
    return place;
  }

  /** The warp in `slot` leaves at `time`. */
  leave(slot: number, time: number): void {
    if (this.warpsLeave) this.freeAt[slot] = time;
  }

  /** The last warp of the block in `place` leaves at `time`. */
  end(place: number, time: number): void {
    this.placeFree[place] = 1;
    if (this.warpsLeave) return;
    for (let warp = 0; warp < this.warpsPerBlock; warp++)
      this.freeAt[this.slotOf[place * this.warpsPerBlock + warp]!] = time;
  }
}
