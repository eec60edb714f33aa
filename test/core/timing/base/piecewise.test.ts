import { describe, expect, it } from "vitest";
import { valueAt } from "../../../../src/core/timing/base/piecewise.js";

describe("a quantity measured at some points", () => {
  const points = [
    [1, 10],
    [3, 20],
    [7, 0],
  ] as const;

  it("is what was measured there, and on a straight line in between", () => {
    expect([1, 2, 3, 5, 7].map((x) => valueAt(points, x))).toEqual([10, 15, 20, 10, 0]);
  });

  it("is the first and the last beyond them", () => {
    expect([Number.NEGATIVE_INFINITY, 0, 8, Number.POSITIVE_INFINITY].map((x) => valueAt(points, x))).toEqual([
      10, 10, 0, 0,
    ]);
  });
});
