import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../../src/core/lower/lower.js";

interface Row {
  readonly kernel: string;
  readonly counters: { readonly launch__registers_per_thread: number };
}

/** With this many registers per thread an SM of the H200 has full occupancy. */
const FULL = 32;

for (const [texts, table] of [
  ["h200/kernels/probes.cu", "h200/measured/probes.json"],
  ["h200/kernels/holdout.cu", "h200/measured/holdout.json"],
] as const) {
  const text = (file: string): string => readFileSync(new URL(`../../../reference/${file}`, import.meta.url), "utf8");
  const kernels = readCuda(text(texts), texts);
  const { rows } = JSON.parse(text(table)) as { readonly rows: readonly Row[] };

  describe(`registers a thread of ${texts}`, () => {
    it("are no more than fill the SM where ptxas has no more, so that as many blocks are resident", () => {
      const wrong = new Set<string>();
      for (const { kernel, counters } of rows) {
        const ir = kernels.get(kernel);
        if (ir === undefined) throw new Error(`no kernel ${kernel}`);
        const { registersPerThread } = lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
        const ptxas = counters.launch__registers_per_thread;
        if (registersPerThread <= FULL !== ptxas <= FULL) wrong.add(`${kernel}: ${registersPerThread}, ptxas ${ptxas}`);
      }
      expect([...wrong]).toEqual([]);
    });
  });
}

describe("registers a thread of kernels with many values in flight", () => {
  const text = (file: string): string => readFileSync(new URL(`../../../reference/${file}`, import.meta.url), "utf8");
  const kernels = readCuda(text("h200/kernels/textbook.cu"));
  const { rows } = JSON.parse(text("h200/measured/textbook.json")) as { readonly rows: readonly Row[] };

  // ptxas computes sgemmBlocktile's eight row sums one after the other, with four factors of each column in
  // registers.
  const kernelsAndMore = [
    ["sgemmBlocktile", 7],
    ["spmvEll", 1],
    ["boxColumns", 1],
    ["hornerDouble", 1],
  ] as const;
  for (const [name, more] of kernelsAndMore) {
    it(`of ${name} are within ${more} of ptxas'`, () => {
      const ir = kernels.get(name);
      const row = rows.find(({ kernel }) => kernel === name);
      if (ir === undefined || row === undefined) throw new Error(`no kernel ${name}`);
      const { registersPerThread } = lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
      const ptxas = Math.max(FULL, row.counters.launch__registers_per_thread);
      expect(Math.abs(Math.max(FULL, registersPerThread) - ptxas)).toBeLessThanOrEqual(more);
    });
  }
});

describe("values that are loaded before a barrier and read behind it", () => {
  const kept = (count: number): string => `__global__ void keepAll(float* data) {
  float values[${count}];
#pragma unroll
  for (int k = 0; k < ${count}; k++) values[k] = data[32 * k + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < ${count}; k++) data[32 * k + threadIdx.x] = values[k] * values[(7 * k + 3) % ${count}];
}`;

  // nvcc 13.0 -O3 -arch=sm_90 -Xptxas -v.
  it.each([
    [40, 48],
    [60, 64],
    [80, 96],
    [120, 128],
    [160, 168],
  ])("%i of them take about the %i registers of ptxas", (count, ptxas) => {
    const ir = readCuda(kept(count)).get("keepAll")!;
    const { registersPerThread } = lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
    expect(registersPerThread).toBeGreaterThanOrEqual(count);
    expect(Math.abs(registersPerThread - ptxas)).toBeLessThanOrEqual(11);
  });
});
