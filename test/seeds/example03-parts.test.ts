/** The parts of Example 03 besides its five versions: shuffles within a warp, a reduction in stages, a missing barrier. */
import { describe, expect, it } from "vitest";
import { device, f32, kernel, ptr } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import { ex03v2 } from "../kernels/labs.js";
import { bits, randomFloats, sequentialTree } from "./plain-sums.js";

const gpus = ["v100", "h200"].map((id) => new Gpu(id, { memoryBytes: 32 << 20 }));

const warpReduceSum = device("warpReduceSum", { params: { val: f32 } }, ({ val }, { warpSize, shfl_down_sync }) => {
  for (let offset = warpSize >> 1; offset > 0; offset >>= 1) {
    val += shfl_down_sync(0xffffffff, val, offset);
  }
  return val;
});

const sumOfWarps = kernel(
  "sumOfWarps",
  { params: { input: ptr(f32), output: ptr(f32) }, functions: { warpReduceSum } },
  ({ input, output }, { threadIdx, blockIdx, blockDim }, { warpReduceSum }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    const sum = warpReduceSum(input[i]);
    if ((threadIdx.x & 31) === 0) output[i >> 5] = sum;
  },
);

describe("Example 03's warpReduceSum", () => {
  it("adds the 32 floats of each warp in the order of its tree, to the last bit", () => {
    for (const gpu of gpus) {
      const values = randomFloats(40 * 128, 7);
      const [input, output] = [gpu.upload(values), gpu.alloc(f32, values.length / 32)];
      gpu.launch(sumOfWarps, { grid: 40, block: 128 }, { input, output });
      const expected = Array.from({ length: values.length / 32 }, (_, w) =>
        sequentialTree(values.subarray(32 * w, 32 * w + 32)),
      );
      expect(bits(output.read())).toEqual(bits(expected));
      gpu.reset();
    }
  });
});

describe("Example 03's recursive reduction", () => {
  it("reduces each stage's block sums again until one value is left, to the last bit", () => {
    for (const [gpu, n] of [
      [gpus[0]!, 2 ** 20],
      [gpus[1]!, 70_001],
    ] as const) {
      let values = randomFloats(n, n);
      let expected = values;
      let stages = 0;
      while (values.length > 1) {
        const grid = Math.ceil(values.length / 256);
        const [input, output] = [gpu.upload(values), gpu.alloc(f32, grid)];
        gpu.launch(ex03v2, { grid, block: 256, sharedBytes: 1024 }, { input, output, n: values.length });
        values = output.read();
        input.free();
        output.free();
        const before = expected;
        expected = Float32Array.from({ length: grid }, (_, b) => {
          const block = new Float32Array(256);
          block.set(before.subarray(256 * b, 256 * b + 256));
          return sequentialTree(block);
        });
        stages++;
      }
      expect(stages).toBe(Math.ceil(Math.log2(n) / 8));
      expect(bits(values)).toEqual(bits(expected));
    }
  });
});

describe("Example 03's missing __syncthreads()", () => {
  const shift = (barrier: boolean) =>
    kernel(
      "shift",
      { params: { data: ptr(f32), out: ptr(f32) }, constants: { BARRIER: barrier } },
      ({ data, out }, { threadIdx, blockIdx, blockDim, shared, syncthreads, f32 }, { BARRIER }) => {
        const sdata = shared(f32, 257);
        const tid = threadIdx.x;
        const idx = blockIdx.x * blockDim.x + tid;
        sdata[tid] = data[idx];
        if (BARRIER) syncthreads();
        const val = sdata[(tid + 1) % 256];
        out[idx] = val;
      },
    );
  const values = Float32Array.from({ length: 1024 }, (_, i) => i + 1);
  const expected = Float32Array.from(values, (_, i) => values[i - (i % 256) + ((i + 1) % 256)]!);
  const run = (barrier: boolean, seed: number): Float32Array => {
    const gpu = gpus[0]!;
    const [data, out] = [gpu.upload(values), gpu.alloc(f32, 1024)];
    gpu.launch(shift(barrier), { grid: 4, block: 256, schedule: { seed } }, { data, out });
    const read = out.read();
    gpu.reset();
    return read;
  };

  it("reads what its neighbour has not written yet in some legal order of the warps, and never with the barrier", () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(seeds.some((seed) => bits(run(false, seed)).join() !== bits(expected).join())).toBe(true);
    for (const seed of seeds) expect(run(true, seed)).toEqual(expected);
  });
});
