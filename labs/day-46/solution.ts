/** Day 46: four faults: one solution. */
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
  // BEGIN SOLUTION
  syncwarp,
  threadIdx,
  // STARTER
  //|  threadIdx,
  //|  volatile,
  // END SOLUTION
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
    const i = i32(blockIdx.x) * (2 * width) + tid;
    // BEGIN SOLUTION
    let sum = i < n ? input[i] : 0;
    if (i + width < n) sum += input[i + width];
    sdata[tid] = sum;
    syncthreads();
    for (let s = width >> 1; s >= 32; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid < 32) {
      for (let s = 16; s > 0; s >>= 1) {
        const other = sdata[tid + s];
        syncwarp();
        sdata[tid] += other;
        syncwarp();
      }
      // STARTER
      //|    if (i < n) sdata[tid] = input[i] + input[i + width];
      //|    syncthreads();
      //|    for (let s = width >> 1; s >= 32; s >>= 1) {
      //|      if (tid < s) {
      //|        sdata[tid] += sdata[tid + s];
      //|        syncthreads();
      //|      }
      //|    }
      //|    if (tid < 32) {
      //|      const last = volatile(sdata);
      //|      last[tid] += last[tid + 16];
      //|      last[tid] += last[tid + 8];
      //|      last[tid] += last[tid + 4];
      //|      last[tid] += last[tid + 2];
      //|      last[tid] += last[tid + 1];
      // END SOLUTION
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);
