/** Day 43: the improved kernel, right for every size: one solution. */
import {
  blockDim,
  blockIdx,
  // BEGIN SOLUTION
  externShared,
  // STARTER
  // END SOLUTION
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  syncthreads,
  threadIdx,
} from "warplab";

type InPlaceSum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
  readonly n: ScalarType<"i32">;
};

export const answer: Kernel<InPlaceSum> = kernel(
  "answer",
  { input: ptr(i32), output: ptr(i32), n: i32 },
  ({ input, output, n }) => {
    // BEGIN SOLUTION
    const sdata = externShared(i32);
    const tid = i32(threadIdx.x);
    const i = i32(blockDim.x * blockIdx.x) + tid;
    sdata[tid] = i < n ? input[i] : 0;
    syncthreads();
    for (let offset = 1; offset < i32(blockDim.x); offset *= 2) {
      const index = 2 * offset * tid;
      if (index < blockDim.x) sdata[index] += sdata[index + offset];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
    // STARTER
    //|    const tid = i32(threadIdx.x);
    //|    const data = input.subarray(blockDim.x * blockIdx.x);
    //|    if (i32(blockDim.x * blockIdx.x) + tid >= n) return;
    //|    for (let offset = 1; offset < i32(blockDim.x); offset *= 2) {
    //|      const index = 2 * offset * tid;
    //|      if (index < blockDim.x) data[index] += data[index + offset];
    //|      syncthreads();
    //|    }
    //|    if (tid === 0) output[blockIdx.x] = data[0];
    // END SOLUTION
  },
);
