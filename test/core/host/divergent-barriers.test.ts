/**
 * Barriers that not all threads come to. CUDA C++ Programming Guide, compute capability 7.x: before, __syncthreads() is
 * enforced warp by warp and "allowed a barrier to succeed without being executed by every thread as long as at least some
 * thread in every warp reached the barrier"; from 7.0 on it waits for all threads of the block that have not ended.
 */
import { describe, expect, it } from "vitest";
import { type DeviceSpec, deviceById, modifyDevice } from "../../../src/core/device/index.js";
import { i32, type Kernel, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../../src/core/host/launch.js";
import type { LaunchWarning } from "../../../src/core/host/launch-warning.js";
import { faultOf } from "./fault-of.js";

const OLDER = ["m2070", "pascal"];
const NEWER = ["v100", "h200"];
/** The first capability of cooperative launches; no such GPU has timing numbers. */
const pascal: DeviceSpec = modifyDevice(deviceById("v100"), { computeCapability: { major: 6, minor: 0 } });
const gpuOf = (id: string): Gpu => new Gpu(id === "pascal" ? pascal : id, { memoryBytes: 1 << 20, stepLimit: 100_000 });

interface Ran {
  readonly out: readonly number[];
  readonly warnings: readonly LaunchWarning[];
}

function run(
  id: string,
  one: Kernel,
  { grid = 1, block, ...config }: Partial<LaunchConfig> & { readonly block: number },
  more: Record<string, number> = {},
): Ran {
  const gpu = gpuOf(id);
  const out = gpu.alloc(i32, Number(grid) * block);
  const { warnings } = gpu.launch(one, { grid, block, ...config }, { out, ...more });
  return { out: [...out.read()], warnings };
}

const found = ({ warnings }: Ran): readonly unknown[] => warnings.map(({ kind, warp, lanes }) => [kind, warp, lanes]);

function lineOf(one: Kernel, text: string): number {
  return one.ir.source.text.split("\n").findIndex((line) => line.includes(text)) + 1;
}

const params = { out: ptr(i32) };

/** Both sides have a barrier between what they write and what they read of the other. */
const bothSides = kernel("bothSides", { params }, ({ out }, { threadIdx, shared, syncthreads, i32 }) => {
  const values = shared(i32, 64);
  const t = i32(threadIdx.x);
  values[t] = 7;
  syncthreads();
  if (t % 2 === 1) {
    values[t] = t;
    syncthreads();
    out[t] = values[t - 1] + 1000;
  } else {
    values[t] = t + 100;
    syncthreads();
    out[t] = values[t + 1] + 2000;
  }
});

describe("syncthreads in both sides of a branch within a warp", () => {
  const meeting = Array.from({ length: 64 }, (_, t) => (t % 2 === 1 ? t - 1 + 1100 : t + 2001));
  it.each(NEWER)(
    "is one barrier on %s, which waits for all threads: each side sees what the other has written",
    (id) => {
      const ran = run(id, bothSides, { block: 64 });
      expect(ran.out).toEqual(meeting);
      expect(ran.warnings.map(({ kind }) => kind)).toEqual(["divergent-barrier"]);
      const [message] = ran.warnings.map((warning) => warning.message);
      expect(message).toContain("divergent threads in warp: lanes 0x");
      expect(message).toContain("Move syncthreads() to where all threads of the block come");
    },
  );
  it.each(OLDER)(
    "is two barriers on %s, which count warps: the side that comes first sees what was there before",
    (id) => {
      const ran = run(id, bothSides, { block: 64 });
      const odd = ran.out.filter((_, t) => t % 2 === 1);
      const even = ran.out.filter((_, t) => t % 2 === 0);
      const oddMeet = meeting.filter((_, t) => t % 2 === 1);
      const evenMeet = meeting.filter((_, t) => t % 2 === 0);
      const firsts = [odd.every((value) => value === 1007), even.every((value) => value === 2007)];
      expect(firsts.filter(Boolean)).toHaveLength(1);
      expect(firsts[0] ? even : odd).toEqual(firsts[0] ? evenMeet : oddMeet);
      expect(ran.warnings.map(({ kind }) => kind)).toEqual(["divergent-barrier", "divergent-barrier"]);
      expect(ran.warnings[0]?.message).toContain(
        "Before compute capability 7.0 it opens all the same, as it counts warps",
      );
    },
  );
});

/** Lab 25's barrier in the branch that adds. */
const inBranch = kernel("inBranch", { params }, ({ out }, { threadIdx, shared, syncthreads }) => {
  const values = shared(i32, 64);
  const t = threadIdx.x;
  values[t] = 1;
  syncthreads();
  if (t < 16) {
    values[t] += values[t + 16];
    syncthreads();
  }
  out[t] = values[t];
  syncthreads();
  out[t] += 10;
});

describe("syncthreads in a branch that a part of a warp takes", () => {
  it.each([...OLDER, ...NEWER])(
    "passes on %s where another barrier comes, with a warning that names both lines",
    (id) => {
      const ran = run(id, inBranch, { block: 64 });
      expect(ran.out).toEqual(Array.from({ length: 64 }, (_, t) => (t < 16 ? 12 : 11)));
      const [warning] = ran.warnings;
      expect(warning?.kind).toBe("divergent-barrier");
      const lines = ["syncthreads();\n", "out[t] = values[t];"].length;
      expect(lines).toBe(2);
      expect(warning?.message).toMatch(
        /lanes 0x\w{8} \(lanes .*\) of warp \d are at this barrier, and lanes .* at that of line \d+/,
      );
    },
  );

  const whole = kernel("whole", { params }, ({ out }, { threadIdx, shared, syncthreads }) => {
    const values = shared(i32, 64);
    const t = threadIdx.x;
    values[t] = 1;
    syncthreads();
    if (t < 16) {
      out[t] = values[t + 16];
      syncthreads();
    }
  });
  it.each([...OLDER, ...NEWER])(
    "and no barrier behind it passes on %s once the others have ended, with a warning",
    (id) => {
      const ran = run(id, whole, { block: 64 });
      expect(ran.out.slice(0, 17)).toEqual([...Array(16).fill(1), 0]);
      expect(ran.warnings.map(({ kind }) => kind)).toEqual(["divergent-barrier"]);
    },
  );

  const unequal = kernel("unequal", { params }, ({ out }, { threadIdx, syncthreads, u32 }) => {
    for (let i = u32(0); i < threadIdx.x; i++) syncthreads();
    out[threadIdx.x] = 1;
  });
  it.each([...OLDER, ...NEWER])("and is passed a different number of times passes on %s, with a warning", (id) => {
    const ran = run(id, unequal, { block: 64 });
    expect(ran.out).toEqual(Array(64).fill(1));
    expect(new Set(ran.warnings.map(({ kind }) => kind))).toEqual(new Set(["divergent-barrier"]));
  });

  const uniform = kernel(
    "uniform",
    { params: { out: ptr(i32), n: i32 } },
    ({ out, n }, { threadIdx, blockIdx, shared, syncthreads }) => {
      const values = shared(i32, 64);
      values[threadIdx.x] = n;
      if (n > 3) syncthreads();
      for (let k = 0; k < n; k++) {
        if (blockIdx.x % 2 === 0) syncthreads();
        values[threadIdx.x] += k;
        syncthreads();
      }
      out[blockIdx.x * 64 + threadIdx.x] = values[63 - threadIdx.x];
    },
  );
  it.each([...OLDER, ...NEWER])("is clean on %s where the whole block goes the same way", (id) => {
    for (const n of [1, 2, 5]) {
      for (const schedule of ["default", { seed: 3 }] as const) {
        const ran = run(id, uniform, { grid: 3, block: 64, schedule }, { n });
        expect(ran).toEqual({ out: Array(192).fill(n + (n * (n - 1)) / 2), warnings: [] });
      }
    }
  });
});

describe("one of many blocks whose threads part at a barrier", () => {
  const middle = kernel("middle", { params }, ({ out }, { threadIdx, blockIdx, syncthreads }) => {
    const i = blockIdx.x * 64 + threadIdx.x;
    out[i] = 1;
    if (blockIdx.x !== 211 || threadIdx.x < 20) syncthreads();
    out[i] += 1;
  });
  it.each([...OLDER, ...NEWER])("is found on %s in the default schedule, wherever it is", (id) => {
    const ran = run(id, middle, { grid: 500, block: 64 });
    expect(ran.out).toEqual(Array(500 * 64).fill(2));
    expect(ran.warnings.map(({ kind, block }) => [kind, block])).toEqual([["divergent-barrier", 211]]);
  });
});

/** The notes' neighbored pairs: threads beyond the end return before the barriers (claim 6 of the course). */
const returning = kernel(
  "returning",
  { params: { out: ptr(i32), n: i32 } },
  ({ out, n }, { threadIdx, shared, syncthreads, i32 }) => {
    const values = shared(i32, 64);
    const t = i32(threadIdx.x);
    if (t >= n) return;
    values[t] = t;
    syncthreads();
    out[t] = values[n - 1 - t];
  },
);

describe("syncthreads behind a return of some threads", () => {
  it.each([...OLDER, ...NEWER])("does not wait for them on %s, and is told with their lanes", (id) => {
    const ran = run(id, returning, { block: 64 }, { n: 40 });
    expect(ran.out.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, t) => 39 - t));
    expect(found(ran)).toEqual([["divergent-barrier", 1, 0xffffff00]]);
    const [warning] = ran.warnings;
    expect(warning?.span.line).toBe(lineOf(returning, "syncthreads();"));
    expect(warning?.message).toContain(
      "threads of the block have ended before this barrier: lanes 0xffffff00 (lanes 8 to 31) of the warp. CUDA leaves that undefined before compute capability 7.0. From there on the barrier does not wait for them",
    );
  });
  it.each([...OLDER, ...NEWER])("is told of whole warps, too, and is clean on %s where none returns", (id) => {
    expect(found(run(id, returning, { block: 64 }, { n: 32 }))).toEqual([["divergent-barrier", 1, 0xffffffff]]);
    expect(found(run(id, returning, { block: 64 }, { n: 64 }))).toEqual([]);
    expect(found(run(id, returning, { block: 64, schedule: { seed: 1 } }, { n: 64 }))).toEqual([]);
  });
});

describe("a barrier that threads never come to, without ending", () => {
  const spinning = kernel("spinning", { params }, ({ out }, { threadIdx, syncthreads, volatile }) => {
    const flag = volatile(out);
    if (threadIdx.x >= 16) syncthreads();
    else while (flag[0] === 0) {}
    if (threadIdx.x === 20) out[0] = 1;
  });
  it.each([...OLDER, ...NEWER])("is a hang on %s, with who waits where", (id) => {
    const fault = faultOf(() => run(id, spinning, { block: 64 }));
    expect(fault.code).toBe("cudaErrorLaunchTimeout");
    expect(fault.what).toContain("the kernel hangs");
    expect(fault.what).toMatch(/spin in the loop that starts at line \d+/);
    // In lockstep the lanes that spin keep those of their warp from the barrier, too.
    expect(fault.what).toMatch(
      OLDER.includes(id)
        ? /lanes 0xffff0000: wait .* \(lockstep\)/
        : /lanes 0xffffffff: wait at line \d+ \(syncthreads\)/,
    );
  });

  const crossed = kernel("crossed", { params }, ({ out }, { threadIdx, syncthreads, syncwarp }) => {
    if (threadIdx.x < 16) syncthreads();
    else syncwarp();
    out[threadIdx.x] = 1;
  });
  it.each(NEWER)("is a hang on %s where they wait for lanes of their warp that wait at it", (id) => {
    const fault = faultOf(() => run(id, crossed, { block: 64 }));
    expect(fault.what).toMatch(/lanes 0x0000ffff: wait at line \d+ \(syncthreads\)/);
    expect(fault.what).toMatch(/lanes 0xffff0000: wait at line \d+ \(syncwarp\) for lanes 0x0000ffff of its mask/);
  });
});

const GRID_GPUS = ["pascal", "v100", "h200"];

describe("grid.sync()", () => {
  const early = kernel(
    "early",
    { params: { out: ptr(i32), n: u32 } },
    ({ out, n }, { blockIdx, blockDim, threadIdx, this_grid }) => {
      if (blockIdx.x >= n) return;
      this_grid().sync();
      out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    },
  );
  const uneven = kernel(
    "uneven",
    { params: { out: ptr(i32), n: u32 } },
    ({ out, n }, { blockIdx, threadIdx, this_grid, u32 }) => {
      for (let k = u32(0); k < n + (blockIdx.x % 2); k++) this_grid().sync();
      out[blockIdx.x * 32 + threadIdx.x] = 1;
    },
  );
  it.each(GRID_GPUS)("that ended blocks do not come to is a hang on %s, which names a block that has ended", (id) => {
    for (const schedule of ["default", { seed: 1 }] as const) {
      const fault = faultOf(() => run(id, early, { grid: 4, block: 32, schedule }, { n: 3 }));
      expect(fault.code).toBe("cudaErrorLaunchTimeout");
      expect(fault.what).toMatch(/block \([012],0,0\), warp 0, lanes 0xffffffff: wait at line \d+ \(grid sync\)/);
      expect(fault.what).toContain("block (3,0,0) has ended: blocks that have ended do not come to the grid's barrier");
      expect(fault.cure).toContain("let no block return before the last grid.sync()");
    }
  });
  it.each(GRID_GPUS)("that some blocks call more often than others is a hang on %s", (id) => {
    const fault = faultOf(() => run(id, uneven, { grid: 4, block: 32 }, { n: 2 }));
    expect(fault.what).toMatch(/block \(1,0,0\), warp 0, lanes 0xffffffff: wait at line \d+ \(grid sync\)/);
    expect(fault.what).toContain("block (0,0,0) and 1 more have ended");
  });
  it.each(GRID_GPUS)("that all blocks call as often opens on %s, in any loop", (id) => {
    expect(run(id, early, { grid: 4, block: 32 }, { n: 4 })).toEqual({ out: Array(128).fill(1), warnings: [] });
    const even = kernel("even", { params }, ({ out }, { blockIdx, threadIdx, this_grid, atomicAdd }) => {
      for (let k = 0; k < 3; k++) {
        atomicAdd(out, blockIdx.x * 32 + threadIdx.x, 1);
        this_grid().sync();
      }
    });
    for (const schedule of ["default", { seed: 2 }] as const) {
      expect(run(id, even, { grid: 4, block: 32, schedule })).toEqual({ out: Array(128).fill(3), warnings: [] });
    }
  });

  const returningThread = kernel(
    "returningThread",
    { params: { out: ptr(i32), which: u32 } },
    ({ out, which }, { blockIdx, threadIdx, this_grid }) => {
      if (threadIdx.x === which) return;
      this_grid().sync();
      out[blockIdx.x * 32 + threadIdx.x] = 1;
    },
  );
  it("hangs without thread 0 of a block, which reports for the block", () => {
    const fault = faultOf(() => run("v100", returningThread, { grid: 2, block: 32 }, { which: 0 }));
    expect(fault.what).toContain(
      "block (0,0,0): its thread 0, which reports at the grid's barrier for the block, has ended",
    );
  });
  it("goes on without another thread, and that is told", () => {
    const ran = run("v100", returningThread, { grid: 2, block: 32 }, { which: 5 });
    expect(ran.out.filter((value) => value === 1)).toHaveLength(62);
    expect(found(ran)).toEqual([["divergent-barrier", 0, 1 << 5]]);
  });
});
