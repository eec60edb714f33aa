import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { WarpSlots } from "../../../../src/core/timing/sm/warp-slots.js";

const measured = JSON.parse(
  readFileSync(new URL("../../../reference/h200/micro/refill.json", import.meta.url), "utf8"),
) as {
  readonly rows: readonly Readonly<Record<string, number>>[];
};

/** Starts blocks on an SM with four schedulers of 16 slots until there is no room. */
function fill(slots: WarpSlots, time: number): number {
  let blocks = 0;
  for (; slots.hasRoom(time); blocks++) slots.take(time);
  return blocks;
}

describe("slots of an SM's warps", () => {
  it("hold 16 blocks of 4 warps, whose first warps stand on different schedulers as %warpid of an H200 has it", () => {
    const slots = new WarpSlots(4, 16, 4, 32, true);
    expect(fill(slots, 0)).toBe(16);
    const first = Array.from({ length: 16 }, (_, place) => slots.slotOf[place * 4]! % 4);
    expect([0, 1, 2, 3].map((scheduler) => first.filter((each) => each === scheduler).length)).toEqual([4, 4, 4, 4]);
  });

  it("take as many blocks of 4 warps as an H200 has at a time when one warp of each goes on alone", () => {
    // All warps wait 3000 cycles (0.5 to 1.5 times by block), the last one 5000 more. A new block starts 400 cycles
    // after another's end.
    const slots = new WarpSlots(4, 16, 4, 32, true);
    const ends: { readonly at: number; readonly place: number }[] = [];
    let seed = 1;
    let [blockCycles, now, from] = [0, 0, 0];
    const start = (time: number): void => {
      for (; slots.hasRoom(time); ) {
        const place = slots.take(time);
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        const together = time + 400 + 3000 * (0.5 + seed / 2 ** 32);
        for (let warp = 1; warp < 4; warp++) slots.leave(slots.slotOf[place * 4 + warp]!, together);
        ends.push({ at: together + 5000, place });
        if (time > 50_000) blockCycles += together + 5000 - time - 400;
      }
    };
    for (start(0); now < 500_000; start(now)) {
      const next = ends.reduce((soonest, end) => (end.at < soonest.at ? end : soonest));
      ends.splice(ends.indexOf(next), 1);
      now = next.at;
      if (from === 0 && now > 50_000) from = now;
      slots.leave(slots.slotOf[next.place * 4]!, now);
      slots.end(next.place, now);
    }
    const row = measured.rows.find(
      ({ warpsPerBlock, t1, t2, survivors, jitter, barrier, blocksResident }) =>
        warpsPerBlock === 4 &&
        t1 === 3000 &&
        t2 === 5000 &&
        survivors === 1 &&
        jitter === 1 &&
        barrier === 0 &&
        blocksResident! > 0,
    );
    expect(blockCycles / (now - from) / row!.blocksResident!).toBeGreaterThan(0.85);
    expect(blockCycles / (now - from) / row!.blocksResident!).toBeLessThan(1.15);
  });

  it("are free only with the whole block on GPUs whose warps do not leave by themselves", () => {
    const slots = new WarpSlots(4, 16, 4, 16, false);
    fill(slots, 0);
    for (let warp = 1; warp < 4; warp++) slots.leave(slots.slotOf[warp]!, 10);
    for (let warp = 5; warp < 8; warp++) slots.leave(slots.slotOf[warp]!, 10);
    expect(slots.hasRoom(20)).toBe(false);
    slots.end(0, 20);
    expect(fill(slots, 20)).toBe(1);
  });

  it("never exceed the blocks that shared memory leaves room for", () => {
    const slots = new WarpSlots(4, 16, 1, 5, true);
    expect(fill(slots, 0)).toBe(5);
  });
});
