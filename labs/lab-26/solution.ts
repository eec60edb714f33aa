/** Lab 26: sequential addressing for any block: one solution. */
import { i32, type Kernel, kernel, type PointerParameter, ptr, type ScalarType } from "warplab";

type Sum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
};

export const answer: Kernel<Sum> = kernel(
  "answer",
  { params: { input: ptr(i32), output: ptr(i32) } },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    sdata[tid] = input[blockIdx.x * blockDim.x + tid];
    syncthreads();
    // BEGIN SOLUTION
    // `left` places still hold a sum; the upper half of them, rounded down, is added to the lower.
    let left = blockDim.x;
    while (left > 1) {
      const half = (left + 1) >> 1;
      if (tid + half < left) sdata[tid] += sdata[tid + half];
      syncthreads();
      left = half;
      // STARTER
      //|    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      //|      if (tid < s) sdata[tid] += sdata[tid + s];
      //|      syncthreads();
      // END SOLUTION
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);
