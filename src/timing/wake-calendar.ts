/**
 * Warps asleep until a known cycle, each scheduler's by themselves: a calendar of the next 32 cycles, a day a list of
 * warps, and one list of all that sleep longer. Days are bits of a word, so the next busy day is found at once.
 */

const DAYS = 32;
const LAST_DAY = DAYS - 1;

export class WakeCalendar {
  /** First warp of each day, scheduler * DAYS + cycle modulo DAYS; -1: none. */
  private readonly first: Int32Array;
  /** The next warp of the same day, by warp. */
  private readonly next: Int32Array;
  private readonly busyDays: Int32Array;
  private readonly later: Int32Array;
  private readonly laterCount: Int32Array;
  private readonly laterSoonest: Float64Array;
  private readonly wakesAt: Float64Array;

  constructor(
    schedulers: number,
    private readonly warpsPerScheduler: number,
  ) {
    const warps = schedulers * warpsPerScheduler;
    this.first = new Int32Array(schedulers * DAYS).fill(-1);
    this.next = new Int32Array(warps);
    this.busyDays = new Int32Array(schedulers);
    this.later = new Int32Array(warps);
    this.laterCount = new Int32Array(schedulers);
    this.laterSoonest = new Float64Array(schedulers).fill(Number.POSITIVE_INFINITY);
    this.wakesAt = new Float64Array(warps);
  }

  /** `until`: a whole cycle after `now`. */
  sleep(scheduler: number, warp: number, until: number, now: number): void {
    if (until - now < DAYS) {
      const day = until & LAST_DAY;
      const list = scheduler * DAYS + day;
      this.next[warp] = this.first[list]!;
      this.first[list] = warp;
      this.busyDays[scheduler]! |= 1 << day;
      return;
    }
    this.wakesAt[warp] = until;
    this.later[scheduler * this.warpsPerScheduler + this.laterCount[scheduler]!++] = warp;
    if (until < this.laterSoonest[scheduler]!) this.laterSoonest[scheduler] = until;
  }

  /** Puts the warps that wake at `now` into `awake` from index `at` on; the index behind the last. No cycle with any may be left out. */
  wake(scheduler: number, now: number, awake: Int32Array, at: number): number {
    let to = at;
    const day = now & LAST_DAY;
    if ((this.busyDays[scheduler]! & (1 << day)) !== 0) {
      const list = scheduler * DAYS + day;
      for (let warp = this.first[list]!; warp >= 0; warp = this.next[warp]!) awake[to++] = warp;
      this.first[list] = -1;
      this.busyDays[scheduler]! &= ~(1 << day);
    }
    if (this.laterSoonest[scheduler]! > now) return to;
    const base = scheduler * this.warpsPerScheduler;
    const count = this.laterCount[scheduler]!;
    let left = 0;
    let soonest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const warp = this.later[base + i]!;
      const until = this.wakesAt[warp]!;
      if (until <= now) {
        awake[to++] = warp;
        continue;
      }
      this.later[base + left++] = warp;
      if (until < soonest) soonest = until;
    }
    this.laterCount[scheduler] = left;
    this.laterSoonest[scheduler] = soonest;
    return to;
  }

  /** The next cycle after `now` in which a warp wakes; infinite where all are awake. */
  soonest(scheduler: number, now: number): number {
    const later = this.laterSoonest[scheduler]!;
    const days = this.busyDays[scheduler]!;
    if (days === 0) return later;
    const shift = (now + 1) & LAST_DAY;
    const ahead = (days >>> shift) | (days << (DAYS - shift));
    const soon = now + 1 + (LAST_DAY - Math.clz32(ahead & -ahead));
    return soon < later ? soon : later;
  }
}
