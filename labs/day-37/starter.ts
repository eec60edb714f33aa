/** Day 37: a block of any size by shuffles: where it starts: not yet what is asked for. */
import {
  blockDim,
  blockIdx,
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  shared,
  shfl_down_sync,
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
    const warpSums = shared(i32, 32);
    const tid = threadIdx.x;
    const i = i32(blockIdx.x * blockDim.x + tid);
    let sum = i < n ? input[i] : 0;
    // Right for whole warps only: a block of 100 threads has four lanes in its last warp.
    for (let offset = 16; offset > 0; offset >>= 1) sum += shfl_down_sync(0xffffffff, sum, offset);
    if ((tid & 31) === 0) warpSums[tid >> 5] = sum;
    syncthreads();
    // Now one warp has to add the warps' sums.
    if (tid === 0) output[blockIdx.x] = warpSums[0];
  },
);
