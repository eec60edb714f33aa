/** Day 45: eight elements, one barrier: one solution. */
import {
  blockDim,
  blockIdx,
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  // BEGIN SOLUTION
  shared,
  shfl_xor_sync,
  syncthreads,
  // STARTER
  //|  shfl_xor_sync,
  // END SOLUTION
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
    const warpSums = shared(i32, 32);
    // STARTER
    // END SOLUTION
    const tid = i32(threadIdx.x);
    const width = i32(blockDim.x);
    const first = i32(blockIdx.x) * (8 * width) + tid;
    let sum = 0;
    for (let k = 0; k < 8; k++) {
      const i = first + k * width;
      if (i < n) sum += input[i];
    }
    for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
    // BEGIN SOLUTION
    if ((tid & 31) === 0) warpSums[tid >> 5] = sum;
    syncthreads();
    if (tid < 32) {
      sum = tid < width >> 5 ? warpSums[tid] : 0;
      for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
      if (tid === 0) output[blockIdx.x] = sum;
    }
    // STARTER
    //|    if (tid === 0) output[blockIdx.x] = sum;
    // END SOLUTION
  },
);
