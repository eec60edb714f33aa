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
  syncwarp,
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
    const i = i32(blockIdx.x) * (2 * width) + tid;
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
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);
