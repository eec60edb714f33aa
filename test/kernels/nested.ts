/**
 * Reductions that launch their next step, after Professional CUDA C Programming, chapter 3 (Cheng et al., 2014). They come
 * with a barrier and a wait at each level, without them, and with one grid a level for all blocks together.
 */
import { i32, type ScalarType, u32 } from "../../src/core/frontend/declare/element.js";
import { type PointerParameter, ptr } from "../../src/core/frontend/declare/parameter.js";
import { type Kernel, kernel } from "../../src/core/frontend/kernel.js";

type Ints = PointerParameter<ScalarType<"i32">>;
type Params = { readonly input: Ints; readonly output: Ints; readonly size: ScalarType<"u32"> };
const params: Params = { input: ptr(i32), output: ptr(i32), size: u32 };

/** Every block launches a grid of half its size and waits for it. */
export const nested: Kernel<Params> = kernel(
  "nested",
  { params },
  ({ input, output, size }, { threadIdx, blockIdx, blockDim, syncthreads, launch, self, deviceSynchronize }) => {
    const tid = threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x);
    const result = output.subarray(blockIdx.x);
    if (size === 2 && tid === 0) {
      result[0] = data[0] + data[1];
      return;
    }
    const half = size >> 1;
    if (half > 1 && tid < half) data[tid] += data[tid + half];
    syncthreads();
    if (tid === 0) {
      launch(self, { grid: 1, block: half }, { input: data, output: result, size: half });
      deviceSynchronize();
    }
    syncthreads();
  },
);

/** The same without barriers and without the wait: the first warp launches when it has added. */
export const nestedNoWait: Kernel<Params> = kernel(
  "nestedNoWait",
  { params },
  ({ input, output, size }, { threadIdx, blockIdx, blockDim, launch, self }) => {
    const tid = threadIdx.x;
    const data = input.subarray(blockIdx.x * blockDim.x);
    const result = output.subarray(blockIdx.x);
    if (size === 2 && tid === 0) {
      result[0] = data[0] + data[1];
      return;
    }
    const half = size >> 1;
    if (half > 1 && tid < half) {
      data[tid] += data[tid + half];
      if (tid === 0) launch(self, { grid: 1, block: half }, { input: data, output: result, size: half });
    }
  },
);

/** One grid a level: the first thread of all launches the next step of every block. `span` values belong to a block. */
export const nestedGrids: Kernel<{
  readonly input: Ints;
  readonly output: Ints;
  readonly half: ScalarType<"u32">;
  readonly span: ScalarType<"u32">;
}> = kernel(
  "nestedGrids",
  { params: { input: ptr(i32), output: ptr(i32), half: u32, span: u32 } },
  ({ input, output, half, span }, { threadIdx, blockIdx, gridDim, launch, self }) => {
    const data = input.subarray(blockIdx.x * span);
    if (half === 1 && threadIdx.x === 0) {
      output[blockIdx.x] = data[0] + data[1];
      return;
    }
    data[threadIdx.x] += data[threadIdx.x + half];
    if (threadIdx.x === 0 && blockIdx.x === 0)
      launch(self, { grid: gridDim.x, block: half >> 1 }, { input, output, half: half >> 1, span });
  },
);
