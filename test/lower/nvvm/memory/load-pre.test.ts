/** What an `if` and the code behind it both load: how many loads nvcc 13.0 makes of it. */
import { describe, expect, it } from "vitest";
import { compileCuda } from "../../kernel-code.js";

function loads(body: string): number {
  const { instructions } = compileCuda(`__global__ void f(const int *x, int *y, int n, int w, int m) {
    __shared__ int s[256]; s[threadIdx.x] = n; __syncthreads(); int b = 0, t = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x) { ${body} } y[threadIdx.x] = b * t; }`);
  return instructions.filter(({ op }) => op === "ld").length;
}

describe("a load that stands again behind an if", () => {
  it.each(["k", "k + m", "k * m", "k ^ 1", "k & 7", "k >> 1", "255 - k"])("of x[%s] is one", (index) => {
    expect(loads(`if (k < w) b += x[${index}]; t += x[${index}];`)).toBe(1);
  });

  it.each([
    ["k", 1],
    ["k + m", 1],
    ["k * m", 1],
    ["k ^ 1", 2],
    ["k >> 1", 2],
    ["255 - k", 2],
  ])("of s[%s] is %i", (index, count) => {
    expect(loads(`if (k < w) b += s[${index}]; t += s[${index}];`)).toBe(count);
  });

  it("is two behind a shuffle, a store or beside another side", () => {
    expect(loads("if (k < w) { b += x[k]; b = __shfl_sync(~0u, b, 1); } t += x[k];")).toBe(2);
    expect(loads("if (k < w) { b += x[k]; y[k] = b; } t += x[k];")).toBe(2);
    expect(loads("if (k < w) b = __shfl_sync(~0u, b, 1) + x[k]; else b = __shfl_sync(~0u, b, 2); t += x[k];")).toBe(2);
  });
});
