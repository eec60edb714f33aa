import { describe, expect, it } from "vitest";
import {
  blockDim,
  blockIdx,
  blocksOnSms,
  f32,
  Gpu,
  idleShareOfSms,
  kernel,
  type LaunchResult,
  ptr,
  threadIdx,
  workOfSms,
} from "../../../src/index.js";

const even = kernel("even", { out: ptr(f32) }, ({ out }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  let x = f32(i);
  for (let k = 0; k < 64; k++) x = x * 0.5 + 1.0;
  out[i] = x;
});

const growing = kernel("growing", { out: ptr(f32) }, ({ out }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  let x = f32(i);
  for (let k = 0; k < blockIdx.x * 8; k++) x = x * 0.5 + 1.0;
  out[i] = x;
});

function launch(id: string, grid: number, kernelOf = even, schedule?: { readonly seed: number }): LaunchResult {
  const gpu = new Gpu(id);
  const config = { grid, block: 768, ...(schedule === undefined ? {} : { schedule }) };
  return gpu.launch(kernelOf, config, { out: gpu.alloc(f32, 768 * grid) });
}

const counts = (result: LaunchResult): readonly number[] => workOfSms(result).map(({ blocks }) => blocks);

describe("the work of the SMs", () => {
  it("is dealt out in turn where blocks are alike", () => {
    expect(counts(launch("m2070", 28))).toEqual(new Array(14).fill(2));
    expect(counts(launch("m2070", 29))).toEqual([3, ...new Array(13).fill(2)]);
    expect(counts(launch("m2070", 5))).toEqual([...new Array(5).fill(1), ...new Array(9).fill(0)]);
  });

  it("adds up to the instructions that the engines counted", () => {
    const result = launch("v100", 100, growing);
    const sum = workOfSms(result).reduce((all, { warpInstructions }) => all + warpInstructions, 0);
    expect(sum).toBe(result.rawCounters.executed.reduce((all, each) => all + each, 0));
  });

  it("leaves a share idle that follows from the numbers of blocks", () => {
    expect(idleShareOfSms(launch("m2070", 28))).toBe(0);
    expect(idleShareOfSms(launch("m2070", 29))).toBeCloseTo(1 - 29 / (3 * 14), 10);
    expect(idleShareOfSms(launch("v100", 40))).toBeCloseTo(0.5, 10);
  });

  it("is not known under a seeded schedule", () => {
    expect(() => workOfSms(launch("m2070", 2, even, { seed: 1 }))).toThrow(/single blocks are not known/);
  });
});

describe("the blocks on the SMs", () => {
  const run = blocksOnSms(launch("m2070", 29));

  it("are all of the grid, each once", () => {
    const blocks = run.sms.flat().map(({ block }) => block);
    expect([...blocks].sort((a, b) => a - b)).toEqual(Array.from({ length: 29 }, (_, block) => block));
  });

  it("never share a place, and never are more than an SM holds", () => {
    expect(run.places).toBe(2);
    for (const stays of run.sms) {
      for (const [index, { place, from, to }] of stays.entries()) {
        expect(place).toBeLessThan(run.places);
        expect(from).toBeLessThan(to);
        for (const later of stays.slice(index + 1))
          if (later.place === place) expect(later.from).toBeGreaterThanOrEqual(to);
      }
    }
  });

  it("end on the SM with one block more later than on the others, by the launch's cycles", () => {
    const ends = run.sms.map((stays) => Math.max(...stays.map(({ to }) => to)));
    expect(ends[0]).toBe(run.cycles);
    expect(Math.max(...ends.slice(1))).toBeLessThan(0.8 * run.cycles);
    const { cycles } = launch("m2070", 29).time;
    expect(run.cycles).toBeLessThanOrEqual(cycles);
    expect(run.cycles).toBeGreaterThan(0.8 * cycles);
  });

  it("are refused where they differ", () => {
    expect(() => blocksOnSms(launch("m2070", 29, growing))).toThrow(/different amounts of work/);
  });
});
