/** The words that pages use for reductions: runReduction, compare, counts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { i32, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { compare } from "../../../src/course/reductions/compare.js";
import { counts, type QuantityName } from "../../../src/course/reductions/counts.js";
import { floatManyElements } from "../../../src/course/reductions/example03-kernels.js";
import { reduceUnrolling4 } from "../../../src/course/reductions/in-place-kernels.js";
import { interleavedDivergent, lastWarpUnrolled, sequential } from "../../../src/course/reductions/lab-kernels.js";
import { runReduction } from "../../../src/course/reductions/run-reduction.js";
import { plainAtomics } from "../../kernels/warp-examples.js";

const gpu = new Gpu("v100");

const bigSum = (values: Int32Array): number => {
  let sum = 0n;
  for (const value of values) sum += BigInt(value);
  return Number(BigInt.asIntN(32, sum));
};

describe("runReduction", () => {
  it("gives the sum of any number of ints, padded where the kernel does not know the size", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { minLength: 1, maxLength: 700 }),
        fc.constantFrom(64, 128, 256),
        (list, block) => {
          const input = Int32Array.from(list);
          for (const options of [{ block }, { block, perThread: 2 }]) {
            const summed = options.perThread === 2 ? lastWarpUnrolled : sequential;
            const run = runReduction(gpu, summed, input.length, { ...options, input });
            expect(run.sum).toBe(bigSum(input));
            expect(run.right).toBe(true);
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  it("gives a kernel that knows the size exactly n elements, and a grid of the size asked for", () => {
    const run = runReduction(gpu, floatManyElements, 10_001, { block: 64, perThread: 2, grid: 5 });
    expect([run.right, run.grid, run.launch.counters.blocks]).toEqual([true, 5, 5]);
  });

  it("runs kernels that sum in place, and those that add to one output", () => {
    expect(runReduction(gpu, reduceUnrolling4, 4 * 512 * 3, { block: 512, perThread: 4 }).right).toBe(true);
    const atomics = runReduction(gpu, plainAtomics, 1000, { block: 96, outputs: 1 });
    expect([atomics.right, atomics.grid]).toEqual([true, 11]);
  });

  it("says that a wrong sum is wrong", () => {
    const first = kernel(
      "first",
      { params: { input: ptr(i32), output: ptr(i32) } },
      ({ input, output }, { threadIdx }) => {
        if (threadIdx.x === 0) output[0] = input[0];
      },
    );
    const run = runReduction(gpu, first, 64, { block: 64, input: "ones" });
    expect([run.right, run.sum, run.expected]).toEqual([false, 1, 64]);
  });

  it("frees its buffers", () => {
    const small = new Gpu("v100", { memoryBytes: 4 << 20 });
    for (let i = 0; i < 20; i++) expect(runReduction(small, sequential, 2 ** 18).right).toBe(true);
  });

  it("refuses other kernels and options that do not fit, and says what fits", () => {
    const three = kernel("three", { params: { a: ptr(i32), b: ptr(i32), c: ptr(i32) } }, ({ a, b, c }) => {
      c[0] = a[0] + b[0];
    });
    expect(() => runReduction(gpu, three, 64)).toThrow(
      /runReduction cannot run kernel three: its parameters are a, b, c/,
    );
    expect(() => runReduction(gpu, sequential, 0)).toThrow(/n is 0/);
    expect(() => runReduction(gpu, sequential, 64, { perThread: 1.5 })).toThrow(/perThread is 1\.5/);
    expect(() => runReduction(gpu, sequential, 64, { input: new Float32Array(64) })).toThrow(
      /Int32Array of 64 elements/,
    );
  });
});

describe("compare", () => {
  const runs = [interleavedDivergent, sequential].map((summed) => runReduction(gpu, summed, 2 ** 18, { block: 256 }));

  it("has each run's time, speed-up over the first, bandwidth and share of the peak", () => {
    const { rows, table: shown } = compare(runs);
    const [slow, fast] = runs;
    expect(rows[1]?.timeSpeedup).toBeCloseTo((slow?.timeMs ?? 0) / (fast?.timeMs ?? 1), 12);
    expect(rows[1]?.bandwidthGBps).toBeCloseTo((4 * 2 ** 18) / ((fast?.timeMs ?? 1) * 1e6), 9);
    expect(rows[0]?.peakShare).toBeCloseTo((rows[0]?.bandwidthGBps ?? 0) / gpu.device.dram.peakBandwidthGBps, 12);
    expect(shown.title).toContain("2^18 elements, block 256, NVIDIA Tesla V100");
    expect(shown.title).toContain("cold L2");
  });

  it("is shown as a table, a plot of speed-ups and a plot of bandwidths", () => {
    expect(compare(runs).views.map(({ kind }) => kind)).toEqual(["table", "figure", "figure"]);
  });

  it("refuses runs over other elements or in another state of the caches", () => {
    const [slow] = runs;
    const other = runReduction(gpu, sequential, 2 ** 17);
    const warm = runReduction(gpu, sequential, 2 ** 18, { cache: "warm" });
    expect(() => compare([slow!, other])).toThrow(/same elements on one GPU/);
    expect(() => compare([slow!, warm])).toThrow(/state of the caches/);
    expect(() => compare([])).toThrow(/no run/);
  });

  it("tells two launches of one kernel apart by their shape", () => {
    const two = [128, 512].map((block) => runReduction(gpu, sequential, 2 ** 16, { block }));
    expect(compare(two).rows.map(({ version }) => version)).toEqual([
      `${sequential.name}, 512 blocks of 128`,
      `${sequential.name}, 128 blocks of 512`,
    ]);
  });
});

describe("counts", () => {
  const run = runReduction(gpu, sequential, 2 ** 16, { block: 256 });

  it("has a row a launch with the counters asked for", () => {
    const shown = counts([run, run.launch], ["barriersPerWarp", "warpInstructions", "shuffles"]);
    const { barriers, warps, warpInstructions } = run.launch.counters;
    const row = { kernel: sequential.name, barriersPerWarp: barriers / warps, warpInstructions, shuffles: 0 };
    expect(shown.rows).toEqual([row, row]);
  });

  it("names what it knows where a quantity is misspelt", () => {
    expect(() => counts([run], ["barrierPerWarp" as QuantityName])).toThrow(/Did you mean barriersPerWarp\?/);
    expect(() => counts([], ["warps"])).toThrow(/0 runs/);
  });
});
