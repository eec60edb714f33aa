/** Lab 25: the interleaved sum, without bank conflicts: one solution. */
import { i32, type Kernel, kernel, type PointerParameter, ptr, type ScalarType } from "warplab";

type Sum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
};

export const answer: Kernel<Sum> = kernel(
  "answer",
  { params: { input: ptr(i32), output: ptr(i32) } },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    // BEGIN SOLUTION
    // Element i lives at place i + i / 32: every row of 32 begins one bank further on.
    sdata[tid + (tid >> 5)] = input[blockIdx.x * blockDim.x + tid];
    syncthreads();
    for (let s = u32(1); s < blockDim.x; s *= 2) {
      const left = 2 * s * tid;
      if (left < blockDim.x) {
        const right = left + s;
        sdata[left + (left >> 5)] += sdata[right + (right >> 5)];
      }
      // STARTER
      //|    sdata[tid] = input[blockIdx.x * blockDim.x + tid];
      //|    syncthreads();
      //|    for (let s = u32(1); s < blockDim.x; s *= 2) {
      //|      const index = 2 * s * tid;
      //|      if (index < blockDim.x) sdata[index] += sdata[index + s];
      // END SOLUTION
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);
