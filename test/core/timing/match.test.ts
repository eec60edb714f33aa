/** The warp match functions against their time on an H200. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { h200 } from "../../../src/core/device/gpus/h200.js";
import type { DeviceSpec } from "../../../src/core/device/index.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { i32, type Kernel, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { lower } from "../../../src/core/lower/lower.js";
import { predictLaunch } from "../../../src/core/timing/index.js";
import { MicroSimulator } from "../../../src/tools/accuracy/calibrate/groups/benchmark-launch.js";
import { Buffers, traceLaunch } from "./traced-launch.js";

const params = { out: ptr(u32), values: u32, rounds: i32 };
const OPERATIONS_A_ROUND = 16;

/**
 * Masks of equal lanes differ like the lanes' values, so every operation of the chain finds the same number of values.
 */
const anyChain = kernel(
  "anyChain",
  { params },
  ({ out, values, rounds }, { threadIdx, unroll, match_any_sync, u32 }) => {
    let x = u32(threadIdx.x % values);
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      for (let k = 0; k < 16; k++) {
        unroll();
        x = u32(match_any_sync(0xffffffff, x));
      }
    }
    if (x === 123457) out[0] = x;
  },
);

const allChain = kernel(
  "allChain",
  { params },
  ({ out, values, rounds }, { threadIdx, unroll, match_all_sync, u32 }) => {
    let x = u32(threadIdx.x % values);
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      for (let k = 0; k < 16; k++) {
        unroll();
        const { mask } = match_all_sync(0xffffffff, x);
        x = u32(mask);
      }
    }
    if (x === 123457) out[0] = x;
  },
);

const h200Target = { computeCapability: h200.computeCapability, contractFma: true };
const gpu = new MicroSimulator(h200);

/** Cycles for an operation of each of `warps` warps on one SM. */
function cyclesOf(chain: Kernel, values: number, warps = 1): number {
  const cycles = (rounds: number): number =>
    gpu.predict({ kernel: chain.ir, blocks: 1, threads: 32 * warps, args: [gpu.out, values, rounds] }).cycles;
  return (cycles(12) - cycles(4)) / (8 * OPERATIONS_A_ROUND);
}

function reference(file: string): { readonly rows: readonly Readonly<Record<string, number | string>>[] } {
  return JSON.parse(readFileSync(new URL(`../../reference/${file}`, import.meta.url), "utf8"));
}

function near(simulated: number, measured: unknown, within: number): void {
  expect(Math.abs(simulated / Number(measured) - 1)).toBeLessThan(within);
}

describe("match_any_sync", () => {
  it("takes as long as an H200's of one value, and of 32", () => {
    const one = reference("h200/micro/set-1.json").rows.find(({ micro }) => micro === "match_any")!;
    const all = reference("h200/micro/set-2.json").rows.find(({ micro }) => micro === "match_any")!;
    near(cyclesOf(anyChain, 1), one.cycles_per_op, 0.02);
    near(cyclesOf(anyChain, 32), all.cycles_per_statement, 0.02);
  });

  it("takes longer by as much for each value", () => {
    const [one, two, nine] = [1, 2, 9].map((values) => cyclesOf(anyChain, values));
    expect(nine! - one!).toBeCloseTo(8 * (two! - one!), 6);
  });

  it("keeps the unit of many warps by its values", () => {
    expect(cyclesOf(anyChain, 16, 32) / cyclesOf(anyChain, 4, 32)).toBeCloseTo(4, 2);
  });

  it("serves the eighth warp of a scheduler last, for which its queue has no room, and loses a tenth at the most", () => {
    const share = cyclesOf(anyChain, 32, 32) / cyclesOf(anyChain, 16, 32) / 2;
    expect(share).toBeGreaterThanOrEqual(1);
    expect(share).toBeLessThan(1.1);
  });
});

describe("match_all_sync", () => {
  it("takes as long as an H200's, of one warp and of 32", () => {
    const { rows } = reference("h200/micro/set-2.json");
    near(cyclesOf(allChain, 1), rows.find(({ micro }) => micro === "match_all")!.cycles_per_statement, 0.02);
    const rate = rows.find(({ throughput, threads }) => throughput === "match_all" && threads === 1024)!;
    near(32 / cyclesOf(allChain, 1, 32), rate.warp_statements_per_cycle_sm, 0.02);
  });
});

describe("a launch with match_any_sync", () => {
  const buffers = new Buffers(1);
  const text = `__global__ void k(unsigned *out) {
    unsigned t = threadIdx.x;
    unsigned m = __match_any_sync(0xffffffff, t / 4);
    m += __match_any_sync(0xffffffff, ((unsigned long long)(t % 3) << 32) | (t & 1));
    if (t < 16) m += __match_any_sync(0xffff, t & 7);
    out[t] = m;
  }`;
  const launch = {
    program: lower(readCuda(text, "match.cu").get("k")!, h200Target),
    grid: [1, 1, 1],
    block: [32, 1, 1],
    dynamicSharedBytes: 0,
  } as const;
  const traces = traceLaunch({ ...launch, args: [buffers.allocate(4096)], memory: buffers.memory });

  it("has each one's lanes and distinct values in its trace, of 64 bits as well", () => {
    expect([...traces.blocks[0]!.memory.subarray(0, 9)]).toEqual([32, 8, 0, 32, 6, 0, 16, 8, 0]);
  });

  it("is refused where the device does not say how long they take", () => {
    const predicted = (device: DeviceSpec) => () => predictLaunch({ ...launch, device, traces, cacheState: "warm" });
    expect(predicted(h200)).not.toThrow();
    expect(predicted({ ...h200, matchAny: null })).toThrow(/no match pipe/);
  });
});
