import { describe, expect, it } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import { lower } from "../../../src/core/lower/lower.js";
import { inPlaceReductions } from "../../../src/course/reductions/in-place-kernels.js";
import { sumInt32 } from "../../../src/course/reductions/reduction-run.js";
import { probeKernels } from "../../tools/accuracy/probe-kernels.js";

const BLOCK = 512;
const hopper = { computeCapability: { major: 9, minor: 0 }, contractFma: true };

function values(n: number): Int32Array {
  return Int32Array.from({ length: n }, (_, k) => Math.imul(k, 0x9e3779b1) >> 3);
}

describe("the reductions in global memory", () => {
  for (const { title, kernel, dataBlocks } of inPlaceReductions) {
    // A V100 with the default schedule runs the last warp in the order that its text has.
    it(`${title} gives the sum of its input`, () => {
      const gpu = new Gpu("v100");
      const n = 4 * dataBlocks * BLOCK;
      const input = gpu.upload(values(n));
      const output = gpu.alloc({ type: "i32" }, 4);
      gpu.launch(kernel, { grid: 4, block: BLOCK }, { input, output, n });
      expect(sumInt32(output.read())).toBe(sumInt32(values(n)));
    });

    it(`${title} lowers to the instructions of its CUDA text`, () => {
      const name = title === "reduceCompleteUnroll (template)" ? "reduceCompleteUnroll512" : title;
      const text = probeKernels.get(name);
      expect(text).toBeDefined();
      const slots = (ir: Parameters<typeof lower>[0]): number =>
        lower(ir, hopper).instructions.reduce((sum, { issue }) => sum + issue.length, 0);
      expect(slots(kernel.ir)).toBe(slots(text!));
    });
  }
});
