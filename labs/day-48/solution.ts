/** Day 48: sixteen counters, no local memory: one solution. */
import {
  atomicAdd,
  blockDim,
  blockIdx,
  gridDim,
  i32,
  type Kernel,
  kernel,
  // BEGIN SOLUTION
  type PointerParameter,
  ptr,
  type ScalarType,
  shared,
  syncthreads,
  // STARTER
  //|  local,
  //|  type PointerParameter,
  //|  ptr,
  //|  type ScalarType,
  // END SOLUTION
  threadIdx,
  u32,
} from "warplab";

type Count = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
  readonly n: ScalarType<"u32">;
};

export const answer: Kernel<Count> = kernel(
  "answer",
  { input: ptr(i32), output: ptr(i32), n: u32 },
  ({ input, output, n }) => {
    const tid = threadIdx.x;
    const step = blockDim.x * gridDim.x;
    // BEGIN SOLUTION
    // Each warp has sixteen counters of its own, so that fewer lanes meet at one place.
    const counts = shared(i32, 32 * 16);
    for (let c = tid; c < 32 * 16; c += blockDim.x) counts[c] = 0;
    syncthreads();
    const own = (tid >> 5) * 16;
    for (let i = blockIdx.x * blockDim.x + tid; i < n; i += step) {
      atomicAdd(counts, own + (input[i] & 15), 1);
    }
    syncthreads();
    if (tid < 16) {
      let all = 0;
      for (let warp = 0; warp < 32; warp++) all += counts[warp * 16 + i32(tid)];
      atomicAdd(output, tid, all);
    }
    // STARTER
    //|    // The index of a counter comes from the data: no register has a number that the data choose.
    //|    const counts = local(i32, 16);
    //|    for (let b = 0; b < 16; b++) counts[b] = 0;
    //|    for (let i = blockIdx.x * blockDim.x + tid; i < n; i += step) {
    //|      counts[input[i] & 15] += 1;
    //|    }
    //|    for (let b = 0; b < 16; b++) atomicAdd(output, b, counts[b]);
    // END SOLUTION
  },
);
