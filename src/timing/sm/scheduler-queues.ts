/** The queues in which each scheduler's instructions wait for a unit that all of the SM's schedulers share. */
import { QueuePlaces } from "../base/queue-places.js";

/** Instructions waiting: four queued, one at the door (Huerta et al., arXiv 2503.20481). */
const DEPTH = 5;

export class SchedulerQueues {
  private readonly queues: readonly QueuePlaces[];

  constructor(schedulers: number) {
    this.queues = Array.from({ length: schedulers }, () => new QueuePlaces(DEPTH));
  }

  /** When the scheduler's queue has room again. */
  fullUntil(scheduler: number): number {
    return this.queues[scheduler]!.fullUntil;
  }

  /** An instruction enters that leaves at `time`. */
  enter(scheduler: number, time: number): void {
    this.queues[scheduler]!.enter(time);
  }
}
