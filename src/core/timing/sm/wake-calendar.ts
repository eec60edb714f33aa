/**
 * The sleeping warps of a scheduler, by the cycle in which they wake. Each of the next 32 cycles has a list of warps;
 * one more list has all later ones. A word has a bit for each of the 32 lists, so the next wake-up is found at once.
 */

const DAYS = 32;
const LAST_DAY = DAYS - 1;

export class WakeCalendar {
  /** First warp of each list, by cycle modulo DAYS; -1: none. */
  private readonly first = new Int32Array(DAYS).fill(-1);
  /** The next warp of the same list, by warp. */
  private readonly next: Int32Array;
  private busyDays = 0;
  private readonly later: Int32Array;
  private laterCount = 0;
  private laterSoonest: number = Number.POSITIVE_INFINITY;
  private readonly wakesAt: Float64Array;

  /** Warps have numbers below `slots`; at most `warps` of them sleep here. */
  constructor(slots: number, warps: number) {
    this.next = new Int32Array(slots);
    this.later = new Int32Array(warps);
    this.wakesAt = new Float64Array(slots);
  }

  /** `until`: a whole cycle after `now`. */
  sleep(warp: number, until: number, now: number): void {
    if (until - now < DAYS) {
      const day = until & LAST_DAY;
      this.next[warp] = this.first[day]!;
      this.first[day] = warp;
      this.busyDays |= 1 << day;
      return;
    }
    this.wakesAt[warp] = until;
    this.later[this.laterCount++] = warp;
    if (until < this.laterSoonest) this.laterSoonest = until;
  }

  /**
   * Writes the warps that wake at `now` to `awake` from index `at`; returns the index after the last. The caller must
   * visit every cycle in which a warp wakes.
   */
  wake(now: number, awake: Int32Array, at: number): number {
    let to = at;
    const day = now & LAST_DAY;
    if ((this.busyDays & (1 << day)) !== 0) {
      for (let warp = this.first[day]!; warp >= 0; warp = this.next[warp]!) awake[to++] = warp;
      this.first[day] = -1;
      this.busyDays &= ~(1 << day);
    }
    if (this.laterSoonest > now) return to;
    return this.wakeLater(now, awake, to);
  }

  private wakeLater(now: number, awake: Int32Array, at: number): number {
    const { later, wakesAt, laterCount } = this;
    let to = at;
    let left = 0;
    let soonest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < laterCount; i++) {
      const warp = later[i]!;
      const until = wakesAt[warp]!;
      if (until <= now) {
        awake[to++] = warp;
        continue;
      }
      later[left++] = warp;
      if (until < soonest) soonest = until;
    }
    this.laterCount = left;
    this.laterSoonest = soonest;
    return to;
  }

  /** The next cycle after `now` in which a warp wakes; infinite if all are awake. */
  soonest(now: number): number {
    const { laterSoonest: later, busyDays: days } = this;
    if (days === 0) return later;
    const shift = (now + 1) & LAST_DAY;
    const ahead = (days >>> shift) | (days << (DAYS - shift));
    const soon = now + 1 + (LAST_DAY - Math.clz32(ahead & -ahead));
    return soon < later ? soon : later;
  }
}
