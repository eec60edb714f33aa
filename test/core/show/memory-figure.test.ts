import { describe, expect, it } from "vitest";
import { bytesText } from "../../../src/core/show/figures/memory-figure.js";
import {
  blockDim,
  blockIdx,
  Gpu,
  i32,
  kernel,
  memoryFigure,
  memoryTraffic,
  ones,
  ptr,
  threadIdx,
} from "../../../src/index.js";
import { toPng } from "../../../src/node/display/png.js";
import { pngPixels } from "./png-pixels.js";

const copy = kernel("copy", { to: ptr(i32), from: ptr(i32), s: i32 }, ({ to, from, s }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i * s];
});
const n = 1 << 16;
const launched = (device: string, s: number) => {
  const gpu = new Gpu(device);
  return gpu.launch(copy, { grid: n / 256, block: 256 }, { to: gpu.alloc(i32, n), from: gpu.upload(ones(n * s)), s });
};

describe("the memory chart", () => {
  it("has the bytes of the sectors that the lanes touch: 32 for 4 where they lie 8 words apart", () => {
    expect(memoryTraffic(launched("v100", 1))).toMatchObject({ loadBytes: 4 * n, storeBytes: 4 * n, sharedBytes: 0 });
    expect(memoryTraffic(launched("v100", 8))).toMatchObject({ loadBytes: 32 * n, storeBytes: 4 * n });
  });

  it("has Fermi's lines of 128 bytes", () => {
    expect(memoryTraffic(launched("m2070", 32)).loadBytes).toBe(128 * n);
  });

  it("says in its text what stands between the boxes, and fits a phone", () => {
    const figure = memoryFigure(launched("v100", 1));
    expect(figure.alt).toContain("Between SM and L1: loads 262 kB, stores 262 kB");
    expect(pngPixels(toPng(figure, { scale: 1 })).width).toBeLessThanOrEqual(390);
  });

  it("writes bytes in powers of a thousand", () => {
    expect([0, 999, 1000, 4_194_304, 2.5e12].map(bytesText)).toEqual(["0 B", "999 B", "1 kB", "4.19 MB", "2.5 TB"]);
  });
});
