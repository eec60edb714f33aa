/**
 * How special registers are read (S2R): by one unit of the SM, in the order in which the schedulers ask, each of which has a
 * queue before it (h200-prologue-micro.json, special_rate: 2.0 cycles an instruction of any scheduler; prologue: 32 warps that
 * read eight take 597 cycles).
 */
import { SchedulerQueues } from "./scheduler-queues.js";

export class SpecialUnit {
  private free = Number.NEGATIVE_INFINITY;
  private readonly queues: SchedulerQueues;

  constructor(schedulers: number) {
    this.queues = new SchedulerQueues(schedulers);
  }

  /** When the unit takes an instruction that `scheduler` issues at `time` and that keeps it for `cycles`. */
  take(scheduler: number, time: number, cycles: number): number {
    const taken = Math.max(time, this.free);
    this.free = taken + cycles;
    this.queues.enter(scheduler, taken);
    return taken;
  }

  /** When the scheduler's queue has room again. */
  fullUntil(scheduler: number): number {
    return this.queues.fullUntil(scheduler);
  }
}
