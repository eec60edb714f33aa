/**
 * Histograms in memory with several copies, each updated by only some blocks (copiesInMemory of test/reference/h200).
 */
import { expect, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { coldMicroseconds } from "./cold-launch.js";

const text = (copies: number): string => `
__global__ void addToCopies(const int *x, int *copies, int bins, int n) {
  int *mine = copies + (blockIdx.x % ${copies}) * 64;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[x[i] % bins], 1);
}`;

function microseconds(copies: number): number {
  const [kernel] = readCuda(text(copies)).values();
  return coldMicroseconds(kernel!, 264, 512, 0, ["V", "cnt", 37, 2 ** 20]);
}

it("eight copies of some counters, one behind the other, take no less than a twelfth of one's time and no more than one's", () => {
  const [one, eight] = [microseconds(1), microseconds(8)];
  expect(eight).toBeLessThan(one);
  expect(eight).toBeGreaterThan(one / 12);
});
