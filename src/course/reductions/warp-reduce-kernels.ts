/** The two kernels that the Warp Reduction Examples compare: a tree in shared memory, and shuffles in two stages. */
import {
  type DeviceFunction,
  device,
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
} from "../../core/frontend/index.js";

type Int = ScalarType<"i32">;
type Ints = PointerParameter<Int>;
export type GuardedSum = { readonly input: Ints; readonly output: Ints; readonly n: Int };

const params: GuardedSum = { input: ptr(i32), output: ptr(i32), n: i32 };

/** Every thread's element in shared memory, added by halves. `BLOCK` is the block's size, at most. */
export const sharedMemorySum: Kernel<GuardedSum> = kernel(
  "sharedMemorySum",
  { params, constants: { BLOCK: 256 } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, shared, syncthreads, i32 }, { BLOCK }) => {
    const sdata = shared(i32, BLOCK);
    const tid = threadIdx.x;
    const i = i32(blockIdx.x * blockDim.x + tid);
    sdata[tid] = i < n ? input[i]! : 0;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid]! += sdata[tid + s]!;
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0]!;
  },
);

const warpSum: DeviceFunction<{ readonly value: Int }, number> = device(
  "warpSum",
  { params: { value: i32 } },
  ({ value }, { shfl_xor_sync }) => {
    for (let offset = 16; offset > 0; offset >>= 1) value += shfl_xor_sync(0xffffffff, value, offset);
    return value;
  },
);

/** Each warp by shuffles, then the first warp over the warps' sums. */
export const warpShuffleSum: Kernel<GuardedSum> = kernel(
  "warpShuffleSum",
  { params, functions: { warpSum } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, shared, syncthreads, i32 }, { warpSum }) => {
    const warpSums = shared(i32, 32);
    const tid = threadIdx.x;
    const i = i32(blockIdx.x * blockDim.x + tid);
    let value = warpSum(i < n ? input[i]! : 0);
    if ((tid & 31) === 0) warpSums[tid >> 5] = value;
    syncthreads();
    if (tid < 32) {
      value = warpSum(tid < (blockDim.x + 31) >> 5 ? warpSums[tid]! : 0);
      if (tid === 0) output[blockIdx.x] = value;
    }
  },
);
