/** assert in kernels: what the CUDA C++ Programming Guide says of it ("Assertion"), on both engines. */
import { describe, expect, test } from "vitest";
import { KernelFault } from "../../../../src/core/base/errors.js";
import { i32 } from "../../../../src/core/frontend/declare/element.js";
import { Gpu } from "../../../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../../../src/core/host/launch.js";
import { hasClang } from "../../../../src/node/clang/clang.js";
import { cudaText } from "../../../../src/node/clang/cuda.js";

const TEXT = `#include <assert.h>
template <class T> __device__ T checked(T v, T least) { assert((v >= least)); return v; }
__global__ void check(const int* v, int* out, int n, int least) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(i < n);
  out[i] = checked<int>(v[i], least);
}
`;

describe.runIf(hasClang())("an assertion of a kernel", () => {
  const check = hasClang() ? cudaText(TEXT, "check.cu").check : undefined;
  const gpu = new Gpu("v100");
  const v = gpu.upload(Int32Array.from({ length: 96 }, (_, i) => 100 + i));

  function launched(least: number, more: Partial<LaunchConfig> = {}): number[] {
    const out = gpu.alloc(i32, 96).fill(0);
    gpu.launch(check!, { grid: 3, block: 32, ...more }, { v, out, n: 90, least });
    return [...out.read()];
  }

  test.each([{}, { schedule: { seed: 3 } } as const])("that holds changes nothing, %o", (config) => {
    expect(launched(100, config)).toEqual(Array.from({ length: 96 }, (_, i) => (i < 90 ? 100 + i : 0)));
  });

  test.each([{}, { schedule: { hold: [] } } as const, { debug: true }])(
    "that fails names its thread and line, %o",
    (config) => {
      let fault: unknown;
      try {
        launched(140, config);
      } catch (error) {
        fault = error;
      }
      expect(fault).toBeInstanceOf(KernelFault);
      const { code, place, message } = fault as KernelFault;
      expect(code).toBe("cudaErrorAssert");
      expect(place.block).toEqual([0, 0, 0]);
      expect(place.thread).toEqual([0, 0, 0]);
      expect(message).toContain("assertion `(v >= least)` failed");
      expect(message).toContain("line 2");
    },
  );
});
