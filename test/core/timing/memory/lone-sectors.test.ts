import { describe, expect, it } from "vitest";
import { LoneSectors } from "../../../../src/core/timing/memory/lone-sectors.js";

describe("single sectors of lines", () => {
  it("cost L2 nearly two each", () => {
    const lone = new LoneSectors();
    expect(lone.cost(0, 0)).toBeGreaterThan(1.6);
    expect(lone.cost(4, 1)).toBeGreaterThan(1.6);
  });

  it("cost as much as all where the others of the line are asked for close behind, wherever they lie", () => {
    const lone = new LoneSectors();
    expect(lone.cost(4, 100) + lone.cost(7, 108)).toBeCloseTo(2, 12);
    expect(lone.cost(5, 110) + lone.cost(6, 112)).toBeCloseTo(2, 12);
  });

  it("do not where another one is asked for much later, or a fifth time", () => {
    const lone = new LoneSectors();
    const alone = lone.cost(6, 100);
    expect(lone.cost(7, 400)).toBe(alone);
    for (const sector of [4, 5, 6]) lone.cost(sector, 404);
    expect(lone.cost(7, 408)).toBe(alone);
  });
});
