/**
 * Microbenchmarks of memory, atomics, barriers and operands against an H200 (test/reference/h200/micro/memory.json,
 * cache.json and atomics.json). Their kernels in CUDA C++ run through the whole pipeline: lowering, traces and the
 * cycle model.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { deviceById } from "../../../src/core/device/index.js";
import { type Argument, createRawCounters, type PreparedLaunch } from "../../../src/core/engine/engine.js";
import { createDeviceMemory } from "../../../src/core/engine/memory.js";
import { createReferenceEngine } from "../../../src/core/engine/reference/index.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { createTraceRecorder, type LaunchTime, predictLaunch, sampleBlocks } from "../../../src/core/timing/index.js";

type Row = Readonly<Record<string, number | string | boolean>>;

function rows(file: string): readonly Row[] {
  const text = readFileSync(new URL(`../../reference/${file}`, import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly rows: readonly Row[] }).rows;
}

const all: readonly Row[] = ["memory", "cache", "atomics"].flatMap((what) => rows(`h200/micro/${what}.json`));

function measured(what: Row, value: string): number {
  const found = all.find((row) => value in row && Object.entries(what).every(([key, wanted]) => row[key] === wanted));
  const result = found?.[value];
  if (typeof result !== "number") throw new Error(`there is no ${value} of ${JSON.stringify(what)}`);
  return result;
}

const MIB = 2 ** 20;
const device = deviceById("h200");
const memory = createDeviceMemory({ initialBytes: 0, maximumBytes: 3 * 2 ** 30, shared: true });
memory.grow(memory.firstFreeAddress + 2 ** 31 + 2 ** 28);
const place = (offset: number): Argument => ({
  address: memory.firstFreeAddress + offset,
  byteLength: memory.buffer.byteLength - memory.firstFreeAddress - offset,
});

function predict(
  source: string,
  launch: { readonly grid: number; readonly block: number; readonly args: readonly Argument[] },
  cacheState: "cold" | "warm" = "cold",
): LaunchTime {
  const kernel = [...readCuda(`extern "C" __global__ void kernel${source}`).values()][0];
  if (kernel === undefined) throw new Error("no kernel");
  const program = lower(kernel, { computeCapability: device.computeCapability, contractFma: true });
  const grid = [launch.grid, 1, 1] as const;
  const block = [launch.block, 1, 1] as const;
  const prepared: PreparedLaunch = {
    program,
    grid,
    block,
    dynamicSharedBytes: 0,
    args: launch.args,
    memory,
    stepLimit: 1e9,
    sharedBanks: 32,
    lockstep: false,
  };
  const recorder = createTraceRecorder(program);
  const engine = createReferenceEngine({ observer: recorder });
  const counters = createRawCounters(program);
  for (const each of sampleBlocks(prepared, recorder)) {
    engine.run(prepared, { first: each, end: each + 1, step: 1 }, counters);
  }
  return predictLaunch({
    device,
    program,
    grid,
    block,
    dynamicSharedBytes: 0,
    traces: recorder.traces(),
    cacheState,
  });
}

function within(percent: number, simulated: number, real: number): void {
  const error = 100 * (simulated / real - 1);
  expect(Math.abs(error), `simulated ${simulated}, measured ${real}: ${error.toFixed(1)} %`).toBeLessThan(percent);
}

describe("barriers of all blocks of an SM are one unit's work", () => {
  const source = `(int *o, unsigned rounds) {
    __shared__ int s[2048];
    unsigned t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (unsigned r = 0; r < rounds; r++) { s[t] += s[t + 32]; __syncthreads(); }
    o[blockIdx.x * blockDim.x + t] = s[t];
  }`;
  for (const [warps, blocksPerSM, tolerance] of [
    [4, 1, 8],
    [8, 1, 8],
    [32, 1, 8],
    [32, 2, 8],
    [16, 2, 10],
    [16, 4, 10],
    [8, 4, 20],
    [8, 8, 17],
    [4, 8, 26],
  ] as const) {
    it(`${blocksPerSM} blocks of ${warps} warps`, () => {
      const cycles = (rounds: number): number =>
        predict(source, { grid: 132 * blocksPerSM, block: warps * 32, args: [place(0), rounds] }, "warm").cycles;
      const real = measured({ micro: "barrier_loop", kind: "load, add, store, barrier", warps, blocksPerSM }, "cycles");
      within(tolerance, (cycles(64) - cycles(32)) / 32, real);
    });
  }
});

describe("three operands in registers take the register file two cycles", () => {
  const kernel = (step: string): string =>
    `(float *o, const float *in, int rounds) {
      float a = in[0], b = in[1], v = threadIdx.x, w = v + 1.0f, x = v + 2.0f, y = v + 3.0f;
      for (int r = 0; r < rounds; r++) { ${step.repeat(16)} }
      o[blockIdx.x * blockDim.x + threadIdx.x] = v + w + x + y;
    }`;
  for (const [kind, step, operations] of [
    ["v = v * a + b", "v = v * a + b;", 1],
    ["four of them", "v = v * a + b; w = w * a + b; x = x * a + b; y = y * a + b;", 4],
    ["v = v * a + 1.5", "v = v * a + 1.5f;", 1],
    ["v = v * a + v", "v = v * a + v;", 1],
  ] as const) {
    it(kind, () => {
      const cycles = (rounds: number): number =>
        predict(kernel(step), { grid: 264, block: 1024, args: [place(0), place(MIB), rounds] }, "warm").cycles;
      const each = (cycles(16) - cycles(8)) / (8 * 16 * operations * 16);
      within(8, each, measured({ micro: "fma_operands", kind, warpsPerSM: 64 }, "cyclesPerWarpOpScheduler"));
    });
  }
});

describe("atomics take the time of their type and place", () => {
  const source = (type: string, index: string): string =>
    `(${type} *p, unsigned k, int rounds) {
      unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = i & 31u;
      for (int r = 0; r < rounds; r++) {
        unsigned j = i + r * gridDim.x * blockDim.x;
        unsigned m = j;
        m ^= m >> 16; m *= 0x85ebca6bu; m ^= m >> 13; m *= 0xc2b2ae35u; m ^= m >> 16;
        ${index}
      }
    }`;
  const lanes = (where: string): string => `atomicAdd(&p[${where}], (type)1);`;
  for (const [what, type, index, row, tolerance] of [
    [
      "float, one lane a warp, one address",
      "float",
      "if (lane == 0) atomicAdd(p, 1.0f);",
      { type: "float", place: 0, words: 1 },
      5,
    ],
    [
      "int, one lane a warp, one address",
      "int",
      "if (lane == 0) atomicAdd(p, 1);",
      { type: "int", place: 0, words: 1 },
      5,
    ],
    ["float, 32 neighbours", "float", lanes("lane"), { type: "float", place: 2, words: 32 }, 5],
    ["int, 32 neighbours", "int", lanes("lane"), { type: "int", place: 2, words: 32 }, 5],
    ["double, 32 neighbours", "double", lanes("lane"), { type: "double", place: 2, words: 32 }, 60],
    ["int, any of 256 words", "int", lanes("m % k"), { type: "int", place: 4, words: 256 }, 20],
    ["int, any of 1024 words", "int", lanes("m % k"), { type: "int", place: 4, words: 1024 }, 20],
  ] as const) {
    it(what, () => {
      const text = source(type, index.replace("type", type));
      const time = (rounds: number): number =>
        predict(text, { grid: 1056, block: 256, args: [place(0), row.words, rounds] }, "warm").timeMs;
      const nanoseconds = ((time(6) - time(2)) * 1e6) / (1056 * 8 * 4);
      within(tolerance, nanoseconds, measured({ micro: "atomics", ...row }, "nsPerWarpRequest"));
    });
  }
});

describe("atomics on lines go to two units a KiB, for 256 bytes in turn", () => {
  for (const type of ["int", "float"] as const) {
    const source = `(${type} *p, int lines, int apart, int rounds) {
      int w = threadIdx.x >> 5, lane = threadIdx.x & 31, warps = blockDim.x >> 5;
      for (int r = 0; r < rounds; r++)
        for (int l = w; l < lines; l += warps) atomicAdd(p + l * apart + lane, (${type})1);
    }`;
    for (const [lines, apartWords] of [
      [1, 32],
      [2, 32],
      [3, 32],
      [4, 32],
      [8, 32],
      [16, 32],
      [2, 64],
      [2, 128],
      [2, 256],
    ] as const) {
      it(`${type}, ${lines} lines, ${apartWords} words apart`, () => {
        const time = (rounds: number): number => {
          const args = [place(0), lines, apartWords, rounds];
          return predict(source, { grid: 2112, block: 32 * Math.min(lines, 4), args }, "warm").timeMs;
        };
        const nanoseconds = ((time(6) - time(2)) * 1e6) / (2112 * 4 * lines);
        within(11, nanoseconds, measured({ micro: "lines", type, lines, apartWords }, "nsPerLine"));
      });
    }
  }
});

describe("a request a warp at a time takes the time of DRAM under its load", () => {
  const bodies = {
    read: "v = in[i + (v > 1.0e30f)];",
    copy: "v = in[i + (v > 1.0e30f)]; out[i] = v + 1.0f;",
    "two reads, one write": "float w = in[i + (v > 1.0e30f)]; v = out[i + (v > 1.0e30f)]; out[i] = v + w;",
  } as const;
  for (const kind of ["read", "copy", "two reads, one write"] as const) {
    for (const warps of [8, 32, 64]) {
      it(`${kind}, ${warps} warps an SM`, () => {
        const source = `(volatile float *in, float *out, unsigned rounds) {
          unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
          float v = 0.0f;
          for (unsigned r = 0; r < rounds; r++) { ${bodies[kind]} i += gridDim.x * blockDim.x; }
          if (v == 1.0e31f) out[0] = v;
        }`;
        const grid = (132 * warps) / 8;
        const rounds = Math.floor(2 ** 26 / (grid * 256));
        const cycles = (count: number): number =>
          predict(source, { grid, block: 256, args: [place(0), place(2 ** 30), count] }).cycles;
        const each = (cycles(rounds) - cycles(rounds / 2)) / (rounds / 2);
        within(7, each, measured({ micro: "in_turn", kind, warpsPerSM: warps }, "cyclesPerRound"));
      });
    }
  }
});

describe("strided reads pay for the rows of DRAM that they open", () => {
  for (const [strideWords, tolerance] of [
    [16, 8],
    [32, 8],
    [64, 10],
    [128, 10],
  ] as const) {
    it(`every ${strideWords}th word`, () => {
      const source = `(const float *p, unsigned stride, unsigned n, float *o) {
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) { float v = p[i * stride]; if (v == 1.0e31f) o[0] = v; }
      }`;
      const n = 2 ** 22;
      const time = predict(source, { grid: n / 256, block: 256, args: [place(0), strideWords, n, place(0)] });
      // Measured with a clean L2, between events.
      within(tolerance, time.durationMicroseconds + 0.5, measured({ micro: "stride_dram", strideWords }, "us"));
    });
  }
});

describe("sectors written in part are read and written back", () => {
  for (const [MiB, strideWords, tolerance] of [
    [64, 8, 25],
    [256, 8, 10],
    [256, 16, 25],
    [256, 32, 15],
  ] as const) {
    it(`one word of every ${strideWords} over ${MiB} MiB`, () => {
      const source = `(float *p, unsigned n, unsigned stride) {
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) p[i * stride] = 1.0f;
      }`;
      const n = (MiB * 2 ** 18) / strideWords;
      const time = predict(source, { grid: Math.ceil(n / 256), block: 256, args: [place(0), n, strideWords] });
      const row = { micro: "part_write", MiB, strideWords, widthWords: 1, L2: "clean" };
      within(tolerance, time.durationMicroseconds + 0.5, measured(row, "us"));
    });
  }

  it("but not where the rest of each sector is written soon", () => {
    const source = "(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }";
    const time = predict(source, { grid: 2 ** 16, block: 256, args: [place(0)] });
    expect(time.dramBytesRead).toBe(0);
  });
});

describe("the next launch finds what L2 has kept", () => {
  const source = `(const int4 *a, int *o, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
      int4 v = a[i];
      if (v.x == 0x7f123456) o[0] = v.x + v.y + v.z + v.w;
    }
  }`;
  for (const [MiB, tolerance] of [
    [32, 16],
    [44, 10],
    [48, 16],
    [64, 7],
  ] as const) {
    it(`reading ${MiB} MiB again`, () => {
      const { timeMs } = predict(
        source,
        { grid: 1056, block: 256, args: [place(0), place(0), MIB * (MiB / 16)] },
        "warm",
      );
      // Measured after a small memset. After that, an empty kernel takes 2.8 microseconds between events.
      const behind = measured({ micro: "empty", L2: "repeated" }, "us") - device.launch.emptyKernelEventMicroseconds;
      const row = { micro: "repeated", kind: "read", type: "int4", MiB };
      within(tolerance, timeMs * 1000 + behind, measured(row, "repeatedUs"));
    });
  }
});

describe("what comes from DRAM enters L2 by the way that stores take", () => {
  const source = `(const int4 *a, int4 *o, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) o[i] = a[i];
  }`;
  const copied = (MiB: number): number =>
    predict(source, { grid: 1056, block: 256, args: [place(0), place(2 ** 30), (MIB / 16) * (MiB / 2)] })
      .durationMicroseconds;
  const row = (MiB: number): number => measured({ micro: "repeated", kind: "copy", type: "int4", MiB }, "cleanUs");

  it("so that copies behind clean caches need the time of both", () => {
    within(9, copied(40) - copied(24), row(40) - row(24));
  });
});
