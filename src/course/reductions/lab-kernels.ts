/**
 * The sums of Labs 25 to 28: five kernels over int, and the last one with the barriers that independent thread
 * scheduling needs. They have the labs' shape: unsigned indices, dynamic shared memory of one int a thread, and no guard.
 * The host gives whole blocks of data. Each block leaves the sum of its elements in output[blockIdx.x].
 * `!` is for the strictest TypeScript only, which takes any element of an array for possibly missing.
 */
import {
  type DeviceFunction,
  device,
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  sharedPtr,
  u32,
  volatile,
} from "../../core/frontend/index.js";

export type IntSum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
};

type LastWarp = {
  readonly sdata: PointerParameter<ScalarType<"i32">>;
  readonly tid: ScalarType<"u32">;
};

const params: IntSum = { input: ptr(i32), output: ptr(i32) };

/** Lab 25, first version: of the threads of a warp every second adds, then every fourth, every eighth ... */
export const interleavedDivergent: Kernel<IntSum> = kernel(
  "interleavedDivergent",
  { params },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    sdata[tid] = input[blockIdx.x * blockDim.x + tid]!;
    syncthreads();
    for (let s = u32(1); s < blockDim.x; s *= 2) {
      if (tid % (2 * s) === 0) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

/** Lab 25, second version: neighbouring threads add, at places that lie ever further apart. */
export const interleavedContiguous: Kernel<IntSum> = kernel(
  "interleavedContiguous",
  { params },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    sdata[tid] = input[blockIdx.x * blockDim.x + tid]!;
    syncthreads();
    for (let s = u32(1); s < blockDim.x; s *= 2) {
      const index = 2 * s * tid;
      if (index < blockDim.x) sdata[index]! += sdata[index + s]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

/** Lab 26: the first half of the places takes up the second half, again and again. */
export const sequential: Kernel<IntSum> = kernel(
  "sequential",
  { params },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    sdata[tid] = input[blockIdx.x * blockDim.x + tid]!;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

/** Lab 27: each thread adds two elements on their way in, so half as many blocks do. */
export const firstAddDuringLoad: Kernel<IntSum> = kernel(
  "firstAddDuringLoad",
  { params },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const i = blockIdx.x * (blockDim.x * 2) + tid;
    sdata[tid] = input[i]! + input[i + blockDim.x]!;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

/** Lab 28's last warp: right where a warp runs in lockstep (before compute capability 7.0), a race from there on. */
export const warpReduceVolatile: DeviceFunction<LastWarp, void> = device(
  "warpReduceVolatile",
  { params: { sdata: volatile(sharedPtr(i32)), tid: u32 } },
  ({ sdata, tid }) => {
    sdata[tid]! += sdata[tid + 32]!;
    sdata[tid]! += sdata[tid + 16]!;
    sdata[tid]! += sdata[tid + 8]!;
    sdata[tid]! += sdata[tid + 4]!;
    sdata[tid]! += sdata[tid + 2]!;
    sdata[tid]! += sdata[tid + 1]!;
  },
);

/** Lab 28: the loop ends at 64 places; the last warp adds these without barriers of the block. */
export const lastWarpUnrolled: Kernel<IntSum> = kernel(
  "lastWarpUnrolled",
  { params, functions: { warpReduceVolatile } },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }, { warpReduceVolatile }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const i = blockIdx.x * (blockDim.x * 2) + tid;
    sdata[tid] = input[i]! + input[i + blockDim.x]!;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
      if (tid < s) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid < 32) warpReduceVolatile(sdata, tid);
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

/** The same six steps with a barrier between each read and the writes around it: right on every GPU. */
export const warpReduceSyncwarp: DeviceFunction<LastWarp, void> = device(
  "warpReduceSyncwarp",
  { params: { sdata: sharedPtr(i32), tid: u32 } },
  ({ sdata, tid }, { syncwarp, unroll, u32 }) => {
    let sum = sdata[tid]!;
    for (let s = u32(32); s > 0; s >>= 1) {
      unroll();
      sum += sdata[tid + s]!;
      syncwarp();
      sdata[tid] = sum;
      syncwarp();
    }
  },
);

/** Lab 28 with `__syncwarp()`. */
export const lastWarpSyncwarp: Kernel<IntSum> = kernel(
  "lastWarpSyncwarp",
  { params, functions: { warpReduceSyncwarp } },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }, { warpReduceSyncwarp }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const i = blockIdx.x * (blockDim.x * 2) + tid;
    sdata[tid] = input[i]! + input[i + blockDim.x]!;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
      if (tid < s) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid < 32) warpReduceSyncwarp(sdata, tid);
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);
