/** Day 44: four blocks of data, every size: one solution. */
import {
  blockDim,
  blockIdx,
  externShared,
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  // BEGIN SOLUTION
  shfl_down_sync,
  // STARTER
  // END SOLUTION
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
    const sdata = externShared(i32);
    const tid = i32(threadIdx.x);
    const width = i32(blockDim.x);
    const i = i32(blockIdx.x) * (4 * width) + tid;
    let sum = 0;
    // BEGIN SOLUTION
    if (i < n) sum = input[i];
    if (i + width < n) sum += input[i + width];
    if (i + 2 * width < n) sum += input[i + 2 * width];
    if (i + 3 * width < n) sum += input[i + 3 * width];
    sdata[tid] = sum;
    syncthreads();
    for (let s = width >> 1; s > 32; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid < 32) {
      sum = sdata[tid] + sdata[tid + 32];
      for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
      if (tid === 0) output[blockIdx.x] = sum;
    }
    // STARTER
    //|    if (i + 3 * width < n) {
    //|      sum = input[i] + input[i + width] + input[i + 2 * width] + input[i + 3 * width];
    //|    }
    //|    sdata[tid] = sum;
    //|    syncthreads();
    //|    for (let s = width >> 1; s > 0; s >>= 1) {
    //|      if (tid < s) sdata[tid] += sdata[tid + s];
    //|      syncthreads();
    //|    }
    //|    if (tid === 0) output[blockIdx.x] = sdata[0];
    // END SOLUTION
  },
);
