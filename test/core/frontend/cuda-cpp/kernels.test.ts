/** Kernels of CUDA C++ launch as those in TypeScript do; their results against plain computations. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CompileError, InputError } from "../../../../src/core/base/errors.js";
import type { CudaKernel } from "../../../../src/core/frontend/cuda-cpp-kernel.js";
import { f32, i32 } from "../../../../src/core/frontend/declare/element.js";
import { ptr } from "../../../../src/core/frontend/declare/parameter.js";
import { kernel } from "../../../../src/core/frontend/kernel.js";
import { Gpu } from "../../../../src/core/host/gpu.js";
import { printBody } from "../../../../src/core/ir/print.js";
import { hasClang } from "../../../../src/node/clang/clang.js";
import { cuda, loadCuda, refusedKernels } from "../../../../src/node/clang/cuda.js";

const MINUTE = 60_000;
const counting = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => (i * 7919) % 1013);
const total = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);

/** The kernel of a text that holds one. */
function only(text: string): CudaKernel {
  const [found] = Object.values(cuda(Object.assign([text], { raw: [text] })));
  if (found === undefined) throw new Error("no kernel");
  return found;
}

describe.runIf(hasClang())("a kernel of CUDA C++", () => {
  test(
    "has the IR of the same kernel in TypeScript",
    () => {
      const written = only(`__global__ void scale(const int* input, int* output, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      for (; i < n; i += 64) output[i] = input[i] * 3;
    }`);
      const same = kernel(
        "scale",
        { input: ptr(i32), output: ptr(i32), n: i32 },
        ({ input, output, n }, { blockIdx, blockDim, threadIdx }) => {
          let i = i32(blockIdx.x * blockDim.x + threadIdx.x);
          for (; i < n; i += 64) output[i] = input[i] * 3;
        },
      );
      expect(printBody(written.ir)).toBe(printBody(same.ir));
    },
    MINUTE,
  );

  test(
    "sums with a template, shared memory and warp shuffles",
    () => {
      const { sum } = cuda`
      template <int BLOCK> __global__ void sum(const int* in, int* out, int n) {
        __shared__ int parts[BLOCK / 32];
        extern __shared__ int copies[];
        int v = 0;
        for (int i = threadIdx.x; i < n; i += BLOCK) v += in[i];
        copies[threadIdx.x] = v;
        v = copies[threadIdx.x];
        for (int d = warpSize / 2; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
        __syncthreads();
        if (threadIdx.x == 0) {
          int s = 0;
          for (int w = 0; w < BLOCK / 32; w++) s += parts[w];
          *out = s;
        }
      }`;
      const gpu = new Gpu("v100");
      const values = counting(1000);
      const out = gpu.alloc(i32, 1);
      const instance = sum!.with({ BLOCK: 128 });
      gpu.launch(instance, { grid: 1, block: 128, sharedBytes: 512 }, { in: gpu.upload(values), out, n: 1000 });
      expect(out.read()[0]).toBe(total(values));
    },
    MINUTE,
  );

  test(
    "keeps variables of the device between launches",
    () => {
      const { count } = cuda`
      __constant__ int weights[4] = {1, 2, 3};
      __device__ int counter = 5;
      __global__ void count(int* out) { out[threadIdx.x] = weights[threadIdx.x % 4]; atomicAdd(&counter, 1); }`;
      const gpu = new Gpu("v100");
      const out = gpu.alloc(i32, 32);
      for (let i = 0; i < 2; i++) gpu.launch(count!, { grid: 1, block: 32 }, { out });
      expect([...gpu.symbol(count!.symbol("counter")).read()]).toEqual([69]);
      expect([...out.read().subarray(0, 4)]).toEqual([1, 2, 3, 0]);
      gpu.symbol(count!.symbol("weights")).write(Int32Array.of(9, 8, 7, 6) as never);
      gpu.launch(count!, { grid: 1, block: 32 }, { out });
      expect([...out.read().subarray(0, 4)]).toEqual([9, 8, 7, 6]);
    },
    MINUTE,
  );

  test(
    "takes structs with pointers, field by field",
    () => {
      const rows = only(`struct Csr { const int* starts; const int* columns; const float* values; int rows; };
      __device__ float row(const Csr& m, const float* x, int r) {
        float s = 0;
        for (int k = m.starts[r]; k < m.starts[r + 1]; k++) s += m.values[k] * x[m.columns[k]];
        return s;
      }
      __global__ void multiply(Csr m, const float* x, float* y) {
        int r = blockIdx.x * blockDim.x + threadIdx.x;
        if (r < m.rows) y[r] = row(m, x, r);
      }`);
      const gpu = new Gpu("v100");
      const m = {
        starts: gpu.upload(Int32Array.of(0, 2, 2, 3)),
        columns: gpu.upload(Int32Array.of(0, 2, 1)),
        values: gpu.upload(Float32Array.of(1.5, 2, -4)),
        rows: 3,
      };
      const y = gpu.alloc(f32, 3);
      const args: Record<string, unknown> = { m, x: gpu.upload(Float32Array.of(2, 3, 5)), y };
      gpu.launch(rows, { grid: 1, block: 32 }, args as never);
      expect([...y.read()]).toEqual([13, 0, -12]);
    },
    MINUTE,
  );

  test(
    "works in cooperative groups",
    () => {
      const tiles = only(`#include <cooperative_groups.h>
      #include <cooperative_groups/reduce.h>
      namespace cg = cooperative_groups;
      __global__ void tiles(const int* in, int* out, int* odd) {
        cg::thread_block block = cg::this_thread_block();
        auto tile = cg::tiled_partition<8>(block);
        int s = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
        if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = s;
        block.sync();
        if (threadIdx.x % 2) { auto active = cg::coalesced_threads(); odd[threadIdx.x] = active.thread_rank() + 100 * active.size(); }
      }`);
      const gpu = new Gpu("v100");
      const values = counting(64);
      const [out, odd] = [gpu.alloc(i32, 8), gpu.alloc(i32, 64)];
      gpu.launch(tiles, { grid: 1, block: 64 }, { in: gpu.upload(values), out, odd });
      expect([...out.read()]).toEqual(Array.from({ length: 8 }, (_, t) => total(values.subarray(8 * t, 8 * t + 8))));
      expect([...odd.read().subarray(0, 6)]).toEqual([0, 1600, 0, 1601, 0, 1602]);
    },
    MINUTE,
  );

  test(
    "launches child grids",
    () => {
      const { parent } = cuda`
      __global__ void child(int* out, int at) { out[at + threadIdx.x] = at * 10 + threadIdx.x; }
      __global__ void parent(int* out) { child<<<1, 4>>>(out, 4 * threadIdx.x); }`;
      const gpu = new Gpu("v100");
      const out = gpu.alloc(i32, 8);
      gpu.launch(parent!, { grid: 1, block: 2 }, { out });
      expect([...out.read()]).toEqual([0, 1, 2, 3, 40, 41, 42, 43]);
    },
    MINUTE,
  );

  test(
    "is refused by name, with line and column, where this compiler has no meaning for it",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "warplab-cuda-"));
      const path = join(folder, "two.cu");
      writeFileSync(
        path,
        '#include "inc/more.h"\n__global__ void lists(int** p) { p[0][0] = 1; }\nint main() { twice<<<1, 1>>>(0); return UNKNOWN; }\n',
      );
      mkdirSync(join(folder, "inc"));
      writeFileSync(join(folder, "inc/more.h"), "__global__ void twice(int* p) { p[0] *= 2; }\n");
      const kernels = loadCuda(path);
      rmSync(folder, { recursive: true });
      expect(Object.keys(kernels)).toEqual(["twice", "lists"]);
      expect(refusedKernels(kernels).map(({ name }) => name)).toEqual(["lists"]);
      const refused = refusedKernels(kernels)[0]?.reason;
      expect([refused?.span?.line, refused?.span?.column]).toEqual([2, 28]);
      expect(() => kernels.lists).toThrow(CompileError);
      expect(kernels.twice?.name).toBe("twice");
    },
    MINUTE,
  );

  test(
    "includes files above its own below the root, and no header of a library of the host stops it",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "warplab-includes-"));
      mkdirSync(join(folder, "chapter/deep"), { recursive: true });
      mkdirSync(join(folder, "common"));
      writeFileSync(join(folder, "common/three.h"), '#include "../common/two.h"\n#define THREE (TWO + 1)\n');
      writeFileSync(join(folder, "common/two.h"), "#define TWO 2\n");
      const path = join(folder, "chapter/deep/main.cu");
      const host = [
        "#include <cublas_v2.h>",
        "#include <bits/stdc++.h>",
        "#include <thrust/device_vector.h>",
        '#include "../../common/three.h"',
        "void check(std::vector<int> &a, std::vector<int> &b,",
        "           std::vector<int> &c);",
        "cublasHandle_t handle;",
      ].join("\n");
      writeFileSync(path, `${host}\n__global__ void fill(int* out) { out[threadIdx.x] = THREE; }\n`);
      const { fill } = loadCuda(path, { root: folder });
      const gpu = new Gpu("v100");
      const out = gpu.alloc(i32, 4);
      gpu.launch(fill!, { grid: 1, block: 4 }, { out });
      expect([...out.read()]).toEqual([3, 3, 3, 3]);
      writeFileSync(path, `${host}\n__global__ void rows(int* out, cublasHandle_t h) { out[0] = 1; }\n`);
      expect(() => loadCuda(path, { root: folder })).toThrow(/cublasHandle_t.*<cublas_v2.h>/);
      rmSync(folder, { recursive: true });
    },
    MINUTE,
  );

  test(
    "of a template needs the template's arguments",
    () => {
      const { fill } = cuda`template <typename T, int N> __global__ void fill(T* out) { out[threadIdx.x] = T(N) / 2; }`;
      const gpu = new Gpu("v100");
      const [floats, ints] = [gpu.alloc(f32, 4), gpu.alloc(i32, 4)];
      gpu.launch(fill!.with({ T: f32, N: 5 } as never), { grid: 1, block: 4 }, { out: floats });
      gpu.launch(fill!.with({ T: i32, N: -5 } as never), { grid: 1, block: 4 }, { out: ints });
      expect([floats.read()[3], ints.read()[3]]).toEqual([2.5, -2]);
      expect(() => fill!.with({ M: 3 } as never)).toThrow(InputError);
    },
    MINUTE,
  );

  test(
    "reads small shared arrays whole, wherever they lie",
    () => {
      const { k } = cuda`__global__ void k(int* out) {
        __shared__ int one; __shared__ int parts[3]; __shared__ char c[2]; __shared__ int two[2];
        if (threadIdx.x < 3) parts[threadIdx.x] = threadIdx.x + 1;
        if (threadIdx.x < 2) two[threadIdx.x] = threadIdx.x + 4;
        if (threadIdx.x == 0) { one = 5; c[0] = 1; c[1] = 2; }
        __syncthreads();
        out[threadIdx.x] = parts[0] + 10 * parts[1] + 100 * parts[2] + one + c[0] + c[1] + two[0] * 1000 + two[1] * 10000;
      }`;
      const gpu = new Gpu("v100");
      const out = gpu.alloc(i32, 32);
      gpu.launch(k!, { grid: 1, block: 32 }, { out });
      expect(new Set(out.read())).toEqual(new Set([54_329]));
    },
    MINUTE,
  );
});
