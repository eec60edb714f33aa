/** The Warp Reduction Examples and Day 37: their stated results, every form, and what one of them does not do. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KernelFault } from "../../src/core/base/errors.js";
import { f32, i32, type Kernel, kernel, ptr } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import { warpReductionExample } from "../kernels/day37.js";
import * as examples from "../kernels/warp-examples.js";
import { bits, exactSum, randomFloats, randomInts, sequentialTree } from "./plain-sums.js";

const gpu = new Gpu("rtx3080", { memoryBytes: 16 << 20 });

/**
 * 1024 values from 0 to 99 that agree with all that the document prints of its own. Their
 * sum is 50452, that of the first 32 is 1564, and a 0 and a 99 occur. Its generator is not given.
 */
function documentValues(): Int32Array {
  const values = Int32Array.from(randomInts(1024, 5), (value) => (value >>> 8) % 100);
  values[7] = 0;
  values[11] = 99;
  const bring = (from: number, to: number, total: number): void => {
    let missing = total - exactSum(values.subarray(from, to));
    for (let i = from; missing !== 0; i = i + 1 < to ? i + 1 : from) {
      const value = values[i] ?? 0;
      const changed = value + Math.sign(missing);
      if (i === 7 || i === 11 || changed < 0 || changed > 99) continue;
      values[i] = changed;
      missing -= Math.sign(missing);
    }
  };
  bring(0, 32, 1564);
  bring(32, 1024, 50452 - 1564);
  return values;
}

function sums(reduction: Kernel, values: Int32Array, block: number, grid: number, outputs: number = grid): Int32Array {
  const [input, output] = [gpu.upload(values), gpu.alloc(i32, outputs)];
  try {
    gpu.launch(reduction, { grid, block }, { input, output, n: values.length });
    return output.read();
  } finally {
    input.free();
    output.free();
  }
}

const values = documentValues();

describe("the document's 1024 values", () => {
  it("are from 0 to 99 with the sum, maximum and minimum that it prints", () => {
    expect([exactSum(values), Math.max(...values), Math.min(...values)]).toEqual([50452, 99, 0]);
    expect(exactSum(values.subarray(0, 32))).toBe(1564);
  });
  it("add up to 50452 by shared memory", () => {
    expect(exactSum(sums(examples.sharedMemoryReduction, values, 256, 4))).toBe(50452);
  });
  it("add up to 50452 by shuffles", () => {
    expect(exactSum(sums(examples.warpShuffleReduction, values, 256, 4))).toBe(50452);
  });
  it("add up to 1564 over the first 32 in a single warp", () => {
    const [input, output] = [gpu.upload(values), gpu.alloc(i32, 1)];
    gpu.launch(examples.singleWarpReduction, { grid: 1, block: 32 }, { input, output });
    expect(output.read()[0]).toBe(1564);
  });
  it("have sum 50452, maximum 99 and minimum 0 at once", () => {
    expect([...sums(examples.multipleReductions, values, 256, 1, 3)]).toEqual([50452, 99, 0]);
  });
});

const perBlock: readonly (readonly [title: string, reduction: Kernel])[] = [
  ["shared memory", examples.sharedMemoryReduction],
  ["shuffles", examples.warpShuffleReduction],
  ["cooperative groups", examples.cooperativeReduction],
];
const perGrid: readonly (readonly [title: string, reduction: Kernel])[] = [
  ["one atomic a block", examples.gridWideReduction],
  ["one atomic a warp", examples.aggregatedAtomics],
  ["one atomic a thread", examples.plainAtomics],
];

describe("any number of ints that overflow", () => {
  it.each(perBlock)("adds up by %s", (_, reduction) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 1e6 }), (n, seed) => {
        const input = randomInts(n, seed);
        expect(exactSum(sums(reduction, input, 256, Math.ceil(n / 256)))).toBe(exactSum(input));
      }),
      { numRuns: 12 },
    );
  });
  it.each(perGrid)("adds up by %s", (_, reduction) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom(32, 96, 256, 1024),
        fc.integer({ min: 1, max: 1e6 }),
        (n, block, seed) => {
          const input = randomInts(n, seed);
          expect(sums(reduction, input, block, Math.ceil(n / block), 1)[0]).toBe(exactSum(input));
        },
      ),
      { numRuns: 12 },
    );
  });
  it("has its sum, maximum and minimum found at once, in blocks of any number of whole warps", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 1, max: 32 }),
        fc.integer({ min: 1, max: 1e6 }),
        (n, warps, seed) => {
          const input = randomInts(n, seed);
          const expected = [exactSum(input), Math.max(...input), Math.min(...input)];
          expect([...sums(examples.multipleReductions, input, 32 * warps, 1, 3)]).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("a warp", () => {
  const everyLane: Kernel = kernel(
    "everyLane",
    { params: { input: ptr(i32), output: ptr(i32) }, functions: { warpReduceSum: examples.warpReduceSum } },
    ({ input, output }, { threadIdx }, { warpReduceSum }) => {
      output[threadIdx.x] = warpReduceSum(input[threadIdx.x]);
    },
  );
  const thirtyTwo = randomInts(32, 9);
  const over = (
    reduction: Kernel,
    more: Readonly<Record<string, ReturnType<Gpu["upload"]> | number>> = {},
  ): number[] => {
    const output = gpu.alloc(i32, 32);
    gpu.launch(reduction, { grid: 1, block: 32 }, { input: gpu.upload(thirtyTwo), output, ...more });
    return [...output.read()];
  };

  it("has the sum in every lane after the butterfly, not in lane 0 alone", () => {
    expect(over(everyLane)).toEqual(Array(32).fill(exactSum(thirtyTwo)));
  });
  it("has every prefix's sum after the shuffles up, and so the whole sum in lane 31", () => {
    expect(over(examples.shuffleUpScan)).toEqual(
      Array.from({ length: 32 }, (_, lane) => exactSum(thirtyTwo.subarray(0, lane + 1))),
    );
  });

  const segments = Int32Array.from({ length: 32 }, (_, lane) => (lane < 5 ? 0 : lane < 20 ? 1 : 2));
  const starts = [0, 5, 20];
  it("has the prefixes of each segment after a scan that compares the segments", () => {
    expect(over(examples.segmentedScan, { segment: gpu.upload(segments) })).toEqual(
      Array.from(segments, (segment, lane) => exactSum(thirtyTwo.subarray(starts[segment], lane + 1))),
    );
  });
  it("is refused the document's segmented reduction: lanes shuffle under a mask that does not name them", () => {
    const run = (): unknown => over(examples.segmentedAsPrinted, { segment: gpu.upload(segments), mine: 1 });
    expect(run).toThrow(KernelFault);
    expect(run).toThrow(/mask 0x000fffe0 does not name it/);
  });
  it("gets wrong sums from it even where all lanes are one segment: low lanes add what they have once more", () => {
    const one = gpu.upload(new Int32Array(32));
    const got = over(examples.segmentedAsPrinted, { segment: one, mine: 0 });
    const prefixes = Array.from({ length: 32 }, (_, lane) => exactSum(thirtyTwo.subarray(0, lane + 1)));
    // A lane below the offset gets its own sum from the shuffle, and adds it.
    let expected = [...thirtyTwo];
    for (const offset of [1, 2, 4, 8, 16]) {
      expected = expected.map((sum, lane) =>
        lane === 0 ? sum : (sum + expected[lane < offset ? lane : lane - offset]) | 0,
      );
    }
    expect(got).toEqual(expected);
    expect(got.flatMap((sum, lane) => (sum === prefixes[lane] ? [lane] : []))).toEqual([0, 16, 24, 28, 30, 31]);
  });
});

describe("Day 37's reduction by shuffles down", () => {
  for (const block of [32, 128, 1024]) {
    it(`leaves the sum of each warp of a block of ${block}, added in the order of its tree, to the last bit`, () => {
      const input = randomFloats(block, block);
      const output = gpu.alloc(f32, block / 32);
      gpu.launch(warpReductionExample, { grid: 1, block }, { input: gpu.upload(input), output });
      const expected = Array.from({ length: block / 32 }, (_, w) =>
        sequentialTree(input.subarray(32 * w, 32 * w + 32)),
      );
      expect(bits(output.read())).toEqual(bits(expected));
    });
  }
});
