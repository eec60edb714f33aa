/** Unrolling is advised where the model gains by it, and not for a loop that is unrolled or whose counting costs little. */
import { describe, expect, it } from "vitest";
import { gainsByUnrolling } from "../../../../src/core/profiler/explain/loop-overhead.js";
import { blockDim, blockIdx, explain, f32, Gpu, i32, kernel, ptr, threadIdx, unroll } from "../../../../src/index.js";

const params = { to: ptr(f32), n: i32 };

const short = kernel("short", params, { COPIES: 1 }, ({ to, n }, { COPIES }) => {
  let [a, b] = [f32(threadIdx.x), i32(threadIdx.x)];
  for (let k = 0; k < n; k++) {
    unroll(COPIES);
    a = a * 1.5 + 2.0;
    b = (b ^ 5) + 3;
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = a + f32(b);
});
/** DRAM bounds it: its counting is hidden. */
const reads = kernel("reads", params, ({ to, n }) => {
  const first = i32(blockIdx.x * blockDim.x + threadIdx.x);
  let sum = f32(0);
  for (let k = 0; k < n; k++) {
    unroll(1);
    sum += to[(first * 32 + k * 32768) & 1048575];
  }
  to[first] = sum;
});

const gpu = new Gpu("v100");
const to = gpu.alloc(f32, 1 << 20);
const config = { grid: 160, block: 256 };
const launched = (one: typeof short) => gpu.launch(one, config, { to, n: 32 });

describe("unrolling", () => {
  it("gains in a short loop that stands there once", () => {
    expect(gainsByUnrolling(launched(short))).toBe(true);
  });

  it("gains nothing more in a loop that has been unrolled", () => {
    expect(gainsByUnrolling(launched(short.with({ COPIES: 8 })))).toBe(false);
  });

  it("gains less than 5 % in a loop that waits for memory", () => {
    expect(gainsByUnrolling(launched(reads))).toBe(false);
  });

  it("is no advice on a loop that has been unrolled", () => {
    const { findings } = explain(launched(short.with({ COPIES: 8 })));
    expect(findings.filter(({ advice }) => /unroll/i.test(advice))).toEqual([]);
  });
});
