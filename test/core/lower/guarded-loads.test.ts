import { describe, expect, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { compileCuda } from "./kernel-code.js";

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
      // One for the loop, none inside it.
      expect(instructions.filter(({ op }) => op === "bssy").length).toBe(1);
      const length = instructions.reduce((sum, { issue }) => sum + issue.length, 0);
      expect(Math.abs(length - nvccLength)).toBeLessThanOrEqual(2);
    });
  }
});

describe("guarded loads in a row", () => {
  const sum = (body: string): string =>
    `__global__ void k(const float *in, const float *w, float *out, int n, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; float v = 0.0f; ${body} out[i] = v; }`;
  /** A body, its loads in nvcc 13.0's code for sm_90, and the number of predicated ones. */
  const bodies: readonly (readonly [body: string, loads: number, predicated: number])[] = [
    ["if (i + 1 < n) v += in[i + 1];", 1, 0],
    ["if (i + 1 < n) v += in[i + 1]; if (i + 4 < n) v += in[i + 4];", 2, 2],
    [
      "__shared__ float s[300]; int t = threadIdx.x; s[t + 3] = in[i]; if (t < 3) { s[t] = i >= 3 ? in[i - 3] : 0.0f; s[t + 259] = i + 256 < n ? in[i + 256] : 0.0f; } __syncthreads(); v = s[t] + s[t + 1];",
      3 + 2,
      2,
    ],
    ["for (int d = -3; d <= 3; d++) { int j = i + d; if (j >= 0 && j < n) v += in[j]; }", 7, 7],
    ["for (int d = 0; d < m; d++) { int j = i + d; if (j < n) v = fmaxf(v, in[j]); }", 4 + 1, 5],
    ["for (int d = -m; d <= m; d++) { int j = i + d; if (j < n) v += in[j]; }", 16 + 8 + 4 + 1, 29],
    ["for (int d = -m; d <= m; d++) { int j = i + d; if (j >= 0 && j < n) v += in[j] * w[d + m]; }", 2 * 29, 58],
  ];
  for (const [body, loads, predicated] of bodies) {
    it(`are predicated as nvcc has it in ${body}`, () => {
      const { instructions } = compileCuda(sum(body));
      const found = instructions.filter(({ op }) => op === "ld");
      expect([found.length, found.filter(({ guard }) => guard !== null).length]).toEqual([loads, predicated]);
    });
  }
});
