/** Day 39: a nested sum with few launches: one solution. */
import {
  blockDim,
  blockIdx,
  // BEGIN SOLUTION
  // STARTER
  //|  deviceSynchronize,
  // END SOLUTION
  externShared,
  gridDim,
  i32,
  type Kernel,
  kernel,
  launch,
  type PointerParameter,
  ptr,
  type ScalarType,
  // BEGIN SOLUTION
  self,
  // STARTER
  // END SOLUTION
  syncthreads,
  threadIdx,
} from "warplab";

type GuardedSum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
  readonly n: ScalarType<"i32">;
};

// BEGIN SOLUTION
// STARTER
//|/** Adds the blocks' sums. */
//|const addSums: Kernel<{ readonly output: PointerParameter<ScalarType<"i32">>; readonly count: ScalarType<"i32"> }> =
//|  kernel("addSums", { output: ptr(i32), count: i32 }, ({ output, count }) => {
//|    let sum = 0;
//|    for (let k = 0; k < count; k++) sum += output[k];
//|    output[0] = sum;
//|  });
//|
// END SOLUTION
export const answer: Kernel<GuardedSum> = kernel(
  "answer",
  // BEGIN SOLUTION
  { input: ptr(i32), output: ptr(i32), n: i32 },
  // STARTER
  //|  { params: { input: ptr(i32), output: ptr(i32), n: i32 }, functions: { addSums } },
  // END SOLUTION
  ({ input, output, n }) => {
    const sdata = externShared(i32);
    const tid = i32(threadIdx.x);
    // BEGIN SOLUTION
    const width = i32(blockDim.x);
    const blocks = i32(gridDim.x);
    const first = i32(blockIdx.x) * width + tid;
    let sum = 0;
    for (let i = first; i < n; i += blocks * width) sum += input[i];
    sdata[tid] = sum;
    // STARTER
    //|    const i = i32(blockIdx.x * blockDim.x) + tid;
    //|    sdata[tid] = i < n ? input[i] : 0;
    // END SOLUTION
    syncthreads();
    // BEGIN SOLUTION
    for (let s = width >> 1; s > 0; s >>= 1) {
      // STARTER
      //|    for (let s = i32(blockDim.x) >> 1; s > 0; s >>= 1) {
      // END SOLUTION
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    // BEGIN SOLUTION
    if (tid === 0) output[blockIdx.x] = sdata[0];
    if (first === 0 && blocks > 1) {
      launch(self, { grid: 1, block: width, shared: 4 * width, stream: "tail" }, { input: output, output, n: blocks });
      // STARTER
      //|    if (tid === 0) {
      //|      output[blockIdx.x] = sdata[0];
      //|      launch(addSums, { grid: 1, block: 1 }, { output, count: i32(gridDim.x) });
      //|      deviceSynchronize();
      // END SOLUTION
    }
  },
);
