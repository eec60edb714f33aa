import { describe, expect, it } from "vitest";
import { lower } from "../../src/lower/lower.js";
import { readCuda } from "./cuda-text.js";

/** Kernels whose guarded loads nvcc 13.0 -O3 predicates for sm_90, with the length of its code. */
const KERNELS: readonly (readonly [name: string, nvccLength: number, text: string])[] = [
  [
    "firstAdd",
    35,
    `__global__ void firstAdd(const float *in, float *out, int n) {
      int i = blockIdx.x * blockDim.x * 2 + threadIdx.x; float s = 0.0f;
      while (i < n) { s += in[i]; if (i + blockDim.x < n) s += in[i + blockDim.x]; i += gridDim.x * blockDim.x * 2; }
      out[blockIdx.x * blockDim.x + threadIdx.x] = s;
    }`,
  ],
  [
    "greatest",
    32,
    `__global__ void greatest(const int *in, int *out, unsigned n) {
      unsigned i = blockIdx.x * 512 + threadIdx.x; int s = 0;
      while (i < n) { s = max(s, in[i]); if (i + 256 < n) s = max(s, in[i + 256]); i += gridDim.x * 512; }
      out[blockIdx.x * blockDim.x + threadIdx.x] = s;
    }`,
  ],
  [
    "indirect",
    34,
    `__global__ void indirect(const float *in, const int *idx, float *out, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0.0f;
      for (; i < n; i += gridDim.x * blockDim.x) { int j = idx[i]; s += in[i]; if (j >= 0) s += in[j]; }
      out[threadIdx.x] = s;
    }`,
  ],
];

describe("a guarded load whose sum alone waits for a load before it", () => {
  for (const [name, nvccLength, text] of KERNELS) {
    it(`is predicated in ${name}, as nvcc has it`, () => {
      const ir = readCuda(text).get(name);
      if (ir === undefined) throw new Error(`no kernel ${name}`);
      const { instructions } = lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
      // One for the loop, none within it.
      expect(instructions.filter(({ op }) => op === "bssy").length).toBe(1);
      const length = instructions.reduce((sum, { issue }) => sum + issue.length, 0);
      expect(Math.abs(length - nvccLength)).toBeLessThanOrEqual(2);
    });
  }
});
