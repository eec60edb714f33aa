import { describe, expect, it } from "vitest";
import { type BlockPart, findBlockParts } from "../../../src/core/engine/fast/analysis/independence.js";
import { type LaunchShape, Ranges } from "../../../src/core/engine/fast/analysis/range.js";
import { findWebs } from "../../../src/core/engine/fast/analysis/webs.js";
import { assemble } from "../engine/assembler.js";

/** The parts that blocks of 256 threads of a kernel with parameters a, b (int*) and n write, if they may run in any order. */
function blockParts(
  code: string,
  {
    paramsDisjoint = true,
    gridLimit = [2 ** 20, 1, 1],
  }: Partial<Pick<LaunchShape, "paramsDisjoint" | "gridLimit">> = {},
): readonly BlockPart[] | null {
  const program = assemble(`param a ptr i32\nparam b ptr i32\nparam n i32\nshared s i32 256\n${code}`);
  const shape = {
    block: [256, 1, 1] as const,
    gridLimit,
    paramAlignment: 16,
    paramsDisjoint,
    wholeAllocations: true,
    banks: 32,
    lockstep: false,
  };
  const table = findWebs(program);
  return findBlockParts(program, table, new Ranges(program, table, shape), shape);
}

function isIndependent(...given: Parameters<typeof blockParts>): boolean {
  return blockParts(...given) !== null;
}

const GLOBAL_INDEX = "i = mad.u32 blockIdx.x, blockDim.x, threadIdx.x";

describe("blocks are independent", () => {
  it("if each thread writes an element of its own", () => {
    const parts = blockParts(`${GLOBAL_INDEX}\nc = addr.u32 a[i]\nst.i32 a[c], n`);
    expect(parts).toEqual([{ param: 0, strideBytes: 1024, lowBytes: 0, endBytes: 1024 }]);
  });
  it("if each block writes an element of its own, and reads another array anywhere", () => {
    const code = `d = addr b[n]\nx = ld.i32 b[d]\ni = mov.u32 blockIdx.x\nc = addr.u32 a[i]\nst.i32 a[c], x`;
    expect(blockParts(code)).toEqual([{ param: 0, strideBytes: 4, lowBytes: 0, endBytes: 4 }]);
    expect(isIndependent(code, { paramsDisjoint: false })).toBe(false);
  });
  it("if they change their own part of an array, moved by less than the block", () => {
    const change = (distance: number): string =>
      `${GLOBAL_INDEX}\nt = and.u32 threadIdx.x, 127\nj = mad.u32 blockIdx.x, 256, t\nc = addr.u32 a[j]
      k = add.u32 j, ${distance}\nd = addr.u32 a[k]\nx = ld.i32 a[d]\nst.i32 a[c], x`;
    expect(isIndependent(change(128))).toBe(true);
    expect(isIndependent(change(129))).toBe(false);
  });
  it("whatever they do in shared memory", () => {
    expect(isIndependent("c = addr s[0]\nx = atom.add.i32 s[c], 1\nst.i32 s[c], 3")).toBe(true);
  });
});

describe("blocks are not independent", () => {
  it("if they write the same element", () => {
    expect(isIndependent("c = addr a[0]\nst.i32 a[c], n")).toBe(false);
    expect(isIndependent("t = mov.u32 threadIdx.x\nc = addr.u32 a[t]\nst.i32 a[c], n")).toBe(false);
  });
  it("if a neighbour's element is read", () => {
    const code = `${GLOBAL_INDEX}\nc = addr.u32 a[i]\nx = ld.i32 a[c + 4]\nst.i32 a[c], x`;
    expect(isIndependent(code)).toBe(false);
  });
  it("if the parts of the blocks overlap", () => {
    const code = `i = mad.u32 blockIdx.x, 255, threadIdx.x\nc = addr.u32 a[i]\nst.i32 a[c], n`;
    expect(isIndependent(code)).toBe(false);
  });
  it("if the place depends on an argument or on data", () => {
    expect(isIndependent(`${GLOBAL_INDEX}\ni = add.u32 i, n\nc = addr.u32 a[i]\nst.i32 a[c], n`)).toBe(false);
    const code = `${GLOBAL_INDEX}\nd = addr.u32 b[i]\nx = ld.i32 b[d]\nc = addr a[x]\nst.i32 a[c], n`;
    expect(isIndependent(code)).toBe(false);
  });
  it("if an index may wrap", () => {
    const code = `i = mad.u32 blockIdx.x, 65536, threadIdx.x\nc = addr.u32 a[i]\nst.i32 a[c], n`;
    expect(isIndependent(code)).toBe(false);
  });
  it("if they use atomics on global memory, print, or stand in a grid of two dimensions", () => {
    expect(isIndependent("c = addr a[0]\natom.add.i32 a[c], 1")).toBe(false);
    expect(isIndependent('printf.i32 "%d" n')).toBe(false);
    const code = `${GLOBAL_INDEX}\nc = addr.u32 a[i]\nst.i32 a[c], n`;
    expect(isIndependent(code, { gridLimit: [1024, 1024, 1] })).toBe(false);
  });
});
