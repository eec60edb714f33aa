/**
 * The sums of "Example 03: Parallel Reduction": V1 to V5 over float. They have the shape that was measured on an H200:
 * signed indices, guarded loads, dynamic shared memory of one float a thread.
 * `!` is for the strictest TypeScript only, which takes any element of an array for possibly missing.
 */
import {
  type DeviceFunction,
  device,
  f32,
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  sharedPtr,
  volatile,
} from "../../core/frontend/index.js";

export type FloatSum = {
  readonly input: PointerParameter<ScalarType<"f32">>;
  readonly output: PointerParameter<ScalarType<"f32">>;
  readonly n: ScalarType<"i32">;
};

type LastWarp = {
  readonly sdata: PointerParameter<ScalarType<"f32">>;
  readonly tid: ScalarType<"i32">;
};

const params: FloatSum = { input: ptr(f32), output: ptr(f32), n: i32 };

/** V1: interleaved addressing with a modulo. */
export const floatInterleaved: Kernel<FloatSum> = kernel(
  "floatInterleaved",
  { params },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32, f32 }) => {
    const sdata = externShared(f32);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    sdata[tid] = i < n ? input[i]! : f32(0);
    syncthreads();
    for (let s = 1; s < i32(blockDim.x); s *= 2) {
      if (tid % (2 * s) === 0) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

/** V2: sequential addressing. */
export const floatSequential: Kernel<FloatSum> = kernel(
  "floatSequential",
  { params },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32, f32 }) => {
    const sdata = externShared(f32);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    sdata[tid] = i < n ? input[i]! : f32(0);
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
      if (tid < s) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

/** V3: the first addition while loading. */
export const floatFirstAdd: Kernel<FloatSum> = kernel(
  "floatFirstAdd",
  { params },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32, f32 }) => {
    const sdata = externShared(f32);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * (blockDim.x * 2) + threadIdx.x);
    let sum = i < n ? input[i]! : f32(0);
    if (i + i32(blockDim.x) < n) sum += input[i + i32(blockDim.x)]!;
    sdata[tid] = sum;
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
      if (tid < s) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

/** The last warp of V4 and V5: as Lab 28's, a race from compute capability 7.0 on. */
export const floatWarpReduceVolatile: DeviceFunction<LastWarp, void> = device(
  "floatWarpReduceVolatile",
  { params: { sdata: volatile(sharedPtr(f32)), tid: i32 } },
  ({ sdata, tid }) => {
    sdata[tid]! += sdata[tid + 32]!;
    sdata[tid]! += sdata[tid + 16]!;
    sdata[tid]! += sdata[tid + 8]!;
    sdata[tid]! += sdata[tid + 4]!;
    sdata[tid]! += sdata[tid + 2]!;
    sdata[tid]! += sdata[tid + 1]!;
  },
);

/** V4: the last warp unrolled. */
export const floatLastWarp: Kernel<FloatSum> = kernel(
  "floatLastWarp",
  { params, functions: { floatWarpReduceVolatile } },
  (
    { input, output, n },
    { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32, f32 },
    { floatWarpReduceVolatile },
  ) => {
    const sdata = externShared(f32);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * (blockDim.x * 2) + threadIdx.x);
    let sum = i < n ? input[i]! : f32(0);
    if (i + i32(blockDim.x) < n) sum += input[i + i32(blockDim.x)]!;
    sdata[tid] = sum;
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 32; s >>= 1) {
      if (tid < s) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid < 32) floatWarpReduceVolatile(sdata, tid);
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

/** V5: each thread adds many pairs of elements, a grid's width apart, before the block adds its threads' sums. */
export const floatManyElements: Kernel<FloatSum> = kernel(
  "floatManyElements",
  { params, functions: { floatWarpReduceVolatile } },
  (
    { input, output, n },
    { threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads, i32, f32 },
    { floatWarpReduceVolatile },
  ) => {
    const sdata = externShared(f32);
    const tid = i32(threadIdx.x);
    const step = i32(blockDim.x * 2 * gridDim.x);
    let sum = f32(0);
    for (let i = i32(blockIdx.x * (blockDim.x * 2) + threadIdx.x); i < n; i += step) {
      sum += input[i]!;
      if (i + i32(blockDim.x) < n) sum += input[i + i32(blockDim.x)]!;
    }
    sdata[tid] = sum;
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 32; s >>= 1) {
      if (tid < s) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid < 32) floatWarpReduceVolatile(sdata, tid);
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);
