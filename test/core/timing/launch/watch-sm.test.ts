import { describe, expect, it } from "vitest";
import {
  blockDim,
  blockIdx,
  Gpu,
  i32,
  kernel,
  type LaunchResult,
  ones,
  ptr,
  STALL_REASONS,
  type StallReason,
  shared,
  syncthreads,
  threadIdx,
  timeline,
} from "../../../../src/index.js";

const copy = kernel("copy", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
});

function copied(device: string, grid: number, block: number): LaunchResult {
  const gpu = new Gpu(device);
  const n = grid * block;
  return gpu.launch(copy, { grid, block }, { to: gpu.alloc(i32, n), from: gpu.upload(ones(n)) });
}

const sum = kernel("sum", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const part = shared(i32, 256);
  part[threadIdx.x] = from[blockIdx.x * blockDim.x + threadIdx.x];
  syncthreads();
  for (let s = 1; s < blockDim.x; s *= 2) {
    if (threadIdx.x % (2 * s) === 0) part[threadIdx.x] += part[threadIdx.x + s];
    syncthreads();
  }
  if (threadIdx.x === 0) to[blockIdx.x] = part[0];
});

function summed(device: string, grid: number): LaunchResult {
  const gpu = new Gpu(device);
  return gpu.launch(sum, { grid, block: 256 }, { to: gpu.alloc(i32, grid), from: gpu.upload(ones(256 * grid)) });
}

/** Cycles in each state a selected one, from the samples of all instructions. */
function ratios({ stallSamples: { byPc } }: LaunchResult): ReadonlyMap<StallReason, number> {
  const sum = (reason: number): number => byPc.reduce((all, cycles) => all + cycles[reason]!, 0);
  return new Map(STALL_REASONS.map((name, reason) => [name, sum(reason) / sum(0)]));
}

describe("the record of an SM's warps", () => {
  it.each([
    ["a copy, v100", () => copied("v100", 400, 256)],
    ["a copy, h200", () => copied("h200", 132, 64)],
    ["a copy, m2070", () => copied("m2070", 200, 128)],
    ["a reduction, v100", () => summed("v100", 640)],
    ["a reduction, h200", () => summed("h200", 132)],
  ])("sums to the stall ratios of the prediction, which books each wait by itself (%s)", (_, launched) => {
    const launch = launched();
    const sampled = ratios(launch);
    for (const name of STALL_REASONS) {
      const booked = launch.time.stalls[name];
      // Stretches are whole cycles, bookings have fractions.
      expect.soft(Math.abs(sampled.get(name)! - booked), `${name} ${booked}`).toBeLessThan(0.02 * booked + 0.3);
    }
  });

  it("leaves the prediction as it is", () => {
    const [watched, plain] = [copied("v100", 300, 128), copied("v100", 300, 128)];
    timeline(watched);
    expect(watched.stallSamples.cycles).toBeGreaterThan(0);
    expect(watched.time).toEqual(plain.time);
  });

  it("has each scheduler select at most one warp a cycle, and no gap in a warp's time", () => {
    const { warps, schedulers, cycles } = timeline(copied("v100", 2000, 256), { cycles: 1500 });
    expect([schedulers, cycles]).toEqual([4, 1500]);
    const selected = new Set<string>();
    for (const { scheduler, stretches } of warps) {
      for (const [index, { state, from, to }] of stretches.entries()) {
        expect(to).toBeGreaterThan(from);
        if (index > 0) expect(from).toBe(stretches[index - 1]!.to);
        if (state !== "selected") continue;
        expect(to).toBe(from + 1);
        expect(selected.has(`${scheduler} ${from}`)).toBe(false);
        selected.add(`${scheduler} ${from}`);
      }
    }
  });

  it("ends with the launch where that is shorter than the cycles asked for", () => {
    const short = timeline(copied("v100", 1, 32), { cycles: 100_000 });
    expect(short.complete).toBe(true);
    expect(short.warps.map(({ stretches }) => stretches.at(-1)?.state)).toEqual(["drain"]);
    expect(short.warps[0]!.stretches.at(-1)!.to).toBe(short.cycles);
  });
});
