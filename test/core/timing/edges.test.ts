/** Two-dimensional grids whose last row or column of blocks has no work. */
import { describe, expect, it } from "vitest";
import { h200 } from "../../../src/core/device/gpus/h200.js";
import { occupancyOfLaunch } from "../../../src/core/device/occupancy.js";
import type { PreparedLaunch } from "../../../src/core/engine/engine.js";
import { createDeviceMemory } from "../../../src/core/engine/memory.js";
import { createReferenceEngine } from "../../../src/core/engine/reference/index.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { plainEngine } from "../../../src/core/host/engines.js";
import { runSampled } from "../../../src/core/host/sampled-run.js";
import { traceFurther } from "../../../src/core/host/trace-block.js";
import { lower } from "../../../src/core/lower/lower.js";
import { createTraceRecorder, type LaunchTime, predictLaunch, sampleBlocks } from "../../../src/core/timing/index.js";

const program = lower(
  readCuda(`
__global__ void scale2d(double *a, const double *b, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  a[y * width + x] = b[y * width + x] * 0.25;
}`).get("scale2d")!,
  { computeCapability: h200.computeCapability, contractFma: true },
);

const WIDTH = 2048;
const ROWS = 3072;
const BYTES = 8 * WIDTH * ROWS;
const memory = createDeviceMemory({ initialBytes: 0, maximumBytes: 2 * BYTES + 2 ** 24, shared: true });
const start = memory.firstFreeAddress;
memory.grow(start + 2 * BYTES);

function timeOf(block: readonly [number, number, number], idleColumns: number, idleRows: number): LaunchTime {
  const launch: PreparedLaunch = {
    program,
    grid: [WIDTH / block[0] + idleColumns, ROWS / block[1] + idleRows, 1],
    block,
    dynamicSharedBytes: 0,
    args: [{ address: start, byteLength: BYTES }, { address: start + BYTES, byteLength: BYTES }, WIDTH, ROWS],
    memory,
    stepLimit: 1e8,
    sharedBanks: 32,
    lockstep: false,
  };
  const recorder = createTraceRecorder(program);
  const observed = createReferenceEngine({ observer: recorder });
  const engines = { plain: plainEngine(launch), observed: () => observed, whole: false };
  const { counters, work } = runSampled(launch, engines, sampleBlocks(launch, recorder), recorder);
  if (work === null) throw new Error("the work of no block is known");
  const on = { smCount: h200.smCount, residentBlocks: occupancyOfLaunch(h200, launch).activeBlocksPerSm };
  const known = traceFurther(launch, work, observed, recorder, on);
  const { grid } = launch;
  const launched = { device: h200, program, grid, block, dynamicSharedBytes: 0, cacheState: "cold" } as const;
  return predictLaunch({ ...launched, traces: recorder.traces(), counters, ...known });
}

describe("a grid whose last blocks are idle", () => {
  // With a row of 1024-thread blocks, a third belong to the idle column: the last SM determines the time.
  for (const { block, percent } of [
    { block: [1024, 1, 1], percent: 8 },
    { block: [32, 32, 1], percent: 4 },
    { block: [32, 8, 1], percent: 4 },
  ] as const) {
    const whole = timeOf(block, 0, 0);

    it(`takes as long as without them, within 6 %: a row of blocks of ${block[0]}x${block[1]} threads`, () => {
      expect(Math.abs(timeOf(block, 0, 1).durationMicroseconds / whole.durationMicroseconds - 1)).toBeLessThan(0.06);
    });

    it(`reads what it reads without them, within ${percent} %: a row and a column of ${block[0]}x${block[1]}`, () => {
      expect(Math.abs(timeOf(block, 1, 1).dramBytesRead / BYTES - 1)).toBeLessThan(percent / 100);
    });
  }
});
