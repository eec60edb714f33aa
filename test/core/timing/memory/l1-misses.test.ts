import { describe, expect, it } from "vitest";
import { L1Misses } from "../../../../src/core/timing/memory/l1-misses.js";

/** The times at which a request of `lines` missing lines, taken at `start`, asks for each. */
function request(misses: L1Misses, lines: number, start: number): readonly number[] {
  return Array.from({ length: lines }, () => {
    misses.nextLine(start);
    return misses.start;
  });
}

describe("what L1 asks L2 for", () => {
  it("goes a line a cycle, behind that of the requests before", () => {
    const misses = new L1Misses(0, 1, 0.25);
    expect(request(misses, 3, 100)).toEqual([100, 101, 102]);
    expect(request(misses, 2, 101)).toEqual([103, 104]);
  });

  it("keeps the tags for less than that, unless it falls behind them", () => {
    const misses = new L1Misses(0, 1, 0.25);
    request(misses, 32, 0);
    const first = misses.tagCycles(32, 8, 0);
    expect(first).toBeGreaterThan(8);
    expect(first).toBeLessThan(32);
    let start = first;
    for (let k = 0; k < 100; k++) {
      request(misses, 32, start);
      start += misses.tagCycles(32, 8, start);
    }
    expect(start / 101).toBeCloseTo(32, 0);
  });

  it("waits until one comes back where no more can be under way", () => {
    const misses = new L1Misses(2, 1, 0.25);
    for (const ready of [500, 600]) {
      misses.nextLine(0);
      misses.note(ready);
    }
    misses.nextLine(0);
    expect(misses.start).toBe(500);
  });
});
