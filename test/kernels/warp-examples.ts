/**
 * The kernels of the Warp Reduction Examples: shared memory, shuffle and hybrid reductions, several at once, scan,
 * segmented and aggregated forms. Some also stand with cooperative groups, as Example 03 mentions them.
 */
import { i32, type ScalarType } from "../../src/core/frontend/declare/element.js";
import { type PointerParameter, ptr } from "../../src/core/frontend/declare/parameter.js";
import { type DeviceFunction, device, type Kernel, kernel } from "../../src/core/frontend/kernel.js";

type Ints = PointerParameter<ScalarType<"i32">>;
type Int = ScalarType<"i32">;
type InOut = { readonly input: Ints; readonly output: Ints; readonly n: Int };
const inOut: InOut = { input: ptr(i32), output: ptr(i32), n: i32 };

type WarpFunction = DeviceFunction<{ readonly value: Int }, number>;

/** Butterfly: every lane ends with the sum. */
export const warpReduceSum: WarpFunction = device(
  "warp_reduce_sum",
  { params: { value: i32 } },
  ({ value }, { warpSize, shfl_xor_sync }) => {
    for (let offset = warpSize >> 1; offset > 0; offset >>= 1) value += shfl_xor_sync(0xffffffff, value, offset);
    return value;
  },
);

export const warpReduceMax: WarpFunction = device(
  "warp_reduce_max",
  { params: { value: i32 } },
  ({ value }, { warpSize, shfl_xor_sync, max }) => {
    for (let offset = warpSize >> 1; offset > 0; offset >>= 1) {
      value = max(value, shfl_xor_sync(0xffffffff, value, offset));
    }
    return value;
  },
);

export const warpReduceMin: WarpFunction = device(
  "warp_reduce_min",
  { params: { value: i32 } },
  ({ value }, { warpSize, shfl_xor_sync, min }) => {
    for (let offset = warpSize >> 1; offset > 0; offset >>= 1) {
      value = min(value, shfl_xor_sync(0xffffffff, value, offset));
    }
    return value;
  },
);

/** 1. Shared memory, static array of one block of 256. */
export const sharedMemoryReduction: Kernel<InOut> = kernel(
  "shared_memory_reduction",
  { params: inOut, constants: { BLOCK: 256 } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, shared, syncthreads, i32 }, { BLOCK }) => {
    const sdata = shared(i32, BLOCK);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    sdata[tid] = i < n ? input[i] : 0;
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

/** 2. Hybrid: each warp by shuffles, then the first warp over the warps' sums. */
export const warpShuffleReduction: Kernel<InOut> = kernel(
  "warp_shuffle_reduction",
  { params: inOut, functions: { warpReduceSum } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, shared, syncthreads, i32 }, { warpReduceSum }) => {
    const warpSums = shared(i32, 32);
    const tid = i32(threadIdx.x);
    const laneId = tid & 31;
    const warpId = tid >> 5;
    const warps = i32((blockDim.x + 31) >> 5);
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let value = i < n ? input[i] : 0;
    value = warpReduceSum(value);
    if (laneId === 0) warpSums[warpId] = value;
    syncthreads();
    if (warpId === 0) {
      value = tid < warps ? warpSums[tid] : 0;
      value = warpReduceSum(value);
      if (tid === 0) output[blockIdx.x] = value;
    }
  },
);

/** 3. A single warp. */
export const singleWarpReduction: Kernel<{ readonly input: Ints; readonly output: Ints }> = kernel(
  "single_warp_reduction",
  { params: { input: ptr(i32), output: ptr(i32) }, functions: { warpReduceSum } },
  ({ input, output }, { threadIdx }, { warpReduceSum }) => {
    const value = warpReduceSum(input[threadIdx.x]);
    if (threadIdx.x === 0) output[0] = value;
  },
);

/** 4. Sum, maximum and minimum at once; output holds the three. One block. */
export const multipleReductions: Kernel<InOut> = kernel(
  "multiple_reductions",
  { params: inOut, functions: { warpReduceSum, warpReduceMax, warpReduceMin } },
  (
    { input, output, n },
    { threadIdx, blockDim, shared, syncthreads, i32, max, min },
    { warpReduceSum, warpReduceMax, warpReduceMin },
  ) => {
    const sums = shared(i32, 32);
    const maxima = shared(i32, 32);
    const minima = shared(i32, 32);
    const tid = i32(threadIdx.x);
    let sum = 0;
    let largest = -2147483648;
    let smallest = 2147483647;
    for (let i = tid; i < n; i += i32(blockDim.x)) {
      const value = input[i];
      sum += value;
      largest = max(largest, value);
      smallest = min(smallest, value);
    }
    sum = warpReduceSum(sum);
    largest = warpReduceMax(largest);
    smallest = warpReduceMin(smallest);
    if ((tid & 31) === 0) {
      sums[tid >> 5] = sum;
      maxima[tid >> 5] = largest;
      minima[tid >> 5] = smallest;
    }
    syncthreads();
    if (tid < 32) {
      const warps = i32((blockDim.x + 31) >> 5);
      sum = warpReduceSum(tid < warps ? sums[tid] : 0);
      largest = warpReduceMax(tid < warps ? maxima[tid] : -2147483648);
      smallest = warpReduceMin(tid < warps ? minima[tid] : 2147483647);
      if (tid === 0) {
        output[0] = sum;
        output[1] = largest;
        output[2] = smallest;
      }
    }
  },
);

/** Sequential shuffle up: an inclusive scan; lane 31 has the sum. One warp. */
export const shuffleUpScan: Kernel<{ readonly input: Ints; readonly output: Ints }> = kernel(
  "shuffle_up_scan",
  { params: { input: ptr(i32), output: ptr(i32) } },
  ({ input, output }, { threadIdx, warpSize, shfl_up_sync, i32 }) => {
    const laneId = i32(threadIdx.x & 31);
    let value = input[threadIdx.x];
    for (let offset = 1; offset < warpSize; offset *= 2) {
      const neighbor = shfl_up_sync(0xffffffff, value, offset);
      if (laneId >= offset) value += neighbor;
    }
    output[threadIdx.x] = value;
  },
);

/** Grid-wide: one atomic for each block. */
export const gridWideReduction: Kernel<InOut> = kernel(
  "grid_wide_reduction",
  { params: inOut, functions: { warpReduceSum } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, shared, syncthreads, atomicAdd, i32 }, { warpReduceSum }) => {
    const warpSums = shared(i32, 32);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let value = warpReduceSum(i < n ? input[i] : 0);
    if ((tid & 31) === 0) warpSums[tid >> 5] = value;
    syncthreads();
    if (tid < 32) {
      value = warpReduceSum(tid < i32((blockDim.x + 31) >> 5) ? warpSums[tid] : 0);
      if (tid === 0) atomicAdd(output, 0, value);
    }
  },
);

/** Warp-aggregated atomics: one atomic for each warp. */
export const aggregatedAtomics: Kernel<InOut> = kernel(
  "aggregated_atomics",
  { params: inOut, functions: { warpReduceSum } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, atomicAdd, i32 }, { warpReduceSum }) => {
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    const value = warpReduceSum(i < n ? input[i] : 0);
    if ((threadIdx.x & 31) === 0) atomicAdd(output, 0, value);
  },
);

/** Every thread its own atomic: what the former is compared with. */
export const plainAtomics: Kernel<InOut> = kernel(
  "plain_atomics",
  { params: inOut },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, atomicAdd, i32 }) => {
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) atomicAdd(output, 0, input[i]);
  },
);

type Segmented = { readonly input: Ints; readonly segment: Ints; readonly output: Ints };
const segmented: Segmented = { input: ptr(i32), segment: ptr(i32), output: ptr(i32) };

/** The segmented reduction as the document prints it: it does not reduce segments. `mine` is my segment's number. */
export const segmentedAsPrinted: Kernel<Segmented & { readonly mine: Int }> = kernel(
  "segmented_as_printed",
  { params: { ...segmented, mine: i32 } },
  ({ input, segment, output, mine }, { threadIdx, warpSize, ballot_sync, shfl_up_sync, u32 }) => {
    const laneId = threadIdx.x & 31;
    const ballot = ballot_sync(0xffffffff, segment[threadIdx.x] === mine);
    let value = input[threadIdx.x];
    for (let offset = 1; offset < warpSize; offset *= 2) {
      const other = shfl_up_sync(ballot, value, offset);
      if ((ballot & ((u32(1) << laneId) - 1)) !== 0) value += other;
    }
    output[threadIdx.x] = value;
  },
);

/** A segmented inclusive scan that works: a lane adds only from lanes of its own segment. One warp. */
export const segmentedScan: Kernel<Segmented> = kernel(
  "segmented_scan",
  { params: segmented },
  ({ input, segment, output }, { threadIdx, warpSize, shfl_up_sync, i32 }) => {
    const laneId = i32(threadIdx.x & 31);
    const mine = segment[threadIdx.x];
    let value = input[threadIdx.x];
    for (let offset = 1; offset < warpSize; offset *= 2) {
      const other = shfl_up_sync(0xffffffff, value, offset);
      const theirs = shfl_up_sync(0xffffffff, mine, offset);
      if (laneId >= offset && theirs === mine) value += other;
    }
    output[threadIdx.x] = value;
  },
);

/** The hybrid reduction by cooperative groups. */
export const cooperativeReduction: Kernel<InOut> = kernel(
  "cooperative_reduction",
  { params: inOut },
  (
    { input, output, n },
    { this_thread_block, tiled_partition, reduce, plus, blockIdx, blockDim, threadIdx, shared, i32 },
  ) => {
    const block = this_thread_block();
    const tile = tiled_partition(block, 32);
    const warpSums = shared(i32, 32);
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    const sum = reduce(tile, i < n ? input[i] : 0, plus);
    if (tile.thread_rank() === 0) warpSums[tile.meta_group_rank()] = sum;
    block.sync();
    if (tile.meta_group_rank() === 0) {
      const total = reduce(tile, tile.thread_rank() < tile.meta_group_size() ? warpSums[tile.thread_rank()] : 0, plus);
      if (tile.thread_rank() === 0) output[blockIdx.x] = total;
    }
  },
);
