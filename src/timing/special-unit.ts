/**
 * How special registers are read (S2R): by one unit of the SM, in the order in which the schedulers ask, each of which has a
 * queue before it (h200-prologue-micro.json, special_rate: 2.0 cycles an instruction of any scheduler; prologue: 32 warps that
 * read eight take 597 cycles).
 */
/** As that of memory instructions (memory-unit.ts). */
const QUEUE_DEPTH = 5;

export class SpecialUnit {
  private free = Number.NEGATIVE_INFINITY;
  /** When the instructions that each scheduler asked last leave its queue, the oldest at `head`. */
  private readonly leaves: Float64Array;
  private readonly head: Int32Array;

  constructor(schedulers: number) {
    this.leaves = new Float64Array(schedulers * QUEUE_DEPTH);
    this.head = new Int32Array(schedulers);
  }

  /** When the unit takes an instruction that `scheduler` issues at `time` and that keeps it for `cycles`. */
  take(scheduler: number, time: number, cycles: number): number {
    const taken = Math.max(time, this.free);
    this.free = taken + cycles;
    const head = this.head[scheduler]!;
    this.leaves[scheduler * QUEUE_DEPTH + head] = taken;
    this.head[scheduler] = (head + 1) % QUEUE_DEPTH;
    return taken;
  }

  /** When the scheduler's queue has room again. */
  fullUntil(scheduler: number): number {
    return this.leaves[scheduler * QUEUE_DEPTH + this.head[scheduler]!]!;
  }
}
