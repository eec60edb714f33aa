/** Launches whose blocks differ: the time from a sample against that of a simulation of all blocks on all SMs. */
import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/gpus/h200.js";
import { occupancy } from "../../../../src/core/device/occupancy.js";
import { createRawCounters, type PreparedLaunch } from "../../../../src/core/engine/engine.js";
import { createDeviceMemory } from "../../../../src/core/engine/memory.js";
import { createReferenceEngine } from "../../../../src/core/engine/reference/index.js";
import { readCuda } from "../../../../src/core/frontend/cuda/read-cuda.js";
import { plainEngine } from "../../../../src/core/host/engines.js";
import { runSampled } from "../../../../src/core/host/sampled-run.js";
import { traceFurther } from "../../../../src/core/host/trace-block.js";
import { lower } from "../../../../src/core/lower/lower.js";
import {
  createTraceRecorder,
  type LaunchTime,
  predictLaunch,
  sampleBlocks,
} from "../../../../src/core/timing/index.js";
import { lastSms } from "../../../../src/core/timing/launch/block-schedule.js";
import { type SmBlocks, smsToSimulate } from "../../../../src/core/timing/launch/uneven-sm.js";

const kernels = readCuda(`
__global__ void rounds(float *x, const int *rounds, int least) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = x[i];
  for (int k = 0; k < rounds[blockIdx.x] + least; k++) s = s * 0.75f + 0.125f;
  x[i] = s;
}
__global__ void rowSums(float *x, const int *lengths, int columns) {
  __shared__ float parts[4];
  float s = 0.0f;
  for (int k = threadIdx.x; k < lengths[blockIdx.x]; k += blockDim.x) s += x[blockIdx.x * columns + k];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) x[blockIdx.x * columns] = parts[0] + parts[1] + parts[2] + parts[3];
}
__global__ void once(float *x, int *rounds, int most) {
  float s = 0.5f;
  for (int k = 0; k < rounds[blockIdx.x] * most; k++) s = s * 0.75f + 0.125f;
  __syncthreads();
  if (threadIdx.x == 0) rounds[blockIdx.x] = 0;
  x[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void mandelbrot(float *out, const int *unused, int most) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  float cx = -2.0f + 3.0f * (p % 256) / 256, cy = -1.5f + 3.0f * (p / 256) / 300, x = 0.0f, y = 0.0f;
  int k = 0;
  while (k < most && x * x + y * y < 4.0f) {
    float z = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = z;
    k++;
  }
  out[p] = k;
}
`);

/** A GPU of a few of the H200's SMs, with their part of its L2 and DRAM. */
const SMS = 6;
const part = SMS / h200.smCount;
const device = {
  ...h200,
  smCount: SMS,
  l2: { ...h200.l2, sizeBytes: Math.floor(h200.l2.sizeBytes * part), bandwidthGBps: h200.l2.bandwidthGBps * part },
  dram: { ...h200.dram, peakBandwidthGBps: h200.dram.peakBandwidthGBps * part },
};

const WORDS = 2 ** 21;
const memory = createDeviceMemory({ initialBytes: 0, maximumBytes: 2 ** 26, shared: true });
const start = memory.firstFreeAddress;
memory.grow(start + 8 * WORDS + 65536);

interface Case {
  readonly kernel: string;
  readonly blocks: number;
  readonly last: number;
  /** Work of each block. */
  readonly rounds: (block: number) => number;
}

function prepare({ kernel, blocks, last, rounds }: Case): PreparedLaunch {
  const program = lower(kernels.get(kernel)!, { computeCapability: device.computeCapability, contractFma: true });
  const list = new Int32Array(memory.buffer, start + 4 * WORDS, blocks);
  for (let block = 0; block < blocks; block++) list[block] = rounds(block);
  return {
    program,
    grid: [blocks, 1, 1],
    block: [128, 1, 1],
    dynamicSharedBytes: 0,
    args: [{ address: start, byteLength: 4 * WORDS }, { address: start + 4 * WORDS, byteLength: 4 * blocks }, last],
    memory,
    stepLimit: 1e8,
    sharedBanks: 32,
    lockstep: false,
  };
}

const launched = ({ program, grid, block, dynamicSharedBytes }: PreparedLaunch) =>
  ({ device, program, grid, block, dynamicSharedBytes, cacheState: "cold" }) as const;

function sample(launch: PreparedLaunch) {
  const recorder = createTraceRecorder(launch.program);
  const observed = createReferenceEngine({ observer: recorder });
  const engines = { plain: plainEngine(launch), observed: () => observed, whole: false };
  const { counters, work } = runSampled(launch, engines, sampleBlocks(launch, recorder), recorder);
  if (work === null) throw new Error("the work of no block is known");
  const { activeBlocksPerSm: residentBlocks } = occupancy(device, {
    threadsPerBlock: launch.block[0],
    registersPerThread: launch.program.registersPerThread,
    staticSharedBytes: launch.program.staticSharedBytes,
    dynamicSharedBytes: 0,
  });
  traceFurther(launch, work, observed, recorder, { smCount: device.smCount, residentBlocks });
  return { traces: recorder.traces(), counters, work };
}

function sampled(launch: PreparedLaunch): LaunchTime {
  return predictLaunch({ ...launched(launch), ...sample(launch) });
}

function full(launch: PreparedLaunch): LaunchTime {
  const recorder = createTraceRecorder(launch.program);
  const engine = createReferenceEngine({ observer: recorder });
  engine.run(launch, { first: 0, end: launch.grid[0], step: 1 }, createRawCounters(launch.program));
  return predictLaunch({ ...launched(launch), traces: recorder.traces(), simulateAll: "gpu" });
}

/** A random number from 0 to 1. */
function chance(block: number): number {
  let bits = Math.imul(block + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  return ((bits ^ (bits >>> 13)) >>> 0) / 2 ** 32;
}

const BLOCKS = 600;
const columns = 1024;
/**
 * Each case has a name, the tolerated error in percent, and the grid. In the full simulation, blocks that share a DRAM
 * fetch wait for the same one; in a sample each waits for its own.
 */
const cases: readonly (readonly [string, number, Omit<Case, "blocks">])[] = [
  ["of which the first is heavy", 3, { kernel: "rounds", last: 20, rounds: (block) => (block === 0 ? 3000 : 0) }],
  [
    "of which one in the middle is heavy",
    4,
    { kernel: "rounds", last: 20, rounds: (block) => (block === 301 ? 3000 : 0) },
  ],
  [
    "of which the last is heavy",
    4,
    { kernel: "rounds", last: 20, rounds: (block) => (block === BLOCKS - 1 ? 3000 : 0) },
  ],
  [
    "of which one in a hundred is heavy",
    6,
    { kernel: "rounds", last: 20, rounds: (block) => (block % 100 === 37 ? 1000 : 0) },
  ],
  [
    "of which the first half is heavy",
    4,
    { kernel: "rounds", last: 20, rounds: (block) => (block < BLOCKS / 2 ? 380 : 0) },
  ],
  [
    "of which the second half is heavy",
    5,
    { kernel: "rounds", last: 20, rounds: (block) => (block < BLOCKS / 2 ? 0 : 380) },
  ],
  ["of random work", 3, { kernel: "rounds", last: 20, rounds: (block) => Math.floor(400 * chance(block)) }],
  [
    "of work that few have most of",
    10,
    { kernel: "rounds", last: 20, rounds: (block) => Math.floor(20 / (chance(block) + 0.005)) },
  ],
  [
    "of a triangle's rows",
    6,
    { kernel: "rowSums", last: columns, rounds: (block) => Math.floor((block * columns) / BLOCKS) },
  ],
  [
    "of a triangle's rows, the longest first",
    3,
    { kernel: "rowSums", last: columns, rounds: (block) => columns - Math.floor((block * columns) / BLOCKS) },
  ],
  [
    "of rows of random lengths",
    12,
    { kernel: "rowSums", last: columns, rounds: (block) => Math.floor(columns * chance(block) ** 4) },
  ],
  ["of a fractal", 8, { kernel: "mandelbrot", last: 100, rounds: () => 0 }],
];

describe("the time from a sample, and what bounds it, is that of all blocks on all SMs, of a grid", () => {
  for (const [what, within, each] of cases) {
    it(what, () => {
      const launch = prepare({ ...each, blocks: BLOCKS });
      const { cycles, bound, sampling } = sampled(launch);
      const whole = full(launch);
      expect(Math.abs(cycles / whole.cycles - 1)).toBeLessThan(within / 100);
      expect(bound).toBe(whole.bound);
      expect(sampling.note).toMatch(/differ by .* the longest has/);
    });
  }
});

it("the time of blocks too long to be simulated whole, and how many warps are left at their end, is that of all", () => {
  // All resident from the start, the last ones ever longer.
  const launch = prepare({ kernel: "rounds", blocks: 96, last: 0, rounds: (block) => 800 * (2 + (block >> 2)) });
  const { cycles, achievedOccupancyPercent } = sampled(launch);
  const whole = full(launch);
  expect(Math.abs(cycles / whole.cycles - 1)).toBeLessThan(0.02);
  expect(Math.abs(achievedOccupancyPercent - whole.achievedOccupancyPercent)).toBeLessThan(4);
});

describe("a sample of a grid", () => {
  const oneHeavy: Case = { kernel: "rounds", blocks: BLOCKS, last: 20, rounds: (block) => (block === 301 ? 3000 : 0) };

  it("has the one block that is heavy", () => {
    const { traces } = sample(prepare(oneHeavy));
    expect(traces.blocks.map(({ block }) => block)).toContain(301);
  });

  it("leaves memory as running the blocks once does", () => {
    const floats = (): Float32Array => new Float32Array(memory.buffer, start, 128 * BLOCKS);
    const launch = prepare(oneHeavy);
    floats().fill(1);
    createReferenceEngine().run(launch, { first: 0, end: BLOCKS, step: 1 }, createRawCounters(launch.program));
    const once = floats().slice();
    floats().fill(1);
    sample(launch);
    expect(floats()).toEqual(once);
  });

  it("leaves out a block that would do something else than it did", () => {
    const launch = prepare({ kernel: "once", blocks: BLOCKS, last: 3000, rounds: (block) => (block === 301 ? 1 : 0) });
    const { traces } = sample(launch);
    expect(traces.blocks.map(({ block }) => block)).not.toContain(301);
  });

  it("says what it extrapolates of blocks too long to be traced", () => {
    const { sampling } = sampled(prepare({ ...oneHeavy, rounds: (block) => (block === 301 ? 200_000 : 0) }));
    expect(sampling.note).toMatch(/ 8\d % of its instructions are beyond what was traced/);
  });

  it("says nothing where blocks are alike", () => {
    const { sampling } = sampled(prepare({ ...oneHeavy, rounds: () => 50 }));
    expect(sampling.note).toBeNull();
    expect(sampling.relativeSpread).toBe(0);
  });
});

describe("the blocks of the SM that is done last", () => {
  const listed = (...work: number[]): Uint32Array => Uint32Array.from(work);

  it("are every n-th where all are the same, on n SMs", () => {
    const [last] = lastSms(new Uint32Array(40).fill(7), 4, 2);
    expect(last!.blocks).toEqual(Array.from({ length: 10 }, (_, round) => 4 * round));
    expect(last!.sms).toBe(4);
  });

  it("are the heavy one and what comes to its SM's other place meanwhile", () => {
    // Two SMs with two slots each: blocks 0 and 2 on the first, 1 and 3 on the second. Each further block goes to the
    // first free slot.
    const [last] = lastSms(listed(90, 10, 15, 10, 10, 10, 10, 10, 10), 2, 2);
    expect(last!.blocks).toEqual([0, 2, 6]);
  });

  it("are also those of the SM that has most to do", () => {
    const sms = lastSms(listed(50, 45, 1, 45), 2, 2);
    expect(sms.map(({ blocks }) => blocks)).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });
});

describe("the SM that has least to do", () => {
  const chosen = (work: readonly number[], resident = 1): readonly (readonly number[])[] =>
    lastSms(Uint32Array.from(work), 3, resident).map(({ blocks }) => blocks);

  it("may be last where all blocks run at once and it has nearly as much to do", () => {
    expect(chosen([8, 8, 7])).toEqual([[0], [2]]);
    expect(chosen([8, 8, 8, 8, 7, 7], 2)).toEqual([
      [0, 3],
      [1, 4],
    ]);
  });

  it("is not where it has little to do, as much as the others, or blocks come later", () => {
    expect(chosen([8, 8, 2])).toEqual([[0]]);
    expect(chosen([8, 8, 8])).toEqual([[0]]);
    expect(chosen([8, 8, 7, 8, 8, 7])).toHaveLength(1);
  });
});

describe("of the SM whose last block ends last and the one that has most to do", () => {
  const [busy] = lastSms(new Uint32Array([1]), 1, 1);
  /** `blocks` blocks of a trace of `length` slots. */
  const smOf = (blocks: number, length: number): SmBlocks => ({
    ...busy!,
    traces: new Int32Array(blocks),
    slots: new Float64Array(blocks).fill(length),
  });
  const simulated = (first: number, busiest: number, length: number): readonly number[] =>
    smsToSimulate([smOf(first, length), smOf(busiest, length)], [length], 1).map(({ traces }) => traces.length);

  it("both are simulated", () => {
    expect(simulated(100, 110, 1000)).toEqual([100, 110]);
  });

  it("the first alone is where the other has as much to do", () => {
    expect(simulated(100, 100, 1000)).toEqual([100]);
  });

  it("the busiest alone is where both are too long to be simulated", () => {
    expect(simulated(10, 11, 1_000_000)).toEqual([11]);
  });
});
