/** An error of one kernel leaves the others of its file; nothing that it reaches is used without a word. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CompileError } from "../../../../src/core/base/errors.js";
import { i32 } from "../../../../src/core/frontend/declare/element.js";
import { Gpu } from "../../../../src/core/host/gpu.js";
import { hasClang } from "../../../../src/node/clang/clang.js";
import { type CudaKernels, cuda, loadCuda, refusedKernels } from "../../../../src/node/clang/cuda.js";

const MINUTE = 60_000;

/** The kernels that can be used, and the lines of the reasons of the others. */
function outcome(kernels: CudaKernels): readonly [string, Readonly<Record<string, number>>] {
  const refused = Object.fromEntries(refusedKernels(kernels).map(({ name, reason }) => [name, reason.span?.line ?? 0]));
  return [
    Object.keys(kernels)
      .filter((name) => !(name in refused))
      .sort()
      .join(" "),
    refused,
  ];
}

describe.runIf(hasClang())("an error in CUDA C++", () => {
  const folder = mkdtempSync(join(tmpdir(), "warplab-reach-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const load = (lines: readonly string[]): CudaKernels => {
    const path = join(folder, "file.cu");
    writeFileSync(path, lines.join("\n"));
    return loadCuda(path);
  };

  test(
    "refuses the kernels that reach it by a function, a macro, a record or a variable, and no others",
    () => {
      const kernels = load([
        "#define CALL(x) broken(x)",
        "__device__ int broken(int x) { return y; }",
        "__device__ int through(int x) { return CALL(x); }",
        "struct Op { __device__ int operator()(int x) const { return zz; } };",
        "struct Mixed { int x; void print() { std::cout << x; } __device__ int get() { return x; } };",
        "Unknown handle;",
        "__device__ Unknown made(int x) { return x; }",
        "__global__ void good(int* o) { Mixed m; m.x = 1; int handle = m.get(); o[0] = handle; }",
        "__global__ void by_macro(int* o) { o[0] = CALL(1); }",
        "__global__ void by_function(int* o) { o[0] = through(1); }",
        "__global__ void by_record(int* o) { o[0] = Op()(1); }",
        "__global__ void by_variable(int* o) { o[0] = handle; }",
        "__global__ void by_type(int* o) { o[0] = made(3); }",
        "__global__ void own(int* o) { o[0] = undeclared; o[1] = 2; }",
        "template <class T> __global__ void generic(T* o) { o[0] = missing; }",
        "int main() { std::vector<int> v; thrust::sort(v); cublasHandle_t h; good<<<1, 1>>>(0); generic<int><<<1, 1>>>(0); }",
      ]);
      expect(outcome(kernels)).toEqual([
        "good",
        {
          by_macro: 2,
          by_function: 2,
          by_record: 4,
          by_variable: 6,
          by_type: 7,
          own: 14,
          "generic<int>": 15,
          generic: 15,
        },
      ]);
      expect(() => kernels.own).toThrow(CompileError);
      const gpu = new Gpu("v100");
      const o = gpu.alloc(i32, 1);
      gpu.launch(kernels.good!, { grid: 1, block: 1 }, { o });
      expect(o.read()[0]).toBe(1);
    },
    MINUTE,
  );

  test(
    "of a brace refuses the kernel that ends early, and those that clang has not seen",
    () => {
      const early = load([
        "__global__ void early(int* o) { if (o[0]) { o[0] = 1; } }",
        "  o[1] = 2;",
        "}",
        "__global__ void after(int* o) { o[0] = 1; }",
      ]);
      expect(outcome(early)).toEqual(["after", { early: 2 }]);
      const late = load([
        "__global__ void before(int* o) { o[0] = 1; }",
        "__global__ void open(int* o) { if (o[0]) { o[0] = 1; }",
        "__global__ void lost(int* o) { o[0] = 1; }",
      ]);
      expect(outcome(late)).toEqual(["before", { open: 3, lost: 3 }]);
    },
    MINUTE,
  );

  test(
    "of a launch refuses the kernel that is launched",
    () => {
      const kernels = load([
        "__global__ void one(int* o) { o[0] = 1; }",
        "__global__ void two(int* o) { o[0] = 2; }",
        "int main() { one<<<1, 1>>>(0, 2); two<<<1, 1>>>(0); }",
      ]);
      expect(outcome(kernels)).toEqual(["two", { one: 3 }]);
    },
    MINUTE,
  );

  test(
    "of all kernels is thrown at once",
    () => {
      expect(() => load(["__global__ void k(int* o) { o[0] = 1 }"])).toThrow(/Expected ';'/);
      expect(() => cuda`__global__ void k(int* o) { o[0] = y; }`).toThrow(/undeclared identifier 'y'/);
      const { good } = cuda`__global__ void bad(int* o) { o[0] = y; }
        __global__ void good(int* o) { o[0] = 1; }`;
      expect(good?.name).toBe("good");
    },
    MINUTE,
  );

  test(
    "does not follow from a header that is not there; the kernel warns of it, and of a format that fits no value",
    () => {
      const { k } = load([
        '#include "gputimer.h"',
        "GpuTimer timer;",
        '__global__ void k(int* o) { printf("%f\\n", o[0]); }',
      ]);
      expect(k?.ir.warnings.map(({ message, span }) => [span.line, message])).toEqual([
        [1, expect.stringMatching(/gputimer\.h is not there/)],
        [3, expect.stringMatching(/format specifies type 'double'/i)],
      ]);
    },
    MINUTE,
  );
});

describe.runIf(hasClang())("functions that are C++ here", () => {
  test(
    "CUB's reductions and scans of a block",
    () => {
      const { blocks } = cuda`#include <cub/cub.cuh>
      __global__ void blocks(const int* in, int* out) {
        typedef cub::BlockReduce<int, 96> Reduce; __shared__ Reduce::TempStorage r;
        typedef cub::BlockScan<int, 96> Scan; __shared__ Scan::TempStorage s;
        int items[2], sum = Reduce(r).Sum(in[threadIdx.x]), most = Reduce(r).Reduce(in[threadIdx.x], cub::Max());
        cub::BlockLoad<int, 96, 2>().Load(in, items);
        Scan(s).ExclusiveSum(items, items);
        cub::BlockStore<int, 96, 2>().Store(out, items);
        int upto; Scan(s).InclusiveSum(in[threadIdx.x], upto);
        out[192 + threadIdx.x] = upto;
        if (threadIdx.x == 0) { out[288] = sum; out[289] = most; }
      }`;
      const gpu = new Gpu("v100");
      const values = Int32Array.from({ length: 192 }, (_, i) => ((i * 7919) % 1013) - 500);
      const out = gpu.alloc(i32, 290);
      gpu.launch(blocks!, { grid: 1, block: 96 }, { in: gpu.upload(values), out });
      const before = (n: number): number => values.subarray(0, n).reduce((a, b) => a + b, 0);
      const expected = [
        ...Array.from({ length: 192 }, (_, i) => before(i)),
        ...Array.from({ length: 96 }, (_, i) => before(i + 1)),
        before(96),
        Math.max(...values.subarray(0, 96)),
      ];
      expect([...out.read()]).toEqual(expected);
    },
    MINUTE,
  );

  test(
    "sums of products of packed bytes",
    () => {
      const { packed } = cuda`__global__ void packed(int* out, int a, int b) {
        out[0] = __dp4a(a, b, 7);
        out[1] = __dp4a((unsigned)a, (unsigned)b, 7u);
        out[2] = __vadd4(a, b);
        out[3] = __vmaxs2(a, b);
      }`;
      const gpu = new Gpu("v100");
      const out = gpu.alloc(i32, 4);
      const [a, b] = [0x80ff017f | 0, 0x7f02fe81 | 0];
      gpu.launch(packed!, { grid: 1, block: 1 }, { out, a, b });
      const bytes = (v: number): readonly number[] => [0, 8, 16, 24].map((at) => (v >>> at) & 255);
      const signed = (v: number): number => (v << 24) >> 24;
      const products = (of: (v: number) => number): number =>
        bytes(a).reduce((sum, byte, i) => sum + of(byte) * of(bytes(b)[i] ?? 0), 7);
      const added = bytes(a).reduce((word, byte, i) => word | (((byte + (bytes(b)[i] ?? 0)) & 255) << (8 * i)), 0);
      const most = (at: number): number => Math.max(((a >> at) << 16) >> 16, ((b >> at) << 16) >> 16) & 0xffff;
      expect([...out.read()]).toEqual([products(signed), products((v) => v), added, most(0) | (most(16) << 16)]);
    },
    MINUTE,
  );

  test(
    "a record without a name is another one in each instance of a template",
    () => {
      const { k } = cuda`template <class T, int N> struct P { union { T e[N]; int w; }; int z; };
      __global__ void k(int* o) { P<int, 2> a; P<float, 3> b; a.e[0] = 3; a.z = 9; b.e[0] = 1.0f; o[0] = a.w; o[1] = b.w; o[2] = sizeof(b); o[3] = a.z; }`;
      const gpu = new Gpu("v100");
      const o = gpu.alloc(i32, 4);
      gpu.launch(k!, { grid: 1, block: 1 }, { o });
      const bits = new Int32Array(Float32Array.of(1).buffer)[0];
      expect([...o.read()]).toEqual([3, bits, 16, 9]);
    },
    MINUTE,
  );
});
