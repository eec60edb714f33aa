/**
 * What lies at a fixed place of a shared array, read under a test within a loop: as many loads as nvcc 13.0 -O3 -arch=sm_90 makes of the same
 * kernels (nvdisasm), and what C gives where the loop itself writes there.
 */
import { describe, expect, it } from "vitest";
import { fastEngine } from "../../../../src/engine/fast/index.js";
import { referenceEngine } from "../../../../src/engine/reference/index.js";
import { execute } from "../../../engine/launch.js";
import { compileCuda, mnemonics } from "../../kernel-code.js";

const loads = (text: string): number => mnemonics(compileCuda(text)).filter((mnemonic) => /^LDS/.test(mnemonic)).length;

/** Adds what `read` says to up to `rounds` elements a thread. */
const added = (shared: string, written: string, read: string, rounds: string): string =>
  `extern "C" __global__ void added(int *data, const int *totals, int n, int m) {
    __shared__ int ${shared};
    ${written}
    __syncthreads();
    int start = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    for (int k = 0; k < ${rounds}; k++) { int i = start + k * blockDim.x; if (i < n) data[i] += ${read}; }
  }`;
const CELL = "if (threadIdx.x == 0) before = totals[blockIdx.x];";
const CELLS = "if (threadIdx.x < 32) s[threadIdx.x] = totals[threadIdx.x];";

describe("a shared place read under a test in a loop", () => {
  it.each([
    ["a variable, in a loop that is written out", added("before", CELL, "before", "4"), 1],
    ["a variable, in a loop that is not", added("before", CELL, "before", "m"), 1],
    ["a constant element", added("s[32]", CELLS, "s[3]", "4"), 1],
    ["an element of each thread", added("s[32]", CELLS, "s[threadIdx.x & 31]", "4"), 4],
  ])("is loaded as often as by nvcc: %s", (_, text, expected) => {
    expect(loads(text)).toBe(expected);
  });
});

describe.each([
  ["fast", fastEngine],
  ["reference", referenceEngine],
] as const)("on the %s engine", (_, engine) => {
  it("a place that one round in three writes is read as written", () => {
    const program = compileCuda(
      `__global__ void k(int *out, int n) {
        __shared__ int last;
        last = 5;
        int r = 0;
        for (int i = 0; i < n; i++) { if (i % 2 == 0) r = r * 3 + last; if (i % 3 == 0) last = i; }
        out[0] = r;
      }`,
    );
    let [r, last] = [0, 5];
    for (let i = 0; i < 17; i++) {
      if (i % 2 === 0) r = (Math.imul(r, 3) + last) | 0;
      if (i % 3 === 0) last = i;
    }
    const done = execute(program, { block: 1, args: { out: new Int32Array(1), n: 17 }, engine });
    expect([...done.read<Int32Array>("out")]).toEqual([r]);
  });
});

it("keeps a cell that a loop only stores in a register: one store behind it, as nvcc has it", () => {
  const { instructions } = compileCuda(`__global__ void f(const float *x, float *y, int n) { __shared__ float s[256];
    for (int k = threadIdx.x; k < n; k += blockDim.x) s[threadIdx.x] = x[k];
    __syncthreads(); y[threadIdx.x] = s[threadIdx.x ^ 1]; }`);
  const store = instructions.findIndex(({ issue }) => issue.some(({ mnemonic }) => mnemonic.startsWith("STS")));
  const back = instructions.findIndex(({ op, pc, target }) => op === "bra" && target !== undefined && target <= pc);
  expect(store).toBeGreaterThan(back);
});
