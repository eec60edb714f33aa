/**
 * launch with debug: true is nvcc -G. Branches are those that nvprof counted for Professional CUDA's simpleDivergence: two
 * warps, built with -G, on a GeForce GTX 1060: 12 branches of mathKernel1, 2 divergent; 11 of mathKernel2, none divergent. The
 * book has 83.33 % for the one and 100 % for the other, and 100 % for both where they are optimised.
 */
import { describe, expect, it } from "vitest";
import { f32, i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import { event, metric } from "../../../src/core/profile/metric.js";

const mathKernel1: Kernel = kernel(
  "mathKernel1",
  { params: { c: ptr(f32) } },
  ({ c }, { blockIdx, blockDim, threadIdx, i32 }) => {
    const tid = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let a = 0.0;
    let b = 0.0;
    if (tid % 2 === 0) {
      a = 100.0;
    } else {
      b = 200.0;
    }
    c[tid] = a + b;
  },
);

const mathKernel2: Kernel = kernel(
  "mathKernel2",
  { params: { c: ptr(f32) } },
  ({ c }, { blockIdx, blockDim, threadIdx, i32 }) => {
    const tid = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let a = 0.0;
    let b = 0.0;
    if (Math.trunc(tid / 32) % 2 === 0) {
      a = 100.0;
    } else {
      b = 200.0;
    }
    c[tid] = a + b;
  },
);

const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });

function twoWarps(launched: Kernel, debug: boolean): { readonly launch: LaunchResult; readonly values: Float32Array } {
  const c = gpu.alloc(f32, 64);
  const launch = gpu.launch(launched, { grid: 1, block: 64, debug }, { c });
  const values = c.read() as Float32Array;
  c.free();
  return { launch, values };
}

describe("nvcc -G", () => {
  it.each([
    ["mathKernel1", mathKernel1, 12, 2, "83.33%"],
    ["mathKernel2", mathKernel2, 11, 0, "100.00%"],
  ] as const)("%s has %4$s branches, and optimised code 100 %%", (_name, launched, branches, divergent, efficiency) => {
    const { launch } = twoWarps(launched, true);
    expect([event(launch, "branch").value, event(launch, "divergent_branch").value]).toEqual([branches, divergent]);
    expect(metric(launch, "branch_efficiency").text).toBe(efficiency);
    const optimised = twoWarps(launched, false).launch;
    expect(metric(optimised, "branch_efficiency").text).toBe("100.00%");
  });
  it("computes the same in more instructions", () => {
    const [plain, debug] = [false, true].map((build) => twoWarps(mathKernel1, build));
    expect(debug?.values).toEqual(plain?.values);
    expect(debug?.values[0]).toBe(100);
    expect(debug?.launch.counters.warpInstructions).toBeGreaterThan(2 * (plain?.launch.counters.warpInstructions ?? 0));
  });
  it("runs loops, early exits and ifs without an else as the optimised code does", () => {
    const walk: Kernel = kernel(
      "walk",
      { params: { data: ptr(i32), n: i32 } },
      ({ data, n }, { threadIdx, syncthreads, i32 }) => {
        const i = i32(threadIdx.x);
        for (let s = 32; s > 0; s >>= 1) {
          if (i < s) data[i] += data[i + s]!;
          syncthreads();
        }
        if (i >= n) return;
        let steps = 0;
        while (data[i]! > steps) {
          steps += 3;
          if (steps % 7 === 0) break;
        }
        data[i] = steps;
      },
    );
    const results = [false, true].map((debug) => {
      const data = gpu.upload(Int32Array.from({ length: 64 }, (_, i) => (i * 37) % 101));
      gpu.launch(walk, { grid: 1, block: 64, debug }, { data, n: 40 });
      return data.read();
    });
    expect(results[1]).toEqual(results[0]);
  });
  it("is true or false, nothing else", () => {
    const c = gpu.alloc(f32, 64);
    const config = { grid: 1, block: 64, debug: "-G" } as unknown as { grid: number; block: number };
    expect(() => gpu.launch(mathKernel1, config, { c })).toThrow(/debug is "-G"/);
  });
});
