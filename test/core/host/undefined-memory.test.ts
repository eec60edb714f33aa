/**
 * Shared and local memory that nobody has written (CUDA C++ Programming Guide, "__shared__": no initial value): 0 and a
 * warning in the default schedule, garbage in one with a seed.
 */
import { describe, expect, it } from "vitest";
import { f32, i32, type Kernel, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../../src/core/host/launch.js";
import type { LaunchWarning } from "../../../src/core/host/launch-warning.js";
import { firstAdd, lastWarp } from "../../kernels/labs.js";

const DEVICES = ["m2070", "v100", "h200"];
const SEEDS = [1, 2, 3, 4, 5];
const gpuOf = (id: string): Gpu => new Gpu(id, { memoryBytes: 16 << 20 });

function lineOf(one: Kernel, text: string): number {
  const line = one.ir.source.text.split("\n").findIndex((part) => part.includes(text)) + 1;
  if (line === 0) throw new Error(`no line with ${text}`);
  return line;
}

/** Lab 27 as learners write it: threads beyond the end leave their element unset. */
const unsetBeyond: Kernel = kernel(
  "unsetBeyond",
  { params: { input: ptr(i32), output: ptr(i32), n: u32 } },
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const i = blockIdx.x * (blockDim.x * 2) + tid;
    if (i < n) {
      let sum = input[i];
      if (i + blockDim.x < n) sum += input[i + blockDim.x];
      sdata[tid] = sum;
    }
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

interface Ran {
  readonly sum: number;
  readonly warnings: readonly LaunchWarning[];
}

function sum(
  id: string,
  one: Kernel,
  n: number,
  block: number,
  config: Pick<LaunchConfig, "schedule" | "sharedBytes"> = {},
): Ran {
  const gpu = gpuOf(id);
  const grid = Math.ceil(n / (2 * block));
  const output = gpu.alloc(i32, grid);
  const input = gpu.upload(Int32Array.from({ length: n }, (_, i) => i + 1));
  const args = one.ir.params.length === 3 ? { input, output, n } : { input, output };
  const { warnings } = gpu.launch(one, { grid, block, sharedBytes: 4 * block, ...config }, args);
  return { sum: output.read().reduce((a, b) => (a + b) | 0, 0), warnings };
}

const N = 872;
const SUM = (N * (N + 1)) / 2;

describe.each(DEVICES)("dynamic shared memory left unset beyond the end of the data, on %s", (id) => {
  it("gives the right sum in the default schedule, with a warning that names line, block and lanes", () => {
    const { sum: found, warnings } = sum(id, unsetBeyond, N, 128);
    expect(found).toBe(SUM);
    // Of its 256 elements block 3 has the first 104: thread 40 adds what thread 104 has not written.
    expect(warnings.map(({ kind, block, warp, lanes }) => ({ kind, block, warp, lanes }))).toEqual([
      { kind: "uninitialized-shared", block: 3, warp: 1, lanes: 0xffffff00 },
    ]);
    const [warning] = warnings;
    expect(warning?.span.line).toBe(lineOf(unsetBeyond, "sdata[tid] += sdata[tid + s]"));
    expect(warning?.message).toContain(
      "block (3,0,0), warp 1: lanes 0xffffff00 (lanes 8 to 31) read shared memory that no thread of the block has written, first sdata[104]",
    );
    expect(warning?.message).toContain(
      `Line ${warning?.message.match(/Line (\d+) stores/)?.[1]} stores what comes of it in output`,
    );
    expect(warning?.message).toContain("sdata[tid] = i < n ? input[i] : 0");
  });

  it("gives wrong sums under every seed, the same for the same and others for others, with the same warning", () => {
    const runs = SEEDS.map((seed) => sum(id, unsetBeyond, N, 128, { schedule: { seed } }));
    for (const run of runs) {
      expect(run.sum).not.toBe(SUM);
      expect(run.warnings.map(({ kind, block }) => [kind, block])).toEqual([["uninitialized-shared", 3]]);
    }
    expect(new Set(runs.map((run) => run.sum)).size).toBe(SEEDS.length);
    expect(SEEDS.map((seed) => sum(id, unsetBeyond, N, 128, { schedule: { seed } }).sum)).toEqual(
      runs.map((run) => run.sum),
    );
  });

  it("is clean where the data fills its blocks, whatever the schedule", () => {
    for (const schedule of ["default", { seed: 1 }, { seed: 2 }] as const) {
      expect(sum(id, unsetBeyond, 1024, 128, { schedule })).toEqual({ sum: 512 * 1025, warnings: [] });
      expect(sum(id, firstAdd, 1024, 128, { schedule })).toEqual({ sum: 512 * 1025, warnings: [] });
    }
  });
});

describe.each(DEVICES)("Lab 28's last warp in blocks of 32 threads, on %s", (id) => {
  // The warp's first step adds sdata[tid + 32], which blocks of 32 threads have to pad with zeros.
  const padded = { sharedBytes: 4 * 64 };
  it("gives the right sum without padding in the default schedule, and says that it is luck", () => {
    const { sum: found, warnings } = sum(id, lastWarp, 64, 32, padded);
    expect(found).toBe(32 * 65);
    expect(warnings.map(({ kind, lanes }) => [kind, lanes])).toEqual([["uninitialized-shared", 0xffffffff]]);
    expect(warnings[0]?.message).toContain("first sdata[32]");
  });
  it("gives wrong sums under every seed", () => {
    for (const seed of SEEDS) {
      expect(sum(id, lastWarp, 64, 32, { ...padded, schedule: { seed } }).sum).not.toBe(32 * 65);
    }
  });
});

describe("static shared memory", () => {
  const histogram = kernel(
    "histogram",
    { params: { input: ptr(u32), out: ptr(u32) } },
    ({ input, out }, { threadIdx, blockIdx, shared, syncthreads, atomicAdd }) => {
      const bins = shared(u32, 8);
      atomicAdd(bins, input[blockIdx.x * 64 + threadIdx.x], 1);
      syncthreads();
      if (threadIdx.x < 8) out[blockIdx.x * 8 + threadIdx.x] = bins[threadIdx.x];
    },
  );
  const data = Uint32Array.from({ length: 128 }, (_, i) => (i * i) % 8);
  const counts = (schedule: LaunchConfig["schedule"] = "default"): Ran & { readonly out: Uint32Array } => {
    const gpu = gpuOf("v100");
    const out = gpu.alloc(u32, 16);
    const { warnings } = gpu.launch(histogram, { grid: 2, block: 64, schedule }, { input: gpu.upload(data), out });
    return { sum: 0, warnings, out: out.read() };
  };
  const expected = Uint32Array.from(
    { length: 16 },
    (_, bin) => data.subarray(64 * (bin >> 3), 64 * (bin >> 3) + 64).filter((value) => value === (bin & 7)).length,
  );

  it("that an atomic updates first counts as read: its line is named, and bins nobody has touched where they are read", () => {
    const { out, warnings } = counts();
    expect(out).toEqual(expected);
    const lines = ["atomicAdd(", "bins[threadIdx.x];"].map((text) => lineOf(histogram, text));
    expect(new Set(warnings.map(({ span }) => span.line))).toEqual(new Set(lines));
    expect(warnings.find(({ span }) => span.line === lines[0])?.message).toContain("update shared memory");
  });
  it("makes the counts garbage under a seed", () => {
    const { out } = counts({ seed: 1 });
    expect(out.every((value, bin) => value !== expected[bin])).toBe(true);
  });

  const floats = kernel("floats", { params: { out: ptr(f32) } }, ({ out }, { threadIdx, shared }) => {
    const values = shared(f32, 64);
    if (threadIdx.x === 5) values[5] = 2.5;
    out[threadIdx.x] = values[threadIdx.x];
  });
  it("is another garbage in each block and word, and finite as floats", () => {
    const gpu = gpuOf("h200");
    const out = gpu.alloc(f32, 64);
    gpu.launch(floats, { grid: 1, block: 64, schedule: { seed: 3 } }, { out });
    const read = [...out.read()];
    expect(read[5]).toBe(2.5);
    expect(new Set(read).size).toBe(64);
    expect(read.every(Number.isFinite)).toBe(true);
  });
});

describe("a value that is read from unwritten shared memory", () => {
  /** Harris's last warp: lanes 16 to 31 add what lies beyond, and nobody uses their sums. */
  const idleLanes = kernel(
    "idleLanes",
    { params: { input: ptr(i32), out: ptr(i32) } },
    ({ input, out }, { threadIdx, shared, volatile, syncwarp }) => {
      const values = volatile(shared(i32, 48));
      const t = threadIdx.x;
      values[t] = input[t];
      syncwarp();
      for (let s = 16; s > 0; s >>= 1) {
        const other = values[t + s];
        syncwarp();
        values[t] += other;
        syncwarp();
      }
      if (t === 0) out[0] = values[0];
    },
  );
  it("is no matter where nobody uses it", () => {
    for (const schedule of ["default", ...SEEDS.map((seed) => ({ seed }))] as const) {
      const gpu = gpuOf("v100");
      const out = gpu.alloc(i32, 1);
      const input = gpu.upload(Int32Array.from({ length: 32 }, (_, i) => i));
      const { warnings } = gpu.launch(idleLanes, { grid: 1, block: 32, schedule }, { input, out });
      expect([out.read()[0], warnings]).toEqual([496, []]);
    }
  });

  const chosen = kernel(
    "chosen",
    { params: { out: ptr(i32), n: u32 } },
    ({ out, n }, { threadIdx, shared, syncthreads, max }) => {
      const values = shared(i32, 64);
      const t = threadIdx.x;
      if (t < n) values[t] = i32(t);
      syncthreads();
      const read = values[t];
      const masked = values[t ^ 1] & (t < n && (t ^ 1) < n ? -1 : 0);
      out[t] = max(t < n ? read : -7, -9) + masked * 0 + masked;
    },
  );
  it("is no matter where it is chosen against, or multiplied or masked away", () => {
    const gpu = gpuOf("v100");
    for (const schedule of ["default", { seed: 1 }] as const) {
      const out = gpu.alloc(i32, 64);
      const { warnings } = gpu.launch(chosen, { grid: 1, block: 64, schedule }, { out, n: 40 });
      expect(warnings).toEqual([]);
      expect([...out.read()]).toEqual(Array.from({ length: 64 }, (_, t) => (t < 40 ? t + (t ^ 1) : -7)));
    }
  });

  const branching = kernel("branching", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, shared, printf }) => {
    const values = shared(i32, 32);
    if (values[threadIdx.x] > 5) printf("large\n");
    out[threadIdx.x] = 1;
  });
  const indexing = kernel("indexing", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, shared }) => {
    const values = shared(i32, 32);
    if (threadIdx.x === 0) out[values[0] & 31] = 1;
  });
  const printing = kernel("printing", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, shared, printf }) => {
    const values = shared(i32, 32);
    if (threadIdx.x === 0) printf("%d\n", values[1]);
    out[threadIdx.x] = 1;
  });
  it.each([
    [branching, "depends on it"],
    [indexing, "uses it as an index"],
    [printing, "prints it"],
  ] as const)("is told where something is seen of it: %o", (one, does) => {
    const gpu = gpuOf("v100");
    const { warnings } = gpu.launch(one, { grid: 1, block: 32 }, { out: gpu.alloc(i32, 32) });
    expect(warnings.map(({ kind }) => kind)).toEqual(["uninitialized-shared"]);
    expect(warnings[0]?.message).toMatch(new RegExp(`Line \\d+ ${does}`));
  });

  it("is told once a line, however many blocks and lanes read it", () => {
    const gpu = gpuOf("v100");
    const out = gpu.alloc(f32, 64);
    const twice = kernel("twice", { params: { out: ptr(f32) } }, ({ out }, { threadIdx, shared }) => {
      const values = shared(f32, 64);
      out[threadIdx.x] = values[threadIdx.x];
      out[threadIdx.x] += values[63 - threadIdx.x];
    });
    const { warnings } = gpu.launch(twice, { grid: 50, block: 64 }, { out });
    expect(warnings.map(({ span }) => span.line)).toEqual([
      lineOf(twice, "= values[threadIdx.x]"),
      lineOf(twice, "+= values["),
    ]);
  });
});

describe("a local array", () => {
  const ring = kernel(
    "ring",
    { params: { out: ptr(i32), written: i32, read: i32 } },
    ({ out, written, read }, { threadIdx, local, i32 }) => {
      const values = local(i32, 8);
      for (let k = 0; k < written; k++) values[(k * 3) & 7] = k;
      out[threadIdx.x] = values[read & 7] + i32(threadIdx.x);
    },
  );
  const run = (read: number, schedule: NonNullable<LaunchConfig["schedule"]>) => {
    const gpu = gpuOf("v100");
    const out = gpu.alloc(i32, 64);
    const launch = gpu.launch(ring, { grid: 1, block: 64, schedule }, { out, written: 4, read });
    return { out: [...out.read()], warnings: launch.warnings };
  };
  const threads = Array.from({ length: 64 }, (_, t) => t);
  it("read before it is written is 0 with a warning, and garbage of its own in each thread under a seed", () => {
    const { out, warnings } = run(2, "default");
    expect(out).toEqual(threads);
    expect(warnings.map(({ kind, span }) => [kind, span.line])).toEqual([
      ["uninitialized-local", lineOf(ring, "values[read & 7]")],
    ]);
    expect(warnings[0]?.message).toContain(
      "elements of the local array values that they have not written, first values[2]",
    );
    const garbage = run(2, { seed: 1 }).out.map((value, t) => value - t);
    expect(new Set(garbage).size).toBe(64);
    expect(garbage.includes(0)).toBe(false);
  });
  const fixed = kernel("fixed", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, local, i32 }) => {
    const values = local(i32, 4);
    values[0] = 5;
    values[2] = i32(threadIdx.x);
    out[threadIdx.x] = values[0] + values[1] + values[2];
  });
  it("that could live in registers is watched all the same", () => {
    const gpu = gpuOf("v100");
    const out = gpu.alloc(i32, 64);
    const launch = gpu.launch(fixed, { grid: 1, block: 64 }, { out });
    expect([...out.read()]).toEqual(threads.map((t) => t + 5));
    const { warnings } = launch;
    expect(warnings.map(({ kind }) => kind)).toEqual(["uninitialized-local"]);
    expect(warnings[0]?.message).toContain("first values[1]");
    gpu.launch(fixed, { grid: 1, block: 64, schedule: { seed: 1 } }, { out });
    expect(new Set([...out.read()].map((value, t) => value - t)).size).toBe(64);
  });
  it("that is written first is clean", () => {
    for (const schedule of ["default", { seed: 1 }] as const) {
      expect(run(3, schedule)).toEqual({ out: threads.map((t) => t + 1), warnings: [] });
    }
  });
});

describe("what only the last of many blocks does", () => {
  it("is found in the default schedule: the last block is always looked at", () => {
    expect(sum("v100", unsetBeyond, 2 * 128 * 500 - 200, 128).warnings.map(({ block }) => block)).toEqual([499]);
  });

  const tail = kernel(
    "tail",
    { params: { input: ptr(i32), out: ptr(i32), n: i32 } },
    ({ input, out, n }, { threadIdx, blockDim, shared, syncthreads, i32 }) => {
      const sums = shared(i32, 64);
      let sum = 0;
      for (let i = i32(threadIdx.x); i < n; i += i32(blockDim.x)) sum += input[i] ^ i;
      if (threadIdx.x < 63) sums[threadIdx.x] = sum;
      syncthreads();
      for (let s = 32; s > 0; s >>= 1) {
        if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
        syncthreads();
      }
      if (threadIdx.x === 0) out[0] = sums[0];
    },
  );
  it("is found behind a loop of which the timing model traces the beginning alone", () => {
    const gpu = gpuOf("v100");
    const n = 3 << 19;
    const { warnings, counters } = gpu.launch(
      tail,
      { grid: 1, block: 64 },
      { input: gpu.alloc(i32, n), out: gpu.alloc(i32, 1), n },
    );
    expect(counters.warpInstructions).toBeGreaterThan(200_000);
    expect(warnings.map(({ kind }) => kind)).toEqual(["uninitialized-shared"]);
  });
});

describe("a child grid", () => {
  const child = kernel("child", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, shared }) => {
    const values = shared(i32, 32);
    out[threadIdx.x] = values[threadIdx.x] + 1;
  });
  const parent = kernel(
    "parent",
    { params: { out: ptr(i32) }, functions: { child } },
    ({ out }, { threadIdx, launch }, { child }) => {
      if (threadIdx.x === 0) launch(child, { grid: 1, block: 32 }, { out });
    },
  );
  it("is watched as the grid that launched it is", () => {
    const gpu = gpuOf("v100");
    const out = gpu.alloc(i32, 32);
    const { warnings } = gpu.launch(parent, { grid: 1, block: 32 }, { out });
    expect(warnings.map(({ kind }) => kind)).toEqual(["uninitialized-shared"]);
    expect(warnings[0]?.message).toContain("child, line ");
    expect(warnings[0]?.message).toContain("in a child grid, launched by block (0,0,0), thread (0,0,0) of parent");
    expect(out.read()[3]).toBe(1);
    gpu.launch(parent, { grid: 1, block: 32, schedule: { seed: 1 } }, { out });
    expect(Math.abs(out.read()[3]!)).toBeGreaterThan(2 ** 29);
  });
});
