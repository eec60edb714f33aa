import { describe, expect, it } from "vitest";
import { median } from "../../../src/core/base/median.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { randomInts, sumInt32 } from "../../../src/course/reductions/reduction-run.js";
import { runBench } from "../../../src/tools/bench/command.js";
import { shuffleSum } from "../../../src/tools/bench/kernels.js";
import { benchLine, growthExponent } from "../../../src/tools/bench/measure.js";

describe("a line of the benchmark", () => {
  it("meets a demand that it reaches exactly, from either side", () => {
    expect(benchLine("a", "a", 5, "s", { atMost: 5 }).met).toBe(true);
    expect(benchLine("a", "a", 5, "s", { atLeast: 5 }).met).toBe(true);
  });

  it("misses a demand by being too much or too little", () => {
    expect(benchLine("a", "a", 5.1, "s", { atMost: 5 }).met).toBe(false);
    expect(benchLine("a", "a", 4.9, "G/s", { atLeast: 5 }).met).toBe(false);
  });

  it("has nothing to meet where nothing is asked", () => {
    expect(benchLine("a", "a", 5, "s")).toMatchObject({ met: null, demanded: "" });
  });
});

describe("the growth of a cost", () => {
  it("has the exponent of the power that the cost is", () => {
    const points = [1, 2, 4, 8].map((n) => ({ n, seconds: 3 * n ** 1.5 }));
    expect(growthExponent(points)).toBeCloseTo(1.5, 12);
  });

  it("is less than linear where a constant is part of it", () => {
    expect(growthExponent([1, 2, 4, 8].map((n) => ({ n, seconds: 1 + n })))).toBeLessThan(1);
  });
});

describe("the median of measured values", () => {
  it("has as many above as below, however far off one of them is", () => {
    expect(median([3, 1, 1000, 2, 4])).toBe(3);
  });
});

describe("the sum by shuffles", () => {
  it("is that of a plain loop", () => {
    const gpu = new Gpu("h200");
    const values = randomInts(8 * 1024);
    const input = gpu.upload(values);
    const output = gpu.alloc({ type: "i32" }, 8);
    gpu.launch(shuffleSum, { grid: 8, block: 1024 }, { input, output });
    expect(sumInt32(output.read())).toBe(sumInt32(values));
  });
});

describe("the command", () => {
  it("refuses an option that is none, with its usage", () => {
    let said = "";
    const code = runBench(["--fast"], {
      out: () => {},
      error: (text) => {
        said += text;
      },
    });
    expect(code).toBe(2);
    expect(said).toMatch(/--fast[\s\S]*--quick/);
  });
});
