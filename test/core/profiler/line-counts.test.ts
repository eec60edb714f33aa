import { describe, expect, test } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import { countsByLine, lineTable } from "../../../src/core/profiler/line-counts.js";
import { randomInts, runVersion } from "../../../src/course/reductions/reduction-run.js";
import { reductionById } from "../../../src/course/reductions/reductions.js";

const launchOf = (id: string) =>
  runVersion(new Gpu("v100"), reductionById(id), randomInts(4096), { block: 256 }).launch;

describe("a launch by lines", () => {
  const launch = launchOf("lab-25-non-divergent");
  const lines = countsByLine(launch);
  const sum = (of: (line: (typeof lines)[number]) => number): number =>
    lines.reduce((total, line) => total + of(line), 0);

  test("adds up to the launch's counters", () => {
    expect(sum((line) => line.warpInstructions)).toBe(launch.counters.warpInstructions);
    expect(sum((line) => line.branches)).toBe(launch.counters.branches);
    expect(sum((line) => line.barriers)).toBe(launch.counters.barriers);
    expect(sum((line) => line.globalRequests)).toBe(
      launch.counters.globalLoadRequests + launch.counters.globalStoreRequests,
    );
    expect(sum((line) => line.share)).toBeCloseTo(1, 12);
  });

  test("has the bank conflicts on the line of the strided addition alone", () => {
    const conflicting = lines.filter((line) => (line.conflictDegree ?? 1) > 1);
    expect(conflicting).toHaveLength(1);
    expect(conflicting[0]?.text).toContain("sdata[index]");
  });

  test("of 64 threads has two lanes a bank in every step but the last", () => {
    const run = runVersion(new Gpu("v100"), reductionById("lab-25-non-divergent"), randomInts(64), { block: 64 });
    const line = countsByLine(run.launch).find(({ text }) => text.includes("sdata[index]"));
    // Distance 1: 32 lanes, places 0 to 62, two a bank. Distance 2: 16 lanes, two a bank. Distance 4: 8 lanes at 0, 8,
    // .. 56, two a bank. Distance 8: 4 lanes, 16: 2 lanes at 0 and 32, both two a bank; 32: one lane.
    expect(line?.conflictDegree).toBeCloseTo((5 * 2 + 1) / 6, 12);
  });

  test("tells the lines of a device function by its name", () => {
    const functions = new Set(countsByLine(launchOf("lab-28-last-warp")).map((line) => line.function));
    expect([...functions]).toEqual(["lastWarpUnrolled", "warpReduceVolatile"]);
    const texts = lineTable(launchOf("lab-28-last-warp")).rows.map((row) => String(row.text));
    expect(texts.some((text) => text.startsWith("warpReduceVolatile: "))).toBe(true);
  });
});
