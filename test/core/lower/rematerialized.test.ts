/**
 * Block scans by warps with `sums[t >> 5]` in two guards: NVVM hoists the address in front of both where few words
 * are live. Compared with nvcc 13.0's code for sm_90.
 */
import { describe, expect, it } from "vitest";
import type { Program } from "../../../src/core/lower/program.js";
import { compileCuda, mnemonics } from "./kernel-code.js";

const FEW_LIVE = `__global__ void scan(const float *in, float *out, int n) {
  __shared__ float sums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) { float y = __shfl_up_sync(0xffffffff, x, d); if ((threadIdx.x & 31) >= d) x += y; }
  if ((threadIdx.x & 31) == 31) sums[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < 32) {
    float s = sums[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) { float y = __shfl_up_sync(0xffffffff, s, d); if ((threadIdx.x & 31) >= d) s += y; }
    sums[threadIdx.x] = s;
  }
  __syncthreads();
  if (threadIdx.x >= 32) x += sums[threadIdx.x / 32 - 1];
  if (i < n) out[i] = x;
}`;

function guarded(program: Program, start: string): number {
  return program.instructions.filter(({ guard, issue }) => guard !== null && issue[0]?.mnemonic.startsWith(start))
    .length;
}

describe("a place in shared memory that two guards compute", () => {
  it("is computed once in front of both where six words are live", () => {
    const program = compileCuda(FEW_LIVE);
    expect(guarded(program, "S2UR")).toBe(0);
    // nvcc has 63: its mask also tests for a lane beyond the first, and it masks the shift.
    expect(mnemonics(program).length).toBe(63 - 1);
  });
});
