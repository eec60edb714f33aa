/** Day 37: a block of any size by shuffles: one solution. */
import {
  blockDim,
  blockIdx,
  type DeviceFunction,
  device,
  i32,
  type Kernel,
  kernel,
  min,
  type PointerParameter,
  ptr,
  type ScalarType,
  shared,
  shfl_down_sync,
  syncthreads,
  threadIdx,
  u32,
} from "warplab";

type Int = ScalarType<"i32">;
type GuardedSum = {
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

export const answer: Kernel<GuardedSum> = kernel(
  "answer",
  { input: ptr(i32), output: ptr(i32), n: i32 },
  ({ input, output, n }) => {
    const warpSums = shared(i32, 32);
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
  },
);
