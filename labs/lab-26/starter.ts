/** Lab 26: sequential addressing for any block: where it starts: not yet what is asked for. */
import { i32, type Kernel, kernel, type PointerParameter, ptr, type ScalarType } from "warplab";

type Sum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
};

export const answer: Kernel<Sum> = kernel(
  "answer",
  { params: { input: ptr(i32), output: ptr(i32) } },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    sdata[tid] = input[blockIdx.x * blockDim.x + tid];
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);
