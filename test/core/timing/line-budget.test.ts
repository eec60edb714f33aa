/**
 * Launches that access many lines in irregular order: the cost of tracing and simulation does not grow with their
 * loops.
 */
import { describe, expect, it } from "vitest";
import { h200 } from "../../../src/core/device/gpus/h200.js";
import { occupancyOfLaunch } from "../../../src/core/device/occupancy.js";
import { createRawCounters, type PreparedLaunch } from "../../../src/core/engine/engine.js";
import { createReferenceEngine } from "../../../src/core/engine/reference/index.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { plainEngine } from "../../../src/core/host/engines.js";
import { traceBlock } from "../../../src/core/host/trace-block.js";
import { lower } from "../../../src/core/lower/lower.js";
import { createTraceRecorder, type LaunchTime, predictLaunch, sampleBlocks } from "../../../src/core/timing/index.js";
import { Buffers } from "./traced-launch.js";

const kernels = readCuda(`
__global__ void gather(const int *a, int *out, unsigned int mask, int turns) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, x = i * 2654435761u;
  int s = 0;
  for (int k = 0; k < turns; k++) {
    x = x * 1664525u + 1013904223u;
    s += a[(x ^ (x >> 13)) & mask];
  }
  out[i] = s;
}
__global__ void scatter(int *a, int *out, unsigned int mask, int turns) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, x = i * 2654435761u;
  for (int k = 0; k < turns; k++) {
    x = x * 1664525u + 1013904223u;
    a[(x ^ (x >> 13)) & mask] = k;
  }
}
__global__ void strides(int *a, int *out, unsigned int mask, int turns) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int j = i * 32; j < turns; j += 32 * (i + 1)) a[j & mask] = 1;
}
`);

const buffers = new Buffers(70);
const WORDS = 2 ** 24;
const args = [buffers.allocate(4 * WORDS), buffers.allocate(2 ** 22)] as const;

interface Timed {
  readonly time: LaunchTime;
  /** Words of the traced memory records. */
  readonly words: number;
  readonly isWhole: boolean;
}

/** `full`: blocks are traced whole, and all blocks of an SM are simulated. */
function timed(name: string, blocks: number, threads: number, turns: number, full = false): Timed {
  const program = lower(kernels.get(name)!, { computeCapability: h200.computeCapability, contractFma: true });
  const launch: PreparedLaunch = {
    program,
    grid: [blocks, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes: 0,
    args: [...args, WORDS - 1, turns],
    memory: buffers.memory,
    stepLimit: 1e8,
    sharedBanks: 32,
    lockstep: false,
  };
  const residentBlocks = occupancyOfLaunch(h200, launch).activeBlocksPerSm;
  const recorder = createTraceRecorder(program, { smCount: h200.smCount, residentBlocks });
  const engines = { plain: plainEngine(launch), observed: createReferenceEngine({ observer: recorder }), recorder };
  const counters = createRawCounters(program);
  const sample = full ? [0, 1, blocks - 2, blocks - 1] : sampleBlocks(launch, recorder);
  for (const block of sample) {
    if (full) engines.observed.run(launch, { first: block, end: block + 1, step: 1 }, counters);
    else traceBlock(launch, block, engines, counters);
  }
  const traces = recorder.traces();
  const { grid, block, dynamicSharedBytes } = launch;
  const shape = { device: h200, program, grid, block, dynamicSharedBytes, traces, cacheState: "cold" } as const;
  return {
    time: predictLaunch(full ? { ...shape, simulateAll: "sm" } : shape),
    words: traces.blocks.reduce((sum, { memory }) => sum + memory.length, 0),
    isWhole: traces.blocks[0]!.executed === null,
  };
}

describe("a launch that goes to memory in no order", () => {
  for (const [name, blocks, threads] of [
    ["gather", 1056, 256],
    ["gather", 1, 1024],
    ["scatter", 264, 1024],
  ] as const) {
    it(`costs the same however long its loops are: ${name}, ${blocks} blocks`, () => {
      const [short, long] = [256, 1024].map((turns) => timed(name, blocks, threads, turns)) as [Timed, Timed];
      for (const { words, time, isWhole } of [short, long]) {
        expect(isWhole).toBe(false);
        expect(words).toBeLessThan(250_000);
        expect(time.simulatedWarpInstructions).toBeLessThan(60_000);
      }
      expect(long.time.cycles / short.time.cycles / 4).toBeGreaterThan(0.96);
      expect(long.time.cycles / short.time.cycles / 4).toBeLessThan(1.04);
    });
  }

  for (const [name, threads, turns] of [
    ["gather", 256, 256],
    ["scatter", 256, 256],
  ] as const) {
    it(`is timed about as if all of an SM were simulated: ${name}`, () => {
      const full = timed(name, 1056, threads, turns, true);
      const { time } = timed(name, 1056, threads, turns);
      expect(time.simulatedWarpInstructions).toBeLessThan(full.time.simulatedWarpInstructions / 1.5);
      expect(Math.abs(time.cycles / full.time.cycles - 1)).toBeLessThan(0.03);
    });
  }
});

it("traces more of a block whose beginning asks for more lines than the rest, as lanes leave its loop", () => {
  expect(timed("strides", 2, 128, 2 ** 20).words).toBeGreaterThan(200_000);
});
