/** One queue for each scheduler, whose instructions wait for a unit that all schedulers of the SM share. */
import { QueuePlaces } from "../base/queue-places.js";

/** Waiting instructions: four in the queue and one at its entry (Huerta et al., arXiv 2503.20481). */
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

  /** Adds an instruction that leaves at `time`. */
  enter(scheduler: number, time: number): void {
    this.queues[scheduler]!.enter(time);
  }
}
