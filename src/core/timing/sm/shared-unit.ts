/**
 * A unit that all schedulers of the SM share. Each scheduler has a queue, and the unit serves them in the order of
 * their requests. It stands for the rate of S2R: 2.0 cycles an instruction, whatever the scheduler
 * (h200/micro/prologue.json, special_rate). Warp reductions and match use such units too, and FP64 if the SM has one
 * unit for it.
 */
import { SchedulerQueues } from "./scheduler-queues.js";

export class SharedUnit {
  private free = Number.NEGATIVE_INFINITY;
  private readonly queues: SchedulerQueues;

  constructor(schedulers: number) {
    this.queues = new SchedulerQueues(schedulers);
  }

  /** When the unit takes an instruction that `scheduler` issues at `time` and that occupies it for `cycles`. */
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
