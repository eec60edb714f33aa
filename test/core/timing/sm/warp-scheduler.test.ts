import { describe, expect, it } from "vitest";
import type { WarpScheduling } from "../../../../src/core/device/spec.js";
import { PIPE_NAMES } from "../../../../src/core/timing/base/pipe-names.js";
import { STALL_REASONS } from "../../../../src/core/timing/base/stalls.js";
import { WarpScheduler } from "../../../../src/core/timing/sm/warp-scheduler.js";

const WARPS = 4;
const ALU_GATE = PIPE_NAMES.indexOf("alu");

/** The warps that a scheduler issues from in six cycles; all are eligible in each cycle except those in `asleep`. */
function issued(
  scheduling: WarpScheduling,
  asleep: Readonly<Record<number, number>> = {},
  { yields = false, warpsPerBlock = WARPS } = {},
): readonly number[] {
  const scheduler = new WarpScheduler(WARPS, WARPS, new Float64Array(STALL_REASONS.length), scheduling);
  for (let warp = 0; warp < WARPS; warp++) {
    scheduler.arrive(warp, Math.floor(warp / warpsPerBlock), warp % warpsPerBlock, warpsPerBlock);
    scheduler.sleep(warp, ALU_GATE, asleep[warp] ?? 0, -1, false);
  }
  return Array.from({ length: 6 }, (_, time) => {
    const warp = scheduler.choose(time);
    if (warp >= 0) scheduler.sleep(warp, ALU_GATE, time + 1, time, yields);
    return warp;
  });
}

describe("a warp scheduler", () => {
  it("stays with a warp, the first in order first, where it is greedy", () => {
    expect(issued("greedyThenYoungest")).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it("stays with a warp that does not yield, and lets all others go before one that does", () => {
    expect(issued("greedyUntilYield")).toEqual([3, 3, 3, 3, 3, 3]);
    expect(issued("greedyUntilYield", {}, { yields: true })).toEqual([3, 2, 1, 0, 3, 2]);
    expect(issued("greedyThenYoungest", {}, { yields: true })).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it("gives turns to those of one block that yield, while a younger block's wait", () => {
    expect(issued("greedyUntilYield", {}, { yields: true, warpsPerBlock: 2 })).toEqual([1, 0, 3, 2, 1, 0]);
    expect(issued("greedyUntilYield", { 3: 3, 2: 100 }, { yields: true, warpsPerBlock: 2 })).toEqual([
      1, 0, 1, 3, 0, 1,
    ]);
  });

  it("goes on in turn where it is a round robin", () => {
    expect(issued("looseRoundRobin")).toEqual([0, 1, 2, 3, 0, 1]);
  });

  it("passes over warps that wait where its round robin is loose", () => {
    expect(issued("looseRoundRobin", { 1: 3, 2: 100 })).toEqual([0, 3, 0, 1, 3, 0]);
  });
});
