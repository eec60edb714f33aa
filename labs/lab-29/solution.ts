/** Lab 29: a template without a bug and without a loop: one solution. */
import {
  blockIdx,
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  shared,
  // BEGIN SOLUTION
  shfl_down_sync,
  syncthreads,
  threadIdx,
  // STARTER
  //|  syncthreads,
  //|  threadIdx,
  //|  volatile,
  // END SOLUTION
} from "warplab";

type Sum = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
};

export const answer: Kernel<Sum> = kernel(
  "answer",
  { input: ptr(i32), output: ptr(i32) },
  { BLOCK: 256 },
  ({ input, output }, { BLOCK }) => {
    const sdata = shared(i32, BLOCK);
    const tid = threadIdx.x;
    const i = blockIdx.x * (BLOCK * 2) + tid;
    sdata[tid] = input[i] + input[i + BLOCK];
    syncthreads();
    // BEGIN SOLUTION
    for (let s = BLOCK >> 1; s > 32; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid < 32) {
      let sum = sdata[tid] + sdata[tid + 32];
      for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
      if (tid === 0) output[blockIdx.x] = sum;
    }
    // STARTER
    //|    if (BLOCK === 1024 && tid < 512) sdata[tid] += sdata[tid + 512];
    //|    syncthreads();
    //|    if (BLOCK === 512 && tid < 256) sdata[tid] += sdata[tid + 256];
    //|    syncthreads();
    //|    if (BLOCK === 256 && tid < 128) sdata[tid] += sdata[tid + 128];
    //|    syncthreads();
    //|    if (BLOCK === 128 && tid < 64) sdata[tid] += sdata[tid + 64];
    //|    syncthreads();
    //|    if (tid < 32) {
    //|      const places = volatile(sdata);
    //|      places[tid] += places[tid + 32];
    //|      places[tid] += places[tid + 16];
    //|      places[tid] += places[tid + 8];
    //|      places[tid] += places[tid + 4];
    //|      places[tid] += places[tid + 2];
    //|      places[tid] += places[tid + 1];
    //|    }
    //|    if (tid === 0) output[blockIdx.x] = sdata[0];
    // END SOLUTION
  },
);
