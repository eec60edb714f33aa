import { describe, expect, it } from "vitest";
import {
  bankFigure,
  f64,
  Gpu,
  i32,
  kernel,
  ones,
  ptr,
  sectorFigure,
  shared,
  syncthreads,
  threadIdx,
  watchAccesses,
} from "../../../src/index.js";

const WIDTH = 32;
const transpose = kernel("transpose", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const tile = shared(i32, [32, 32]);
  tile[threadIdx.y][threadIdx.x] = from[threadIdx.y * 32 + threadIdx.x];
  syncthreads();
  to[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
});
const doubles = kernel("doubles", { to: ptr(f64), from: ptr(f64) }, ({ to, from }) => {
  to[threadIdx.x] = from[threadIdx.x];
});
const gpu = new Gpu("v100");
const square = { to: gpu.alloc(i32, WIDTH * WIDTH), from: gpu.upload(ones(WIDTH * WIDTH)) };
const block = [WIDTH, WIDTH] as const;

describe("the accesses of any launch", () => {
  it("show a column of a tile in one bank, and a row of a matrix in four sectors", () => {
    const columns = watchAccesses(gpu, transpose, { grid: 1, block }, square, { line: "to[" });
    const read = columns[0]!.accesses.find(({ space }) => space === "shared")!;
    expect(read.elements).toEqual(Array.from({ length: 32 }, (_, lane) => lane * 32));
    expect(columns[0]!.conflictDegree).toBe(32);
    expect(bankFigure(columns).alt).toContain("32 in one bank with others");
    const rows = watchAccesses(gpu, transpose, { grid: 1, block }, square, { line: "from[", warp: 3 });
    expect(sectorFigure(rows).alt).toContain("4 sectors");
  });

  it("count elements of 8 bytes: a warp's 32 doubles lie in eight sectors", () => {
    const args = { to: gpu.alloc(f64, 32), from: gpu.alloc(f64, 32) };
    const visits = watchAccesses(gpu, doubles, { grid: 1, block: 32 }, args, { line: "from[" });
    expect(visits[0]!.accesses.map(({ elementBytes, elements }) => [elementBytes, elements[31]])).toEqual([
      [8, 31],
      [8, 31],
    ]);
    expect(sectorFigure(visits).alt).toContain("8 sectors");
  });

  it("refuse a line that the kernel has not", () => {
    const watch = () => watchAccesses(gpu, transpose, { grid: 1, block }, square, { line: "sdata[" });
    expect(watch).toThrow(/watchAccesses: no line of kernel transpose has the text "sdata\["/);
  });
});
