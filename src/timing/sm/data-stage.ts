/**
 * The one data stage behind which L1 and shared memory lie, by stretches of time: whoever is there first takes it first. A load takes it
 * when all its data are there, not when it is issued, so what waits for one sector comes back one request after the other
 * (h200/micro/pending.json, from L2, a lane a line, one warp: 412, 452 and 524 cycles for 1, 2 and 4 requests of 32 words of one bank), others are
 * served meanwhile (h200/micro/access.json, hit_beside_miss), and warps that wait for the same DRAM latency stay in step.
 */

/** Cycles of a stretch, and how many are known at a time. */
const STRETCH = 32;
const STRETCHES = 1024;

export class DataStage {
  private readonly stretch = new Float64Array(STRETCHES).fill(-1);
  private readonly used = new Float64Array(STRETCHES);

  /** How much of the stretch of `time` is taken. */
  busyShare(time: number): number {
    const stretch = Math.floor(time / STRETCH);
    const at = stretch % STRETCHES;
    return this.stretch[at] === stretch ? this.used[at]! / STRETCH : 0;
  }

  /** Takes the stage for `cycles` from `time` on or as soon as it is free; until when. */
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
