import { describe, expect, it } from "vitest";
import { lanesOverTime, lineStretches } from "../../../src/course/lesson/lanes-over-time.js";
import { Gpu, i32, kernel, ptr, threadIdx } from "../../../src/index.js";

const gpu = new Gpu("v100");
const oneWarp = { grid: 1, block: 32 };
const buffer = () => ({ data: gpu.alloc(i32, 32) });

const divided = kernel("divided", { data: ptr(i32) }, ({ data }) => {
  let x = data[threadIdx.x];
  if (threadIdx.x < 12) {
    x ^= x << 5;
    x ^= x >> 3;
    x ^= x << 7;
    x ^= x >> 2;
    x ^= x << 4;
  } else {
    x ^= x << 9;
    x ^= x >> 4;
    x ^= x << 3;
    x ^= x >> 6;
    x ^= x << 8;
  }
  data[threadIdx.x] = x;
});

const predicated = kernel("predicated", { data: ptr(i32) }, ({ data }) => {
  let x = data[threadIdx.x];
  if (threadIdx.x < 12) {
    x ^= x << 5;
    x ^= x >> 3;
  } else {
    x ^= x << 9;
    x ^= x >> 4;
  }
  data[threadIdx.x] = x;
});

describe("a warp's lanes over time", () => {
  it("are parted by a branch that divides them: one side's lanes, then the others, then all", () => {
    const masks = lineStretches(gpu, divided, oneWarp, buffer())
      .filter(({ text }) => text.startsWith("x ^=") || text.startsWith("data["))
      .map(({ activeMask }) => activeMask);
    expect(masks).toEqual([...Array(5).fill(0x00000fff), ...Array(5).fill(0xfffff000), 0xffffffff]);
  });

  it("add up to the warp's instructions, in their order", () => {
    const stretches = lineStretches(gpu, divided, oneWarp, buffer());
    const { warpInstructions } = gpu.launch(divided, oneWarp, buffer()).counters;
    expect(stretches.reduce((sum, { instructions }) => sum + instructions, 0)).toBe(warpInstructions);
    let next = 0;
    for (const { firstInstruction, instructions } of stretches) {
      expect(firstInstruction).toBe(next);
      next += instructions;
    }
  });

  it("are drawn with the waiting side, and said in words", () => {
    const { alt } = lanesOverTime(gpu, divided, oneWarp, buffer(), { fromLine: 3 });
    expect(alt).toMatch(/x \^= x << 5;: 20 waits, 12 lanes 0 to 11/);
    expect(alt).toMatch(/x \^= x << 9;: 12 waits, 20 lanes 12 to 31/);
    expect(alt).toMatch(/data\[threadIdx.x\] = x;: 32 all lanes/);
  });

  it("stay together where an instruction is predicated, and some execute it without effect", () => {
    const stretches = lineStretches(gpu, predicated, oneWarp, buffer());
    expect(stretches.every(({ activeMask }) => activeMask === 0xffffffff)).toBe(true);
    expect(stretches.map(({ effectMask }) => effectMask)).toContain(0x00000fff);
    const { alt } = lanesOverTime(gpu, predicated, oneWarp, buffer());
    expect(alt).toContain("12 executes, 20 executes without effect (predicated)");
    expect(alt).not.toContain("waits");
  });

  it("are those of the warp that is asked for", () => {
    const second = lineStretches(gpu, predicated, { grid: 1, block: 48 }, { data: gpu.alloc(i32, 48) }, { warp: 1 });
    expect(second.length).toBeGreaterThan(0);
    expect(new Set(second.map(({ activeMask }) => activeMask))).toEqual(new Set([0x0000ffff]));
  });

  it("are refused where nothing is left to draw, with what helps", () => {
    expect(() => lanesOverTime(gpu, divided, oneWarp, buffer(), { fromLine: 99 })).toThrow(
      /0 stretches[\s\S]*fromLine/,
    );
  });
});
