/** The arrays that worker.ts has compared by their bytes are equal to nothing that vitest would tell apart. */
import { expect, it } from "vitest";

it.each([
  ["another element", Int32Array.of(1, 2), Int32Array.of(1, 3)],
  ["another length", Int32Array.of(1), Int32Array.of(1, 0)],
  ["another type", Int32Array.of(1), Uint32Array.of(1)],
  ["a zero below 0", Float32Array.of(0), Float32Array.of(-0)],
])("tells %s", (_, a, b) => {
  expect(a).not.toEqual(b);
  expect({ of: [a] }).not.toEqual({ of: [b] });
});

it("finds parts of longer arrays equal, and NaNs", () => {
  expect(Int32Array.of(7, 1, 2).subarray(1)).toEqual(Int32Array.of(1, 2));
  expect([Float64Array.of(Number.NaN)]).toStrictEqual([Float64Array.of(Number.NaN)]);
});
