/** The same launches on a GPU and on variants of it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  blockDim,
  blockIdx,
  Gpu,
  i32,
  kernel,
  ones,
  ptr,
  shared,
  syncthreads,
  threadIdx,
  toSvg,
  type WhatIf,
  whatIf,
} from "../../../src/index.js";

const conflicts = kernel("conflicts", { data: ptr(i32) }, ({ data }) => {
  const s = shared(i32, 4096);
  const t = threadIdx.x;
  for (let k = 0; k < 64; k++) {
    s[(t * 32 + k) & 4095] = k;
    syncthreads();
  }
  data[blockIdx.x * blockDim.x + t] = s[(t * 32) & 4095];
});
const copy = kernel("copy", { from: ptr(i32), to: ptr(i32) }, ({ from, to }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + 1;
});
const double = kernel("double", { data: ptr(i32) }, ({ data }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= 2;
});

const N = 2 ** 20;
const copies = (gpu: Gpu): unknown =>
  gpu.launch(copy, { grid: N / 256, block: 256 }, { from: gpu.upload(ones(N)), to: gpu.alloc(i32, N) });
const ratios = ({ rows }: WhatIf): readonly number[] => rows.map(({ ratio }) => ratio);

describe("whatIf", () => {
  it("halves the conflicts of a stride of 32 words with 64 banks, which change nothing in a copy", () => {
    const asked = whatIf("v100", ["sharedMemory.banks=64"], (gpu) =>
      gpu.launch(conflicts, { grid: 80, block: 256 }, { data: gpu.alloc(i32, 80 * 256) }),
    );
    expect(ratios(asked)[0]).toBe(1);
    expect(ratios(asked)[1]).toBeGreaterThan(0.45);
    expect(ratios(asked)[1]).toBeLessThan(0.65);
    expect(asked.rows.map(({ sameValues }) => sameValues)).toEqual([true, true]);
    expect(ratios(whatIf("v100", ["sharedMemory.banks=64"], copies))).toEqual([1, 1]);
  });

  it("half the DRAM bandwidth slows a copy that DRAM bounds, twice of it speeds it up", () => {
    const asked = whatIf(
      "v100",
      [{ name: "half", set: "dram.peakBandwidthGBps/2" }, "dram.peakBandwidthGBps*2"],
      copies,
    );
    const [, slower = 0, faster = 0] = ratios(asked);
    expect(slower).toBeGreaterThan(1.5);
    expect(faster).toBeLessThan(0.9);
    expect(asked.rows[1]).toMatchObject({ variant: "half", set: "dram.peakBandwidthGBps/2", bound: "dram" });
    // As a launch on the same GPU alone.
    const gpu = new Gpu("v100");
    expect(asked.rows[0]?.timeMs).toBe((copies(gpu) as { timeMs: number }).timeMs);
  });

  it("shows a table and a figure, and text", () => {
    const asked = whatIf("v100", ["smCount*2"], copies);
    const [table, figure] = asked.views;
    expect(table).toMatchObject({ kind: "table", rows: [{ values: "equal" }, { values: "equal" }] });
    expect(figure?.kind === "figure" && toSvg(figure)).toContain("smCount*2");
    expect(asked.text).toContain("below 1 is faster");
  });

  it("says where values differ", () => {
    const asked = whatIf("v100", ["smCount*2"], (gpu) => {
      const data = gpu.upload(new Int32Array(N).fill(gpu.device.smCount));
      gpu.launch(copy, { grid: N / 256, block: 256 }, { from: data, to: data });
    });
    expect(asked.rows.map(({ sameValues }) => sameValues)).toEqual([true, false]);
  });

  it("refuses before it runs, and a run that launches nothing", () => {
    let runs = 0;
    const counted = (): void => {
      runs += 1;
    };
    expect(() => whatIf("v100", ["smCount*2", "warpSize=64"], counted)).toThrow(/32 lanes/);
    expect(() => whatIf("v100", ["smCount*2", "smCount*2"], counted)).toThrow(/Two GPUs of a what-if are named/);
    expect(runs).toBe(0);
    expect(() => whatIf("v100", [], counted)).toThrow(/launched nothing/);
  });

  it("runs the example of PACKAGE.md", () => {
    const text = readFileSync(new URL("../../../src/PACKAGE.md", import.meta.url), "utf8");
    const [, example = ""] = /```ts\n(const asked = whatIf[\s\S]*?)```/.exec(text) ?? [];
    expect(example).not.toBe("");
    const shown: unknown[] = [];
    const run = new Function("display", "whatIf", "ones", "double", example);
    run((each: unknown) => shown.push(each), whatIf, ones, double);
    expect((shown[0] as WhatIf).rows).toHaveLength(4);
  });
});
