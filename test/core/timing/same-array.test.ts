/** An array that two arguments of a launch share is the same array for L1, L2 and DRAM. */
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { coldNumbers } from "./cold-launch.js";

const kernels = readCuda(`
__global__ void ofTwo(const double *a, const double *b, double *c, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i + offset] + b[i + offset];
}
__global__ void ofOne(const double *a, double *c, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i + offset] + a[i + offset];
}
`);

describe("a kernel that adds two parameters' words", () => {
  it("brings an array given as both of them from DRAM once", () => {
    const blocks = 4096;
    const both = coldNumbers(kernels.get("ofTwo")!, blocks, 256, 0, ["D", "D", "LO", 11]);
    const one = coldNumbers(kernels.get("ofOne")!, blocks, 256, 0, ["D", "LO", 11]);
    const bytes = 8 * 256 * blocks;
    expect(Math.abs((both.dramBytesRead ?? 0) / bytes - 1)).toBeLessThan(0.05);
    const ratio = (both.timeMs ?? 0) / (one.timeMs ?? 0);
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.1);
  });
});
