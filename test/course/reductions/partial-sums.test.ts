/** Trees and sectors of reductions in global memory; the truth is the kernels' own arithmetic, worked out here. */
import { describe, expect, it } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import {
  reduceInterleaved,
  reduceNeighbored,
  reduceNeighboredLess,
} from "../../../src/course/reductions/in-place-kernels.js";
import { partialSumsFigure } from "../../../src/course/reductions/partial-sums.js";
import { sectorFigure } from "../../../src/course/reductions/sector-figure.js";
import { watchLine } from "../../../src/course/reductions/watch-line.js";

const gpu = new Gpu("v100");
const places = Array.from({ length: 32 }, (_, place) => place);

describe("partialSumsFigure", () => {
  it("tells how many elements each place holds, the same for both kernels that add neighbours", () => {
    const owners = partialSumsFigure(watchLine(gpu, reduceNeighbored, { line: "+=", block: 32 }));
    const neighbours = partialSumsFigure(watchLine(gpu, reduceNeighboredLess, { line: "+=", block: 32 }));
    const afterTwo = places.map((place) => (place % 4 === 0 ? 4 : place % 2 === 0 ? 2 : 1));
    expect(owners.alt).toContain(`offset 2: 8 add: ${afterTwo.join(" ")}`);
    expect(owners.alt).toBe(neighbours.alt);
  });

  it("ends with all elements in place 0, by halves too", () => {
    const { alt, layout } = partialSumsFigure(watchLine(gpu, reduceInterleaved, { line: "+=", block: 32 }));
    expect(alt).toContain(`offset 16: 16 add: ${places.map((place) => (place < 16 ? 2 : 1)).join(" ")}`);
    expect(alt).toMatch(/offset 1: 1 add: 32 /);
    expect(layout.xaxis.title?.text).toBe("Element of the block");
  });

  it("refuses larger blocks and lines that add nothing to an array", () => {
    expect(() => partialSumsFigure(watchLine(gpu, reduceNeighbored, { line: "+=", block: 64 }))).toThrow(
      /block of 32 threads/,
    );
    expect(() => partialSumsFigure(watchLine(gpu, reduceNeighbored, { line: "output[", block: 32 }))).toThrow(
      /does not add one place/,
    );
  });
});

describe("sectorFigure", () => {
  it("counts the sectors of a warp's load: 16 elements in 4 sectors, 32 in 8, 32 in 4", () => {
    const first = (kernel: typeof reduceNeighbored): string =>
      /offset \d+: \d+ sectors/.exec(sectorFigure(watchLine(gpu, kernel, { line: "+=", block: 256 })).alt)?.[0] ?? "";
    expect(first(reduceNeighbored)).toBe("offset 1: 4 sectors");
    expect(first(reduceNeighboredLess)).toBe("offset 1: 8 sectors");
    expect(first(reduceInterleaved)).toBe("offset 128: 4 sectors");
  });

  it("refuses a line without a load from global memory", () => {
    expect(() => sectorFigure(watchLine(gpu, reduceNeighbored, { line: "syncthreads", block: 32 }))).toThrow();
  });
});
