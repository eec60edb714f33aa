/**
 * The data stage that L1 and shared memory share. It is booked in short intervals of time, first come, first served. A
 * load takes it when its data have arrived, not when it issues. So requests that wait for one sector return one after
 * the other (h200/micro/pending.json), and other requests are served meanwhile. Warps that wait for the same DRAM
 * latency therefore stay in step.
 */

/** The length of an interval in cycles, and the number of intervals that are kept. */
const STRETCH = 32;
const STRETCHES = 1024;

export class DataStage {
  private readonly stretch = new Float64Array(STRETCHES).fill(-1);
  private readonly used = new Float64Array(STRETCHES);

  /** The share of the interval at `time` that is taken. */
  busyShare(time: number): number {
    const stretch = Math.floor(time / STRETCH);
    const at = stretch % STRETCHES;
    return this.stretch[at] === stretch ? this.used[at]! / STRETCH : 0;
  }

  /** Takes the stage for `cycles` as soon as it is free after `time`; returns the end. */
  take(time: number, cycles: number): number {
    let stretch = Math.floor(time / STRETCH);
    for (let left = cycles; ; stretch++) {
      const at = stretch % STRETCHES;
      if (this.stretch[at] !== stretch) {
        this.stretch[at] = stretch;
        this.used[at] = 0;
      }
      const taken = Math.min(left, STRETCH - this.used[at]!);
      this.used[at]! += taken;
      left -= taken;
      if (left <= 0) return Math.max(time + cycles, stretch * STRETCH + this.used[at]!);
    }
  }
}
