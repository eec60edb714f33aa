/**
 * Which counts the compiled kernel keeps, and what each adds to the raw counters after the run. A kernel counts per
 * straight-line piece of code, not per instruction: one count feeds the entries of many pcs.
 */
import type { RAW_COUNTER_ARRAYS, RawCounters } from "../engine.js";

export type CounterArray = (typeof RAW_COUNTER_ARRAYS)[number];

interface Share {
  readonly count: number;
  readonly array: CounterArray;
  readonly pc: number;
  readonly factor: number;
}

export class CounterPlan {
  private readonly shares: Share[] = [];
  /** Number of 64-bit counts. */
  counts = 0;

  count(): number {
    return this.counts++;
  }

  /** Once the run is over, `array[pc] += factor * count`. */
  add(count: number, array: CounterArray, pc: number, factor = 1): void {
    if (factor !== 0) this.shares.push({ count, array, pc, factor });
  }

  /** Warp instructions that one of each count stands for. */
  instructionsByCount(): ReadonlyMap<number, number> {
    const weights = new Map<number, number>();
    for (const { count, array, factor } of this.shares) {
      if (array === "executed") weights.set(count, (weights.get(count) ?? 0) + factor);
    }
    return weights;
  }

  expand(values: BigInt64Array, counters: RawCounters): void {
    for (const { count, array, pc, factor } of this.shares) {
      const target = counters[array];
      target[pc] = (target[pc] ?? 0) + Number(values[count] ?? 0n) * factor;
    }
  }
}
