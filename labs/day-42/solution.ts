/** Day 42: three faults, three metrics: one solution. */
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
    const tid = i32(threadIdx.x);
    const width = i32(blockDim.x);
    // BEGIN SOLUTION
    const start = i32(blockIdx.x) * width * 8 + tid;
    let sum = 0;
    for (let k = 0; k < 8; k++) {
      const i = start + k * width;
      if (i < n) sum += input[i];
    }
    sdata[tid] = sum;
    syncthreads();
    for (let s = width >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      // STARTER
      //|    const first = (i32(blockIdx.x) * width + tid) * 8;
      //|    let sum = 0;
      //|    if (tid % 2 === 0) {
      //|      // Even threads add their eight elements from the first on.
      //|      for (let k = 0; k < 8; k++) {
      //|        if (first + k < n) sum += input[first + k];
      //|      }
      //|    } else {
      //|      // Odd threads add theirs from the last on.
      //|      for (let k = 7; k >= 0; k--) {
      //|        if (first + k < n) sum += input[first + k];
      //|      }
      //|    }
      //|    sdata[tid] = sum;
      //|    syncthreads();
      //|    for (let s = 1; s < width; s *= 2) {
      //|      const at = 2 * s * tid;
      //|      if (at < width) sdata[at] += sdata[at + s];
      // END SOLUTION
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);
