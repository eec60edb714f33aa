import { describe, expect, it } from "vitest";
import type { WarpScheduling } from "../../src/device/spec.js";
import { PIPE_NAMES } from "../../src/timing/pipe-names.js";
import { STALL_REASONS } from "../../src/timing/stalls.js";
import { WarpScheduler } from "../../src/timing/warp-scheduler.js";

const WARPS = 4;
const ALU_GATE = PIPE_NAMES.indexOf("alu");

/** The warps that a scheduler issues from in six cycles, all of them ready in each but those in `asleep`. */
function issued(scheduling: WarpScheduling, asleep: Readonly<Record<number, number>> = {}): readonly number[] {
  const scheduler = new WarpScheduler(WARPS, WARPS, new Float64Array(STALL_REASONS.length), scheduling);
  for (let warp = 0; warp < WARPS; warp++) {
    scheduler.arrive(warp, warp);
    scheduler.sleep(warp, ALU_GATE, asleep[warp] ?? 0, -1);
  }
  return Array.from({ length: 6 }, (_, time) => {
    const warp = scheduler.choose(time);
    if (warp >= 0) scheduler.sleep(warp, ALU_GATE, time + 1, time);
    return warp;
  });
}

describe("a warp scheduler", () => {
  it("stays with a warp, the first in order first, where it is greedy", () => {
    expect(issued("greedyThenYoungest")).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it("goes on in turn where it is a round robin", () => {
    expect(issued("looseRoundRobin")).toEqual([0, 1, 2, 3, 0, 1]);
  });

  it("passes over warps that wait where its round robin is loose", () => {
    expect(issued("looseRoundRobin", { 1: 3, 2: 100 })).toEqual([0, 3, 0, 1, 3, 0]);
  });
});
