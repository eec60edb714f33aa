import { describe, expect, it } from "vitest";
import { WakeCalendar } from "../../../../src/core/timing/sm/wake-calendar.js";

/** A linear congruential generator: the same numbers each time. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

describe("a calendar of sleeping warps", () => {
  it("wakes each warp in the cycle that it sleeps to, as a plain list does", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const draw = numbersFrom(seed);
      const warps = 1 + draw(20);
      const calendar = new WakeCalendar(warps, warps);
      const until = new Map<number, number>();
      // A late cycle, which no longer fits into 32 bits.
      let now = draw(2) * 5e9;
      for (let round = 0; round < 500; round++) {
        for (let warp = 0; warp < warps; warp++) {
          if (until.has(warp) || draw(2) === 0) continue;
          const wakesAt = now + 1 + (draw(3) === 0 ? draw(2000) : draw(40));
          until.set(warp, wakesAt);
          calendar.sleep(warp, wakesAt, now);
        }
        expect(calendar.soonest(now), `seed ${seed}`).toBe(Math.min(...until.values()));
        now = Math.min(...until.values(), now + 1e6);
        const awake = new Int32Array(warps + 1);
        const count = calendar.wake(now, awake, 1) - 1;
        const due = [...until].filter(([, cycle]) => cycle === now);
        expect([...awake.subarray(1, 1 + count)].sort(), `seed ${seed}`).toEqual(due.map(([warp]) => warp).sort());
        for (const [warp] of due) until.delete(warp);
      }
    }
  });

  it("says that nobody wakes where nobody sleeps", () => {
    expect(new WakeCalendar(4, 4).soonest(77)).toBe(Number.POSITIVE_INFINITY);
  });
});
