/** CUB's measured times; the truth is the bandwidth that the measurement printed itself. */
import { describe, expect, it } from "vitest";
import { publishedSweep } from "../../../src/course/reductions/published-sweep.js";

describe("publishedSweep", () => {
  const { rows, gpu, peakGBps } = publishedSweep("cub-h100");

  it("has the bandwidths that were printed beside CUB's times, to their last digit", () => {
    const bandwidth = (n: number, cache: string) =>
      rows.find((row) => row.n === n && row.cache === cache)?.bandwidthGBps ?? 0;
    expect(bandwidth(2 ** 16, "cold")).toBeCloseTo(34.6, 1);
    expect(Math.abs(bandwidth(2 ** 24, "warm") - 1932.9)).toBeLessThan(1);
    expect(Math.abs(bandwidth(2 ** 28, "cold") - 2987.4)).toBeLessThan(1);
  });

  it("has a share of the data sheet's peak below 1 for every size", () => {
    expect([gpu, peakGBps]).toEqual(["NVIDIA H100 80GB HBM3", 3350]);
    for (const { peakShare, bandwidthGBps } of rows) {
      expect(peakShare).toBeCloseTo(bandwidthGBps / 3350, 12);
      expect(peakShare).toBeLessThan(1);
    }
  });

  it("refuses tables of versions and files that are not there", () => {
    expect(() => publishedSweep("lab-28")).toThrow(/no published times over sizes "lab-28"/);
    expect(() => publishedSweep("../../package")).toThrow(/cub-h100/);
  });
});
