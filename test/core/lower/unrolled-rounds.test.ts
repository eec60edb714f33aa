/**
 * The unroll factor of loops about as large as NVVM's and ptxas's limits: the most loads in one loop (nvcc 13.0,
 * sm_90).
 */
import { describe, expect, it } from "vitest";
import type { PassName } from "../../../src/core/lower/pass-names.js";
import { compileCuda } from "./kernel-code.js";

function mostLoads(text: string, without: readonly PassName[] = []): number {
  const { instructions } = compileCuda(text, { without });
  const loads = instructions
    .filter(({ op, pc, target }) => op === "bra" && target !== undefined && target <= pc)
    .map(({ pc, target }) => instructions.slice(target!, pc + 1).filter(({ op }) => op === "ld").length);
  return Math.max(...loads);
}

const alternating = (count: number): string =>
  Array.from({ length: count }, (_, i) => (i % 2 === 0 ? "u = u ^ c;" : "u = u * 3;")).join(" ");

describe("a loop of a run-time number of rounds", () => {
  it.each([
    ["", 44, 87],
    ["v += in[c + m];", 39, 82],
    ["v += in[c * m + i];", 38, 81],
    ["u = min(u, c);", 42, 85],
    ["v += c;", 42, 85],
    ["u = u / 3;", 40, 83],
    ["if (c & 1) v += 1;", 40, 83],
  ])("has as many at once as NVVM's size of '%s' lets", (body, four, two) => {
    const loads = (operations: number): number =>
      mostLoads(`__global__ void f(float *in, float *out, int n, int m) { unsigned u = m; float v = 0; int i = threadIdx.x;
        for (int c = 0; c < n; c++) { v += __sinf(in[c]); ${alternating(operations)} ${body} } out[i] = v + u; }`);
    const once = loads(two + 1);
    expect([loads(four), loads(four + 1), loads(two)]).toEqual([4 * once, 2 * once, 2 * once]);
  });

  it.each([
    ["in[k * length + c]", 8, 15],
    ["in[(k + 1) * length + c] * w[k]", 7, 13],
  ])("counts the multiples of a stride in %s that an inner loop leaves", (element, four, two) => {
    const loads = (terms: number): number =>
      mostLoads(
        `__global__ void f(const float *in, float *out, int length, int n) {
        float acc[${terms}], w[${terms}];
        for (int k = 0; k < ${terms}; k++) { acc[k] = 0.f; w[k] = in[k]; }
        for (int c = 0; c < length; c++)
          for (int k = 0; k < ${terms}; k++) acc[k] += ${element};
        float sum = 0.f;
        for (int k = 0; k < ${terms}; k++) sum += acc[k] * (k + 1);
        out[threadIdx.x] = sum; }`,
        ["unroll-again"],
      );
    expect([loads(four), loads(four + 1)]).toEqual([4 * four, 2 * (four + 1)]);
    expect([loads(two), loads(two + 1)]).toEqual([2 * two, two + 1]);
  });

  it.each([0, 1, 2, 3, 4, 5])("has sixteen at once where guards add floats, and %i other operations", (others) => {
    const more = ["t *= x[k];", "t += b;", "t *= b;", "t += 3;", "t *= 5;"].slice(0, others).join(" ");
    // Two loads a round; nvcc has one, in front of the guard (test/DEVIATIONS.md, N4).
    expect(
      mostLoads(`__global__ void f(const float *x, float *y, int n, int w) { float b = 0, t = 0;
        for (int k = 0; k < n; k++) { if (k < w) b += x[k]; t += x[k]; ${more} } y[threadIdx.x] = b * t; }`) / 2,
    ).toBe(16);
  });
});

describe("a loop from x + a to x + b", () => {
  const loads = (loop: string, condition = ""): number => {
    const { instructions } = compileCuda(`__global__ void f(const float *x, float *y, int n, int w) {
      int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (${loop}) ${condition} s += x[j]; y[i] = s; }`);
    return instructions.filter(({ op }) => op === "ld").length;
  };

  it.each([
    ["int j = i; j < i + 3; j++", 3],
    ["int j = i; j < i + 8; j++", 8],
    ["int j = i - 4; j < i + 4; j++", 8],
    ["int j = i - 3; j <= i + 3; j++", 7],
    ["int j = i; j < i + 32; j += 4", 8],
    ["int j = i * n; j < i * n + 8; j++", 8],
    ["int j = i * 16; j < i * 16 + 16; j++", 16],
    ["int j = i * 8; j < (i + 1) * 8; j++", 8],
  ])("'%s' is written out, %i loads", (loop, rounds) => {
    expect(loads(loop)).toBe(rounds);
  });

  it.each([
    ["int j = i; j < i + 9; j++", 7],
    ["int j = i; j < i + 20; j++", 7],
    ["int j = i * 9; j < i * 9 + 9; j++", 7],
    ["int j = i; j < i + 21; j++", 29 + 4],
  ])("'%s' is left to ptxas up to 20 rounds, %i loads", (loop, count) => {
    expect(Math.abs(loads(loop) - count)).toBeLessThanOrEqual(4);
  });

  it("stays where its test is one of x itself", () => {
    expect(loads("int j = i - 1; j < i + 2; j++", "if (j >= 0)")).toBe(1);
    expect(loads("int j = i - 1; j <= i + 1; j++", "if (j >= 0)")).toBe(1);
    expect(loads("int j = i - 1; j < i + 1; j++", "if (j >= 0)")).toBe(2);
  });
});

describe("a loop that ptxas unrolls again", () => {
  it.each([
    ["if (in[d] < w || (in[d] == w && d < i)) v++;", 16],
    ["if (in[d] < w) v++; else if (in[d] == w) u++;", 16],
    ["if (in[d] % 3 == 0 && d < i) v++;", 4],
    ["v += in[d] ^ d;", 16],
    ["if (d < i) v += in[i + d];", 16],
    ["v += in[i ^ d];", 16],
    ["v += in[d] ^ (d * 3);", 4],
    ["v += in[d] * (i + d);", 4],
    ["if (i + d < w) v += in[i + d];", 4],
    ["if (i + d < w) v += in[d];", 4],
    ["if (i - d >= 0) v += in[i - d];", 4],
    ["v += in[(i + d) & 255];", 4],
  ])("has as many at once in %s as nvcc's", (body, loads) => {
    expect(
      mostLoads(`__global__ void f(int *out, const int *in, int n, int w) {
        int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0, u = 0; for (int d = 0; d < n; d++) { ${body} } out[i] = v + u; }`),
    ).toBe(loads);
  });

  it.each([
    ["out[c] = in[c];", 16],
    ["out[row * n + c] *= 2.f;", 16],
    ["out[row * n + c] = in[row * n + c];", 4],
    ["out[row * n + c] = in[row * w + c];", 4],
  ])("stores through pointers that step in %s, where lanes leave apart", (body, loads) => {
    expect(
      mostLoads(`__global__ void f(float *out, const float *in, int n, int w) {
        int row = blockIdx.x * 8 + threadIdx.y; for (int c = threadIdx.x; c < n; c += 32) { ${body} } }`),
    ).toBe(loads);
  });

  it.each([
    ["0", "n", "", 4],
    ["0", "n * w", "", 4],
    ["0", "threadIdx.x", "", 4],
    ["0", "n", "__syncthreads();", 4],
    ["0", "n * w", "__syncthreads();", 1],
    ["threadIdx.x", "n", "__syncthreads();", 1],
  ])("does from %s to %s with '%s' in a round as many as nvcc's", (start, bound, between, loads) => {
    expect(
      mostLoads(`__global__ void f(float *out, const float *in, int n, int w) {
        float v = 0; for (unsigned c = ${start}; c < ${bound}; c += 32) { v += in[c]; ${between} } out[threadIdx.x] = v; }`),
    ).toBe(loads);
  });
});
