/**
 * The last warp of Lab 28 with and without volatile. What nvcc 13.0 makes of it for sm_70 to sm_90 (cuobjdump of these
 * kernels): without volatile seven loads, one after the other, then one store; with it, two loads and a store a step.
 */
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../../../src/core/lower/lower.js";
import type { Program } from "../../../../../src/core/lower/program.js";
import { execute } from "../../../engine/launch.js";

const step = (array: string, distance: number): string => `${array}[t] += ${array}[t + ${distance}];`;
const steps = (array: string): string => [32, 16, 8, 4, 2, 1].map((distance) => step(array, distance)).join(" ");
const kernelText = (name: string, lastWarp: string): string => `
__global__ void ${name}(const int *in, int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) { ${lastWarp} }
  if (t == 0) out[0] = s[0];
}`;

const kernels = readCuda(
  [
    kernelText("plain", steps("s")),
    kernelText("fresh", `volatile int *v = s; ${steps("v")}`),
    kernelText("fenced", `${step("s", 32)} __syncwarp(); ${step("s", 16)}`),
  ].join("\n"),
);

function compiled(name: string, major = 9, minor = 0): Program {
  const ir = kernels.get(name);
  if (ir === undefined) throw new Error(`no kernel ${name}`);
  return lower(ir, { computeCapability: { major, minor }, contractFma: true });
}

/** The loads and stores of shared memory, in order, between the kernel's first store and its last load. */
function lastWarp(program: Program): string {
  const accesses = program.instructions
    .filter(({ op, space }) => (op === "ld" || op === "st") && space === "shared")
    .map(({ op }) => op);
  return accesses.slice(1, -1).join(" ");
}

const input = Int32Array.from({ length: 64 }, (_, i) => 2 ** (i % 20) + i);

function sum(name: string): number | undefined {
  return execute(compiled(name), { block: 64, args: { in: input, out: new Int32Array(1) } }).read<Int32Array>("out")[0];
}

describe("a last warp", () => {
  it("without volatile loads all that it adds, and stores once", () => {
    for (const [major, minor] of [
      [7, 0],
      [8, 6],
      [9, 0],
    ] as const)
      expect(lastWarp(compiled("plain", major, minor))).toBe("ld ld ld ld ld ld ld st");
  });

  it("with volatile loads twice and stores in each step", () => {
    expect(lastWarp(compiled("fresh"))).toBe(Array(6).fill("ld ld st").join(" "));
  });

  it("without volatile gives lane 0 the values from before the first step", () => {
    const before = [0, 32, 16, 8, 4, 2, 1].map((distance) => input[distance] ?? 0);
    expect(sum("plain")).toBe(before.reduce((total, value) => total + value, 0));
  });

  it("with volatile gives the sum of all where lanes keep in step", () => {
    expect(sum("fresh")).toBe(input.reduce((total, value) => total + value, 0));
  });

  it("stores before a syncwarp and loads after it, as other lanes may have written", () => {
    expect(lastWarp(compiled("fenced"))).toBe("ld ld st ld ld st");
  });
});
