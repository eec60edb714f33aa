import { describe, expect, it } from "vitest";
import { h200 } from "../../../src/core/device/gpus/h200.js";
import { createRawCounters, type PreparedLaunch } from "../../../src/core/engine/engine.js";
import { createDeviceMemory } from "../../../src/core/engine/memory.js";
import { createReferenceEngine } from "../../../src/core/engine/reference/index.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { plainEngine } from "../../../src/core/host/engines.js";
import { traceBlock } from "../../../src/core/host/trace-block.js";
import { lower } from "../../../src/core/lower/lower.js";
import { createTraceRecorder, type LaunchTraces, predictLaunch, sampleBlocks } from "../../../src/core/timing/index.js";

const kernels = readCuda(`
__global__ void histogram(const int *in, int *bins, int *last, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    last[threadIdx.x] = in[i];
    atomicAdd(&bins[in[i] & 15], 1);
  }
}
__global__ void product(const float *A, const float *B, float *C, int n) {
  __shared__ float a[32][32], b[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float s = 0.0f;
  for (int m = 0; m < n; m += 32) {
    a[ty][tx] = A[row * n + m + tx];
    b[ty][tx] = B[(m + ty) * 1024 + col];
    __syncthreads();
    for (int k = 0; k < 32; k++) s += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  C[row * 1024 + col] = s;
}
__global__ void serial(const float *in, float *out, int n) {
  float s = 0.0f;
  for (int i = 0; i < n; i++) s += in[i];
  out[0] = s;
}
__global__ void sums(const float *in, float *out, int n) {
  float s = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
`);

const WORDS = 2 ** 22;
const memory = createDeviceMemory({ initialBytes: 0, maximumBytes: 2 ** 27, shared: true });
const start = memory.firstFreeAddress;
memory.grow(start + 3 * 4 * WORDS);
const place = (index: number): { readonly address: number; readonly byteLength: number } => ({
  address: start + 4 * WORDS * index,
  byteLength: 4 * WORDS,
});
const words = (index: number, count: number): Int32Array =>
  new Int32Array(memory.buffer, place(index).address, count).slice();

function prepare(
  name: string,
  grid: readonly [number, number],
  block: readonly [number, number],
  n: number,
): PreparedLaunch {
  const ir = kernels.get(name);
  if (ir === undefined) throw new Error(`no kernel ${name}`);
  const program = lower(ir, { computeCapability: h200.computeCapability, contractFma: true });
  return {
    program,
    grid: [...grid, 1],
    block: [...block, 1],
    dynamicSharedBytes: 0,
    args: [...Array.from({ length: program.params.length - 1 }, (_, index) => place(index)), n],
    memory,
    stepLimit: 1e9,
    sharedBanks: 32,
    lockstep: false,
  };
}

/** `whole`: the blocks traced from their first to their last instruction. */
function trace(launch: PreparedLaunch, whole: boolean): { readonly traces: LaunchTraces; readonly recorded: number } {
  const recorder = createTraceRecorder(launch.program);
  const observed = createReferenceEngine({ observer: recorder });
  const counters = createRawCounters(launch.program);
  for (const block of sampleBlocks(launch, recorder)) {
    if (whole) observed.run(launch, { first: block, end: block + 1, step: 1 }, counters);
    else traceBlock(launch, block, { plain: plainEngine(launch), observed, recorder }, counters);
  }
  return { traces: recorder.traces(), recorded: recorder.recorded };
}

function timeMs(launch: PreparedLaunch, traces: LaunchTraces): number {
  const { program, grid, block, dynamicSharedBytes } = launch;
  return predictLaunch({ device: h200, program, grid, block, dynamicSharedBytes, traces, cacheState: "cold" }).timeMs;
}

describe("a long block that is traced in part", () => {
  const launch = prepare("histogram", [1, 1], [64, 1], 2 ** 22);

  it("leaves the memory and the counters of one that ran once", () => {
    new Int32Array(memory.buffer, place(0).address, WORDS).forEach((_, k, all) => {
      all[k] = Math.imul(k, 40503) >>> 7;
    });
    const clear = (): void => {
      new Int32Array(memory.buffer, place(1).address, 2 * WORDS).fill(0);
    };
    clear();
    const once = createRawCounters(launch.program);
    createReferenceEngine().run(launch, { first: 0, end: 1, step: 1 }, once);
    const expected = [words(1, 16), words(2, 64)];
    clear();
    const recorder = createTraceRecorder(launch.program);
    const counters = createRawCounters(launch.program);
    const observed = createReferenceEngine({ observer: recorder });
    traceBlock(launch, 0, { plain: plainEngine(launch), observed, recorder }, counters);
    expect([words(1, 16), words(2, 64)]).toEqual(expected);
    expect(counters).toEqual(once);
    expect(recorder.recorded).toBeLessThan(recorder.instructions / 2);
    expect(recorder.instructions).toBe(once.executed.reduce((sum, count) => sum + count, 0));
  });

  it("is put back where it never ended", () => {
    const before = words(1, 16);
    const recorder = createTraceRecorder(launch.program);
    const counters = createRawCounters(launch.program);
    expect(createReferenceEngine({ observer: recorder }).runShort(launch, 0, counters, () => 1000)).toBeNull();
    expect(words(1, 16)).toEqual(before);
    expect(counters).toEqual(createRawCounters(launch.program));
  });
});

describe("the time from the beginnings of long blocks", () => {
  for (const [name, grid, block, n, within] of [
    ["product", [32, 32], [32, 32], 2048, 5],
    ["serial", [1, 1], [1, 1], 2 ** 20, 2],
    ["sums", [2, 1], [1024, 1], 2 ** 22, 4],
  ] as const) {
    it(`is within ${within} % of that from whole blocks for ${name}`, () => {
      const launch = prepare(name, grid, block, n);
      const part = trace(launch, false);
      const whole = trace(launch, true);
      expect(part.recorded).toBeLessThan(0.8 * whole.recorded);
      const error = 100 * (timeMs(launch, part.traces) / timeMs(launch, whole.traces) - 1);
      expect(Math.abs(error)).toBeLessThan(within);
    });
  }

  it("never takes more than 350,000 traced instructions of blocks of any length", () => {
    for (const n of [2 ** 18, 2 ** 20, 2 ** 22]) {
      expect(trace(prepare("sums", [8, 1], [256, 1], n), false).recorded).toBeLessThan(350_000);
    }
  });
});
