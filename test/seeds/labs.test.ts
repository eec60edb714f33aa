/** Labs 25 to 28 and Example 03 in the shapes of their documents; float sums bit by bit. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { f32, i32, type Kernel } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import type { LaunchResult } from "../../src/core/host/launch-result.js";
import * as kernels from "../kernels/labs.js";
import { bits, exactSum, interleavedTree, randomFloats, randomInts, sequentialTree } from "./plain-sums.js";

const gpus = ["m2070", "v100", "h200"].map((id) => new Gpu(id, { memoryBytes: 80 << 20 }));

const labs: readonly (readonly [title: string, reduction: Kernel, elementsPerThread: 1 | 2])[] = [
  ["Lab 25, divergent", kernels.divergent, 1],
  ["Lab 25, non-divergent", kernels.nonDivergent, 1],
  ["Lab 26", kernels.sequential, 1],
  ["Lab 27", kernels.firstAdd, 2],
  ["Lab 28", kernels.lastWarp, 2],
  ["Lab 28 with __syncwarp()", kernels.lastWarpSync, 2],
];

function partialSums(gpu: Gpu, reduction: Kernel, values: Int32Array, block: number, perThread: 1 | 2): Int32Array {
  const grid = values.length / (block * perThread);
  const [input, output] = [gpu.upload(values), gpu.alloc(i32, grid)];
  try {
    gpu.launch(reduction, { grid, block, sharedBytes: block * 4 }, { input, output });
    return output.read();
  } finally {
    input.free();
    output.free();
  }
}

describe.each(labs)("%s", (_, reduction, perThread) => {
  it("counts ones in blocks of 1024 threads, as its program does", () => {
    for (const gpu of gpus) {
      const sums = partialSums(gpu, reduction, new Int32Array(2 ** 16).fill(1), 1024, perThread);
      expect(sums).toEqual(new Int32Array(2 ** 16 / 1024 / perThread).fill(1024 * perThread));
    }
  });

  it("leaves each block the sum of its own elements, for any block and values that overflow", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(64, 128, 256, 512, 1024),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom(...gpus),
        (block, blocks, seed, gpu) => {
          const chunk = block * perThread;
          const values = randomInts(blocks * chunk, seed);
          const sums = partialSums(gpu, reduction, values, block, perThread);
          const expected = Int32Array.from({ length: blocks }, (_, b) =>
            exactSum(values.subarray(b * chunk, (b + 1) * chunk)),
          );
          expect(sums).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });
});

const examples: readonly (readonly [version: string, reduction: Kernel])[] = [
  ["V1", kernels.ex03v1],
  ["V2", kernels.ex03v2],
  ["V3", kernels.ex03v3],
  ["V4", kernels.ex03v4],
  ["V5", kernels.ex03v5],
];

/** The values of the threads of each block when they begin to add up in shared memory: zeros after the end. */
function loaded(version: string, values: Float32Array, block: number, grid: number): readonly Float32Array[] {
  const at = (i: number): number => values[i] ?? 0;
  const ofThread = (b: number, t: number): number => {
    if (version === "V1" || version === "V2") return at(b * block + t);
    const first = b * 2 * block + t;
    if (version !== "V5") return first + block < values.length ? Math.fround(at(first) + at(first + block)) : at(first);
    let sum = 0;
    for (let i = first; i < values.length; i += 2 * block * grid) {
      sum = Math.fround(sum + at(i));
      if (i + block < values.length) sum = Math.fround(sum + at(i + block));
    }
    return sum;
  };
  return Array.from({ length: grid }, (_, b) => Float32Array.from({ length: block }, (_, t) => ofThread(b, t)));
}

function launchExample(
  gpu: Gpu,
  reduction: Kernel,
  values: Float32Array,
  block: number,
  grid: number,
): { readonly sums: Float32Array; readonly result: LaunchResult } {
  const [input, output] = [gpu.upload(values), gpu.alloc(f32, grid)];
  try {
    const args = { input, output, n: values.length };
    const result = gpu.launch(reduction, { grid, block, sharedBytes: block * 4 }, args);
    return { sums: output.read(), result };
  } finally {
    input.free();
    output.free();
  }
}

function gridOf(version: string, n: number, block: number): number {
  if (version === "V5") return Math.min(8, Math.ceil(n / (2 * block)));
  return Math.ceil(n / (version === "V1" || version === "V2" ? block : 2 * block));
}

describe.each(examples)("Example 03, %s", (version, reduction) => {
  const tree = version === "V1" ? interleavedTree : sequentialTree;

  it("adds its floats in the order of its tree, to the last bit, on every GPU", () => {
    for (const gpu of gpus) {
      for (const [n, block] of [
        [2 ** 14, 256],
        [5000, 256],
        [1, 256],
        [255, 128],
        [257, 256],
        [4097, 1024],
      ] as const) {
        const values = randomFloats(n, n);
        const grid = gridOf(version, n, block);
        const { sums } = launchExample(gpu, reduction, values, block, grid);
        expect(bits(sums), `${gpu.device.id}, n = ${n}`).toEqual(bits(loaded(version, values, block, grid).map(tree)));
      }
    }
  });

  it("adds random numbers of floats in that order too", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6000 }),
        fc.constantFrom(64, 128, 256, 512),
        fc.integer({ min: 1, max: 1e6 }),
        (n, block, seed) => {
          const values = randomFloats(n, seed);
          const grid = gridOf(version, n, block);
          const { sums } = launchExample(gpus[2]!, reduction, values, block, grid);
          expect(bits(sums)).toEqual(bits(loaded(version, values, block, grid).map(tree)));
        },
      ),
      { numRuns: 12 },
    );
  });

  it("keeps infinities, and makes NaN of two of them with opposite signs", () => {
    const values = new Float32Array(1024).fill(1);
    values[700] = Number.POSITIVE_INFINITY;
    const grid = gridOf(version, 1024, 256);
    const total = (): number => launchExample(gpus[1]!, reduction, values, 256, grid).sums.reduce((a, b) => a + b, 0);
    expect(total()).toBe(Number.POSITIVE_INFINITY);
    values[3] = Number.NEGATIVE_INFINITY;
    expect(total()).toBeNaN();
  });
});

describe("Example 03 over its 2^24 floats in blocks of 256", () => {
  it("needs 65,536 blocks from V1 to V2 and 32,768 from V3 to V4, as it says", () => {
    expect([gridOf("V1", 2 ** 24, 256), gridOf("V3", 2 ** 24, 256)]).toEqual([65_536, 32_768]);
  });

  it("has each thread of V5's 1024 blocks read 64 elements in 32 trips, not 31", () => {
    const values = new Float32Array(2 ** 24).fill(1);
    const { sums, result } = launchExample(gpus[2]!, kernels.ex03v5, values, 256, 1024);
    expect(result.counters.globalLoadInstructions / result.counters.warps).toBe(64);
    expect(sums.every((sum) => sum === 2 ** 14)).toBe(true);
  });
});
