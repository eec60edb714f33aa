/** The search for the first wrong pass names the pass that makes what a test calls wrong. */
import { expect, test } from "vitest";
import { readCuda } from "../../src/core/frontend/cuda/read-cuda.js";
import type { Instruction } from "../../src/core/lower/program.js";
import { firstWrongPass } from "./verify-each.js";

const [ir] = readCuda(`__global__ void k(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < 3; j++) s += a[i + j] * 2.5f;
  if (i < n) a[i] = s;
  a[i + n] = s;
}`).values();

const OPTIONS = { computeCapability: { major: 9, minor: 0 }, contractFma: true };

function named(isWrong: (inst: Instruction) => boolean, most = 0): string | null {
  if (ir === undefined) throw new Error("no kernel");
  return firstWrongPass(ir, OPTIONS, ({ instructions }) =>
    instructions.filter(isWrong).length > most ? "planted" : null,
  );
}

test.each([
  ["a contraction", "select-instructions", 0, (inst: Instruction) => inst.op === "mad" && inst.type === "f32"],
  ["a guard", "predication", 0, (inst: Instruction) => inst.guard !== null && inst.op === "st"],
  ["an unrolled iteration", "loop-full-unroll", 1, (inst: Instruction) => inst.op === "ld"],
])("of a program that is wrong by %s names %s", (_, step, most, isWrong) => {
  expect(named(isWrong, most)).toMatch(
    new RegExp(`^First wrong behind pass \\d+, ${step} \\(its application 1\\): planted\n`),
  );
});

test("says so where no pass is needed for it", () => {
  expect(named(({ op }) => op === "st")).toMatch(/^Wrong without any pass: the builder or emission: planted/);
});

test("names the step without which the program is right, too", () => {
  expect(named(({ op, guard }) => guard !== null && op === "st")).toMatch(/\nRight without predication$/);
});

test("finds nothing where nothing is wrong", () => {
  expect(named(() => false)).toBeNull();
});
