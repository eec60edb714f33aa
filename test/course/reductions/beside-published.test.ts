/** Runs beside published times; the truth is Lab 28's own table. */
import { describe, expect, it } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import { besidePublished } from "../../../src/course/reductions/beside-published.js";
import { sequential } from "../../../src/course/reductions/lab-kernels.js";
import type { Reduction } from "../../../src/course/reductions/reduction.js";
import { runReduction } from "../../../src/course/reductions/run-reduction.js";

describe("besidePublished", () => {
  const gpu = new Gpu("rtx4080-laptop");
  const small = runReduction(gpu, sequential, 2 ** 12, { block: 1024, cache: "warm" });
  const versions = ["lab-26-sequential", "lab-27-first-add"];
  // As if they had been run over the labs' elements, which takes long.
  const runs: readonly Reduction[] = [0.5, 0.2].map((timeMs) => ({ ...small, n: 2 ** 24, timeMs }));

  it("has Lab 28's times and speed-ups beside the predicted ones", () => {
    // biome-ignore lint/suspicious/noApproximativeNumericConstant: a published time in ms, no logarithm
    const published = 0.434;
    const { rows, note } = besidePublished(runs, "lab-28", versions);
    expect(rows.map(({ publishedMs }) => publishedMs)).toEqual([published, 0.236]);
    expect(rows[1]?.publishedSpeedup).toBeCloseTo(published / 0.236, 12);
    expect(rows[1]?.speedup).toBeCloseTo(2.5, 12);
    expect(rows[0]?.deviation).toBeCloseTo((100 * (0.5 - published)) / published, 9);
    expect(note).toContain("RTX 4080 Laptop");
  });

  it("refuses runs under other conditions and versions that were not published, and says what fits", () => {
    expect(() => besidePublished([small], "lab-28", ["lab-26-sequential"])).toThrow(/over 2\^24 elements/);
    expect(() => besidePublished(runs, "lab-28", ["lab-26-sequential", "lab-99"])).toThrow(/lab-27-first-add/);
    expect(() => besidePublished(runs, "lab-28", ["lab-26-sequential"])).toThrow(/2 runs and 1 published/);
  });
});
