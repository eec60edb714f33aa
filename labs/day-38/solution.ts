/** Day 38: agree by warps: one solution. */
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
  ({ input, output, n }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    // BEGIN SOLUTION
    const start = i32(blockIdx.x * blockDim.x * 8 + tid);
    let sum = 0;
    for (let k = 0; k < 8; k++) {
      const i = start + k * i32(blockDim.x);
      if (i < n) sum += input[i];
      // STARTER
      //|    const first = i32(blockIdx.x * blockDim.x * 8);
      //|    const pair = i32(tid >> 1) * 8;
      //|    let sum = 0;
      //|    if (tid % 2 === 0) {
      //|      // Even threads add up the block's first half.
      //|      for (let k = 0; k < 8; k++) {
      //|        const i = first + pair + k;
      //|        if (i < n) sum += input[i];
      //|      }
      //|    } else {
      //|      // Odd threads add up its second half.
      //|      for (let k = 0; k < 8; k++) {
      //|        const i = first + i32(blockDim.x * 4) + pair + k;
      //|        if (i < n) sum += input[i];
      //|      }
      // END SOLUTION
    }
    sdata[tid] = sum;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);
