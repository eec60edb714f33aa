/** Day 39: a nested sum with few launches: one solution. */
import {
  blockDim,
  blockIdx,
  externShared,
  gridDim,
  i32,
  type Kernel,
  kernel,
  launch,
  type PointerParameter,
  ptr,
  type ScalarType,
  self,
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
    const blocks = i32(gridDim.x);
    const first = i32(blockIdx.x) * width + tid;
    let sum = 0;
    for (let i = first; i < n; i += blocks * width) sum += input[i];
    sdata[tid] = sum;
    syncthreads();
    for (let s = width >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
    if (first === 0 && blocks > 1) {
      launch(self, { grid: 1, block: width, shared: 4 * width, stream: "tail" }, { input: output, output, n: blocks });
    }
  },
);
