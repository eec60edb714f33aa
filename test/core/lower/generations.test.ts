/**
 * The overhead of each GPU generation in the loop of an in-place reduction. Source: nvcc 13.0 for sm_75, sm_86 and
 * sm_90, ptxas 12.9 for sm_70 (cuobjdump and nvdisasm).
 */
import { describe, expect, it } from "vitest";
import type { Program } from "../../../src/core/lower/program.js";
import { compileCuda, count, mnemonics } from "./kernel-code.js";

const TEXT = `__global__ void reduceInterleaved(int *data, int *out, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int *idata = data + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) { idata[tid] += idata[tid + stride]; }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = idata[0];
}`;

function on(major: number, minor: number): Program {
  return compileCuda(TEXT, { computeCapability: { major, minor } });
}

/** From the target of the last backward branch to that branch. */
function loopOf(program: Program): Program["instructions"] {
  const back = program.instructions.filter((i) => i.op === "bra" && (i.target ?? i.pc + 1) <= i.pc).at(-1);
  if (back?.target === undefined) throw new Error("no loop");
  return program.instructions.slice(back.target, back.pc + 1);
}

const loopLength = (program: Program): number => loopOf(program).reduce((sum, { issue }) => sum + issue.length, 0);

describe("an in-place reduction", () => {
  it("has a loop of 14 instructions from Ampere on", () => {
    expect([on(8, 6), on(8, 9), on(9, 0)].map(loopLength)).toEqual([14, 14, 14]);
  });

  it("has one more on Turing, BMOV before BSSY", () => {
    expect(loopLength(on(7, 5))).toBe(15);
    expect(count(on(7, 5), "BMOV")).toBe(1);
    expect(count(on(8, 6), "BMOV")).toBe(0);
  });

  it("has three more on Volta: BMOV, NOP before BAR.SYNC, SHFL at the loop's head", () => {
    const volta = on(7, 0);
    expect(loopLength(volta)).toBe(17);
    expect(loopOf(volta)[0]?.issue[0]?.mnemonic).toBe("@!PT.SHFL.IDX");
    const all = mnemonics(volta);
    expect(all[all.indexOf("BAR.SYNC") - 1]).toBe("NOP");
  });

  it("touches the shuffle unit at the start of every kernel on Volta", () => {
    expect(mnemonics(on(7, 2))[1]).toBe("@!PT.SHFL.IDX");
    expect(count(on(7, 5), "@!PT.SHFL")).toBe(0);
  });
});

describe("operands", () => {
  const COPY = "__global__ void copy(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }";

  it("of pointers are loaded on Hopper", () => {
    expect(count(compileCuda(COPY), "LDC.64")).toBe(2);
  });

  it("of pointers are in constant memory before, and the element's size is moved to a register once", () => {
    const program = compileCuda(COPY, { computeCapability: { major: 8, minor: 6 } });
    expect([count(program, "LDC.64"), count(program, "MOV"), count(program, "IMAD.WIDE")]).toEqual([0, 1, 2]);
  });

  const SHARED = `__global__ void reverse(const int *in, int *out) {
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
  }`;

  it("in shared memory are scaled by the access before Hopper", () => {
    expect(count(compileCuda(SHARED), "LEA")).toBeGreaterThan(0);
    expect(count(compileCuda(SHARED, { computeCapability: { major: 7, minor: 5 } }), "LEA")).toBe(0);
  });
});
