/** Lab 28: the last warp in registers: one solution. */
import { i32, type Kernel, kernel, type PointerParameter, ptr, type ScalarType } from "warplab";

type Sum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
};

export const answer: Kernel<Sum> = kernel(
  "answer",
  { params: { input: ptr(i32), output: ptr(i32) } },
  // BEGIN SOLUTION
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync }) => {
    // STARTER
    //|  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, syncwarp }) => {
    // END SOLUTION
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const i = blockIdx.x * (blockDim.x * 2) + tid;
    sdata[tid] = input[i] + input[i + blockDim.x];
    syncthreads();
    for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid < 32) {
      // BEGIN SOLUTION
      let sum = sdata[tid] + sdata[tid + 32];
      for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
      if (tid === 0) output[blockIdx.x] = sum;
    }
    // STARTER
    //|      let sum = sdata[tid];
    //|      for (let s = 32; s > 0; s >>= 1) {
    //|        sum += sdata[tid + s];
    //|        syncwarp();
    //|        sdata[tid] = sum;
    //|        syncwarp();
    //|      }
    //|    }
    //|    if (tid === 0) output[blockIdx.x] = sdata[0];
    // END SOLUTION
  },
);
