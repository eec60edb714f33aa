/**
 * The notes' kernels in their shapes (blocks of 128 threads, fewer elements than their 2^27), and their faults as the
 * simulator shows them.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KernelFault } from "../../src/core/base/errors.js";
import { type DeviceSpec, deviceById } from "../../src/core/device/index.js";
import { i32, type Kernel, kernel, ptr } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import type { LaunchResult } from "../../src/core/host/launch-result.js";
import { faultOf } from "../core/host/fault-of.js";
import * as notes from "../kernels/notes.js";
import { exactSum, randomInts } from "./plain-sums.js";

const BLOCK = 128;
const v100 = new Gpu("v100", { memoryBytes: 64 << 20 });
const m2070 = new Gpu("m2070", { memoryBytes: 64 << 20 });

interface Reduced {
  /** The blocks' results added up on the host, as the notes' programs do. */
  readonly sum: number;
  readonly temp: Int32Array;
  readonly result: LaunchResult;
}

/** `dataBlocks`: blocks of data that a block of threads reduces. */
function reduce(
  gpu: Gpu,
  reduction: Kernel,
  values: Int32Array,
  dataBlocks: number = 1,
  block: number = BLOCK,
): Reduced {
  const grid = Math.ceil(values.length / (block * dataBlocks));
  const [input, temp] = [gpu.upload(values), gpu.alloc(i32, grid)];
  try {
    const result = gpu.launch(reduction, { grid, block }, { input, temp, size: values.length });
    return { sum: exactSum(temp.read()), temp: temp.read(), result };
  } finally {
    input.free();
    temp.free();
  }
}

describe.each([notes.add, notes.addWithWarpIndex])("$name", (adding) => {
  it("adds 1024 pairs of ints in blocks of 256", () => {
    const [a, b] = [randomInts(1024, 1), randomInts(1024, 2)];
    const c = v100.alloc(i32, 1024);
    v100.launch(adding, { grid: 4, block: 256 }, { a: v100.upload(a), b: v100.upload(b), c });
    expect(c.read()).toEqual(a.map((value, i) => value + (b[i] ?? 0)));
  });
});

it("the warp index that nothing uses costs no instruction", () => {
  const instructions = [notes.add, notes.addWithWarpIndex].map((adding) => {
    const [a, b, c] = [0, 1, 2].map(() => v100.alloc(i32, 256));
    return v100.launch(adding, { grid: 1, block: 256 }, { a: a!, b: b!, c: c! }).counters.warpInstructions;
  });
  expect(instructions[0]).toBe(instructions[1]);
});

describe("print_details_of_warps", () => {
  const lines = (grid: readonly [number, number], block: readonly [number, number]): LaunchResult =>
    v100.launch(notes.printDetailsOfWarps, { grid, block }, {});

  it("prints a line for each of the 168 threads of 2 x 2 blocks of 42, block by block", () => {
    const expected = Array.from({ length: 4 * 42 }, (_, gid) => {
      const [block, thread] = [Math.floor(gid / 42), gid % 42];
      return `Thread ID: ${thread}, Block ID (x): ${block % 2}, Block ID (y): ${Math.floor(block / 2)}, Global Thread ID: ${gid}, Warp ID: ${thread < 32 ? 0 : 1}, Global Block ID: ${block}\n`;
    });
    expect(lines([2, 2], [42, 1]).printed.map(({ text }) => text)).toEqual(expected);
  });

  it("runs eight warps for them, of whose 256 lanes 88 do nothing", () => {
    const { counters, metrics } = lines([2, 2], [42, 1]);
    expect(counters.warps).toBe(8);
    expect(metrics.warpExecutionEfficiencyPercent).toBeCloseTo((100 * 168) / 256, 6);
  });

  it("calls everything warp 0 in a block of 16 x 4 threads, which is two warps: threadIdx.x / 32 is for 1-D blocks", () => {
    const { counters, printed } = lines([1, 1], [16, 4]);
    expect(counters.warps).toBe(2);
    expect(printed.every(({ text }) => text.includes("Warp ID: 0,"))).toBe(true);
  });
});

/** The notes' two kernels with their values kept, so that a compiler cannot leave them out. */
const keptWholeWarps: Kernel = kernel(
  "keptWholeWarps",
  { params: { out: ptr(i32), n: i32 } },
  ({ out, n }, { threadIdx, blockIdx, blockDim, idiv, i32 }) => {
    const gid = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let sum = 0;
    if (idiv(gid, 32) % 2 === 0) for (let i = 0; i < n; i++) sum += out[gid + i];
    else for (let i = 0; i < n; i++) sum ^= out[gid + i] * 3;
    out[gid] = sum;
  },
);
const keptOddLanes: Kernel = kernel(
  "keptOddLanes",
  { params: { out: ptr(i32), n: i32 } },
  ({ out, n }, { threadIdx, blockIdx, blockDim, i32 }) => {
    const gid = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let sum = 0;
    if (gid % 2 === 0) for (let i = 0; i < n; i++) sum += out[gid + i];
    else for (let i = 0; i < n; i++) sum ^= out[gid + i] * 3;
    out[gid] = sum;
  },
);

describe("the notes' two kernels for divergence", () => {
  const run = (branching: Kernel): LaunchResult =>
    v100.launch(branching, { grid: 8, block: BLOCK }, { out: v100.alloc(i32, 8 * BLOCK + 8), n: 6 });

  it("have 100 % branch efficiency where whole warps take a side, and less where even and odd lanes do", () => {
    expect(run(keptWholeWarps).counters.divergentBranches).toBe(0);
    expect(run(keptWholeWarps).metrics.branchEfficiencyPercent).toBe(100);
    // Each of the 32 warps parts once, at the condition.
    expect(run(keptOddLanes).counters.divergentBranches).toBeGreaterThanOrEqual(32);
    expect(run(keptOddLanes).metrics.branchEfficiencyPercent).toBeLessThan(100);
  });

  it("go both sides one after the other where lanes differ: more warp instructions for the same work", () => {
    const [whole, odd] = [run(keptWholeWarps).counters, run(keptOddLanes).counters];
    expect(odd.warpInstructions).toBeGreaterThan(1.5 * whole.warpInstructions);
  });

  it("leave nothing to run as the notes print them, for their values are never stored", () => {
    const grid = 2 ** 22 / BLOCK;
    const [whole, odd] = [notes.codeWithoutDivergence, notes.divergenceCode].map(
      (dead) => v100.launch(dead, { grid, block: BLOCK }, {}).counters,
    );
    expect(whole?.warpInstructions).toBe(odd?.warpInstructions);
    expect(odd?.threadInstructions).toBe((odd?.warpInstructions ?? 0) * 32);
  });
});

const reductions: readonly (readonly [title: string, reduction: Kernel, dataBlocks: number])[] = [
  ["neighbored pairs", notes.neighbored, 1],
  ["neighbored pairs, improved", notes.neighboredImproved, 1],
  ["interleaved pairs", notes.interleaved, 1],
  ["two blocks unrolled", notes.unrollingBlocks2, 2],
  ["four blocks unrolled", notes.unrollingBlocks4, 4],
  ["the last warp unrolled", notes.warpUnrolling, 1],
  ["complete unrolling, as printed", notes.completeUnrollingAsPrinted, 1],
  ["complete unrolling, as meant", notes.completeUnrolling, 1],
];

describe.each(reductions)("the reduction by %s", (_, reduction, dataBlocks) => {
  it("adds up 2^16 values from 0 to 99 in blocks of 128 threads", () => {
    const values = randomInts(2 ** 16, 3).map((value) => (value >>> 8) % 100);
    for (const gpu of [v100, m2070]) expect(reduce(gpu, reduction, values, dataBlocks).sum).toBe(exactSum(values));
  });

  it("leaves each block the sum of its own data, for ints that overflow", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 1e6 }), (blocks, seed) => {
        const chunk = BLOCK * dataBlocks;
        const values = randomInts(blocks * chunk, seed);
        const expected = Array.from({ length: blocks }, (_, b) =>
          exactSum(values.subarray(b * chunk, (b + 1) * chunk)),
        );
        expect([...reduce(v100, reduction, values, dataBlocks).temp]).toEqual(expected);
      }),
      { numRuns: 8 },
    );
  });
});

describe("sizes that are no multiple of the block", () => {
  const guarded = [
    ["neighbored pairs", notes.neighbored],
    ["interleaved pairs", notes.interleaved],
  ] as const;
  it.each(guarded)("add up by %s, which looks at the size at every step", (_, reduction) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 1e6 }), (n, seed) => {
        const values = randomInts(n, seed);
        expect(reduce(v100, reduction, values).sum).toBe(exactSum(values));
      }),
      { numRuns: 15 },
    );
  });

  it("let threads return before a barrier that the others wait at, which CUDA leaves undefined and both GPUs pass", () => {
    const values = randomInts(1000, 4);
    for (const gpu of [m2070, v100]) {
      const { sum, result } = reduce(gpu, notes.neighbored, values);
      expect(sum).toBe(exactSum(values));
      // 7 whole blocks of four warps, and one whose 104 threads are in four warps too: log2(128) barriers each.
      expect(result.counters.barriers).toBe(8 * 4 * 7);
    }
  });

  it("make the improved neighbored kernel read past the end, in its last block", () => {
    const fault = faultOf(() => reduce(v100, notes.neighboredImproved, randomInts(1000, 1)));
    expect(fault.code).toBe("cudaErrorIllegalAddress");
    expect(fault.what).toContain("reads input[1000]");
    expect(fault.place.block).toEqual([7, 0, 0]);
  });

  it("make the one unrolled by two read past the end where less than a block of data is left", () => {
    expect(reduce(v100, notes.unrollingBlocks2, randomInts(3 * 256 + 200, 1), 2).sum).toBe(
      exactSum(randomInts(3 * 256 + 200, 1)),
    );
    const fault = faultOf(() => reduce(v100, notes.unrollingBlocks2, randomInts(3 * 256 + 50, 1), 2));
    expect(fault.what).toContain("reads input[");
    expect(fault.place.block).toEqual([3, 0, 0]);
  });

  it("make the one unrolled by four lose its tail: what lies behind the first block of its last four", () => {
    const values = randomInts(3 * 512 + 300, 1);
    const { sum } = reduce(v100, notes.unrollingBlocks4, values, 4);
    expect(sum).not.toBe(exactSum(values));
    expect(sum).toBe(exactSum(values.subarray(0, 3 * 512 + 128)));
  });

  it("make the unrolled last warp read past the end, for it knows no size", () => {
    expect(faultOf(() => reduce(v100, notes.warpUnrolling, randomInts(1000, 1))).code).toBe("cudaErrorIllegalAddress");
  });
});

describe("complete unrolling", () => {
  const values = (block: number): Int32Array => new Int32Array(4 * block).fill(1);

  for (const block of [256, 512, 1024]) {
    it(`with == adds 128 of the ${block} elements of a block: one halving, then the last 64 places`, () => {
      const reduction = notes.completeUnrollingAsPrinted.with({ BLOCK: block });
      expect([...reduce(v100, reduction, values(block), 1, block).temp]).toEqual([128, 128, 128, 128]);
    });
  }
  for (const block of [64, 128]) {
    it(`with == is right for a block of ${block}`, () => {
      const reduction = notes.completeUnrollingAsPrinted.with({ BLOCK: block });
      expect([...reduce(v100, reduction, values(block), 1, block).temp]).toEqual([block, block, block, block]);
    });
  }
  for (const block of [64, 128, 256, 512, 1024]) {
    it(`with >= is right for a block of ${block}`, () => {
      const data = randomInts(4 * block, block);
      const reduction = notes.completeUnrolling.with({ BLOCK: block });
      expect(reduce(v100, reduction, data, 1, block).sum).toBe(exactSum(data));
    });
  }
  it("is compiled for its block: the shorter the block, the fewer instructions", () => {
    const counts = [128, 1024].map((block) => {
      const reduction = notes.completeUnrolling.with({ BLOCK: block });
      return reduce(v100, reduction, values(block), 1, block).result.program.instructions.length;
    });
    expect(counts[0]).toBeLessThan(counts[1] ?? 0);
  });
});

/** The notes' second form of the loop's condition: `offset < blockDim.x`. */
const strictOffset: Kernel = kernel(
  "strictOffset",
  { params: { input: ptr(i32), temp: ptr(i32), size: i32 } },
  ({ input, temp, size }, { threadIdx, blockIdx, blockDim, syncthreads, i32 }) => {
    const tid = i32(threadIdx.x);
    const gid = i32(blockDim.x * blockIdx.x + threadIdx.x);
    if (gid >= size) return;
    for (let offset = 1; offset < blockDim.x; offset *= 2) {
      if (tid % (2 * offset) === 0 && gid + offset < size) {
        input[gid] += input[gid + offset];
      }
      syncthreads();
    }
    if (tid === 0) temp[blockIdx.x] = input[gid];
  },
);

it("offset <= blockDim.x / 2 and offset < blockDim.x make the same passes for a power of two: there is no extra one", () => {
  for (const block of [32, 128, 512]) {
    const values = randomInts(4 * block, block);
    const [half, strict] = [notes.neighbored, strictOffset].map((reduction) =>
      reduce(v100, reduction, values, 1, block),
    );
    expect(half?.result.counters.barriers).toBe(strict?.result.counters.barriers);
    expect(half?.result.counters.barriers).toBe(4 * (block / 32) * Math.log2(block));
    expect(half?.sum).toBe(strict?.sum);
  }
});

describe("dynamic parallelism", () => {
  it("prints 31 lines in five depths for 16 threads", () => {
    const { printed } = v100.launch(notes.dynamicParallelismCheck, { grid: 1, block: 16 }, { size: 16, depth: 0 });
    expect(printed.map(({ text }) => text.split(" - ")[0])).toEqual(
      [16, 8, 4, 2, 1].flatMap((threads, depth) => Array(threads).fill(`Depth: ${depth}`)),
    );
  });
  it("fails with the notes' recursion over 1024 values, launched with the whole size for blocks of 128 threads", () => {
    const input = v100.upload(randomInts(1024, 1));
    const args = { input, output: v100.alloc(i32, 1), isize: 1024 };
    expect(() => v100.launch(notes.recursiveReduce, { grid: 8, block: BLOCK }, args)).toThrow(KernelFault);
  });
});

describe("what the notes say of GPUs", () => {
  it("7.0 has room for 2048 resident threads: 1024 are 7.5's", () => {
    const limits: DeviceSpec["limits"] = deviceById("v100").limits;
    expect(limits.maxThreadsPerSm).toBe(2048);
  });
});
