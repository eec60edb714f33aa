/** Day 37: a block of any size by shuffles: one solution. */
import {
  blockDim,
  blockIdx,
  // BEGIN SOLUTION
  type DeviceFunction,
  device,
  i32,
  type Kernel,
  kernel,
  min,
  // STARTER
  //|  i32,
  //|  type Kernel,
  //|  kernel,
  // END SOLUTION
  type PointerParameter,
  ptr,
  type ScalarType,
  shared,
  shfl_down_sync,
  syncthreads,
  threadIdx,
  // BEGIN SOLUTION
  u32,
  // STARTER
  // END SOLUTION
} from "warplab";

// BEGIN SOLUTION
type Int = ScalarType<"i32">;
// STARTER
// END SOLUTION
type GuardedSum = {
  // BEGIN SOLUTION
  readonly input: PointerParameter<Int>;
  readonly output: PointerParameter<Int>;
  readonly n: Int;
};

/** The sum of a warp's first lanes, in lane 0. */
export const lanesSum: DeviceFunction<{ readonly value: Int; readonly lanes: Int }, number> = device(
  "lanesSum",
  { value: i32, lanes: i32 },
  ({ value, lanes }) => {
    const lane = i32(threadIdx.x & 31);
    const mask = lanes >= 32 ? 0xffffffff : (u32(1) << lanes) - 1;
    for (let offset = 16; offset > 0; offset >>= 1) {
      const other = shfl_down_sync(mask, value, offset);
      if (lane + offset < lanes) value += other;
    }
    return value;
  },
);
// STARTER
//|  readonly input: PointerParameter<ScalarType<"i32">>;
//|  readonly output: PointerParameter<ScalarType<"i32">>;
//|  readonly n: ScalarType<"i32">;
//|};
// END SOLUTION

export const answer: Kernel<GuardedSum> = kernel(
  "answer",
  { input: ptr(i32), output: ptr(i32), n: i32 },
  ({ input, output, n }) => {
    const warpSums = shared(i32, 32);
    // BEGIN SOLUTION
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x) + tid;
    const lanes = min(32, i32(blockDim.x) - (tid & ~31));
    let sum = lanesSum(i < n ? input[i] : 0, lanes);
    if ((tid & 31) === 0) warpSums[tid >> 5] = sum;
    syncthreads();
    if (tid < 32) {
      sum = lanesSum(tid < i32(blockDim.x + 31) >> 5 ? warpSums[tid] : 0, 32);
      if (tid === 0) output[blockIdx.x] = sum;
    }
    // STARTER
    //|    const tid = threadIdx.x;
    //|    const i = i32(blockIdx.x * blockDim.x + tid);
    //|    let sum = i < n ? input[i] : 0;
    //|    // Right for whole warps only: a block of 100 threads has four lanes in its last warp.
    //|    for (let offset = 16; offset > 0; offset >>= 1) sum += shfl_down_sync(0xffffffff, sum, offset);
    //|    if ((tid & 31) === 0) warpSums[tid >> 5] = sum;
    //|    syncthreads();
    //|    // Now one warp has to add the warps' sums.
    //|    if (tid === 0) output[blockIdx.x] = warpSums[0];
    // END SOLUTION
  },
);
