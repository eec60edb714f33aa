import { describe, expect, it } from "vitest";
import { LoneSectors } from "../../src/timing/lone-sectors.js";

describe("single sectors of pieces of 64 bytes", () => {
  it("cost L2 nearly two each", () => {
    const lone = new LoneSectors();
    expect(lone.cost(0, 0)).toBeGreaterThan(1.6);
    expect(lone.cost(2, 1)).toBeGreaterThan(1.6);
  });

  it("cost as much as both where the other one is asked for close behind", () => {
    const lone = new LoneSectors();
    expect(lone.cost(6, 100) + lone.cost(7, 108)).toBeCloseTo(2, 12);
  });

  it("do not where the other one is asked for much later, or a third time", () => {
    const lone = new LoneSectors();
    const alone = lone.cost(6, 100);
    expect(lone.cost(7, 400)).toBe(alone);
    lone.cost(6, 404);
    expect(lone.cost(7, 408)).toBe(alone);
  });
});
