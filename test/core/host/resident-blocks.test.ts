/** Blocks that wait for other blocks: all that the GPU holds at once make progress. */
import { describe, expect, it } from "vitest";
import { i32, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import type { LaunchSchedule } from "../../../src/core/host/launch-schedule.js";
import { explain, ncu, sanitize } from "../../../src/index.js";
import { gridBarrier, lookBack, suffixSums, WAITING, type WaitingKernel } from "../../kernels/waiting-blocks.js";
import { faultOf } from "./fault-of.js";

const GPUS = { "2.0": "m2070", "7.0": "v100", "9.0": "h200" } as const;
const SEEDS = Array.from({ length: 10 }, (_, k) => ({ seed: k + 1 }));

function run(
  { kernel, expected }: WaitingKernel,
  gpu: Gpu,
  grid: number,
  block: number,
  schedule: LaunchSchedule = "default",
): { readonly result: LaunchResult; readonly got: Int32Array; readonly wanted: Int32Array } {
  const values = Int32Array.from({ length: grid * block }, (_, i) => ((i * 37) % 101) - 20);
  const data = gpu.upload(values);
  const flags = gpu.upload(new Int32Array(Math.max(8, 4 * grid + 4 * block)));
  const out = gpu.upload(new Int32Array(grid * block));
  const result = gpu.launch(kernel, { grid, block, schedule }, { data, flags, out });
  const got = out.read();
  for (const buffer of [data, flags, out]) buffer.free();
  return { result, got, wanted: expected(values, grid, block) };
}

describe("a grid whose blocks wait for one another", () => {
  for (const [capability, id] of Object.entries(GPUS)) {
    const gpu = new Gpu(id, { memoryBytes: 8 << 20 });
    for (const waiting of WAITING) {
      it(`computes ${waiting.kernel.name} on ${capability}`, () => {
        for (const grid of [2, 7, 40]) {
          const { got, wanted, result } = run(waiting, gpu, grid, 64);
          expect([grid, got]).toEqual([grid, wanted]);
          expect(result.timeMs).toBeGreaterThan(0);
          expect(run(waiting, gpu, grid, 64).result.timeMs).toBe(result.timeMs);
        }
      });
      it(`computes ${waiting.kernel.name} on ${capability} under ten seeds`, () => {
        for (const schedule of SEEDS) {
          const { got, wanted } = run(waiting, gpu, 7, 64, schedule);
          expect([schedule, got]).toEqual([schedule, wanted]);
        }
      });
    }
  }
});

describe("a grid of more blocks than the GPU holds", () => {
  // A V100 has 80 SMs, and 2048 threads have room on each.
  const gpu = new Gpu("v100", { memoryBytes: 16 << 20 });
  it("passes a barrier made by hand as long as all blocks fit", () => {
    const { got, wanted } = run(gridBarrier, gpu, 160, 1024);
    expect(got).toEqual(wanted);
  });
  it("fails with one block more, and the error says how many fit, what they wait for and what helps", () => {
    const fault = faultOf(() => run(gridBarrier, gpu, 161, 1024));
    expect(fault.code).toBe("cudaErrorLaunchTimeout");
    expect(fault.what).toContain("nobody changes flags[0], which is 160");
    expect(fault.what).toContain(
      "the GPU holds 160 blocks of this launch at once, and all of them wait: 1 more starts",
    );
    expect(fault.cure).toContain("launch at most 160 blocks");
  });
  it("looks back to earlier blocks, which have all started, under a seed too", () => {
    for (const schedule of ["default", { seed: 1 }] as const) {
      const { got, wanted } = run(lookBack, gpu, 200, 1024, schedule);
      expect(got).toEqual(wanted);
    }
  });
});

describe("a grid in which all blocks wait", () => {
  const never = kernel("never", { flag: ptr(i32) }, ({ flag }, { volatile }) => {
    while (volatile(flag)[0] === 0) {}
  });
  it("hangs, and the error names block, line, word and value", () => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
    const fault = faultOf(() => gpu.launch(never, { grid: 3, block: 32 }, { flag: gpu.alloc(i32, 1) }));
    expect(fault.what).toContain("block (2,0,0), warp 0, lanes 0xffffffff: spin");
    expect(fault.what).toContain("nobody changes flag[0], which is 0");
    expect(fault.cure).toContain("never written");
  });
  it("hangs where its child would write, which runs at its end", () => {
    const child = kernel("child", { flag: ptr(i32) }, ({ flag }) => {
      flag[0] = 1;
    });
    const parent = kernel("parent", { flag: ptr(i32) }, ({ flag }, { threadIdx, volatile, launch }) => {
      if (threadIdx.x === 0) launch(child, { grid: 1, block: 1 }, { flag });
      while (volatile(flag)[0] === 0) {}
    });
    const gpu = new Gpu("h200", { memoryBytes: 1 << 20 });
    const fault = faultOf(() => gpu.launch(parent, { grid: 1, block: 1 }, { flag: gpu.alloc(i32, 1) }));
    expect(fault.what).toContain("a child grid that the waiting grid has launched has not run");
  });
});

describe("blocks that add to one word without an atomic", () => {
  const lost = kernel("lost", { out: ptr(i32) }, ({ out }) => {
    out[0] = out[0] + 1;
  });
  const sum = (schedule: LaunchSchedule): number | undefined => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
    const out = gpu.alloc(i32, 1);
    gpu.launch(lost, { grid: 8, block: 1, schedule }, { out });
    return out.read()[0];
  };
  it("lose some additions under some seed, and none in the default order", () => {
    expect(sum("default")).toBe(8);
    expect(SEEDS.some((schedule) => sum(schedule) !== 8)).toBe(true);
  });
});

describe("a child grid whose blocks wait for one another", () => {
  it("computes its values, also under seeds", () => {
    const child = kernel("child", { flags: ptr(i32) }, ({ flags }, { blockIdx, gridDim, atomicAdd, volatile }) => {
      atomicAdd(flags, 0, 1);
      while (volatile(flags)[0] < gridDim.x) {}
      flags[1 + blockIdx.x] = volatile(flags)[0];
    });
    const parent = kernel("parent", { flags: ptr(i32) }, ({ flags }, { launch }) => {
      launch(child, { grid: 6, block: 1 }, { flags });
    });
    for (const schedule of ["default", ...SEEDS] as const) {
      const gpu = new Gpu("h200", { memoryBytes: 1 << 20 });
      const flags = gpu.alloc(i32, 7);
      gpu.launch(parent, { grid: 1, block: 1, schedule }, { flags });
      expect([...flags.read()]).toEqual(Array(7).fill(6));
    }
  });
});

describe("the tools on a launch with waiting blocks", () => {
  it("report it as any other launch", () => {
    const gpu = new Gpu("h200", { memoryBytes: 8 << 20 });
    const { result } = run(suffixSums, gpu, 12, 64);
    expect(ncu(result)).toContain("suffixSums");
    expect(explain(result).toString().length).toBeGreaterThan(0);
    const found = sanitize(() => run(gridBarrier, gpu, 12, 64));
    expect(found.findings).toEqual([]);
  });
});
