/** Compare-and-swap loops of several warps, against an H200 (h200/micro/spin.json) and calculated by hand. */
import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/index.js";
import { spinPlace } from "../../../../src/core/engine/semantics/spin.js";
import { SpinLoops } from "../../../../src/core/timing/trace/spin-loops.js";
import { MicroSimulator } from "../../../../src/tools/accuracy/calibrate/groups/benchmark-launch.js";
import { spinBenchmarks } from "../../../../src/tools/accuracy/calibrate/groups/shared-memory.js";

const BANKS = 32;
const FLOAT = 4;

/** The record of a swap of these words by the first half-warp. */
function record(...words: readonly number[]): Int32Array {
  return Int32Array.of(words.length, 2, words.length, ...words.map((word) => spinPlace(4 * word, 0)));
}

describe("a warp's compare-and-swap", () => {
  it("is done if nobody has changed the word since it was read", () => {
    const loops = new SpinLoops(2, BANKS);
    loops.load(0, 0, 0, 10);
    loops.swap(0, 7, record(3), 0, FLOAT, 40);
    expect(loops.goesAgain(0)).toBe(false);
    loops.load(1, 0, 0, 41);
    loops.swap(1, 7, record(3), 0, FLOAT, 70);
    expect(loops.goesAgain(1)).toBe(false);
  });
  it("goes round again behind another warp's of the same block that came between", () => {
    const loops = new SpinLoops(2, BANKS);
    loops.load(0, 0, 0, 10);
    loops.load(1, 5, 9, 11);
    loops.swap(0, 7, record(3), 0, FLOAT, 40);
    loops.swap(1, 7, record(3), 0, FLOAT, 41);
    expect(loops.goesAgain(0)).toBe(false);
    expect(loops.goesAgain(1)).toBe(true);
    expect([loops.headAt[1], loops.headMemoryAt[1], loops.repeats[1]]).toEqual([5, 9, 1]);
    loops.load(1, 5, 9, 100);
    loops.swap(1, 7, record(3), 0, FLOAT, 130);
    expect(loops.goesAgain(1)).toBe(false);
  });
  it("does not mind other blocks and other words", () => {
    const loops = new SpinLoops(3, BANKS);
    for (const warp of [0, 1, 2]) loops.load(warp, 0, 0, 10);
    loops.swap(0, 7, record(3), 0, FLOAT, 40);
    loops.swap(1, 8, record(3), 0, FLOAT, 41);
    loops.swap(2, 7, record(4), 0, FLOAT, 42);
    expect([0, 1, 2].map((warp) => loops.goesAgain(warp))).toEqual([false, false, false]);
  });
  it("does of the words of a bank that it still owes one a round", () => {
    const loops = new SpinLoops(2, BANKS);
    loops.load(0, 0, 0, 10);
    loops.load(1, 0, 0, 11);
    loops.swap(0, 7, record(3), 0, FLOAT, 40);
    loops.swap(1, 7, record(3), 0, FLOAT, 41);
    // The next traced iteration swaps word 35, of the same bank, after word 3.
    loops.load(1, 0, 0, 100);
    loops.swap(1, 7, record(35), 0, FLOAT, 130);
    expect(loops.goesAgain(1)).toBe(true);
    loops.load(1, 0, 0, 200);
    loops.swap(1, 7, record(35), 0, FLOAT, 230);
    expect(loops.goesAgain(1)).toBe(false);
  });
});

describe("additions to shared memory by many warps", () => {
  const gpu = new MicroSimulator(h200);
  for (const { group, id, simulate, measured } of spinBenchmarks()) {
    if (!/^(4|8|16|32) warps, 32 lanes, 32 words$/.test(id)) continue;
    it(`take within a quarter of an H200's cycles: ${group}, ${id}`, () => {
      expect(Math.abs(simulate(gpu) / measured - 1)).toBeLessThan(0.25);
    });
  }
});
