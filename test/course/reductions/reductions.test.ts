import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import { randomFloats, randomInts, runVersion, sumInt32 } from "../../../src/course/reductions/reduction-run.js";
import {
  example03Reductions,
  labReductions,
  lastWarpWithSyncwarp,
  reductionById,
  reductionShape,
} from "../../../src/course/reductions/reductions.js";

const gpu = new Gpu("v100");
const labs = [...labReductions, lastWarpWithSyncwarp];

/** The sum modulo 2^32 by BigInt, apart from the code under test. */
function bigSum(values: Int32Array): number {
  let sum = 0n;
  for (const value of values) sum += BigInt(value);
  return Number(BigInt.asIntN(32, sum));
}

describe.each(labs)("$title", (version) => {
  test("gives the number of ones for every size around one and two blocks", () => {
    for (const n of [1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256, 257]) {
      expect(runVersion(gpu, version, new Int32Array(n).fill(1), { block: 64 }).result, `n = ${n}`).toBe(n);
    }
  });

  test("gives the sum modulo 2^32 of ints that overflow, for any size and block", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6000 }),
        fc.constantFrom(64, 128, 256, 512, 1024),
        fc.integer(),
        (n, block, seed) => {
          const input = randomInts(n, seed);
          const run = runVersion(gpu, version, input, { block });
          expect(run.result).toBe(bigSum(input));
          expect(run.correct).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("gives the same sum on a Fermi, which runs warps in lockstep", () => {
    const input = randomInts(5000);
    expect(runVersion(new Gpu("m2070"), version, input, { block: 512 }).result).toBe(bigSum(input));
  });

  test("refuses a block that its steps cannot halve", () => {
    expect(() => runVersion(gpu, version, new Int32Array(96), { block: 96 })).toThrow(/block of 96 threads/);
  });
});

describe.each(example03Reductions)("Example 03, $title", (version) => {
  test("gives the sum of floats within float32's rounding, for sizes that are and are not multiples of the block", () => {
    for (const n of [1, 255, 256, 257, 512, 5000, 2 ** 16, 600_001]) {
      const { result, expected, tolerance, correct } = runVersion(gpu, version, randomFloats(n), { block: 256 });
      expect(correct, `n = ${n}: ${result}, ${expected}`).toBe(true);
      expect(tolerance / expected, `n = ${n}`).toBeLessThan(1e-4);
    }
  });

  test("gives whole numbers exactly", () => {
    expect(runVersion(gpu, version, new Float32Array(5000).fill(1), { block: 128 }).result).toBe(5000);
  });
});

describe("a reduction's shape", () => {
  test("of two elements a thread has half as many blocks", () => {
    expect(reductionShape(reductionById("lab-26-sequential"), 2 ** 24, 1024).blocks).toBe(16384);
    expect(reductionShape(reductionById("lab-27-first-add"), 2 ** 24, 1024).blocks).toBe(8192);
  });

  test("of the unguarded kernels is padded to whole blocks, that of the guarded ones is not", () => {
    expect(reductionShape(reductionById("lab-27-first-add"), 1000, 256)).toEqual({ blocks: 2, paddedLength: 1024 });
    expect(reductionShape(reductionById("example-03-v3"), 1000, 256)).toEqual({ blocks: 2, paddedLength: 1000 });
  });

  test("of Example 03's V5 has 1024 blocks, and fewer where there is less to do", () => {
    const version = reductionById("example-03-v5");
    expect(reductionShape(version, 2 ** 24, 256).blocks).toBe(1024);
    expect(reductionShape(version, 1000, 256).blocks).toBe(2);
  });

  test("refuses no elements, and blocks too small for the last warp's 64 places", () => {
    expect(() => reductionShape(reductionById("lab-26-sequential"), 0, 256)).toThrow(/0 elements/);
    expect(() => reductionShape(reductionById("lab-28-last-warp"), 100, 32)).toThrow(/from 64 to 1024/);
  });

  test("is of a version that exists", () => {
    expect(() => reductionById("lab-24")).toThrow(/lab-25-divergent, lab-25-non-divergent/);
  });
});

describe("a run of a reduction", () => {
  test("refuses an input of the other type", () => {
    expect(() => runVersion(gpu, reductionById("example-03-v1"), new Int32Array(4))).toThrow(/sums float/);
    expect(() => runVersion(gpu, reductionById("lab-26-sequential"), new Float32Array(4))).toThrow(/sums int/);
  });

  test("leaves no buffer behind, also when the launch fails", () => {
    const own = new Gpu("v100");
    runVersion(own, reductionById("lab-26-sequential"), randomInts(1000));
    expect(() => runVersion(own, reductionById("lab-26-sequential"), randomInts(1000), { block: 2048 })).toThrow();
    expect(own.allocatedBytes).toBe(0);
  });

  test("divides the input's bytes, not the padded ones, by the time", () => {
    const run = runVersion(gpu, reductionById("lab-27-first-add"), randomInts(1000), { block: 256 });
    expect(run.bandwidthGBps).toBeCloseTo(4000 / (run.timeMs * 1e6), 12);
  });

  test("has all five versions of the labs in the published order of their times", () => {
    const input = randomInts(2 ** 18);
    const times = labReductions.map((version) => runVersion(gpu, version, input).timeMs);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });
});

describe("the inputs", () => {
  test("of random ints are the same for the same seed, others for another, over the whole range", () => {
    expect(randomInts(100, 7)).toEqual(randomInts(100, 7));
    expect(randomInts(100, 7)).not.toEqual(randomInts(100, 8));
    const many = randomInts(10_000);
    expect(Math.min(...many)).toBeLessThan(-(2 ** 30));
    expect(Math.max(...many)).toBeGreaterThan(2 ** 30);
  });

  test("of random floats lie from 0 to 1, around a half on average", () => {
    const values = randomFloats(10_000);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(values.reduce((sum, value) => sum + value, 0) / 10_000).toBeCloseTo(0.5, 1);
  });

  test("add up modulo 2^32 as BigInt adds them", () => {
    const values = randomInts(1000, 3);
    expect(sumInt32(values)).toBe(bigSum(values));
  });

  test("add up what an array has, also where it says another length", () => {
    expect(sumInt32(Object.defineProperty(Int32Array.of(1, 2), "length", { value: 2 ** 40 }))).toBe(3);
    expect(sumInt32(Object.defineProperty(Int32Array.of(1, 2), "length", { value: 1 }))).toBe(3);
  });
});
