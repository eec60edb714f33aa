/**
 * Moves of constants to registers: their place and number, in an iteration and in all, as in nvcc 13.0's code for
 * sm_90.
 */
import { describe, expect, it } from "vitest";
import { compileCuda, count } from "../kernel-code.js";

const ROUNDS = "for (int k = threadIdx.x; k < n; k += blockDim.x)";

/** The MOVs of constants in the first loop. */
function movesInRound(text: string): number {
  const { instructions } = compileCuda(text);
  const back = instructions.find(({ op, pc, target }) => op === "bra" && target !== undefined && target <= pc)!;
  return instructions
    .slice(back.target!, back.pc + 1)
    .filter(({ op }) => op === "mov")
    .reduce((sum, { issue }) => sum + issue.length, 0);
}

describe("a constant that needs a register", () => {
  const floats = (body: string): string =>
    `__global__ void f(const float *x, float *y, int n) { float v = x[threadIdx.x]; ${ROUNDS} { ${body} } y[threadIdx.x] = v; }`;
  const doubles = (body: string): string => floats(body).replaceAll("float", "double");

  it.each([
    ["stands in front of a round without a load", floats("v = v * .75f + .125f;"), 0],
    ["is moved beside a load", floats("v += x[k] * .75f + .125f;"), 1],
    ["is moved where a load does not wait for it", floats("float w = x[k]; v = v * .75f + .125f; v += w;"), 1],
    ["stands in front of 25 instructions", floats("v = v * .75f + .125f;".repeat(22)), 0],
    ["is moved among 26", floats("v = v * .75f + .125f;".repeat(23)), 1],
    ["of 64 bits stands in front of 10", doubles("v = v * .5 + .125;".repeat(7)), 0],
    ["of 64 bits is moved among 11", doubles("v = v * .5 + .125;".repeat(8)), 2],
    ["is moved where it is stored beside a load", floats("v += x[k]; y[k] = 3.f;"), 1],
    ["is one where products share it", floats("v = x[k] * .75f + .125f; v = v * .5f + .125f;"), 1],
    ["of a double is its two words", doubles("v += x[k] * .3;"), 2],
    ["of a double with one word is none", doubles("v += x[k] * .5;"), 0],
  ])("%s", (_, text, moves) => {
    expect(movesInRound(text)).toBe(moves);
  });

  it("of choices of doubles is a word where the lower ones are zero", () => {
    const kernel = compileCuda(
      "__global__ void f(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] > .5 ? 1. : 2.; }",
    );
    expect(count(kernel, "MOV") + count(kernel, "FSEL") + count(kernel, "SEL")).toBe(3);
  });
});
