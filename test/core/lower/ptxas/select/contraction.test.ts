/** The products that nvcc 13.0 -O3 -arch=sm_90 contracts into sums in the same kernels (cuobjdump). */
import { describe, expect, it } from "vitest";
import { compileCuda, count } from "../../kernel-code.js";

/** Kernel text, and the FMUL, FADD and FFMA in nvcc's code. */
const SEEN: readonly (readonly [string, string, number, number, number])[] = [
  ["a product that a product reads too is in no sum", "o[0] = p + c; o[1] = p * d;", 2, 1, 0],
  ["a product that two sums read is in both", "o[0] = p + c; o[1] = p - d;", 0, 0, 2],
  ["a product that is stored is in no sum", "o[0] = p + c; o[1] = p;", 1, 1, 0],
  ["a product reaches into an if", "if (d > 3.f) o[threadIdx.x + 7] = p + c;", 0, 0, 1],
  ["a product is taken from something", "o[0] = p + c; o[1] = d - p;", 0, 0, 2],
  ["of two products one is in the sum", "o[0] = p + c * d;", 1, 0, 1],
  ["of two products the one that nothing else reads is in the sum", "o[0] = p + c * d; o[1] = p;", 1, 0, 1],
  ["a product whose negative is stored is in no sum", "o[0] = p + c; o[1] = -p;", 1, 2, 0],
  ["five sums may read a product", "o[0] = p + c; o[1] = p + d; o[2] = p + a; o[3] = p + b; o[4] = p + 1.f;", 0, 0, 5],
  ["signs go into the multiply-add", "o[0] = -p + c; o[1] = c - p; o[2] = -p - c;", 0, 0, 2],
];

describe("contraction", () => {
  for (const [fact, body, products, sums, both] of SEEN) {
    const text = `__global__ void k(float *o, float a, float b, float c, float d) { float p = a * b; ${body} }`;
    it(fact, () => {
      const program = compileCuda(text);
      expect([count(program, "FMUL"), count(program, "FADD"), count(program, "FFMA")]).toEqual([products, sums, both]);
    });

    it(`${fact}, but not with -fmad=false`, () => {
      expect(count(compileCuda(text, { contractFma: false }), "FFMA")).toBe(0);
    });
  }
});

/**
 * Sums in another block than the product: FMUL, FADD and FFMA in nvcc's code, also of a loop with two products and a
 * sum.
 */
const APART: readonly (readonly [string, string, number, number, number])[] = [
  ["before and behind a loop, the product is in none", "x = p + c; LOOP y += p - d;", 2, 3, 1],
  ["all behind a loop, the product is in both", "LOOP y += p - d; x = p + c;", 1, 1, 3],
  ["behind two branches, the product is in none", "LOOP y += p - d; if (n > 8) { LOOP } x = p + c;", 3, 3, 2],
  ["one under a test, the product is in none", "x = p + c; if (x > d) { LOOP y += p - d; }", 2, 3, 1],
  [
    "both at the start of what a test guards, the product is in both",
    "if (c > d) { x = p + c; y = p - d; LOOP }",
    1,
    0,
    3,
  ],
  ["one behind an exit, the product is in none", "x = p + c; if (threadIdx.x > n) return; y = p - d;", 1, 2, 0],
  ["one behind a barrier, the product is in both", "x = p + c; __syncthreads(); y = p - d;", 0, 0, 2],
];

describe("of sums that stand", () => {
  it.each(APART)("%s", (_, body, products, sums, both) => {
    const loop = "for (int k = 0; k < n; k++) { y = y * y * c + k; if (y > 3) break; }";
    const program = compileCuda(`__global__ void k(float *O, const float *A, const float *B, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float a = A[i], b = B[i], c = A[i + 1], d = B[i + 1], x = 0, y = 0, p = a * b;
      ${body.replaceAll("LOOP", loop)} O[i] = x; O[i + n] = y; }`);
    expect([count(program, "FMUL"), count(program, "FADD"), count(program, "FFMA")]).toEqual([products, sums, both]);
  });
});
