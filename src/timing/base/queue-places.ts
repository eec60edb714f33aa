/** A queue of so many places, which those in it leave in the order of their coming. */
export class QueuePlaces {
  /** When those that entered last leave, the oldest at `head`; 0: nobody has had the place. */
  private readonly leaves: Float64Array;
  private head = 0;

  constructor(places: number) {
    this.leaves = new Float64Array(places);
  }

  /** When there is room again: the oldest one's place, the next to be taken, is free by then. */
  get fullUntil(): number {
    return this.leaves[this.head]!;
  }

  /** Something enters that leaves at `time`. */
  enter(time: number): void {
    this.leaves[this.head] = time;
    this.head = this.head + 1 === this.leaves.length ? 0 : this.head + 1;
  }
}
