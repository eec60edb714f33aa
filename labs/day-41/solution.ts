/** Day 41: fill the SM: one solution. */
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
  // BEGIN SOLUTION
  // STARTER
  //|  shared,
  // END SOLUTION
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
    // BEGIN SOLUTION
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const start = i32(blockIdx.x * blockDim.x * 8 + tid);
    let sum = 0;
    for (let k = 0; k < 8; k++) {
      const i = start + k * i32(blockDim.x);
      if (i < n) sum += input[i];
    }
    sdata[tid] = sum;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
    // STARTER
    //|    const tile = shared(i32, 8192);
    //|    const tid = threadIdx.x;
    //|    const start = i32(blockIdx.x * blockDim.x * 8 + tid);
    //|    for (let k = 0; k < 8; k++) {
    //|      const i = start + k * i32(blockDim.x);
    //|      tile[tid + k * i32(blockDim.x)] = i < n ? input[i] : 0;
    //|    }
    //|    syncthreads();
    //|    for (let s = blockDim.x * 4; s > 0; s >>= 1) {
    //|      for (let j = tid; j < s; j += blockDim.x) tile[j] += tile[j + s];
    //|      syncthreads();
    //|    }
    //|    if (tid === 0) output[blockIdx.x] = tile[0];
    // END SOLUTION
  },
);
