/** Capstone: the fastest sum that you can write: one solution. */
import {
  // BEGIN SOLUTION
  asVector,
  // STARTER
  // END SOLUTION
  atomicAdd,
  blockDim,
  blockIdx,
  gridDim,
  i32,
  // BEGIN SOLUTION
  int4,
  // STARTER
  // END SOLUTION
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  // BEGIN SOLUTION
  shared,
  shfl_down_sync,
  syncthreads,
  // STARTER
  // END SOLUTION
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
  // BEGIN SOLUTION
  // Eight blocks of 256 threads are all that an SM holds.
  { BLOCK: 256, BLOCKS_PER_SM: 8 },
  ({ input, output, n }, { BLOCK }) => {
    const warpSums = shared(i32, BLOCK >> 5);
    const fours = asVector(input, int4);
    const tid = threadIdx.x;
    const count = n >> 2;
    const step = blockDim.x * gridDim.x;
    const first = blockIdx.x * blockDim.x + tid;
    let sum = 0;
    let i = first;
    // Two vectors are in flight at a time.
    for (; i + step < count; i += 2 * step) {
      const a = fours[i];
      const b = fours[i + step];
      sum += a.x + a.y + (a.z + a.w) + (b.x + b.y + (b.z + b.w));
    }
    if (i < count) {
      const a = fours[i];
      sum += a.x + a.y + (a.z + a.w);
    }
    // Up to three elements are in no vector.
    if (4 * count + first < n) sum += input[4 * count + first];
    for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
    if ((tid & 31) === 0) warpSums[tid >> 5] = sum;
    syncthreads();
    if (tid < 32) {
      let total = tid < BLOCK >> 5 ? warpSums[tid] : 0;
      for (let s = 16; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
      if (tid === 0) atomicAdd(output, 0, total);
    }
    // STARTER
    //|  { BLOCK: 256, BLOCKS_PER_SM: 1 },
    //|  ({ input, output, n }) => {
    //|    const step = blockDim.x * gridDim.x;
    //|    let sum = 0;
    //|    for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) sum += input[i];
    //|    atomicAdd(output, 0, sum);
    // END SOLUTION
  },
);
