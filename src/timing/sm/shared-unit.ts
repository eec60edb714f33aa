/**
 * A unit that the SM has one of: it serves the schedulers in the order in which they ask, each of which has a queue before it. So
 * special registers are read (S2R; h200/micro/prologue.json, special_rate: 2.0 cycles an instruction of any scheduler; prologue: 32
 * warps that read eight take 597 cycles), and the lanes of a warp reduced and matched (h200/micro/extra.json, op: with the schedulers served
 * in a fixed order, 32 warps reduce 8 % more slowly), and doubles computed where the SM has one unit for them.
 */
import { SchedulerQueues } from "./scheduler-queues.js";

export class SharedUnit {
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
