/** A reduction in one launch: a shared bool marks the last block, which adds up the other blocks' sums. */
import { expect, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { execute } from "../engine/launch.js";
import { compareEngines } from "../engine-fast/both-engines.js";
import { compileCuda } from "../lower/kernel-code.js";
import { coldMicroseconds } from "./cold-launch.js";

const text = (flag: string): string => `
__global__ void sumAtOnce(const int *in, int *partial, unsigned int *ticket, int *out, int n) {
  __shared__ ${flag} isLast;
  __shared__ int s[256];
  int t = threadIdx.x, sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  s[t] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    isLast = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && t == 0) {
    int total = 0;
    for (int b = 0; b < gridDim.x; b++) total += partial[b];
    out[0] = total;
    ticket[0] = 0;
  }
}`;

it("a flag that is a bool makes the code of an int, the same answer on both engines, and a time", () => {
  const program = compileCuda(text("bool"));
  expect(program.instructions.map(({ op, type }) => `${op} ${type}`)).toEqual(
    compileCuda(text("int")).instructions.map(({ op, type }) => `${op} ${type}`),
  );
  const length = 5000;
  const launch = {
    grid: 6,
    block: 256,
    args: {
      in: Int32Array.from({ length }, (_, i) => i % 17),
      partial: new Int32Array(6),
      ticket: new Uint32Array(1),
      out: new Int32Array(1),
      n: length,
    },
  };
  expect(execute(program, launch).read<Int32Array>("out")[0]).toBe(launch.args.in.reduce((sum, each) => sum + each));
  expect(compareEngines(program, launch).differences).toEqual([]);
  const [kernel] = readCuda(text("bool")).values();
  expect(coldMicroseconds(kernel!, 264, 256, 0, ["I", "O", "cnt", "P", 2 ** 20])).toBeGreaterThan(1);
});
