/** The queues in which each scheduler's instructions wait for a unit that all of the SM's schedulers share. */

/** Instructions waiting: four queued, one at the door (Huerta et al., arXiv 2503.20481). */
const DEPTH = 5;

export class SchedulerQueues {
  /** When the instructions that entered each queue last leave it, the oldest at `head`. */
  private readonly leaves: Float64Array;
  private readonly head: Int32Array;

  constructor(schedulers: number) {
    this.leaves = new Float64Array(schedulers * DEPTH);
    this.head = new Int32Array(schedulers);
  }

  /** When the queue has room again: its oldest entry, the next to be overwritten, has left by then. */
  fullUntil(scheduler: number): number {
    return this.leaves[scheduler * DEPTH + this.head[scheduler]!]!;
  }

  /** An instruction enters that leaves at `time`. */
  enter(scheduler: number, time: number): void {
    const head = this.head[scheduler]!;
    this.leaves[scheduler * DEPTH + head] = time;
    this.head[scheduler] = (head + 1) % DEPTH;
  }
}
