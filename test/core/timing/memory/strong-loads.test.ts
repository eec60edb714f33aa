/** Volatile loads after stores to their line: by hand, and against an H200's (h200/micro/strong.json). */
import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/index.js";
import { StrongLoads } from "../../../../src/core/timing/memory/strong-loads.js";
import { MicroSimulator } from "../../../../src/tools/accuracy/calibrate/groups/benchmark-launch.js";
import { strongBenchmarks } from "../../../../src/tools/accuracy/calibrate/groups/l2-requests.js";

const LINE_CYCLES = 40;
const BURST = 100;

describe("a volatile load", () => {
  it("waits for nothing where no store has been", () => {
    expect(new StrongLoads(LINE_CYCLES, BURST).wait(40, 4, 1000)).toBe(0);
  });
  it("waits once behind a store, for those before it beyond what L2 may do at a time", () => {
    const strong = new StrongLoads(LINE_CYCLES, BURST);
    for (let line = 0; line < 10; line++) strong.store(4 * line + 1);
    const waits = Array.from({ length: 10 }, (_, line) => strong.wait(4 * line, 4, 1000));
    for (const [line, wait] of waits.entries()) {
      expect(wait).toBeCloseTo(Math.max(0, line * LINE_CYCLES - BURST), 9);
    }
    expect(strong.wait(0, 4, 5000)).toBe(0);
  });
});

describe("steps of load, add and store", () => {
  const gpu = new MicroSimulator(h200);
  for (const { id, simulate, measured } of strongBenchmarks()) {
    if (!/, (8|32) warps on each of 132 SMs/.test(id)) continue;
    it(`take within a fifth of an H200's cycles: ${id}`, () => {
      expect(Math.abs(simulate(gpu) / measured - 1)).toBeLessThan(0.2);
    });
  }
});
