/**
 * Values that instructions read in place (parameters, blockDim, gridDim, warpSize), first read in one side of a
 * branch. The variable holds them after the branch, on every GPU.
 */
import { describe, expect, it } from "vitest";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { i32, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { lower } from "../../../src/core/lower/lower.js";
import { CAPABILITIES, isLockstep, nameOf } from "../../random/capabilities.js";
import { execute } from "../engine/launch.js";

const THREADS = 32;

const inOneSide = kernel(
  "inOneSide",
  { params: { arg: i32, out: ptr(i32) } },
  ({ arg, out }, { threadIdx, blockDim }) => {
    let v = -1;
    if (threadIdx.x === 0) v = arg;
    let w = 5;
    if (threadIdx.x === 1) w = i32(blockDim.x);
    out[threadIdx.x] = v * 1000 + w;
  },
);

const inBothSides = kernel(
  "inBothSides",
  { params: { a: u32, b: u32, out: ptr(u32) } },
  ({ a, b, out }, { threadIdx, gridDim, warpSize }) => {
    let v = u32(7);
    if (threadIdx.x < 3) v = a;
    else v = b;
    let w = u32(9);
    if (threadIdx.x === 2) {
      w = gridDim.x;
      if (threadIdx.x > 5) w = u32(warpSize);
    } else if (threadIdx.x === 4) w = u32(warpSize);
    out[threadIdx.x] = v * 100 + w;
  },
);

/** Lab 27, where the last block computes the end of the data. */
const lastBlockEnd = kernel(
  "lastBlockEnd",
  { params: { input: ptr(i32), output: ptr(i32), n: i32 } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, gridDim, syncthreads, externShared }) => {
    const sdata = externShared(i32);
    const start = i32(blockIdx.x * blockDim.x * 2);
    const end = blockIdx.x === gridDim.x - 1 ? n : start + i32(blockDim.x * 2);
    const i = start + i32(threadIdx.x);
    let sum = 0;
    if (i < end) sum = input[i];
    if (i + i32(blockDim.x) < end) sum += input[i + i32(blockDim.x)];
    sdata[threadIdx.x] = sum;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (threadIdx.x < s) sdata[threadIdx.x] += sdata[threadIdx.x + s];
      syncthreads();
    }
    if (threadIdx.x === 0) output[blockIdx.x] = sdata[0];
  },
);

describe.each(
  CAPABILITIES.flatMap((capability) =>
    [referenceEngine, fastEngine].map((engine) => ({
      on: nameOf(capability),
      by: engine.name,
      computeCapability: capability,
      engine,
    })),
  ),
)("on compute capability $on, $by engine", ({ computeCapability, engine }) => {
  const lockstep = isLockstep(computeCapability);
  const options = { computeCapability, contractFma: true };

  it("a parameter and blockDim arrive in the lanes that chose them", () => {
    const { read } = execute(lower(inOneSide.ir, options), {
      block: THREADS,
      args: { arg: 1234, out: new Int32Array(THREADS) },
      engine,
      lockstep,
    });
    const expected = Array.from({ length: THREADS }, (_, t) => (t === 0 ? 1234 : -1) * 1000 + (t === 1 ? THREADS : 5));
    expect([...read<Int32Array>("out")]).toEqual(expected);
  });

  it("two parameters, gridDim and warpSize do in the sides of nested branches", () => {
    const { read } = execute(lower(inBothSides.ir, options), {
      block: THREADS,
      args: { a: 12, b: 34, out: new Uint32Array(THREADS) },
      engine,
      lockstep,
    });
    const expected = Array.from(
      { length: THREADS },
      (_, t) => (t < 3 ? 12 : 34) * 100 + (t === 2 ? 1 : t === 4 ? 32 : 9),
    );
    expect([...read<Uint32Array>("out")]).toEqual(expected);
  });

  it("a last block that ends at n leaves the right sums", () => {
    const input = Int32Array.from({ length: 150 }, (_, i) => i * i);
    const { read } = execute(lower(lastBlockEnd.ir, options), {
      grid: 3,
      block: 32,
      dynamicSharedBytes: 128,
      args: { input, output: new Int32Array(3), n: input.length },
      engine,
      lockstep,
    });
    const sums = [0, 1, 2].map((b) => input.slice(64 * b, 64 * b + 64).reduce((sum, value) => sum + value, 0));
    expect([...read<Int32Array>("output")]).toEqual(sums);
  });
});
