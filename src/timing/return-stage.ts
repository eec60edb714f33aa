/**
 * L1's data stage for what has been waited for: a load whose words lie in the same banks takes it when its data are there, not when
 * it is issued, so what waits for one sector comes back one request after the other (h200-access-micro.json, rows: 16 requests of
 * one warp, each lane two sectors of a line, take 857 cycles from L2: its latency, their lines' 32 cycles, 16 times 32 for the
 * banks, and a hit's latency). Others are served meanwhile (ibid., hit_beside_miss), so the stage is booked by stretches of time.
 */

/** Cycles of a stretch, and how many are known at a time. */
const STRETCH = 32;
const STRETCHES = 256;

export class ReturnStage {
  private readonly stretch = new Float64Array(STRETCHES).fill(-1);
  private readonly used = new Float64Array(STRETCHES);

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
