/** Lab 27: four elements on the way in: one solution. */
import { i32, type Kernel, kernel, type PointerParameter, ptr, type ScalarType } from "warplab";

type Sum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
  readonly n: ScalarType<"i32">;
};

export const answer: Kernel<Sum> = kernel(
  "answer",
  { params: { input: ptr(i32), output: ptr(i32), n: i32 } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const i = blockIdx.x * (blockDim.x * 4) + tid;
    // BEGIN SOLUTION
    let sum = 0;
    if (i < n) sum = input[i];
    if (i + blockDim.x < n) sum += input[i + blockDim.x];
    // STARTER
    //|    let sum = input[i] + input[i + blockDim.x];
    // END SOLUTION
    if (i + 2 * blockDim.x < n) sum += input[i + 2 * blockDim.x];
    if (i + 3 * blockDim.x < n) sum += input[i + 3 * blockDim.x];
    sdata[tid] = sum;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);
