import { describe, expect, it } from "vitest";
import type { ScatterTrace } from "../../../src/core/show/figures/figure.js";
import { okabeIto } from "../../../src/core/show/figures/palette.js";
import {
  blockDim,
  blockIdx,
  deviceById,
  devices,
  type Figure,
  f32,
  Gpu,
  kernel,
  type LaunchResult,
  ptr,
  smFigure,
  smTable,
  threadIdx,
  toPng,
  toText,
  wavesFigure,
} from "../../../src/node/index.js";
import { countColor, pngPixels } from "./png-pixels.js";

const trace = (figure: Figure, name: string): ScatterTrace =>
  (figure.data as readonly ScatterTrace[]).find((each) => each.name === name)!;

describe("the picture of an SM", () => {
  it("has a square for each lane of a Fermi and of a Volta", () => {
    const counts = (id: string): readonly number[] =>
      ["INT", "FP32", "FP64", "SFU", "LD/ST"].map((name) => trace(smFigure(deviceById(id)), name).x.length);
    expect(counts("m2070")).toEqual([32, 32, 16, 4, 16]);
    expect(counts("v100")).toEqual([64, 64, 32, 16, 32]);
  });

  it("says the same in words", () => {
    expect(smFigure(deviceById("v100")).alt).toContain(
      "4 schedulers, each with places for 16 warps, 16,384 registers, 16 lanes INT, 16 lanes FP32, 8 lanes FP64, 4 lanes SFU",
    );
  });

  it("keeps everything inside of its frame, on every GPU", () => {
    for (const device of devices) {
      const { data, layout } = smFigure(device);
      const [right, bottom] = [layout.xaxis.range[1], layout.yaxis.range[0]];
      for (const { x, y } of data as readonly ScatterTrace[]) {
        for (const each of x) if (each !== null) expect(Number(each)).toBeLessThanOrEqual(right);
        for (const each of y) if (each !== null) expect(Number(each)).toBeLessThanOrEqual(bottom);
      }
    }
  });

  it("draws the lanes in their colours", () => {
    const pixels = pngPixels(toPng(smFigure(deviceById("v100")), { scale: 1 }));
    expect(countColor(pixels, okabeIto.blue.toLowerCase())).toBeGreaterThan(64 * 10);
  });
});

describe("the table of SMs", () => {
  it("has a column for each GPU, and refuses one that it does not know", () => {
    const text = toText(smTable("m2070", "v100"));
    expect(text).toMatch(/FP32 lanes +2 x 16 = 32 +4 x 16 = 64/);
    expect(text).toMatch(/Places for warps +48 +64/);
    expect(() => smTable("m2071")).toThrow(/m2070/);
  });
});

describe("the picture of waves", () => {
  const work = kernel("work", { out: ptr(f32) }, ({ out }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    let x = f32(i);
    for (let k = 0; k < 64; k++) x = x * 0.5 + 1.0;
    out[i] = x;
  });
  const gpu = new Gpu("m2070");
  const launch = (grid: number): LaunchResult =>
    gpu.launch(work, { grid, block: 768 }, { out: gpu.alloc(f32, 768 * grid) });
  const pieces = ({ x }: ScatterTrace): number => x.length / 3;

  it("has a bar for each block, in the colour of its wave", () => {
    const figure = wavesFigure(launch(29));
    expect(pieces(trace(figure, "wave 1"))).toBe(28);
    expect(pieces(trace(figure, "wave 2"))).toBe(1);
  });

  it("says which SMs have one block more, and how full the places are", () => {
    const { alt } = wavesFigure(launch(29));
    expect(alt).toMatch(/in 2 waves.*SM 0: 3 blocks, until cycle .*SMs 1 to 13: 2 blocks each/);
    expect(wavesFigure(launch(3)).alt).toContain("SMs 3 to 13: no block");
  });

  it("draws SMs with as many blocks once where a row for each would be too thin", () => {
    const v100 = new Gpu("v100");
    const large = (grid: number): LaunchResult =>
      v100.launch(work, { grid, block: 768 }, { out: v100.alloc(f32, 768 * grid) });
    const figure = wavesFigure(large(161));
    expect(figure.layout.yaxis.ticktext).toEqual(["SM 0", "SMs 1 to 79"]);
    expect(pieces(trace(figure, "wave 1"))).toBe(4);
    expect(pieces(trace(figure, "wave 2"))).toBe(1);
    expect(figure.alt).toMatch(/SM 0: 3 blocks, .*SMs 1 to 79: 2 blocks each/);
  });

  it("fills less of the places with one block more than a wave", () => {
    const filled = (grid: number): number => Number(/taken (\d+) %/.exec(wavesFigure(launch(grid)).alt)?.[1]);
    expect(filled(29)).toBeLessThan(filled(28) - 10);
  });
});
