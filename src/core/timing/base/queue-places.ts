/** A FIFO queue with a fixed number of entries. */
export class QueuePlaces {
  /** When the most recent entries leave, the oldest at `head`; 0: the entry was never used. */
  private readonly leaves: Float64Array;
  private head = 0;

  constructor(places: number) {
    this.leaves = new Float64Array(places);
  }

  /** When the queue has room again: its oldest entry has left by then. */
  get fullUntil(): number {
    return this.leaves[this.head]!;
  }

  /** Adds an entry that leaves at `time`. */
  enter(time: number): void {
    this.leaves[this.head] = time;
    this.head = this.head + 1 === this.leaves.length ? 0 : this.head + 1;
  }
}
