/**
 * A parent and its children see each other's memory as CUDA's Programming Guide says ("Memory Coherence and Consistency" of
 * dynamic parallelism). Where the guide promises nothing, an early and a late child differ; where it promises, no schedule does.
 */
import { describe, expect, test } from "vitest";
import {
  blockIdx,
  deviceSynchronize,
  Gpu,
  i32,
  type Kernel,
  kernel,
  type LaunchSchedule,
  launch,
  ptr,
  syncthreads,
  threadIdx,
} from "../../../../src/index.js";

const SEEDS = Array.from({ length: 30 }, (_, seed) => ({ seed: seed + 1 }));
const ALL: readonly LaunchSchedule[] = ["default", { children: "late" }, { children: "early" }, ...SEEDS];

const arrays = { data: ptr(i32), out: ptr(i32) };
const gpus = { v100: new Gpu("v100", { memoryBytes: 1 << 20 }), h200: new Gpu("h200", { memoryBytes: 1 << 20 }) };

/** `out` after a launch on zeros. */
function outOf(
  one: Kernel<typeof arrays>,
  schedule: LaunchSchedule,
  { gpu = gpus.h200, grid = 1, block = 64 }: { gpu?: Gpu; grid?: number; block?: number } = {},
): readonly number[] {
  const data = gpu.alloc(i32, 64);
  const out = gpu.alloc(i32, 64);
  gpu.launch(one, { grid, block, schedule }, { data, out });
  const values = [...out.read()];
  data.free();
  out.free();
  return values;
}

const valuesAt = (one: Kernel<typeof arrays>, index: number, how: Parameters<typeof outOf>[2] = {}): Set<number> =>
  new Set(SEEDS.map((schedule) => outOf(one, schedule, how)[index]!));

const set7 = kernel("set7", arrays, ({ data }) => {
  data[threadIdx.x] = 7;
});
const copyAll = kernel("copyAll", arrays, ({ data, out }) => {
  out[threadIdx.x] = data[threadIdx.x];
});
const append = kernel("append", { out: ptr(i32), digit: i32 }, ({ out, digit }) => {
  out[0] = out[0] * 10 + digit;
});

describe("without a synchronisation a parent that reads what its child writes finds the old value or the new one", () => {
  const sameThread = kernel("sameThread", arrays, ({ data, out }) => {
    if (threadIdx.x === 0) {
      launch(set7, { grid: 1, block: 64 }, { data, out });
      out[0] = data[0];
    }
  });
  const otherThread = kernel("otherThread", arrays, ({ data, out }) => {
    if (threadIdx.x === 0) launch(set7, { grid: 1, block: 64 }, { data, out });
    syncthreads();
    if (threadIdx.x === 40) out[0] = data[40];
  });
  const otherBlock = kernel("otherBlock", arrays, ({ data, out }) => {
    if (blockIdx.x === 0 && threadIdx.x === 0) launch(set7, { grid: 1, block: 64 }, { data, out });
    if (blockIdx.x === 1 && threadIdx.x === 0) out[0] = data[0];
  });
  test.each([
    ["in the launching thread", sameThread, 1],
    ["in another thread, behind a barrier", otherThread, 1],
    ["in another block", otherBlock, 2],
  ] as const)("%s", (_, one, grid) => {
    expect(outOf(one, "default", { grid })[0]).toBe(0);
    expect(outOf(one, { children: "late" }, { grid })[0]).toBe(0);
    expect(outOf(one, { children: "early" }, { grid })[0]).toBe(7);
    expect(valuesAt(one, 0, { grid })).toEqual(new Set([0, 7]));
  });
  test("in a thread that does not wait itself, beside one that does", () => {
    const others = kernel("others", arrays, ({ data, out }) => {
      if (threadIdx.x === 0) {
        launch(set7, { grid: 1, block: 64 }, { data, out });
        deviceSynchronize();
      }
      if (threadIdx.x === 40) out[0] = data[40];
    });
    expect(valuesAt(others, 0, { gpu: gpus.v100 })).toEqual(new Set([0, 7]));
  });
});

describe("a child sees", () => {
  test("what its thread wrote before the launch, in every schedule", () => {
    const before = kernel("before", arrays, ({ data, out }) => {
      if (threadIdx.x === 0) {
        data[0] = 5;
        launch(copyAll, { grid: 1, block: 64 }, { data, out });
      }
    });
    for (const schedule of ALL) expect([schedule, outOf(before, schedule)[0]]).toEqual([schedule, 5]);
  });
  test("what other threads wrote before a barrier, in every schedule; without one, late children alone", () => {
    const barrier = kernel("barrier", arrays, { BARRIER: true }, ({ data, out }, { BARRIER }) => {
      data[threadIdx.x] = 5;
      if (BARRIER) syncthreads();
      if (threadIdx.x === 0) launch(copyAll, { grid: 1, block: 64 }, { data, out });
    });
    const all = Array.from({ length: 64 }, () => 5);
    for (const schedule of ALL) expect([schedule, outOf(barrier, schedule)]).toEqual([schedule, all]);
    const without = barrier.with({ BARRIER: false });
    expect(outOf(without, "default")).toEqual(all);
    expect(outOf(without, { children: "early" })).toEqual(all.map((value, thread) => (thread < 32 ? value : 0)));
  });
  test("what its thread writes after the launch, or does not", () => {
    const after = kernel("after", arrays, ({ data, out }) => {
      if (threadIdx.x === 0) {
        launch(copyAll, { grid: 1, block: 64 }, { data, out });
        data[0] = 5;
      }
    });
    expect(outOf(after, { children: "late" })[0]).toBe(5);
    expect(outOf(after, { children: "early" })[0]).toBe(0);
    expect(valuesAt(after, 0)).toEqual(new Set([0, 5]));
  });
});

describe("a parent sees its child's writes in every schedule", () => {
  test("after cudaDeviceSynchronize, in all threads behind a barrier", () => {
    const wait = kernel("wait", arrays, ({ data, out }) => {
      if (threadIdx.x === 0) {
        launch(set7, { grid: 1, block: 64 }, { data, out });
        deviceSynchronize();
      }
      syncthreads();
      out[threadIdx.x] = data[63 - threadIdx.x];
    });
    const all = Array.from({ length: 64 }, () => 7);
    for (const schedule of ALL) {
      expect([schedule, outOf(wait, schedule, { gpu: gpus.v100 })]).toEqual([schedule, all]);
    }
  });
  test("in a tail launch, with all blocks' writes after the launch of it", () => {
    const tail = kernel("tail", arrays, ({ data, out }) => {
      if (blockIdx.x === 0 && threadIdx.x === 0) {
        launch(copyAll, { grid: 1, block: 64, stream: "tail" }, { data, out });
        launch(set7, { grid: 1, block: 32 }, { data, out });
      }
      if (blockIdx.x === 1) data[32 + threadIdx.x] = 9;
    });
    const all = Array.from({ length: 64 }, (_, index) => (index < 32 ? 7 : 9));
    for (const schedule of ALL) {
      expect([schedule, outOf(tail, schedule, { grid: 2, block: 32 })]).toEqual([schedule, all]);
    }
  });
});

describe("launches of one block", () => {
  test("into its stream run in the order of the launches, from several threads too", () => {
    const inTurn = kernel("inTurn", arrays, ({ out }) => {
      if (threadIdx.x === 0) launch(append, { grid: 1, block: 1 }, { out, digit: 1 });
      syncthreads();
      if (threadIdx.x === 40) launch(append, { grid: 1, block: 1 }, { out, digit: 2 });
      syncthreads();
      if (threadIdx.x === 20) launch(append, { grid: 1, block: 1 }, { out, digit: 3 });
    });
    for (const schedule of ALL) expect([schedule, outOf(inTurn, schedule)[0]]).toEqual([schedule, 123]);
  });
  test("into its stream run one after the other where the threads launch in any order", () => {
    const anyTurn = kernel("anyTurn", arrays, ({ out }) => {
      if ((threadIdx.x & 31) === 0) launch(append, { grid: 1, block: 1 }, { out, digit: 1 + (threadIdx.x >> 5) });
    });
    expect(outOf(anyTurn, "default")[0]).toBe(12);
    expect(valuesAt(anyTurn, 0)).toEqual(new Set([12, 21]));
  });
  test("that are forgotten run in any order", () => {
    const beside = kernel("beside", arrays, ({ out }) => {
      if (threadIdx.x === 0) {
        launch(append, { grid: 1, block: 1, stream: "fireAndForget" }, { out, digit: 1 });
        launch(append, { grid: 1, block: 1, stream: "fireAndForget" }, { out, digit: 2 });
      }
    });
    expect(outOf(beside, "default")[0]).toBe(12);
    expect(valuesAt(beside, 0)).toEqual(new Set([12, 21]));
  });
  test("and those of another block run in any order", () => {
    const blocks = kernel("blocks", arrays, ({ out }) => {
      if (threadIdx.x === 0) launch(append, { grid: 1, block: 1 }, { out, digit: i32(1 + blockIdx.x) });
    });
    expect(valuesAt(blocks, 0, { grid: 2 })).toEqual(new Set([12, 21]));
  });
});

describe("the order of child grids", () => {
  const deep: Kernel<typeof arrays> = kernel("deep", arrays, ({ data, out }) => {
    if (threadIdx.x === 0) {
      for (let k = 0; k < 4; k++) launch(set7, { grid: 1, block: 64 }, { data, out });
      deviceSynchronize();
      launch(copyAll, { grid: 1, block: 64 }, { data, out });
    }
  });
  test("changes the predicted time by less than 0.1 %: a wait counts for children that have run before it", () => {
    const timeOf = (schedule: LaunchSchedule): number => {
      const gpu = gpus.v100;
      const [data, out] = [gpu.alloc(i32, 64), gpu.alloc(i32, 64)];
      const { timeMs } = gpu.launch(deep, { grid: 4, block: 64, schedule }, { data, out });
      return timeMs;
    };
    expect(Math.abs(timeOf({ children: "early" }) / timeOf({ children: "late" }) - 1)).toBeLessThan(0.001);
  });
  test("is early or late, and nothing else", () => {
    for (const wrong of [{ children: "soon" }, { children: "early", seed: 1 }, {}, { hold: [], children: 1 }]) {
      expect(() => outOf(deep, wrong as never, { gpu: gpus.v100 })).toThrow(/schedule is .*\n.*children: "early"/);
    }
  });
  test("goes with held threads", () => {
    expect(outOf(deep, { hold: [], children: "early" }, { gpu: gpus.v100 })[5]).toBe(7);
  });
});
