/** Kernels that only the benchmark runs. */

import { i32, type Kernel, kernel, ptr } from "../../core/frontend/index.js";
import type { IntSum } from "../../course/reductions/lab-kernels.js";

/** A block's sum by shuffles: each warp adds up its lanes, then one warp the warps' sums. */
export const shuffleSum: Kernel<IntSum> = kernel(
  "shuffleSum",
  { params: { input: ptr(i32), output: ptr(i32) } },
  ({ input, output }, { threadIdx, blockIdx, blockDim, shared, syncthreads, shfl_down_sync, i32 }) => {
    const sums = shared(i32, 32);
    const tid = threadIdx.x;
    const lane = tid & 31;
    let sum = input[blockIdx.x * blockDim.x + tid]!;
    for (let offset = 16; offset > 0; offset >>= 1) sum += shfl_down_sync(0xffffffff, sum, offset);
    if (lane === 0) sums[tid >> 5] = sum;
    syncthreads();
    if (tid < 32) {
      sum = tid < blockDim.x >> 5 ? sums[lane]! : i32(0);
      for (let offset = 16; offset > 0; offset >>= 1) sum += shfl_down_sync(0xffffffff, sum, offset);
      if (tid === 0) output[blockIdx.x] = sum;
    }
  },
);
