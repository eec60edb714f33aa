import { describe, expect, it } from "vitest";
import { lower } from "../../src/lower/lower.js";
import * as labs from "../kernels/labs.js";
import { compareEngines } from "./bothEngines.js";

const OPTIONS = { computeCapability: { major: 9, minor: 0 }, contractFma: true } as const;

describe("the fast engine on the kernels of the labs", () => {
  for (const [name, perThread] of [
    ["divergent", 1],
    ["nonDivergent", 1],
    ["sequential", 1],
    ["firstAdd", 2],
    ["lastWarp", 2],
    ["lastWarpSync", 2],
  ] as const) {
    for (const block of [64, 128, 256, 1024]) {
      it(`gives the reference engine's memory and counters for ${name} with blocks of ${block}`, () => {
        const grid = 3;
        const input = Int32Array.from({ length: grid * block * perThread }, (_, i) => Math.imul(i + 1, 2654435761));
        const comparison = compareEngines(lower(labs[name].ir, OPTIONS), {
          grid,
          block,
          dynamicSharedBytes: block * 4,
          args: { input, output: new Int32Array(grid) },
        });
        expect(comparison).toEqual({ supported: true, differences: [], fault: null });
      });
    }
  }
  for (const name of ["ex03v1", "ex03v2", "ex03v3", "ex03v4", "ex03v5"] as const) {
    for (const [block, n] of [
      [256, 5000],
      [256, 4096],
      [128, 777],
      [1024, 100],
    ] as const) {
      it(`gives the reference engine's memory and counters for ${name} with ${n} values in blocks of ${block}`, () => {
        const grid = Math.ceil(n / block);
        const input = Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 1000);
        const comparison = compareEngines(lower(labs[name].ir, OPTIONS), {
          grid,
          block,
          dynamicSharedBytes: block * 4,
          args: { input, output: new Float32Array(grid), n },
        });
        expect(comparison).toEqual({ supported: true, differences: [], fault: null });
      });
    }
  }
});
