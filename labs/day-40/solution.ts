/** Day 40: no SM idles: one solution. */
import {
  blockDim,
  blockIdx,
  externShared,
  gridDim,
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  syncthreads,
  threadIdx,
} from "warplab";

type GuardedSum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
  readonly n: ScalarType<"i32">;
};

export const answer: Kernel<GuardedSum> = kernel(
  "answer",
  { input: ptr(i32), output: ptr(i32), n: i32 },
  // BEGIN SOLUTION
  // 560 is 7 x 80 and 40 x 14: each SM of both GPUs gets the same number of blocks.
  { BLOCKS: 560 },
  ({ input, output, n }) => {
    const sdata = externShared(i32);
    const tid = i32(threadIdx.x);
    const step = i32(blockDim.x * gridDim.x);
    let sum = 0;
    for (let i = i32(blockIdx.x * blockDim.x) + tid; i < n; i += step) sum += input[i];
    // STARTER
    //|  { BLOCKS: 100 },
    //|  ({ input, output, n }) => {
    //|    const sdata = externShared(i32);
    //|    const tid = i32(threadIdx.x);
    //|    let sum = 0;
    //|    // A block takes pieces of 8192 elements, as many pieces as there are.
    //|    for (let first = i32(blockIdx.x) * 8192; first < n; first += i32(gridDim.x) * 8192) {
    //|      for (let k = tid; k < 8192; k += i32(blockDim.x)) {
    //|        if (first + k < n) sum += input[first + k];
    //|      }
    //|    }
    // END SOLUTION
    sdata[tid] = sum;
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);
