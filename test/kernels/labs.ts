/**
 * The kernels of Labs 25 to 28 and of Example 03, as they were compiled and measured on an H200. Indices are unsigned in
 * the labs and signed in the example. Bundlers print 0.0 as 0, so floats begin as f32(0).
 */

import type { ScalarType } from "../../src/core/frontend/declare/element.js";
import { f32, i32, u32 } from "../../src/core/frontend/declare/element.js";
import { type PointerParameter, ptr, sharedPtr, volatile } from "../../src/core/frontend/declare/parameter.js";
import { type DeviceFunction, device, type Kernel, kernel } from "../../src/core/frontend/kernel.js";

type IntsInOut = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
};
type FloatsInOut = {
  readonly input: PointerParameter<ScalarType<"f32">>;
  readonly output: PointerParameter<ScalarType<"f32">>;
  readonly n: ScalarType<"i32">;
};

const ints: IntsInOut = { input: ptr(i32), output: ptr(i32) };
const floats: FloatsInOut = { input: ptr(f32), output: ptr(f32), n: i32 };

/** Lab 25, divergent: every second, fourth, eighth ... thread adds. */
export const divergent: Kernel<IntsInOut> = kernel(
  "divergent",
  { params: ints },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    sdata[tid] = input[blockIdx.x * blockDim.x + tid];
    syncthreads();
    for (let s = u32(1); s < blockDim.x; s *= 2) {
      if (tid % (2 * s) === 0) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

/** Lab 25, non-divergent: neighbouring threads add, at strided places. */
export const nonDivergent: Kernel<IntsInOut> = kernel(
  "nonDivergent",
  { params: ints },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    sdata[tid] = input[blockIdx.x * blockDim.x + tid];
    syncthreads();
    for (let s = u32(1); s < blockDim.x; s *= 2) {
      const index = 2 * s * tid;
      if (index < blockDim.x) sdata[index] += sdata[index + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

/** Lab 26: sequential addressing. */
export const sequential: Kernel<IntsInOut> = kernel(
  "sequential",
  { params: ints },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    sdata[tid] = input[blockIdx.x * blockDim.x + tid];
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

/** Lab 27: each thread adds two elements while loading. */
export const firstAdd: Kernel<IntsInOut> = kernel(
  "firstAdd",
  { params: ints },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const i = blockIdx.x * (blockDim.x * 2) + tid;
    sdata[tid] = input[i] + input[i + blockDim.x];
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

type LastWarpParams = {
  readonly sdata: PointerParameter<ScalarType<"i32">>;
  readonly tid: ScalarType<"u32">;
};

/** Lab 28's device function: the last warp relies on lockstep and volatile. */
export const warpReduce: DeviceFunction<LastWarpParams, void> = device(
  "warpReduce",
  { params: { sdata: volatile(sharedPtr(i32)), tid: u32 } },
  ({ sdata, tid }) => {
    sdata[tid] += sdata[tid + 32];
    sdata[tid] += sdata[tid + 16];
    sdata[tid] += sdata[tid + 8];
    sdata[tid] += sdata[tid + 4];
    sdata[tid] += sdata[tid + 2];
    sdata[tid] += sdata[tid + 1];
  },
);

/** Lab 28: the last warp unrolled. */
export const lastWarp: Kernel<IntsInOut> = kernel(
  "lastWarp",
  { params: ints, functions: { warpReduce } },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }, { warpReduce }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const i = blockIdx.x * (blockDim.x * 2) + tid;
    sdata[tid] = input[i] + input[i + blockDim.x];
    syncthreads();
    for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid < 32) warpReduce(sdata, tid);
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

/** The same with a __syncwarp() between the steps' reads and writes: right on every GPU. */
export const warpReduceSync: DeviceFunction<LastWarpParams, void> = device(
  "warpReduceSync",
  { params: { sdata: volatile(sharedPtr(i32)), tid: u32 } },
  ({ sdata, tid }, { syncwarp }) => {
    let sum = sdata[tid];
    sum += sdata[tid + 32];
    syncwarp();
    sdata[tid] = sum;
    syncwarp();
    sum += sdata[tid + 16];
    syncwarp();
    sdata[tid] = sum;
    syncwarp();
    sum += sdata[tid + 8];
    syncwarp();
    sdata[tid] = sum;
    syncwarp();
    sum += sdata[tid + 4];
    syncwarp();
    sdata[tid] = sum;
    syncwarp();
    sum += sdata[tid + 2];
    syncwarp();
    sdata[tid] = sum;
    syncwarp();
    sum += sdata[tid + 1];
    syncwarp();
    sdata[tid] = sum;
  },
);

export const lastWarpSync: Kernel<IntsInOut> = kernel(
  "lastWarpSync",
  { params: ints, functions: { warpReduceSync } },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }, { warpReduceSync }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const i = blockIdx.x * (blockDim.x * 2) + tid;
    sdata[tid] = input[i] + input[i + blockDim.x];
    syncthreads();
    for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid < 32) warpReduceSync(sdata, tid);
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

/** Example 03, V1: interleaved addressing. */
export const ex03v1: Kernel<FloatsInOut> = kernel(
  "ex03_v1",
  { params: floats },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32, f32 }) => {
    const sdata = externShared(f32);
    const t = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x + t);
    sdata[t] = i < n ? input[i] : f32(0);
    syncthreads();
    for (let s = 1; s < blockDim.x; s *= 2) {
      if (t % (2 * s) === 0) sdata[t] += sdata[t + s];
      syncthreads();
    }
    if (t === 0) output[blockIdx.x] = sdata[0];
  },
);

/** Example 03, V2: sequential addressing. */
export const ex03v2: Kernel<FloatsInOut> = kernel(
  "ex03_v2",
  { params: floats },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32, f32 }) => {
    const sdata = externShared(f32);
    const t = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x + t);
    sdata[t] = i < n ? input[i] : f32(0);
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
      if (t < s) sdata[t] += sdata[t + s];
      syncthreads();
    }
    if (t === 0) output[blockIdx.x] = sdata[0];
  },
);

/** Example 03, V3: first add during load. */
export const ex03v3: Kernel<FloatsInOut> = kernel(
  "ex03_v3",
  { params: floats },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32, f32 }) => {
    const sdata = externShared(f32);
    const t = i32(threadIdx.x);
    const i = i32(blockIdx.x * (blockDim.x * 2) + t);
    let sum = i < n ? input[i] : f32(0);
    if (i + blockDim.x < n) sum += input[i + blockDim.x];
    sdata[t] = sum;
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
      if (t < s) sdata[t] += sdata[t + s];
      syncthreads();
    }
    if (t === 0) output[blockIdx.x] = sdata[0];
  },
);

/** Example 03's last warp, with a signed index. */
export const warpReduceFloat: DeviceFunction<
  { readonly sdata: PointerParameter<ScalarType<"f32">>; readonly t: ScalarType<"i32"> },
  void
> = device("warpReduceFloat", { params: { sdata: volatile(sharedPtr(f32)), t: i32 } }, ({ sdata, t }) => {
  sdata[t] += sdata[t + 32];
  sdata[t] += sdata[t + 16];
  sdata[t] += sdata[t + 8];
  sdata[t] += sdata[t + 4];
  sdata[t] += sdata[t + 2];
  sdata[t] += sdata[t + 1];
});

/** Example 03, V4: last warp unrolled. */
export const ex03v4: Kernel<FloatsInOut> = kernel(
  "ex03_v4",
  { params: floats, functions: { warpReduceFloat } },
  (
    { input, output, n },
    { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32, f32 },
    { warpReduceFloat },
  ) => {
    const sdata = externShared(f32);
    const t = i32(threadIdx.x);
    const i = i32(blockIdx.x * (blockDim.x * 2) + t);
    let sum = i < n ? input[i] : f32(0);
    if (i + blockDim.x < n) sum += input[i + blockDim.x];
    sdata[t] = sum;
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 32; s >>= 1) {
      if (t < s) sdata[t] += sdata[t + s];
      syncthreads();
    }
    if (t < 32) warpReduceFloat(sdata, t);
    if (t === 0) output[blockIdx.x] = sdata[0];
  },
);

/** Example 03, V5: many elements a thread. */
export const ex03v5: Kernel<FloatsInOut> = kernel(
  "ex03_v5",
  { params: floats, functions: { warpReduceFloat } },
  (
    { input, output, n },
    { threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads, i32, f32 },
    { warpReduceFloat },
  ) => {
    const sdata = externShared(f32);
    const t = i32(threadIdx.x);
    const step = i32(blockDim.x * 2 * gridDim.x);
    let sum = f32(0);
    for (let i = i32(blockIdx.x * (blockDim.x * 2) + t); i < n; i += step) {
      sum += input[i];
      if (i + blockDim.x < n) sum += input[i + blockDim.x];
    }
    sdata[t] = sum;
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 32; s >>= 1) {
      if (t < s) sdata[t] += sdata[t + s];
      syncthreads();
    }
    if (t < 32) warpReduceFloat(sdata, t);
    if (t === 0) output[blockIdx.x] = sdata[0];
  },
);
