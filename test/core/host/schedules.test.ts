/**
 * Fermi's lockstep against Volta's independent threads, through launches: Lab 28's volatile last warp, a lock, and the
 * primitives that older GPUs lack (CUDA C++ Programming Guide, independent thread scheduling; feature table).
 */
import { describe, expect, it } from "vitest";
import { CompileError, KernelFault } from "../../../src/core/base/errors.js";
import { i32, type Kernel, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../../src/core/host/launch.js";
import { lastWarp, lastWarpSync } from "../../kernels/labs.js";
import { warpShuffleReduction } from "../../kernels/warp-examples.js";

const BLOCK = 64;
const values = Int32Array.from({ length: 2 * BLOCK }, (_, i) => (i + 1) ** 2);
/** The sum of the squares up to 128, by its formula. */
const SUM = (128 * 129 * 257) / 6;
const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

const gpuOf = (id: string): Gpu => new Gpu(id, { memoryBytes: 1 << 20 });

function sum(id: string, reduction: Kernel, schedule: LaunchConfig["schedule"] = "default"): number | undefined {
  const gpu = gpuOf(id);
  const output = gpu.alloc(i32, 1);
  const config: LaunchConfig = { grid: 1, block: BLOCK, sharedBytes: BLOCK * 4, schedule };
  gpu.launch(reduction, config, { input: gpu.upload(values), output });
  return output.read()[0];
}

describe("Lab 28's volatile last warp", () => {
  it("gives the right sum on a V100 with the default schedule, as real ones do", () => {
    expect(sum("v100", lastWarp)).toBe(SUM);
  });
  it("fails on a V100 with some legal schedules, each of which fails again the same way with its seed", () => {
    const failing = SEEDS.filter((seed) => sum("v100", lastWarp, { seed }) !== SUM);
    expect(failing.length, "seeds that fail").toBeGreaterThan(0);
    const [seed] = failing;
    expect(sum("v100", lastWarp, { seed })).toBe(sum("v100", lastWarp, { seed }));
  });
  it("never fails on an M2070, whose warps run in lockstep", () => {
    expect(SEEDS.filter((seed) => sum("m2070", lastWarp, { seed }) !== SUM)).toEqual([]);
  });
  it("never fails on a V100 with __syncwarp() between the steps", () => {
    expect(SEEDS.filter((seed) => sum("v100", lastWarpSync, { seed }) !== SUM)).toEqual([]);
  });
});

/** Each thread takes the lock, adds 1 by plain loads and stores, and gives the lock back. */
const locked: Kernel = kernel(
  "locked",
  { params: { lock: ptr(u32), count: ptr(u32) } },
  ({ lock, count }, { atomicCAS, atomicExch, threadfence, volatile }) => {
    const counter = volatile(count);
    while (atomicCAS(lock, 0, 0, 1) !== 0) {}
    counter[0] = counter[0] + 1;
    threadfence();
    atomicExch(lock, 0, 0);
  },
);

/** The same as it had to be written before Volta: who has the lock goes on within the loop. */
const lockedInside: Kernel = kernel(
  "lockedInside",
  { params: { lock: ptr(u32), count: ptr(u32) } },
  ({ lock, count }, { atomicCAS, atomicExch, threadfence, volatile }) => {
    const counter = volatile(count);
    let done = false;
    while (!done) {
      if (atomicCAS(lock, 0, 0, 1) === 0) {
        counter[0] = counter[0] + 1;
        threadfence();
        atomicExch(lock, 0, 0);
        done = true;
      }
    }
  },
);

function counted(
  id: string,
  kernelWithLock: Kernel,
  schedule: LaunchConfig["schedule"] = "default",
): number | undefined {
  const gpu = gpuOf(id);
  const count = gpu.alloc(u32, 1);
  gpu.launch(kernelWithLock, { grid: 2, block: 64, schedule }, { lock: gpu.alloc(u32, 1), count });
  return count.read()[0];
}

describe("a lane that spins on a lock that another lane of its warp holds", () => {
  it("gets it on a V100, where lanes go on by themselves", () => {
    expect(counted("v100", locked)).toBe(128);
    for (const seed of SEEDS.slice(0, 5)) expect(counted("v100", locked, { seed })).toBe(128);
  });
  it("hangs on an M2070, and the hang is reported with the lanes and lines that wait", () => {
    let fault: KernelFault | null = null;
    try {
      counted("m2070", locked);
    } catch (error) {
      if (error instanceof KernelFault) fault = error;
    }
    expect(fault?.code).toBe("cudaErrorLaunchTimeout");
    expect(fault?.what).toContain("the kernel hangs");
    expect(fault?.what).toMatch(/lanes 0xfffffffe: spin in the loop that starts at line \d+/);
    expect(fault?.what).toMatch(
      /lanes 0x00000001: wait at line \d+ for the lanes of their warp that spin \(lockstep\)/,
    );
    expect(fault?.cure).toMatch(/inside the loop/);
  });
  it("gets it on an M2070 too, where the work is inside the loop", () => {
    expect(counted("m2070", lockedInside)).toBe(128);
    expect(counted("v100", lockedInside)).toBe(128);
  });
});

const matching: Kernel = kernel(
  "matching",
  { params: { data: ptr(u32) } },
  ({ data }, { threadIdx, match_any_sync }) => {
    data[threadIdx.x] = match_any_sync(0xffffffff, data[threadIdx.x]);
  },
);
const reducing: Kernel = kernel(
  "reducing",
  { params: { data: ptr(u32) } },
  ({ data }, { threadIdx, reduce_add_sync }) => {
    data[threadIdx.x] = reduce_add_sync(0xffffffff, data[threadIdx.x]);
  },
);
const voting: Kernel = kernel("voting", { params: { data: ptr(u32) } }, ({ data }, { threadIdx, ballot_sync }) => {
  data[threadIdx.x] = ballot_sync(0xffffffff, threadIdx.x % 2 === 0);
});

function run(id: string, warpKernel: Kernel): readonly number[] {
  const gpu = gpuOf(id);
  const data = gpu.upload(Uint32Array.from({ length: 32 }, (_, i) => i >> 4));
  gpu.launch(warpKernel, { grid: 1, block: 32 }, { data });
  return [...data.read()];
}

describe("a warp primitive", () => {
  it("__shfl is refused on Fermi, with the capability that it needs, its line and a cure", () => {
    const gpu = gpuOf("m2070");
    const launch = (): unknown =>
      gpu.launch(
        warpShuffleReduction,
        { grid: 1, block: 64 },
        { input: gpu.alloc(i32, 64), output: gpu.alloc(i32, 1), n: 64 },
      );
    expect(launch).toThrow(CompileError);
    expect(launch).toThrow(/compute capability 2\.0; warp shuffles need 3\.0/);
    expect(launch).toThrow(/shfl_xor_sync/);
  });
  it("__match_any_sync is refused before 7.0 and gives each group's mask from there on", () => {
    expect(() => run("m2070", matching)).toThrow(/match functions need 7\.0/);
    expect(run("v100", matching)).toEqual([...Array(16).fill(0x0000ffff), ...Array(16).fill(0xffff0000)]);
  });
  it("__reduce_add_sync is refused before 8.0 and gives every lane the sum from there on", () => {
    expect(() => run("v100", reducing)).toThrow(/need 8\.0/);
    expect(run("rtx3080", reducing)).toEqual(Array(32).fill(16));
  });
  it("__ballot_sync works on Fermi", () => {
    expect(run("m2070", voting)).toEqual(Array(32).fill(0x55555555));
  });
});
