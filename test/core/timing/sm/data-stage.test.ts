import { describe, expect, it } from "vitest";
import { DataStage } from "../../../../src/core/timing/sm/data-stage.js";

describe("the data stage of L1 and shared memory", () => {
  it("serves what comes together one after the other", () => {
    const stage = new DataStage();
    const ends = Array.from({ length: 16 }, () => stage.take(1000, 32));
    expect(Math.max(...ends)).toBeGreaterThanOrEqual(1000 + 16 * 32 - 32);
    expect(Math.max(...ends)).toBeLessThanOrEqual(1000 + 17 * 32);
  });

  it("lets what is there sooner go first, though it was asked for later", () => {
    const stage = new DataStage();
    expect(stage.take(2000, 8)).toBe(2008);
    expect(stage.take(500, 8)).toBe(508);
  });

  it("serves no more cycles of work than have passed", () => {
    const stage = new DataStage();
    let last = 0;
    for (let k = 0; k < 1000; k++) last = Math.max(last, stage.take(k * 3, 5));
    expect(last).toBeGreaterThanOrEqual(5000 - 32);
  });
});
