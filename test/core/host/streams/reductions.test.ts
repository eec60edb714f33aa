/** The notes' reductions that the host drives: two kernels, a stage after the other, one cooperative launch; sums against Array's. */
import { describe, expect, test } from "vitest";
import {
  blockDim,
  blockIdx,
  type DeviceBuffer,
  Gpu,
  gridDim,
  i32,
  kernel,
  ptr,
  type Stream,
  sanitize,
  shared,
  syncthreads,
  this_grid,
  threadIdx,
  u32,
} from "../../../../src/index.js";

const BLOCK = 128;

/** Each block adds `2 * BLOCK` values of the input. */
const stage = kernel("stage", { input: ptr(i32), sums: ptr(i32), n: u32 }, ({ input, sums, n }) => {
  const values = shared(i32, 128);
  const t = threadIdx.x;
  const i = blockIdx.x * 2 * blockDim.x + t;
  let sum = i < n ? input[i] : 0;
  if (i + blockDim.x < n) sum += input[i + blockDim.x];
  values[t] = sum;
  syncthreads();
  for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (t < s) values[t] += values[t + s];
    syncthreads();
  }
  if (t === 0) sums[blockIdx.x] = values[0];
});

/** All in one launch: blocks add parts, meet, and the first one adds their sums. */
const oneLaunch = kernel("oneLaunch", { input: ptr(i32), sums: ptr(i32), n: u32 }, ({ input, sums, n }) => {
  const values = shared(i32, 128);
  const t = threadIdx.x;
  let sum = 0;
  for (let i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += input[i];
  values[t] = sum;
  syncthreads();
  for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (t < s) values[t] += values[t + s];
    syncthreads();
  }
  if (t === 0) sums[blockIdx.x] = values[0];
  this_grid().sync();
  if (blockIdx.x === 0 && t === 0) for (let b = 1; b < gridDim.x; b++) sums[0] += sums[b];
});

const dataOf = (n: number): Int32Array =>
  Int32Array.from({ length: n }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >> 16) - i);
const sumOf = (data: Int32Array): number => data.reduce((sum, value) => (sum + value) | 0, 0);
const blocksFor = (n: number): number => Math.ceil(n / (2 * BLOCK));

describe("two kernels on streams", () => {
  const PARTS = 4;
  const n = PARTS * 4096;
  /** Parts are copied and added in streams of their own; the last kernel waits for all of them. */
  function run(gpu: Gpu, waits: boolean): number {
    const pinned = gpu.hostAlloc(i32, n);
    pinned.set(dataOf(n));
    const each = n / PARTS;
    const blocks = blocksFor(each);
    const [input, sums, total] = [gpu.alloc(i32, n), gpu.alloc(i32, PARTS * blocks), gpu.alloc(i32, 1)];
    const last = gpu.stream();
    for (let k = 0; k < PARTS; k++) {
      const stream = gpu.stream();
      const part = input.sub(k * each, each);
      stream.write(part, pinned.subarray(k * each, (k + 1) * each));
      stream.launch(
        stage,
        { grid: blocks, block: BLOCK },
        { input: part, sums: sums.sub(k * blocks, blocks), n: each },
      );
      if (waits) last.wait(gpu.event({ timing: false }).record(stream));
    }
    last.launch(stage, { grid: 1, block: BLOCK }, { input: sums, sums: total, n: PARTS * blocks });
    const result = gpu.hostAlloc(i32, 1);
    last.read(total, result);
    last.synchronize();
    const [sum = 0] = result;
    gpu.reset();
    return sum;
  }
  const gpu = (): Gpu => new Gpu("v100", { memoryBytes: 1 << 20 });

  test("give the sum", () => {
    expect(run(gpu(), true)).toBe(sumOf(dataOf(n)));
  });
  test("are clean under the sanitizers; without the waits the second kernel's reads race with every part", () => {
    expect(sanitize(() => run(gpu(), true)).findings).toEqual([]);
    const { findings } = sanitize(() => run(gpu(), false));
    expect(findings.map(({ title, places }) => [title, places.map(({ text }) => text)])).toEqual([
      [
        expect.stringContaining("(RAW)"),
        ["if (t === 0) sums[blockIdx.x] = values[0];", "let sum = i < n ? input[i] : 0;"],
      ],
    ]);
  });
  test("overlap: copies run while other streams' kernels do", () => {
    const device = gpu();
    run(device, true);
    const { operations } = device.trace();
    const copies = operations.filter(({ kind }) => kind === "HtoD");
    const kernels = operations.filter(({ kind }) => kind === "kernel");
    const beside = copies.filter((copy) =>
      kernels.some(
        (each) =>
          each.stream !== copy.stream &&
          each.startMicroseconds < copy.endMicroseconds &&
          copy.startMicroseconds < each.endMicroseconds,
      ),
    );
    expect(beside.length).toBeGreaterThan(0);
    expect(kernels.at(-1)!.startMicroseconds).toBeGreaterThanOrEqual(
      Math.max(...kernels.slice(0, -1).map(({ endMicroseconds }) => endMicroseconds)),
    );
  });
});

describe("a stage after the other, until one value is left", () => {
  function reduce(gpu: Gpu, data: Int32Array, stream: Stream): { readonly sum: number; readonly launches: number } {
    let [from, to]: readonly DeviceBuffer<"i32">[] = [gpu.upload(data), gpu.alloc(i32, blocksFor(data.length))];
    let launches = 0;
    for (let n = data.length; n > 1; n = blocksFor(n)) {
      stream.launch(stage, { grid: blocksFor(n), block: BLOCK }, { input: from!, sums: to!, n });
      [from, to] = [to, from];
      launches++;
    }
    const [sum = 0] = stream.read(from!);
    return { sum, launches };
  }

  test.each([1, 2, 255, 256, 257, 1000, 65_536, 65_537, 100_001])("gives the sum of %d values in few launches", (n) => {
    const gpu = new Gpu("h200", { memoryBytes: 1 << 21 });
    const data = dataOf(n);
    // A stage leaves one of 256 values.
    const stages = Math.ceil(Math.log2(n) / 8);
    expect(reduce(gpu, data, gpu.stream())).toEqual({ sum: sumOf(data), launches: stages });
  });
  test("needs no wait between its stages, which follow one another in their stream", () => {
    const { findings } = sanitize(() => {
      const gpu = new Gpu("h200", { memoryBytes: 1 << 20 });
      reduce(gpu, dataOf(5000), gpu.stream());
      gpu.reset();
    });
    expect(findings).toEqual([]);
  });
});

test("one cooperative launch gives the sum, in every schedule, and is clean", () => {
  const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
  const data = dataOf(5000);
  for (const schedule of ["default", { seed: 1 }, { seed: 2 }] as const) {
    const { findings } = sanitize(() => {
      const sums = gpu.upload(new Int32Array(8));
      const input = gpu.upload(data);
      gpu.launch(oneLaunch, { grid: 8, block: BLOCK, schedule }, { input, sums, n: data.length });
      expect(sums.read()[0]).toBe(sumOf(data));
      gpu.reset();
    });
    expect(findings).toEqual([]);
  }
});

describe("stepping through a launch of a stream", () => {
  const set = kernel("set", { data: ptr(i32) }, ({ data }) => {
    data[threadIdx.x] *= 3;
  });
  test("finds what the stream has done before, forwards and backwards", () => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 16 });
    const stream = gpu.stream();
    const data = gpu.alloc(i32, 32);
    stream.fill(data, 2);
    const stepper = stream.step(set, { grid: 1, block: 32 }, { data });
    while (stepper.step());
    expect(new Set(data.read())).toEqual(new Set([6]));
    while (stepper.back());
    expect(new Set(data.read())).toEqual(new Set([2]));
  });
  test("is refused for a stream that was destroyed", () => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 16 });
    const stream = gpu.stream();
    stream.destroy();
    expect(() => stream.step(set, { grid: 1, block: 32 }, { data: gpu.alloc(i32, 32) })).toThrow(
      /stream\.step was given stream 1, which was destroyed/,
    );
  });
});
