// biome-ignore-all lint/correctness/noUnusedVariables: the notes compute values that nothing reads; that is their point.
/**
 * The kernels of the notes, from threads and warps to unrolling and dynamic parallelism. Each has the meaning of its
 * original: signed indices, and the defects that the course shows. `/` between ints is idiv, a `float a, b;` without a
 * value gets one.
 */
import { i32, type ScalarType, u32 } from "../../src/core/frontend/declare/element.js";
import { type PointerParameter, ptr } from "../../src/core/frontend/declare/parameter.js";
import { type Kernel, kernel } from "../../src/core/frontend/kernel.js";

type Ints = PointerParameter<ScalarType<"i32">>;
type Int = ScalarType<"i32">;

type ReductionParams = { readonly input: Ints; readonly temp: Ints; readonly size: Int };
const reduction: ReductionParams = { input: ptr(i32), temp: ptr(i32), size: i32 };

/** Notes, "CUDA Execution Model": c = a + b. */
export const add: Kernel<{ readonly a: Ints; readonly b: Ints; readonly c: Ints }> = kernel(
  "add",
  { params: { a: ptr(i32), b: ptr(i32), c: ptr(i32) } },
  ({ a, b, c }, { threadIdx, blockIdx, blockDim, i32 }) => {
    const index = i32(threadIdx.x + blockIdx.x * blockDim.x);
    c[index] = a[index] + b[index];
  },
);

/** Notes, "Warps", example code: the same with the warp's index, which is never used. */
export const addWithWarpIndex: Kernel<{ readonly a: Ints; readonly b: Ints; readonly c: Ints }> = kernel(
  "addWithWarpIndex",
  { params: { a: ptr(i32), b: ptr(i32), c: ptr(i32) } },
  ({ a, b, c }, { threadIdx, blockIdx, blockDim, i32, idiv }) => {
    const index = i32(threadIdx.x + blockIdx.x * blockDim.x);
    const warpIdx = i32(idiv(threadIdx.x, 32));
    c[index] = a[index] + b[index];
  },
);

/** Notes, print_details_of_warps: block 42, grid 2 x 2. */
export const printDetailsOfWarps: Kernel<Record<never, never>> = kernel(
  "print_details_of_warps",
  { params: {} },
  (_, { threadIdx, blockIdx, blockDim, gridDim, idiv, i32, printf }) => {
    const gid = i32(blockIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x);
    const warpId = i32(idiv(threadIdx.x, 32));
    const gbid = i32(blockIdx.y * gridDim.x + blockIdx.x);
    printf(
      "Thread ID: %d, Block ID (x): %d, Block ID (y): %d, Global Thread ID: %d, Warp ID: %d, Global Block ID: %d\n",
      threadIdx.x,
      blockIdx.x,
      blockIdx.y,
      gid,
      warpId,
      gbid,
    );
  },
);

/** Notes, code_without_divergent: whole warps take one side. Nothing is stored, so a compiler removes it all. */
export const codeWithoutDivergence: Kernel<Record<never, never>> = kernel(
  "code_without_divergent",
  { params: {} },
  (_, { threadIdx, blockIdx, blockDim, idiv, i32, f32 }) => {
    const gid = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let a = f32(0);
    let b = f32(0);
    const warpId = idiv(gid, 32);
    if (warpId % 2 === 0) {
      a = 100;
      b = 50;
    } else {
      a = 200;
      b = 75;
    }
  },
);

/** Notes, divergence_code: even and odd lanes take different sides. */
export const divergenceCode: Kernel<Record<never, never>> = kernel(
  "divergence_code",
  { params: {} },
  (_, { threadIdx, blockIdx, blockDim, i32, f32 }) => {
    const gid = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let a = f32(0);
    let b = f32(0);
    if (gid % 2 === 0) {
      a = 100;
      b = 50;
    } else {
      a = 200;
      b = 75;
    }
  },
);

/** Notes, reduction_neighbored_pairs: in global memory; threads past the end leave before the barrier. */
export const neighbored: Kernel<ReductionParams> = kernel(
  "reduction_neighbored_pairs",
  { params: reduction },
  ({ input, temp, size }, { threadIdx, blockIdx, blockDim, syncthreads, idiv, i32 }) => {
    const tid = i32(threadIdx.x);
    const gid = i32(blockDim.x * blockIdx.x + threadIdx.x);
    if (gid >= size) return;
    for (let offset = 1; offset <= idiv(blockDim.x, 2); offset *= 2) {
      if (tid % (2 * offset) === 0 && gid + offset < size) {
        input[gid] += input[gid + offset];
      }
      syncthreads();
    }
    if (tid === 0) temp[blockIdx.x] = input[gid];
  },
);

/** Notes, reduction_neighbored_pairs_improved: neighbouring threads work. */
export const neighboredImproved: Kernel<ReductionParams> = kernel(
  "reduction_neighbored_pairs_improved",
  { params: reduction },
  ({ input, temp, size }, { threadIdx, blockIdx, blockDim, syncthreads, idiv, i32 }) => {
    const tid = i32(threadIdx.x);
    const gid = i32(blockDim.x * blockIdx.x + threadIdx.x);
    const data = input.subarray(blockDim.x * blockIdx.x);
    if (gid >= size) return;
    for (let offset = 1; offset <= idiv(blockDim.x, 2); offset *= 2) {
      const index = 2 * offset * tid;
      if (index < blockDim.x) data[index] += data[index + offset];
      syncthreads();
    }
    if (tid === 0) temp[blockIdx.x] = data[0];
  },
);

/** Notes, reduction_interleaved_pairs. */
export const interleaved: Kernel<ReductionParams> = kernel(
  "reduction_interleaved_pairs",
  { params: reduction },
  ({ input, temp, size }, { threadIdx, blockIdx, blockDim, syncthreads, idiv, i32 }) => {
    const tid = i32(threadIdx.x);
    const gid = i32(blockDim.x * blockIdx.x + threadIdx.x);
    if (gid >= size) return;
    for (let offset = i32(idiv(blockDim.x, 2)); offset > 0; offset = idiv(offset, 2)) {
      if (tid < offset && gid + offset < size) input[gid] += input[gid + offset];
      syncthreads();
    }
    if (tid === 0) temp[blockIdx.x] = input[gid];
  },
);

/** Notes, reduction_unrolling_blocks2: each block reduces two blocks of data. */
export const unrollingBlocks2: Kernel<ReductionParams> = kernel(
  "reduction_unrolling_blocks2",
  { params: reduction },
  ({ input, temp, size }, { threadIdx, blockIdx, blockDim, syncthreads, idiv, i32 }) => {
    const tid = i32(threadIdx.x);
    const blockOffset = i32(blockIdx.x * blockDim.x * 2);
    const index = blockOffset + tid;
    const data = input.subarray(blockOffset);
    if (index + blockDim.x < size) input[index] += input[index + blockDim.x];
    syncthreads();
    for (let offset = i32(idiv(blockDim.x, 2)); offset > 0; offset = idiv(offset, 2)) {
      if (tid < offset) data[tid] += data[tid + offset];
      syncthreads();
    }
    if (tid === 0) temp[blockIdx.x] = data[0];
  },
);

/** The notes' extension of the former to four blocks of data, whose guard drops a partial tail. */
export const unrollingBlocks4: Kernel<ReductionParams> = kernel(
  "reduction_unrolling_blocks4",
  { params: reduction },
  ({ input, temp, size }, { threadIdx, blockIdx, blockDim, syncthreads, idiv, i32 }) => {
    const tid = i32(threadIdx.x);
    const blockOffset = i32(blockIdx.x * blockDim.x * 4);
    const index = blockOffset + tid;
    const data = input.subarray(blockOffset);
    if (index + 3 * blockDim.x < size) {
      const a1 = input[index];
      const a2 = input[index + blockDim.x];
      const a3 = input[index + 2 * blockDim.x];
      const a4 = input[index + 3 * blockDim.x];
      input[index] = a1 + a2 + a3 + a4;
    }
    syncthreads();
    for (let offset = i32(idiv(blockDim.x, 2)); offset > 0; offset = idiv(offset, 2)) {
      if (tid < offset) data[tid] += data[tid + offset];
      syncthreads();
    }
    if (tid === 0) temp[blockIdx.x] = data[0];
  },
);

/** Notes, reduction_kernel_warp_unrolling: the last warp through a volatile pointer into global memory. */
export const warpUnrolling: Kernel<ReductionParams> = kernel(
  "reduction_kernel_warp_unrolling",
  { params: reduction },
  ({ input, temp }, { threadIdx, blockIdx, blockDim, syncthreads, volatile, idiv, i32 }) => {
    const tid = i32(threadIdx.x);
    const data = input.subarray(blockDim.x * blockIdx.x);
    for (let offset = i32(idiv(blockDim.x, 2)); offset >= 64; offset = idiv(offset, 2)) {
      if (tid < offset) data[tid] += data[tid + offset];
      syncthreads();
    }
    if (tid < 32) {
      const vsmem = volatile(data);
      vsmem[tid] += vsmem[tid + 32];
      vsmem[tid] += vsmem[tid + 16];
      vsmem[tid] += vsmem[tid + 8];
      vsmem[tid] += vsmem[tid + 4];
      vsmem[tid] += vsmem[tid + 2];
      vsmem[tid] += vsmem[tid + 1];
    }
    if (tid === 0) temp[blockIdx.x] = data[0];
  },
);

/** Notes, reduction_kernel_warp_complete_unrolling, with `==` as printed: right for a block of 128 threads only. */
export const completeUnrollingAsPrinted: Kernel<ReductionParams> = kernel(
  "reduction_kernel_warp_complete_unrolling",
  { params: reduction, constants: { BLOCK: 128 } },
  ({ input, temp }, { threadIdx, blockIdx, blockDim, syncthreads, volatile, i32 }, { BLOCK }) => {
    const tid = i32(threadIdx.x);
    const data = input.subarray(blockDim.x * blockIdx.x);
    if (BLOCK === 1024 && tid < 512) data[tid] += data[tid + 512];
    syncthreads();
    if (BLOCK === 512 && tid < 256) data[tid] += data[tid + 256];
    syncthreads();
    if (BLOCK === 256 && tid < 128) data[tid] += data[tid + 128];
    syncthreads();
    if (BLOCK === 128 && tid < 64) data[tid] += data[tid + 64];
    syncthreads();
    if (tid < 32) {
      const vsmem = volatile(data);
      vsmem[tid] += vsmem[tid + 32];
      vsmem[tid] += vsmem[tid + 16];
      vsmem[tid] += vsmem[tid + 8];
      vsmem[tid] += vsmem[tid + 4];
      vsmem[tid] += vsmem[tid + 2];
      vsmem[tid] += vsmem[tid + 1];
    }
    if (tid === 0) temp[blockIdx.x] = data[0];
  },
);

/** The same with `>=`, as it is meant. */
export const completeUnrolling: Kernel<ReductionParams> = kernel(
  "completeUnrolling",
  { params: reduction, constants: { BLOCK: 128 } },
  ({ input, temp }, { threadIdx, blockIdx, blockDim, syncthreads, volatile, i32 }, { BLOCK }) => {
    const tid = i32(threadIdx.x);
    const data = input.subarray(blockDim.x * blockIdx.x);
    if (BLOCK >= 1024 && tid < 512) data[tid] += data[tid + 512];
    syncthreads();
    if (BLOCK >= 512 && tid < 256) data[tid] += data[tid + 256];
    syncthreads();
    if (BLOCK >= 256 && tid < 128) data[tid] += data[tid + 128];
    syncthreads();
    if (BLOCK >= 128 && tid < 64) data[tid] += data[tid + 64];
    syncthreads();
    if (tid < 32) {
      const vsmem = volatile(data);
      vsmem[tid] += vsmem[tid + 32];
      vsmem[tid] += vsmem[tid + 16];
      vsmem[tid] += vsmem[tid + 8];
      vsmem[tid] += vsmem[tid + 4];
      vsmem[tid] += vsmem[tid + 2];
      vsmem[tid] += vsmem[tid + 1];
    }
    if (tid === 0) temp[blockIdx.x] = data[0];
  },
);

/** Notes, dynamic_parallelism_check: each grid launches one of half its threads. */
export const dynamicParallelismCheck: Kernel<{ readonly size: Int; readonly depth: Int }> = kernel(
  "dynamic_parallelism_check",
  { params: { size: i32, depth: i32 } },
  ({ size, depth }, { threadIdx, printf, launch, self, idiv, deviceSynchronize }) => {
    printf("Depth: %d - tid: %d \n", depth, threadIdx.x);
    if (size === 1) return;
    if (threadIdx.x === 0) {
      launch(self, { grid: 1, block: idiv(size, 2) }, { size: idiv(size, 2), depth: depth + 1 });
      deviceSynchronize();
    }
  },
);

/** Notes, gpuRecursiveReduce: halves the data and launches itself for the rest. */
export const recursiveReduce: Kernel<{
  readonly input: Ints;
  readonly output: Ints;
  readonly isize: ScalarType<"u32">;
}> = kernel(
  "gpuRecursiveReduce",
  { params: { input: ptr(i32), output: ptr(i32), isize: u32 } },
  ({ input, output, isize }, { threadIdx, blockIdx, blockDim, syncthreads, launch, self, deviceSynchronize, i32 }) => {
    const tid = i32(threadIdx.x);
    const idata = input.subarray(blockIdx.x * blockDim.x);
    const odata = output.subarray(blockIdx.x);
    if (isize === 2 && tid === 0) {
      output[blockIdx.x] = idata[0] + idata[1];
      return;
    }
    const stride = i32(isize >> 1);
    if (stride > 1 && tid < stride) idata[tid] += idata[tid + stride];
    syncthreads();
    if (tid === 0) {
      launch(self, { grid: 1, block: stride }, { input: idata, output: odata, isize: stride });
      deviceSynchronize();
    }
    syncthreads();
  },
);
