/**
 * Reconvergence before exchanges between lanes that may have diverged: the numbers of WARPSYNC.ALL, BRA.DIV and BSSY
 * in machine code of nvcc 13.0 for sm_90.
 */
import { describe, expect, it } from "vitest";
import { compileCuda, count } from "../kernel-code.js";

const kernel = (body: string): string =>
  `__global__ void k(const int *x, int *o, int n) { __shared__ int s[64]; int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t; int c = 0; ${body} o[i] = c; }`;
const down = (distance: number): string => `c += __shfl_down_sync(0xffffffff, c, ${distance});`;
const loop = "for (int k = i; k < n; k += blockDim.x * gridDim.x)";

const BODIES: readonly (readonly [what: string, body: string, syncs: number, checks: number, meetings: number])[] = [
  ["one shuffle in a branch", `if (x[i] > 5) { c = x[i + 7]; ${down(1)} }`, 1, 0, 0],
  ["two shuffles in a branch", `if (x[i] > 5) { c = x[i + 7]; ${down(1)} ${down(2)} }`, 0, 1, 1],
  ["a vote in a loop", `${loop} c += __popc(__ballot_sync(0xffffffff, x[k] > 3));`, 1, 0, 0],
  [
    "two votes in a loop",
    `${loop} { int v = x[k]; c += __popc(__ballot_sync(0xffffffff, v > 3)) * __popc(__ballot_sync(0xffffffff, v > 4)); }`,
    0,
    1,
    1,
  ],
  ["a vote in a loop, then a shuffle", `${loop} c += __popc(__ballot_sync(0xffffffff, x[k] > 3)); ${down(1)}`, 2, 0, 0],
  ["a shuffle in a branch, then another", `if (x[i] > 5) { c = x[i + 7]; ${down(1)} } ${down(2)}`, 0, 2, 1],
  [
    "shuffles on both sides of a barrier",
    `if (x[i] > 5) { c = x[i + 7]; ${down(1)} } __syncthreads(); if (x[i + 1] > 5) { c += x[i + 8]; ${down(1)} }`,
    3,
    0,
    0,
  ],
  [
    "a block's second sum, then a barrier",
    `if (t < 32) { c = s[t]; ${down(2)} ${down(1)} if (t == 0) s[0] = c; } __syncthreads();`,
    1,
    1,
    0,
  ],
  [
    "shuffles of a branch, then a vote",
    `if (x[i] > 5) { c = x[i + 7]; ${down(1)} ${down(2)} c += __ballot_sync(0xffffffff, c > 1); }`,
    1,
    1,
    0,
  ],
  [
    "a vote of a branch, then shuffles",
    `if (x[i] > 5) { c = x[i + 7]; c += __ballot_sync(0xffffffff, c > 1); ${down(1)} ${down(2)} }`,
    1,
    0,
    0,
  ],
  [
    "a shuffle in a branch of a branch",
    `if (x[i] > 5) { c = x[i + 7]; if (c > 9) { c = x[i + c]; ${down(1)} } c += x[i + 2 * c]; }`,
    1,
    0,
    1,
  ],
  ["a shuffle of some lanes", `if (t < 16) { c = x[i + 7]; c += __shfl_down_sync(0xffff, c, 1); }`, 0, 0, 1],
  [
    "a shuffle of all behind a branch",
    `if (x[i] > 5) { for (int k = 0; k < x[i]; k += c) c += x[i + k]; } ${down(1)}`,
    0,
    0,
    1,
  ],
  ["a branch of uniform condition", `if (x[blockIdx.x] > 4) { c = x[i]; ${down(1)} ${down(2)} }`, 0, 0, 0],
];

describe("lanes that exchange", () => {
  it.each(BODIES)("%s", (_, body, syncs, checks, meetings) => {
    const program = compileCuda(kernel(body));
    const counted = ["WARPSYNC.ALL", "BRA.DIV", "BSSY"].map((mnemonic) => count(program, mnemonic));
    expect(counted).toEqual([syncs, checks, meetings]);
  });
});
