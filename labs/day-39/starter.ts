/** Day 39: a nested sum with few launches: where it starts: not yet what is asked for. */
import {
  blockDim,
  blockIdx,
  deviceSynchronize,
  externShared,
  gridDim,
  i32,
  type Kernel,
  kernel,
  launch,
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

/** Adds the blocks' sums. */
const addSums: Kernel<{ readonly output: PointerParameter<ScalarType<"i32">>; readonly count: ScalarType<"i32"> }> =
  kernel("addSums", { output: ptr(i32), count: i32 }, ({ output, count }) => {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += output[k];
    output[0] = sum;
  });

export const answer: Kernel<GuardedSum> = kernel(
  "answer",
  { params: { input: ptr(i32), output: ptr(i32), n: i32 }, functions: { addSums } },
  ({ input, output, n }) => {
    const sdata = externShared(i32);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x) + tid;
    sdata[tid] = i < n ? input[i] : 0;
    syncthreads();
    for (let s = i32(blockDim.x) >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) {
      output[blockIdx.x] = sdata[0];
      launch(addSums, { grid: 1, block: 1 }, { output, count: i32(gridDim.x) });
      deviceSynchronize();
    }
  },
);
