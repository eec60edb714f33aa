/**
 * Addresses that several basic blocks compute, predicated bodies, flags: as many machine instructions as in
 * nvcc 13.0's code for sm_90.
 */
import { describe, expect, it } from "vitest";
import { compileCuda, mnemonics } from "./kernel-code.js";

const START = "int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t;";
const LOOP = "for (int k = 0; k < v; k++) v += x[v];";
const ADDRESSES = `const int *x, int *o, int *p, int *q, int n) { __shared__ int s[99]; ${START} int v = x[i];`;
const WAITS = `const float *x, const float *g, float *o, int n) { ${START} float v = x[i]; float w = 0.0f;`;
const SIDES = `const int *x, int *o, int n) { ${START} int a = x[i]; int b = x[i + n]; int r = 0;`;
const FIRST = "{ r = (a ^ b) * 3 + (a & b); r ^= r >> 3; r *= b; }";
const SECOND = "{ r = a - b; r = r * r + (r >> 4); }";
const THIRD = "{ r = b * a + 7; r = r * b - a; }";

const LENGTHS: readonly (readonly [what: string, kernel: string, length: number])[] = [
  ["two arrays behind a loop, at the index of one before it", `${ADDRESSES} ${LOOP} o[i] = v; p[i] = v;`, 32],
  ["three arrays there", `${ADDRESSES} ${LOOP} o[i] = v; p[i] = v; q[i] = v;`, 36],
  ["one behind each of two loops", `${ADDRESSES} ${LOOP} v += q[i]; ${LOOP} o[i] = v;`, 44],
  ["one on each side of a branch", `${ADDRESSES} if (v < 9) o[i] = v; else p[i] = v + 1;`, 22],
  ["one beside the next one's", `${ADDRESSES} ${LOOP} o[i] = v; p[i + 1] = v;`, 29],
  [
    "in a branch of a branch and behind",
    `${ADDRESSES.replace(" int v = x[i];", "")} if (t < n) { if (x[t * 2] > 3) o[i] = 3; } o[i + 1] = 4;`,
    23,
  ],
  [
    "a test by a load, a load or zero",
    `const float *x, const float *g, float *o, int n) { ${START} if (i < n) o[i] = x[i] > 0.5f ? g[i] : 0.0f;`,
    24,
  ],
  [
    "a test by a load, another load over it",
    `${WAITS.replace(" float w = 0.0f;", "")} if (v > 0.5f) v = g[i]; o[i] = v;`,
    23,
  ],
  [
    "two short sides on either side",
    `${SIDES} if (a < 5) { if (b > 7) ${FIRST} else ${SECOND} } else { if (b > 70) ${THIRD} else ${SECOND} } o[i] = r;`,
    39,
  ],
  [
    "two short sides behind another",
    `${SIDES} if (a < 5) ${FIRST} else if (b > 7) ${SECOND} else ${THIRD} o[i] = r;`,
    35,
  ],
  [
    "a flag that one vote reads",
    `const int *x, int *o, int l, int n) { ${START} int k = 0; if (i < n) k = x[i] > l; unsigned m = __ballot_sync(0xffffffff, k); o[i] = m;`,
    22,
  ],
  [
    "a flag that a barrier reads",
    `const int *x, int *o, int l, int n) { ${START} int ok = 1; if (i < n) ok = x[i] < l; ok = __syncthreads_and(ok); if (t == 0) o[blockIdx.x] = ok;`,
    26,
  ],
  [
    "a least distance",
    `const float *x, float *o, float n) { int i = threadIdx.x; float v = fabsf(x[i] - n); float m = x[i + 40]; if (v < m) m = v; o[i] = m;`,
    15,
  ],
];

describe("the code of", () => {
  it.each(LENGTHS)("%s is as long as nvcc's", (_, kernel, length) => {
    expect(mnemonics(compileCuda(`__global__ void k(${kernel} }`)).length).toBe(length);
  });
});
