/** Lab 30: four loads in flight: where it starts: not yet what is asked for. */
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
  shfl_down_sync,
  syncthreads,
  threadIdx,
  u32,
} from "warplab";

type Sum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
  readonly n: ScalarType<"u32">;
};

export const answer: Kernel<Sum> = kernel(
  "answer",
  { input: ptr(i32), output: ptr(i32), n: u32 },
  ({ input, output, n }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const step = blockDim.x * gridDim.x;
    let sum = 0;
    for (let i = blockIdx.x * blockDim.x + tid; i < n; i += step) sum += input[i];
    sdata[tid] = sum;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid < 32) {
      let total = sdata[tid] + sdata[tid + 32];
      for (let s = 16; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
      if (tid === 0) output[blockIdx.x] = total;
    }
  },
);
