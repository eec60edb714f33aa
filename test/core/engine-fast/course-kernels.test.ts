/** Every kernel of the five documents on both engines, for two GPUs and several sizes. */
import { describe, expect, it } from "vitest";
import { lower } from "../../../src/core/lower/lower.js";
import type { Program } from "../../../src/core/lower/program.js";
import { everyKernel } from "../../kernels/index.js";
import type { LaunchOptions } from "../engine/launch.js";
import { compareEngines } from "./both-engines.js";

const GPUS = [
  { computeCapability: { major: 9, minor: 0 }, contractFma: true },
  { computeCapability: { major: 2, minor: 0 }, contractFma: true },
] as const;

const SIZES = [
  { block: 64, n: 1000 },
  { block: 256, n: 2048 },
  { block: 1024, n: 1024 },
  { block: 96, n: 777 },
] as const;

/** Arrays of n elements for pointers, n for integers, and shared memory of an element a thread. */
function launchOf(program: Program, block: number, n: number, lockstep: boolean): LaunchOptions {
  const args: Record<string, Int32Array | Float32Array | number> = {};
  for (const param of program.params) {
    if (param.kind === "scalar") args[param.name] = param.type === "f32" ? 1.5 : n;
    else if (param.type.pointer === "f32")
      args[param.name] = Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 1000);
    else args[param.name] = Int32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 2654435761) >> 4);
  }
  return { block, grid: Math.ceil(n / block), dynamicSharedBytes: 4 * block, args, lockstep };
}

describe("the fast engine gives the reference engine's memory, counters, output and faults", () => {
  for (const kernel of everyKernel()) {
    for (const gpu of GPUS) {
      const { major } = gpu.computeCapability;
      it(`for ${kernel.name} on compute capability ${major}`, () => {
        let program: Program;
        try {
          program = lower(kernel.ir, gpu);
        } catch {
          return; // the GPU lacks what the kernel uses
        }
        for (const { block, n } of SIZES) {
          const { differences } = compareEngines(program, launchOf(program, block, n, major < 7));
          expect(differences).toEqual([]);
        }
      });
    }
  }
});
