/** One kernel in three forms, for compilers and bundlers to rewrite: short, short with its functions given, and long. */
import {
  atan2,
  blockDim,
  blockIdx,
  device,
  externShared,
  f32,
  i32,
  type Kernel,
  kernel,
  launch,
  type PointerParameter,
  ptr,
  type ScalarType,
  shfl_down_sync,
  syncthreads,
  threadIdx,
  unroll,
} from "warplab";

type IntArray = PointerParameter<ScalarType<"i32">>;
type SumKernel = Kernel<{ input: IntArray; sums: IntArray; angle: PointerParameter<ScalarType<"f32">> }>;

const warpSum = device("warpSum", { value: i32 }, ({ value }) => {
  for (let offset = 16; offset > 0; offset >>= 1) {
    unroll();
    value += shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
});

const report = kernel("report", { params: { sums: ptr(i32) } }, ({ sums }, { printf }) => {
  printf("%d\n", sums[0]);
});

export const short: SumKernel = kernel(
  "blockSum",
  { input: ptr(i32), sums: ptr(i32), angle: ptr(f32) },
  { BLOCK: 64 },
  ({ input, sums, angle }, { BLOCK }) => {
    const partial = externShared(i32);
    const tid = threadIdx.x;
    let sum = input[blockIdx.x * BLOCK + tid];
    sum = warpSum(sum);
    if (tid % 32 === 0) partial[tid >> 5] = sum;
    syncthreads();
    if (tid === 0) {
      for (let warp = 1; warp < blockDim.x >> 5; warp++) sum += partial[warp];
      sums[blockIdx.x] = sum;
      angle[0] = atan2(f32(1), f32(2));
      launch(report, { grid: 1, block: 1 }, { sums });
    }
  },
);

export const given: SumKernel = kernel(
  "blockSum",
  { input: ptr(i32), sums: ptr(i32), angle: ptr(f32) },
  { BLOCK: 64, warpSum, report },
  ({ input, sums, angle }, { BLOCK, warpSum, report }) => {
    const partial = externShared(i32);
    const tid = threadIdx.x;
    let sum = input[blockIdx.x * BLOCK + tid];
    sum = warpSum(sum);
    if (tid % 32 === 0) partial[tid >> 5] = sum;
    syncthreads();
    if (tid === 0) {
      for (let warp = 1; warp < blockDim.x >> 5; warp++) sum += partial[warp];
      sums[blockIdx.x] = sum;
      angle[0] = atan2(f32(1), f32(2));
      launch(report, { grid: 1, block: 1 }, { sums });
    }
  },
);

const longWarpSum = device("warpSum", { params: { value: i32 } }, ({ value }, { shfl_down_sync, unroll }) => {
  for (let offset = 16; offset > 0; offset >>= 1) {
    unroll();
    value += shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
});

export const long: SumKernel = kernel(
  "blockSum",
  {
    params: { input: ptr(i32), sums: ptr(i32), angle: ptr(f32) },
    constants: { BLOCK: 64 },
    functions: { warpSum: longWarpSum, report },
  },
  (
    { input, sums, angle },
    { blockDim, blockIdx, externShared, threadIdx, syncthreads, atan2, launch, i32, f32 },
    { BLOCK, warpSum, report },
  ) => {
    const partial = externShared(i32);
    const tid = threadIdx.x;
    let sum = input[blockIdx.x * BLOCK + tid];
    sum = warpSum(sum);
    if (tid % 32 === 0) partial[tid >> 5] = sum;
    syncthreads();
    if (tid === 0) {
      for (let warp = 1; warp < blockDim.x >> 5; warp++) sum += partial[warp];
      sums[blockIdx.x] = sum;
      angle[0] = atan2(f32(1), f32(2));
      launch(report, { grid: 1, block: 1 }, { sums });
    }
  },
);
