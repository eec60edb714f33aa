/**
 * The reductions in global memory of "Professional CUDA C Programming", chapter 3, which the notes repeat. Each block
 * sums its part of the input in place. Times and profiler metrics of them are published for several GPUs.
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
  u32,
} from "../../core/frontend/index.js";

export type InPlaceSum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
  readonly n: ScalarType<"u32">;
};

type LastWarp = { readonly data: PointerParameter<ScalarType<"i32">>; readonly tid: ScalarType<"u32"> };

type LoadEight = { readonly input: PointerParameter<ScalarType<"i32">>; readonly n: ScalarType<"u32"> };

const params: InPlaceSum = { input: ptr(i32), output: ptr(i32), n: u32 };

/** Neighbours add: the threads of a warp take different ways. */
export const reduceNeighbored: Kernel<InPlaceSum> = kernel(
  "reduceNeighbored",
  { params },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, syncthreads }) => {
    const tid = threadIdx.x;
    const idx = blockIdx.x * blockDim.x + threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x);
    if (idx >= n) return;
    for (let stride = 1; stride < blockDim.x; stride *= 2) {
      if (tid % (2 * stride) === 0) data[tid]! += data[tid + stride]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = data[0]!;
  },
);

/** The same additions by neighbouring threads. */
export const reduceNeighboredLess: Kernel<InPlaceSum> = kernel(
  "reduceNeighboredLess",
  { params },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, syncthreads, i32 }) => {
    const tid = threadIdx.x;
    const idx = blockIdx.x * blockDim.x + threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x);
    if (idx >= n) return;
    for (let stride = 1; stride < blockDim.x; stride *= 2) {
      const index = i32(2 * stride * tid);
      if (index < blockDim.x) data[index]! += data[index + stride]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = data[0]!;
  },
);

/** The first half takes up the second half, again and again. */
export const reduceInterleaved: Kernel<InPlaceSum> = kernel(
  "reduceInterleaved",
  { params },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, syncthreads, i32, idiv }) => {
    const tid = threadIdx.x;
    const idx = blockIdx.x * blockDim.x + threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x);
    if (idx >= n) return;
    for (let stride = i32(idiv(blockDim.x, 2)); stride > 0; stride >>= 1) {
      if (tid < stride) data[tid]! += data[tid + stride]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = data[0]!;
  },
);

/** Each block adds two blocks of data. */
export const reduceUnrolling2: Kernel<InPlaceSum> = kernel(
  "reduceUnrolling2",
  { params },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, syncthreads, i32, idiv }) => {
    const tid = threadIdx.x;
    const idx = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x * 2);
    if (idx + blockDim.x < n) input[idx]! += input[idx + blockDim.x]!;
    syncthreads();
    for (let stride = i32(idiv(blockDim.x, 2)); stride > 0; stride >>= 1) {
      if (tid < stride) data[tid]! += data[tid + stride]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = data[0]!;
  },
);

/** Each block adds four blocks of data. */
export const reduceUnrolling4: Kernel<InPlaceSum> = kernel(
  "reduceUnrolling4",
  { params },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, syncthreads, i32, idiv }) => {
    const tid = threadIdx.x;
    const idx = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x * 4);
    if (idx + 3 * blockDim.x < n) {
      const a1 = input[idx]!;
      const a2 = input[idx + blockDim.x]!;
      const a3 = input[idx + 2 * blockDim.x]!;
      const a4 = input[idx + 3 * blockDim.x]!;
      input[idx] = a1 + a2 + a3 + a4;
    }
    syncthreads();
    for (let stride = i32(idiv(blockDim.x, 2)); stride > 0; stride >>= 1) {
      if (tid < stride) data[tid]! += data[tid + stride]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = data[0]!;
  },
);

/** Adds eight blocks of data: the first step of the versions that unroll by eight. */
const addEight: DeviceFunction<LoadEight, void> = device(
  "addEight",
  { params: { input: ptr(i32), n: u32 } },
  ({ input, n }, { threadIdx, blockIdx, blockDim, syncthreads }) => {
    const idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    if (idx + 7 * blockDim.x < n) {
      const a1 = input[idx]!;
      const a2 = input[idx + blockDim.x]!;
      const a3 = input[idx + 2 * blockDim.x]!;
      const a4 = input[idx + 3 * blockDim.x]!;
      const b1 = input[idx + 4 * blockDim.x]!;
      const b2 = input[idx + 5 * blockDim.x]!;
      const b3 = input[idx + 6 * blockDim.x]!;
      const b4 = input[idx + 7 * blockDim.x]!;
      input[idx] = a1 + a2 + a3 + a4 + b1 + b2 + b3 + b4;
    }
    syncthreads();
  },
);

/** The last 64 places, without a barrier: right where a warp runs in lockstep. */
const addLastWarp: DeviceFunction<LastWarp, void> = device(
  "addLastWarp",
  { params: { data: ptr(i32), tid: u32 } },
  ({ data, tid }, { volatile }) => {
    if (tid < 32) {
      const places = volatile(data);
      places[tid]! += places[tid + 32]!;
      places[tid]! += places[tid + 16]!;
      places[tid]! += places[tid + 8]!;
      places[tid]! += places[tid + 4]!;
      places[tid]! += places[tid + 2]!;
      places[tid]! += places[tid + 1]!;
    }
  },
);

/** Each block adds eight blocks of data. */
export const reduceUnrolling8: Kernel<InPlaceSum> = kernel(
  "reduceUnrolling8",
  { params, functions: { addEight } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, syncthreads, i32, idiv }, { addEight }) => {
    const tid = threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x * 8);
    addEight(input, n);
    for (let stride = i32(idiv(blockDim.x, 2)); stride > 0; stride >>= 1) {
      if (tid < stride) data[tid]! += data[tid + stride]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = data[0]!;
  },
);

/** The loop ends at 64 places; one warp adds these. */
export const reduceUnrollWarps8: Kernel<InPlaceSum> = kernel(
  "reduceUnrollWarps8",
  { params, functions: { addEight, addLastWarp } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, syncthreads, i32, idiv }, { addEight, addLastWarp }) => {
    const tid = threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x * 8);
    addEight(input, n);
    for (let stride = i32(idiv(blockDim.x, 2)); stride > 32; stride >>= 1) {
      if (tid < stride) data[tid]! += data[tid + stride]!;
      syncthreads();
    }
    addLastWarp(data, tid);
    if (tid === 0) output[blockIdx.x] = data[0]!;
  },
);

/** No loop: a step for each power of two that the block may have. */
export const reduceCompleteUnrollWarps8: Kernel<InPlaceSum> = kernel(
  "reduceCompleteUnrollWarps8",
  { params, functions: { addEight, addLastWarp } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, syncthreads }, { addEight, addLastWarp }) => {
    const tid = threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x * 8);
    addEight(input, n);
    if (blockDim.x >= 1024 && tid < 512) data[tid]! += data[tid + 512]!;
    syncthreads();
    if (blockDim.x >= 512 && tid < 256) data[tid]! += data[tid + 256]!;
    syncthreads();
    if (blockDim.x >= 256 && tid < 128) data[tid]! += data[tid + 128]!;
    syncthreads();
    if (blockDim.x >= 128 && tid < 64) data[tid]! += data[tid + 64]!;
    syncthreads();
    addLastWarp(data, tid);
    if (tid === 0) output[blockIdx.x] = data[0]!;
  },
);

/** The block's size as a template parameter: the compiler drops the steps that it does not have. */
export const reduceCompleteUnroll: Kernel<InPlaceSum> = kernel(
  "reduceCompleteUnroll",
  { params, constants: { BLOCK: 512 }, functions: { addEight, addLastWarp } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, syncthreads }, { BLOCK, addEight, addLastWarp }) => {
    const tid = threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x * 8);
    addEight(input, n);
    if (BLOCK >= 1024 && tid < 512) data[tid]! += data[tid + 512]!;
    syncthreads();
    if (BLOCK >= 512 && tid < 256) data[tid]! += data[tid + 256]!;
    syncthreads();
    if (BLOCK >= 256 && tid < 128) data[tid]! += data[tid + 128]!;
    syncthreads();
    if (BLOCK >= 128 && tid < 64) data[tid]! += data[tid + 64]!;
    syncthreads();
    addLastWarp(data, tid);
    if (tid === 0) output[blockIdx.x] = data[0]!;
  },
);

export interface InPlaceVersion {
  /** As the published tables call it. */
  readonly title: string;
  readonly kernel: Kernel;
  /** Blocks of data that one block adds up. */
  readonly dataBlocks: 1 | 2 | 4 | 8;
}

/** From the slowest to the fastest, for blocks of 512 threads. */
export const inPlaceReductions: readonly InPlaceVersion[] = Object.freeze([
  { title: "reduceNeighbored", kernel: reduceNeighbored, dataBlocks: 1 },
  { title: "reduceNeighboredLess", kernel: reduceNeighboredLess, dataBlocks: 1 },
  { title: "reduceInterleaved", kernel: reduceInterleaved, dataBlocks: 1 },
  { title: "reduceUnrolling2", kernel: reduceUnrolling2, dataBlocks: 2 },
  { title: "reduceUnrolling4", kernel: reduceUnrolling4, dataBlocks: 4 },
  { title: "reduceUnrolling8", kernel: reduceUnrolling8, dataBlocks: 8 },
  { title: "reduceUnrollWarps8", kernel: reduceUnrollWarps8, dataBlocks: 8 },
  { title: "reduceCompleteUnrollWarps8", kernel: reduceCompleteUnrollWarps8, dataBlocks: 8 },
  { title: "reduceCompleteUnroll (template)", kernel: reduceCompleteUnroll, dataBlocks: 8 },
] as const);
