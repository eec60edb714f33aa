/** Day 47: the last block adds: where it starts: not yet what is asked for. */
import {
  blockDim,
  blockIdx,
  type DeviceFunction,
  device,
  gridDim,
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  shared,
  shfl_xor_sync,
  syncthreads,
  threadIdx,
  u32,
} from "warplab";

type Int = ScalarType<"i32">;
type Sum = {
  readonly input: PointerParameter<Int>;
  readonly output: PointerParameter<Int>;
  readonly n: ScalarType<"u32">;
};

/** The sum of a block's values, in its first warp. */
export const addUp: DeviceFunction<{ readonly value: Int }, number> = device("addUp", { value: i32 }, ({ value }) => {
  const warpSums = shared(i32, 32);
  const tid = threadIdx.x;
  for (let s = 16; s > 0; s >>= 1) value += shfl_xor_sync(0xffffffff, value, s);
  if ((tid & 31) === 0) warpSums[tid >> 5] = value;
  syncthreads();
  if (tid < 32) {
    value = tid < blockDim.x >> 5 ? warpSums[tid] : 0;
    for (let s = 16; s > 0; s >>= 1) value += shfl_xor_sync(0xffffffff, value, s);
  }
  return value;
});

export const answer: Kernel<Sum> = kernel(
  "answer",
  { input: ptr(i32), output: ptr(i32), n: u32 },
  ({ input, output, n }) => {
    const tid = threadIdx.x;
    const step = blockDim.x * gridDim.x;
    let sum = 0;
    for (let i = blockIdx.x * blockDim.x + tid; i < n; i += step) sum += input[i];
    sum = addUp(sum);
    // Each block's sum is there. Nobody knows which block is the last one.
    if (tid === 0) output[blockIdx.x] = sum;
  },
);
