/**
 * Warp primitives whose mask or source lane names threads that are not there (CUDA C++ Programming Guide, "Warp Shuffle
 * Functions": the value of an inactive lane is undefined; "Warp Vote Functions": inactive threads give zeros).
 */
import { describe, expect, it } from "vitest";
import { type DeviceSpec, deviceById, modifyDevice } from "../../../src/core/device/index.js";
import { f64, i32, type Kernel, kernel, ptr, type ScalarType, u32 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../../src/core/host/launch.js";
import type { LaunchWarning } from "../../../src/core/host/launch-warning.js";

/** No Kepler has timing numbers; its capability decides what it accepts. */
const kepler: DeviceSpec = modifyDevice(deviceById("v100"), { computeCapability: { major: 3, minor: 5 } });
const gpus: Readonly<Record<string, Gpu>> = {
  m2070: new Gpu("m2070", { memoryBytes: 1 << 20 }),
  kepler: new Gpu(kepler, { memoryBytes: 1 << 20 }),
  v100: new Gpu("v100", { memoryBytes: 1 << 20 }),
  h200: new Gpu("h200", { memoryBytes: 1 << 20 }),
};
const SEEDS = [1, 2, 3, 4, 5];

interface Ran {
  readonly out: readonly number[];
  readonly warnings: readonly LaunchWarning[];
}

/** One block; `out` has a value a thread. */
function run(
  id: string,
  one: Kernel,
  block: number,
  schedule: NonNullable<LaunchConfig["schedule"]> = "default",
  type: ScalarType<"i32" | "u32" | "f64"> = u32,
): Ran {
  const gpu = gpus[id]!;
  const out = gpu.alloc(type, block);
  const { warnings } = gpu.launch(one, { grid: 1, block, schedule }, { out });
  const values = [...out.read()].map(Number);
  gpu.reset();
  return { out: values, warnings };
}

const found = ({ warnings }: Ran): readonly unknown[] =>
  warnings.filter(({ kind }) => kind !== "compiler").map(({ kind, warp, lanes }) => [kind, warp, lanes]);

const params = { out: ptr(u32) };

const voting = kernel("voting", { params }, ({ out }, { threadIdx, ballot_sync, any_sync, all_sync, i32 }) => {
  const mask = 0xffffffff;
  const count = ballot_sync(mask, true);
  const others = i32(any_sync(mask, threadIdx.x === 3)) + 2 * i32(all_sync(mask, true));
  out[threadIdx.x] = count * 4 + others;
});
const matching = kernel("matching", { params }, ({ out }, { threadIdx, match_any_sync }) => {
  out[threadIdx.x] = match_any_sync(0xffffffff, threadIdx.x & 1);
});
const reducing = kernel("reducing", { params }, ({ out }, { threadIdx, reduce_add_sync, reduce_min_sync }) => {
  out[threadIdx.x] = reduce_add_sync(0xffffffff, threadIdx.x) * 100 + reduce_min_sync(0xffffffff, threadIdx.x);
});

describe("a mask that names lanes which the block does not have", () => {
  const MISSING = 0xffffff00;
  it.each(["m2070", "kepler", "v100", "h200"])("of votes takes zeros from them on %s, whatever the schedule", (id) => {
    const expected = Array.from({ length: 40 }, (_, t) => (t < 32 ? -1 * 4 + 3 : 0xff * 4 + 2) >>> 0);
    for (const schedule of ["default", ...SEEDS.map((seed) => ({ seed }))] as const) {
      const ran = run(id, voting, 40, schedule);
      expect(ran.out).toEqual(expected);
      expect(new Set(found(ran).map(String))).toEqual(new Set([["missing-lanes", 1, MISSING].join()]));
    }
  });

  it("is told with the primitive, the lanes in hex and in words, and a cure", () => {
    const { warnings } = run("v100", voting, 40);
    expect(warnings).toHaveLength(2);
    const [warning] = warnings;
    expect(warning).toMatchObject({ kind: "missing-lanes", block: 0, warp: 1, lanes: MISSING });
    expect(warning?.message).toContain(
      "the mask 0xffffffff of this ballot names lanes 0xffffff00 (lanes 8 to 31), which the block does not have",
    );
    expect(warning?.message).toContain("Launch whole warps");
  });

  it("of a match or a reduction leaves them out", () => {
    const match = run("v100", matching, 40);
    expect(match.out.slice(30)).toEqual([0x55555555, 0xaaaaaaaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa]);
    expect(found(match)).toEqual([["missing-lanes", 1, MISSING]]);
    for (const schedule of ["default", { seed: 1 }] as const) {
      const reduced = run("h200", reducing, 40, schedule);
      expect(reduced.out.slice(31, 33)).toEqual([31 * 16 * 100, 284 * 100 + 32]);
      expect(found(reduced)).toEqual([["missing-lanes", 1, MISSING]]);
    }
  });

  const exact = kernel("exact", { params }, ({ out }, { threadIdx, blockDim, ballot_sync, shfl_sync, u32 }) => {
    const first = threadIdx.x & 32;
    const size = blockDim.x - first;
    const mask = size < 32 ? (u32(1) << size) - 1 : 0xffffffff;
    out[threadIdx.x] = ballot_sync(mask, true) + shfl_sync(mask, threadIdx.x, 2);
  });
  it("is not told of one that names those that are there", () => {
    const ran = run("v100", exact, 40);
    expect(ran.out.slice(31, 33)).toEqual([(0xffffffff + 2) % 2 ** 32, 0xff + 34]);
    expect(ran.warnings).toEqual([]);
  });

  const syncing = kernel("syncing", { params }, ({ out }, { threadIdx, syncwarp }) => {
    syncwarp();
    out[threadIdx.x] = 1;
  });
  const narrow = kernel("narrow", { params }, ({ out }, { threadIdx, syncwarp }) => {
    syncwarp(0xffff);
    out[threadIdx.x] = 1;
  });
  it("is CUDA's own default in syncwarp(), which waits for those that there are; others are told", () => {
    for (const id of ["m2070", "v100"]) {
      expect(run(id, syncing, 8)).toEqual({ out: Array(8).fill(1), warnings: [] });
      expect(found(run(id, narrow, 8))).toEqual([["missing-lanes", 0, 0xff00]]);
      expect(found(run(id, narrow, 16))).toEqual([]);
    }
  });
});

const leaving = kernel("leaving", { params }, ({ out }, { threadIdx, ballot_sync }) => {
  out[threadIdx.x] = 7;
  if (threadIdx.x >= 20) return;
  out[threadIdx.x] = ballot_sync(0xffffffff, true);
});
const inBranch = kernel("inBranch", { params }, ({ out }, { threadIdx, ballot_sync }) => {
  out[threadIdx.x] = 7;
  if (threadIdx.x < 20) out[threadIdx.x] = ballot_sync(0xffffffff, true);
  out[threadIdx.x] *= 2;
});

describe("a mask that names lanes which have ended", () => {
  it.each(["m2070", "kepler", "v100", "h200"])("waits for the others, and is told, on %s", (id) => {
    const ran = run(id, leaving, 32);
    expect(ran.out).toEqual(Array.from({ length: 32 }, (_, t) => (t < 20 ? 0xfffff : 7)));
    expect(found(ran)).toEqual([["missing-lanes", 0, 0xfff00000]]);
    expect(ran.warnings[0]?.message).toContain("which have ended");
  });
});

describe("a mask that does not name the lanes of its branch", () => {
  it("goes on without them before 7.0, where lanes run in lockstep, and is told", () => {
    for (const id of ["m2070", "kepler"]) {
      const ran = run(id, inBranch, 32);
      expect(ran.out).toEqual(Array.from({ length: 32 }, (_, t) => 2 * (t < 20 ? 0xfffff : 7)));
      expect(found(ran)).toEqual([["missing-lanes", 0, 0xfff00000]]);
      expect(ran.warnings[0]?.message).toContain("which are not active there");
    }
  });

  const unnamed = kernel("unnamed", { params }, ({ out }, { threadIdx, ballot_sync }) => {
    out[threadIdx.x] = ballot_sync(0xff, true);
  });
  it("and is executed by lanes that it does not name is told before 7.0, and a fault from there on", () => {
    for (const id of ["m2070", "kepler"]) {
      expect(found(run(id, unnamed, 32))).toEqual([["lane-outside-mask", 0, 0xffffff00]]);
    }
    for (const id of ["v100", "h200"]) expect(() => run(id, unnamed, 32)).toThrow("does not name it");
  });
});

/** The tree of Day 37 in blocks that are no multiple of 32: lanes read the values of threads that do not exist. */
const treeSum = kernel("treeSum", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, shfl_down_sync, i32 }) => {
  let sum = i32(threadIdx.x) + 1;
  for (let offset = 16; offset > 0; offset >>= 1) sum += shfl_down_sync(0xffffffff, sum, offset);
  out[threadIdx.x] = (threadIdx.x & 31) === 0 ? sum : 0;
});

describe("a shuffle from lanes that the block does not have", () => {
  it.each(["kepler", "v100", "h200"])("gives zeros and two warnings in the default schedule on %s", (id) => {
    const ran = run(id, treeSum, 40, "default", i32);
    expect([ran.out[0], ran.out[32]]).toEqual([528, 8 * 36.5]);
    expect(found(ran)).toEqual([
      ["missing-lanes", 1, 0xffffff00],
      ["undefined-shuffle-source", 1, 0xff],
    ]);
    const [, warning] = ran.warnings;
    expect(warning?.message).toContain(
      "lanes 0x000000ff (lanes 0 to 7) take a value by a shuffle from lanes 16 to 23, which the block does not have. Line",
    );
    expect(warning?.message).toContain("stores what comes of it in out");
  });

  it.each(["kepler", "v100", "h200"])("gives garbage of the seed on %s, and the warp that is whole its sum", (id) => {
    const sums = SEEDS.map((seed) => run(id, treeSum, 40, { seed }, i32).out);
    for (const out of sums) {
      expect(out[0]).toBe(528);
      expect(out[32]).not.toBe(292);
    }
    expect(new Set(sums.map((out) => out[32])).size).toBe(SEEDS.length);
    expect(SEEDS.map((seed) => run(id, treeSum, 40, { seed }, i32).out)).toEqual(sums);
  });

  const wide = kernel("wide", { params: { out: ptr(f64) } }, ({ out }, { threadIdx, shfl_xor_sync, f64 }) => {
    out[threadIdx.x] = shfl_xor_sync(0xffffffff, f64(threadIdx.x), 16);
  });
  it("gives finite doubles", () => {
    const { out } = run("v100", wide, 8, { seed: 1 }, f64);
    expect(out.every((value) => Number.isFinite(value) && Math.abs(value) > 1e6)).toBe(true);
    expect(new Set(out).size).toBe(8);
  });
});

describe("a shuffle from a lane outside of its mask", () => {
  const kept = kernel("kept", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, shfl_down_sync, i32 }) => {
    let sum = i32(threadIdx.x);
    if (threadIdx.x < 16) {
      for (let offset = 8; offset > 0; offset >>= 1) sum += shfl_down_sync(0xffff, sum, offset);
    }
    out[threadIdx.x] = sum;
  });
  const first = kernel("first", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, shfl_down_sync, i32 }) => {
    let sum = i32(threadIdx.x);
    if (threadIdx.x < 16) {
      for (let offset = 8; offset > 0; offset >>= 1) sum += shfl_down_sync(0xffff, sum, offset);
    }
    out[threadIdx.x] = threadIdx.x === 0 ? sum : 1;
  });
  it.each(["kepler", "v100", "h200"])("is told on %s where its value is stored", (id) => {
    const ran = run(id, kept, 32, "default", i32);
    expect(ran.out[0]).toBe(120);
    expect(found(ran)).toEqual([["undefined-shuffle-source", 0, 0xff00]]);
    expect(ran.warnings[0]?.message).toContain("from lanes 16 to 23, which the mask does not name");
    const garbage = SEEDS.map((seed) => run(id, kept, 32, { seed }, i32).out);
    for (const out of garbage) {
      expect([out[0], out[16]]).toEqual([120, 16]);
      expect(Math.abs(out[15]!)).toBeGreaterThan(1e6);
    }
    expect(new Set(garbage.map((out) => out[15])).size).toBe(SEEDS.length);
  });
  it("is no matter in the lanes whose sum nobody uses", () => {
    for (const schedule of ["default", { seed: 1 }, { seed: 2 }] as const) {
      const ran = run("v100", first, 32, schedule, i32);
      expect(ran.out).toEqual(Array.from({ length: 32 }, (_, t) => (t === 0 ? 120 : 1)));
      expect(ran.warnings).toEqual([]);
    }
  });
});

describe("a shuffle from a lane that has ended", () => {
  const ended = kernel("ended", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, shfl_sync, i32 }) => {
    out[threadIdx.x] = -5;
    if (threadIdx.x === 9) return;
    out[threadIdx.x] = shfl_sync(0xffffffff, i32(threadIdx.x) + 50, 9);
  });
  it.each(["kepler", "v100", "h200"])("is told on %s, and garbage under a seed", (id) => {
    const ran = run(id, ended, 32, "default", i32);
    expect(ran.out).toEqual(Array.from({ length: 32 }, (_, t) => (t === 9 ? -5 : 0)));
    expect(found(ran)).toEqual([
      ["missing-lanes", 0, 1 << 9],
      ["undefined-shuffle-source", 0, ~(1 << 9) >>> 0],
    ]);
    expect(ran.warnings[1]?.message).toContain("from lane 9, which have ended");
    const { out } = run(id, ended, 32, { seed: 2 }, i32);
    expect(Math.abs(out[0]!)).toBeGreaterThan(2 ** 29);
  });
});

describe("the shuffles from before CUDA 9", () => {
  const legacy = kernel("legacy", { params: { out: ptr(i32) } }, ({ out }, { threadIdx, __shfl, __shfl_xor, i32 }) => {
    out[threadIdx.x] = 3;
    if (threadIdx.x < 16) out[threadIdx.x] = __shfl_xor(i32(threadIdx.x), 1) * 100 + __shfl(i32(threadIdx.x), 20);
  });
  it("are told where the source lane is not active, without a word on masks, which they lack", () => {
    const ran = run("kepler", legacy, 32, "default", i32);
    expect(ran.out.slice(0, 3)).toEqual([100, 0, 300]);
    expect(found(ran)).toEqual([["undefined-shuffle-source", 0, 0xffff]]);
    expect(run("kepler", legacy, 32, { seed: 1 }, i32).out[0]).not.toBe(100);
  });
});

describe("cooperative groups", () => {
  const tiles = kernel("tiles", { params }, ({ out }, { threadIdx, this_thread_block, tiled_partition }) => {
    const tile = tiled_partition(this_thread_block(), 16);
    tile.sync();
    out[threadIdx.x] = tile.ballot(true);
  });
  it("of tiles that the block does not fill are told, and those that it fills are not", () => {
    const ran = run("v100", tiles, 40);
    expect(ran.out[32]).toBe(0xff);
    expect(found(ran)).toEqual([
      ["missing-lanes", 1, 0xff00],
      ["missing-lanes", 1, 0xff00],
    ]);
    expect(run("v100", tiles, 48).warnings).toEqual([]);
  });

  const coalesced = kernel(
    "coalesced",
    { params: { out: ptr(i32) } },
    ({ out }, { threadIdx, coalesced_threads, reduce, plus, i32 }) => {
      out[threadIdx.x] = 0;
      if (threadIdx.x % 3 === 1) {
        const group = coalesced_threads();
        out[threadIdx.x] = reduce(group, i32(threadIdx.x), plus) + group.shfl(i32(threadIdx.x), 0);
      }
    },
  );
  it("of coalesced threads are clean in any branch and any block", () => {
    for (const schedule of ["default", { seed: 4 }] as const) {
      const { warnings } = run("v100", coalesced, 40, schedule, i32);
      expect(warnings).toEqual([]);
    }
    const { out } = run("v100", coalesced, 40, "default", i32);
    const warp = (first: number, end: number): number[] =>
      Array.from({ length: end - first }, (_, k) => first + k).filter((t) => t % 3 === 1);
    const total = (lanes: readonly number[]): number => lanes.reduce((a, b) => a + b, 0) + lanes[0]!;
    expect([out[1], out[34]]).toEqual([total(warp(0, 32)), total(warp(32, 40))]);
  });
});
