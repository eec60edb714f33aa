import { describe, expect, it } from "vitest";
import { allBenchmarks } from "../../../src/tools/accuracy/calibrate/calibrate.js";
import { sampleOf } from "../../../src/tools/accuracy/sample.js";
import { validationTables } from "../../../src/tools/accuracy/validate/tables.js";
import { measuredKernels } from "./probe-kernels.js";

const named = (count: number): readonly { readonly id: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `launch ${index}` }));

describe("the sample", () => {
  it("is one in eight, rounded up, so that none has nothing", () => {
    expect([1, 5, 8, 9, 16, 17, 800].map((count) => sampleOf(named(count), "recorded").length)).toEqual([
      1, 1, 1, 2, 2, 3, 100,
    ]);
  });

  it("of each test run is half of it", () => {
    const recorded = sampleOf(named(800), "recorded");
    const quick = sampleOf(named(800), "quick");
    expect(quick).toHaveLength(50);
    expect(quick.filter((each) => !recorded.some(({ id }) => id === each.id))).toEqual([]);
  });

  it("is the same in any order, and keeps the order that it is given", () => {
    const forward = sampleOf(named(100), "recorded");
    expect(sampleOf([...named(100)].reverse(), "recorded")).toEqual([...forward].reverse());
  });

  it("lies anywhere: each eighth of a long list has about its share", () => {
    const chosen = sampleOf(named(8000), "recorded").map(({ id }) => Math.floor(Number(id.slice(7)) / 1000));
    for (let part = 0; part < 8; part++) {
      const share = chosen.filter((each) => each === part).length;
      expect(share).toBeGreaterThan(95);
      expect(share).toBeLessThan(155);
    }
  });

  it("can be taken of every table and group: no two launches of one have the same name", () => {
    for (const { id, launches } of validationTables(measuredKernels)) {
      expect([id, new Set(launches.map((launch) => launch.id)).size]).toEqual([id, launches.length]);
    }
    const benchmarks = allBenchmarks().map(({ group, id }) => `${group}: ${id}`);
    expect(benchmarks.filter((name, index) => benchmarks.indexOf(name) !== index)).toEqual([]);
  });
});
