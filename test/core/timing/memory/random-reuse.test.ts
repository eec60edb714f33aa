/** DRAM traffic of random loads, counted on the same addresses. Idle blocks at a grid's end change nothing. */
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../../src/core/frontend/cuda/read-cuda.js";
import { missedAtRandom } from "../../../../src/core/timing/memory/random-reuse.js";
import { coldNumbers } from "../cold-launch.js";

const kernels = readCuda(`
__global__ void rowsOfTable(const int *ids, const float4 *table, float4 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[ids[i] & 0xfffff];
}
__global__ void ranks(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = in[i], rank = 0;
  for (int j = 0; j < n; j++) {
    if (in[j] < v || (in[j] == v && j < i)) rank++;
  }
  out[rank] = v;
}
`);

/** R of the tables' arrays (test/reference/h200/measure.cu, mixed). */
function placeOf(i: number): number {
  let k = i ^ (i >>> 16);
  k = Math.imul(k, 0x85ebca6b);
  k ^= k >>> 13;
  k = Math.imul(k, 0xc2b2ae35);
  return (k ^ (k >>> 16)) & 0x3fffff;
}

describe("rows of 16 bytes at random places of 16 MiB", () => {
  it.each([2 ** 17, 2 ** 18, 2 ** 19, 2 ** 20])(
    "come from DRAM once a piece of 64 bytes, within an eighth: $0 of them",
    (count) => {
      const pieces = new Set(Array.from({ length: count }, (_, i) => (placeOf(i) & 0xfffff) >> 2)).size;
      const { dramBytesRead } = coldNumbers(kernels.get("rowsOfTable")!, count / 256, 256, 0, ["R", "F", "H"]);
      expect(Math.abs((dramBytesRead ?? 0) / (64 * pieces + 4 * count) - 1)).toBeLessThan(0.125);
    },
  );
});

describe("two arrays read at random", () => {
  it("share the half of L2 that such loads have: each finds as much as one of both's size does", () => {
    const [mebi, l2Bytes] = [2 ** 20, 60 * 2 ** 20];
    const beside = [{ bytes: 16 * mebi, rounds: 1 }];
    expect(missedAtRandom(16 * mebi, 0, l2Bytes)).toBe(0);
    expect(missedAtRandom(24 * mebi, 0, l2Bytes, [{ bytes: 24 * mebi, rounds: 1 }])).toBeCloseTo(
      missedAtRandom(48 * mebi, 0, l2Bytes),
      6,
    );
    expect(missedAtRandom(16 * mebi, 2 * mebi, l2Bytes, beside)).toBeGreaterThan(0.1);
  });
});

describe("blocks that all read all of an array, of which each has brought its part", () => {
  const launched = (grid: number) => coldNumbers(kernels.get("ranks")!, grid, 128, 0, ["O", "I", 20000]);

  it("have hardly any of it from DRAM by themselves, with idle blocks behind them, too", () => {
    const ofEachSm = 132 * 4 * 20000;
    for (const grid of [157, 160]) expect(launched(grid).dramBytesRead).toBeLessThan(0.1 * ofEachSm);
  });

  it("are no slower, within 5 %, for the last one's idle threads", () => {
    expect(Math.abs((launched(157).timeMs ?? 0) / (launched(156).timeMs ?? 0) - 1)).toBeLessThan(0.05);
  });
});
