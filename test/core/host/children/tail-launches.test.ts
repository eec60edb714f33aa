/** CUDA's second device runtime (Programming Guide, "CUDA Dynamic Parallelism"): tail and fire-and-forget launches. */
import { describe, expect, test } from "vitest";
import {
  blockDim,
  blockIdx,
  deviceSynchronize,
  Gpu,
  i32,
  type Kernel,
  kernel,
  launch,
  launchTreeText,
  ones,
  ptr,
  sanitize,
  self,
  threadIdx,
  u32,
} from "../../../../src/index.js";

const gpu = new Gpu("h200", { memoryBytes: 1 << 20 });

/** Halves the number of sums until one is left: what a wait for child grids did before. */
const tailSum: Kernel = kernel("tailSum", { data: ptr(i32), count: u32 }, ({ data, count }) => {
  const half = count >> 1;
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) data[i] += data[i + half];
  if (i === 0 && half > 1) launch(self, { grid: (half + 127) >> 7, block: 128, stream: "tail" }, { data, count: half });
});

const add = kernel("add", { data: ptr(i32), by: i32 }, ({ data, by }) => {
  data[threadIdx.x] = data[threadIdx.x] * 10 + by;
});

describe("a recursive sum by tail launches", () => {
  test("is right over blocks, for each grid waits for the whole one before", () => {
    const data = gpu.upload(ones(4096));
    const result = gpu.launch(tailSum, { grid: 32, block: 128 }, { data, count: 4096 });
    expect(data.read()[0]).toBe(4096);
    expect(result.children).toMatchObject({ count: 11, depth: 11 });
    expect(result.warnings).toEqual([]);
  });
  test("is clean under the sanitizers, and a race where the block's own stream launches before other blocks are done", () => {
    const text = { data: gpu.upload(ones(4096)), count: 4096 };
    const clean = sanitize(() => gpu.launch(tailSum, { grid: 32, block: 128 }, text));
    expect(clean.text).not.toContain("Race");
    const early = kernel("early", { data: ptr(i32), count: u32 }, ({ data, count }) => {
      const half = count >> 1;
      const i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < half) data[i] += data[i + half];
      if (i === 0 && half > 1) launch(self, { grid: (half + 127) >> 7, block: 128 }, { data, count: half });
    });
    const racing = sanitize(() => gpu.launch(early, { grid: 32, block: 128 }, text), { tool: "racecheck" });
    expect(racing.errors).toBeGreaterThan(0);
  });
});

describe("the order of child grids", () => {
  const order = kernel("order", { data: ptr(i32) }, ({ data }) => {
    if (threadIdx.x === 0) {
      launch(add, { grid: 1, block: 1, stream: "tail" }, { data, by: 4 });
      launch(add, { grid: 1, block: 1, stream: "tail" }, { data, by: 5 });
      launch(add, { grid: 1, block: 1 }, { data, by: 2 });
      launch(add, { grid: 1, block: 1 }, { data, by: 3 });
    }
    if (threadIdx.x === 1) data[0] = 1;
  });
  const data = gpu.alloc(i32, 1);
  const result = gpu.launch(order, { grid: 1, block: 32 }, { data });

  test("has tail launches last, in their own order", () => {
    expect([...data.read()]).toEqual([12345]);
  });
  test("is that of the predicted times", () => {
    const { children } = result.children!.tree;
    expect(children.map(({ stream }) => stream)).toEqual(["block", "block", "tail", "tail"]);
    const starts = children.map(({ startMicroseconds }) => startMicroseconds);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(new Set(starts).size).toBe(4);
  });
  test("is written as CUDA's streams, and in the tree", () => {
    expect(order.toCuda()).toContain("add<<<dim3(1u, 1u, 1u), dim3(1u, 1u, 1u), 0u, cudaStreamTailLaunch>>>(data, 4);");
    expect(launchTreeText(result)).toContain("tail launch");
  });
  test("is open between fire-and-forget launches of one block, and fixed in its stream", () => {
    const beside = kernel("beside", { data: ptr(i32) }, ({ data }) => {
      launch(add, { grid: 1, block: 1, stream: "fireAndForget" }, { data, by: 1 });
      launch(add, { grid: 1, block: 1, stream: "fireAndForget" }, { data, by: 2 });
    });
    const inOrder = kernel("inOrder", { data: ptr(i32) }, ({ data }) => {
      launch(add, { grid: 1, block: 1 }, { data, by: 1 });
      launch(add, { grid: 1, block: 1 }, { data, by: 2 });
    });
    const races = (each: Kernel): number =>
      sanitize(
        () => {
          gpu.launch(each, { grid: 1, block: 1 }, { data });
        },
        { tool: "racecheck" },
      ).errors;
    expect(races(beside)).toBeGreaterThan(0);
    expect(races(inOrder)).toBe(0);
  });
});

describe("refused are", () => {
  test("a wait and a tail launch in one program", () => {
    const both = kernel("both", { data: ptr(i32) }, ({ data }) => {
      launch(add, { grid: 1, block: 1, stream: "tail" }, { data, by: 1 });
      deviceSynchronize();
    });
    const old = new Gpu("v100", { memoryBytes: 1 << 16 });
    expect(() => old.launch(both, { grid: 1, block: 1 }, { data: old.alloc(i32, 1) })).toThrow(/one of the two/);
  });
  test("a tail launch on a Fermi, with the capability that it needs", () => {
    const fermi = new Gpu("m2070", { memoryBytes: 1 << 16 });
    const once = kernel("once", { data: ptr(i32) }, ({ data }) => {
      launch(add, { grid: 1, block: 1, stream: "tail" }, { data, by: 1 });
    });
    expect(() => fermi.launch(once, { grid: 1, block: 1 }, { data: fermi.alloc(i32, 1) })).toThrow(/need 5\.0/);
  });
  test("a stream that is none, with those that are", () => {
    expect(() =>
      kernel("odd", { data: ptr(i32) }, ({ data }) => {
        launch(add, { grid: 1, block: 1, stream: 3 as never }, { data, by: 1 });
      }),
    ).toThrow(/stream: "tail"/);
  });
});
