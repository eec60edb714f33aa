import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/gpus/h200.js";
import { v100 } from "../../../../src/core/device/gpus/v100.js";
import { modifyDevice } from "../../../../src/core/device/modify.js";
import { predictLaunch, STALL_REASONS, sampleBlocks } from "../../../../src/core/timing/index.js";
import { assemble } from "../../engine/assembler.js";
import { Buffers, traceLaunch } from "../traced-launch.js";

const buffers = new Buffers(80);
const input = buffers.allocate(64 << 20);
const output = buffers.allocate(1 << 20);

/** A shared-memory reduction of `threads` values a block. */
const reduction = assemble(`
  param in ptr i32
  param out ptr i32
  shared s i32 1024
  b = mul.i32 blockIdx.x, blockDim.x
  i = add.i32 b, threadIdx.x
  a = addr in[i]
  v = ld.i32 in[a]
  t = add.i32 threadIdx.x, 0
  c = addr s[t]
  st.i32 s[c], v
  bar
  k = shr.i32 blockDim.x, 1
  loop {
    p = setp.lt.i32 t, k
    e = add.i32 t, k
    @p f = addr s[e]
    @p x = ld.i32 s[f]
    @p y = ld.i32 s[c]
    @p z = add.i32 x, y
    @p st.i32 s[c], z
    bar
    k = shr.i32 k, 1
    q = setp.gt.i32 k, 0
  } while q
  r = setp.eq.i32 t, 0
  g = addr out[blockIdx.x]
  w = ld.i32 s[c]
  @r st.i32 out[g], w
`);
const program = { ...reduction, registersPerThread: 16 };

/** Tiles loaded once and read many times, as in a tiled product: blocks that start together end one after the other. */
const longBlocks = {
  ...assemble(`
    param in ptr i32
    param out ptr i32
    shared s i32 1024
    b = mul.i32 blockIdx.x, blockDim.x
    i = add.i32 b, threadIdx.x
    c = addr s[threadIdx.x]
    r = mov.i32 0
    x = mov.i32 0
    loop {
      a = addr in[i]
      v = ld.i32 in[a]
      st.i32 s[c], v
      bar
      ${Array.from({ length: 24 }, (_, k) => `y${k} = ld.i32 s[c]\nx = xor.i32 x, y${k}`).join("\n")}
      bar
      i = add.i32 i, 32
      r = add.i32 r, 1
      p = setp.lt.i32 r, 24
    } while p
    g = addr out[threadIdx.x]
    st.i32 out[g], x
  `),
  registersPerThread: 16,
};

function launch(blocks: number, threads = 256) {
  const shape = {
    program,
    grid: [blocks, 1, 1],
    block: [threads, 1, 1],
    dynamicSharedBytes: 0,
    args: [input, output],
    memory: buffers.memory,
  } as const;
  return { ...shape, device: h200, traces: traceLaunch(shape), cacheState: "cold" } as const;
}

/** The first warp ends early, but its stores to 32 lines each take long; the others continue for a while. */
const slowStores = {
  ...assemble(`
    param in ptr i32
    param out ptr i32
    w = setp.lt.i32 threadIdx.x, 32
    k = mul.i32 threadIdx.x, 64
    @w a = addr out[k]
    ${"@w st.i32 out[a], k\n".repeat(8)}
    q = setp.ge.i32 threadIdx.x, 32
    x = mov.i32 1
    ${"@q x = add.i32 x, 1\n".repeat(60)}
    h = setp.lt.i32 x, 0
    @h a = addr out[k]
    @h st.i32 out[a], x
  `),
  registersPerThread: 16,
};

describe("the place of a block", () => {
  it("is taken again when its last warp has gone, though that was not the last to issue", () => {
    const cycles = (dynamicSharedBytes: number): number => {
      const shape = {
        program: slowStores,
        grid: [132 * 40, 1, 1],
        block: [1024, 1, 1],
        dynamicSharedBytes,
        args: [input, output],
        memory: buffers.memory,
      } as const;
      return predictLaunch({ ...shape, device: h200, traces: traceLaunch(shape), cacheState: "warm" }).cycles;
    };
    const [two, one] = [cycles(0), cycles(120_000)];
    expect(two / one).toBeLessThan(0.8);
  });
});

describe("the time of a launch", () => {
  const many = launch(40000);

  it("is the same each time", () => {
    expect(predictLaunch(many)).toEqual(predictLaunch(many));
  });

  it("extrapolated is within 3 % of all blocks of the SM simulated", () => {
    for (const blocks of [24000, 32000, 40000]) {
      const part = predictLaunch({ ...launch(blocks), instructionBudget: 100_000 });
      const all = predictLaunch({ ...launch(blocks), simulateAll: "sm" });
      expect(part.simulatedBlocks).toBeLessThan(all.simulatedBlocks);
      expect(Math.abs(part.cycles / all.cycles - 1)).toBeLessThan(0.03);
    }
  });

  it("extrapolated from one or two rounds of long blocks is within 6 % of all blocks of the SM simulated", () => {
    const shape = {
      program: longBlocks,
      grid: [132 * 32, 1, 1],
      block: [256, 1, 1],
      dynamicSharedBytes: 0,
      args: [input, output],
      memory: buffers.memory,
    } as const;
    const long = { ...shape, device: h200, traces: traceLaunch(shape), cacheState: "cold" } as const;
    const all = predictLaunch({ ...long, simulateAll: "sm" });
    for (const rounds of [1, 2]) {
      const part = predictLaunch({ ...long, instructionBudget: (rounds * all.simulatedWarpInstructions) / 4 / 2 });
      expect(part.simulatedBlocks).toBe(8 * rounds);
      expect(Math.abs(part.cycles / all.cycles - 1)).toBeLessThan(0.06);
      expect(Math.abs(part.achievedOccupancyPercent - all.achievedOccupancyPercent)).toBeLessThan(5);
    }
  });

  it("grows with the grid", () => {
    const times = [132, 1056, 9000, 24000, 40000].map((blocks) => predictLaunch(launch(blocks)).cycles);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  it("is no shorter than DRAM needs for the data", () => {
    const time = predictLaunch(many);
    const bytes = 40000 * 1024;
    expect(time.dramBytesRead).toBeGreaterThan(0.95 * bytes);
    expect(time.dramBytesRead).toBeLessThan(1.1 * bytes);
    expect(time.timeMs).toBeGreaterThan(bytes / (h200.dram.peakBandwidthGBps * 1e6));
  });

  it("is longer cold than warm, where the data fits into L2", () => {
    const warm = predictLaunch({ ...launch(24000), cacheState: "warm" });
    expect(warm.cycles).toBeLessThan(predictLaunch(launch(24000)).cycles);
    expect(warm.dramBytesRead).toBe(0);
    expect(warm.l2HitRatePercent).toBe(100);
  });

  it("is the shorter the more of its data L2 has kept, but for what a sample scatters", () => {
    const perBlock = [34000, 38000, 40000, 42000, 50000].map((blocks) => {
      const { cycles } = predictLaunch({ ...launch(blocks), cacheState: "warm" });
      return cycles / blocks;
    });
    for (const [index, cycles] of perBlock.slice(1).entries()) expect(cycles).toBeGreaterThan(0.98 * perBlock[index]!);
    expect(perBlock.at(-1)).toBeGreaterThan(1.05 * perBlock[0]!);
  });

  it("halves its dispatch bound when blocks are given out twice as fast", () => {
    const empty = { ...assemble("x = mov.i32 0"), registersPerThread: 16 };
    const shape = { program: empty, grid: [200000, 1, 1], block: [32, 1, 1], dynamicSharedBytes: 0 } as const;
    const traced = traceLaunch({ ...shape, args: [], memory: buffers.memory });
    const normal = predictLaunch({ ...shape, device: h200, traces: traced, cacheState: "cold" });
    const fast = modifyDevice(h200, {
      launch: { blockDispatchNanoseconds: h200.launch.blockDispatchNanoseconds / 2 },
    });
    const faster = predictLaunch({ ...shape, device: fast, traces: traced, cacheState: "cold" });
    expect(normal.bound).toBe("dispatch");
    expect(faster.cycles / normal.cycles).toBeCloseTo(0.5, 1);
  });
});

describe("warp states", () => {
  const time = predictLaunch(launch(20000));

  it("are one reason a cycle: their sum is the resident warps over the issues, but for each warp's first 20 cycles", () => {
    const total = STALL_REASONS.reduce((sum, reason) => sum + time.stalls[reason], 0);
    const resident = (time.achievedOccupancyPercent / 100) * h200.limits.maxWarpsPerSm;
    expect(total / (resident / time.ipc)).toBeGreaterThan(0.985);
    expect(total / (resident / time.ipc)).toBeLessThan(1);
    expect(time.stalls.selected).toBe(1);
  });

  it("leave the theoretical occupancy above the achieved", () => {
    expect(time.theoreticalOccupancyPercent).toBe(100);
    expect(time.achievedOccupancyPercent).toBeLessThanOrEqual(100);
    expect(time.achievedOccupancyPercent).toBeGreaterThan(60);
  });
});

describe("what the model refuses", () => {
  const some = launch(1000);

  it("is a device with an impossible number, by its field", () => {
    const bad = { ...h200, dram: { ...h200.dram, latencyCycles: Number.NaN } };
    expect(() => predictLaunch({ ...some, device: bad })).toThrow(/dram\.latencyCycles/);
  });

  it("is a launch without traces", () => {
    expect(() => predictLaunch({ ...some, traces: { blocks: [] } })).toThrow(/traces\.blocks is empty/);
  });

  it("is traces of another launch", () => {
    expect(() => predictLaunch({ ...some, block: [128, 1, 1] })).toThrow(/8 warps/);
  });

  it("is a block that does not fit on the GPU", () => {
    expect(() => predictLaunch({ ...some, dynamicSharedBytes: 400000 })).toThrow(/fits on NVIDIA H200/);
  });

  it("is a program with instructions that the GPU lacks", () => {
    const redux = { ...assemble("x = redux.add.i32 0xffffffff, 1"), registersPerThread: 16 };
    const shape = { program: redux, grid: [4, 1, 1], block: [32, 1, 1], dynamicSharedBytes: 0 } as const;
    const instructions = redux.instructions.map((instruction) =>
      instruction.op === "redux"
        ? { ...instruction, issue: [{ pipe: "vote" as const, mnemonic: "REDUX.ADD", independent: false }] }
        : instruction,
    );
    const traces = traceLaunch({ ...shape, args: [], memory: buffers.memory });
    const other = { ...shape, program: { ...redux, instructions }, traces, cacheState: "cold" } as const;
    expect(() => predictLaunch({ ...other, device: v100 })).toThrow(/no redux pipe/);
  });
});

/** The traced blocks, where block i has `instructionsOf(i)` warp instructions. */
function sampleOf(blocks: number, threads: number, instructionsOf: (block: number) => number): number[] {
  const recorder = { recorded: 0, instructions: 0, costOfLines: 0 };
  const sample: number[] = [];
  for (const index of sampleBlocks({ grid: [blocks, 1, 1], block: [threads, 1, 1] }, recorder)) {
    sample.push(index);
    recorder.recorded += instructionsOf(index);
    recorder.instructions += instructionsOf(index);
  }
  return sample;
}

describe("the sample of blocks", () => {
  it("is all of a small grid", () => {
    for (let blocks = 1; blocks <= 24; blocks++) {
      expect(sampleOf(blocks, 64, () => 100)).toEqual(Array.from({ length: blocks }, (_, block) => block));
    }
  });

  it("has the first and the last block of a large one, in neighbouring pairs", () => {
    const sample = sampleOf(65536, 256, () => 100);
    expect(sample[0]).toBe(0);
    expect(sample.at(-1)).toBe(65535);
    expect(sample.length).toBeLessThanOrEqual(24);
    for (let i = 0; i < sample.length; i += 2) expect(sample[i + 1]).toBe(sample[i]! + 1);
  });

  it("is larger where blocks differ, in ascending order and without repetition", () => {
    const sample = sampleOf(20000, 256, (block) => 100 + ((block * 7919) % 1000));
    expect(sample.length).toBeGreaterThan(100);
    expect(sample).toEqual([...new Set(sample)].sort((a, b) => a - b));
    expect(sample.at(-1)).toBe(19999);
  });

  it("has the first two blocks and the last where blocks are very long", () => {
    expect(sampleOf(20000, 256, () => 140_000)).toEqual([0, 1, 19999]);
  });

  it("stays below half a million instructions where blocks are long", () => {
    for (const long of [10_000, 25_000, 50_000, 100_000]) {
      expect(sampleOf(20000, 256, () => long).length * long).toBeLessThan(500_000);
    }
  });

  it("says so when the traced blocks differ much", () => {
    const uneven = assemble(`
      n = mov.i32 blockIdx.x
      k = mov.i32 0
      loop {
        k = add.i32 k, 1
        p = setp.lt.i32 k, n
      } while p
    `);
    const shape = { program: { ...uneven, registersPerThread: 16 }, grid: [500, 1, 1], block: [32, 1, 1] } as const;
    const traces = traceLaunch({ ...shape, dynamicSharedBytes: 0, args: [], memory: buffers.memory });
    const time = predictLaunch({ ...shape, dynamicSharedBytes: 0, device: h200, traces, cacheState: "cold" });
    expect(time.sampling.relativeSpread).toBeGreaterThan(0.3);
    expect(time.sampling.note).toMatch(/differ by/);
  });
});

describe("warps of a kernel that loads one word a thread, as Nsight Compute counts them (h200/micro/set-7.json)", () => {
  interface Row {
    readonly kernel: string;
    readonly threads: number;
    readonly blocks: number;
    readonly cyclesActive: number;
    readonly warpsActive: number;
    readonly instructionsPerWarp: number;
    readonly stalls: Readonly<Record<string, number>>;
  }
  const file = JSON.parse(
    readFileSync(new URL("../../../reference/h200/micro/set-7.json", import.meta.url), "utf8"),
  ) as {
    readonly rows: readonly Row[];
  };
  const loadOne = assemble(`
    param in ptr i32
    param out ptr i32
    b = mul.i32 blockIdx.x, blockDim.x
    i = add.i32 b, threadIdx.x
    a = addr in[i]
    v = ld.i32 in[a]
    p = setp.eq.i32 v, 12345
    @p exit
  `);
  for (const row of file.rows.filter(({ kernel, threads }) => kernel === "loadOne" && [128, 256].includes(threads))) {
    const shape = {
      program: { ...loadOne, registersPerThread: 16 },
      grid: [row.blocks, 1, 1],
      block: [row.threads, 1, 1],
      dynamicSharedBytes: 0,
      args: [input, output],
      memory: buffers.memory,
    } as const;
    const time = predictLaunch({ ...shape, device: h200, traces: traceLaunch(shape), cacheState: "cold" });
    const warps = (row.blocks * row.threads) / 32 / h200.smCount;

    it(`are active for as long, in blocks of ${row.threads}`, () => {
      const measured = (row.warpsActive * row.cyclesActive) / warps;
      const active = ((time.achievedOccupancyPercent / 100) * h200.limits.maxWarpsPerSm * time.cycles) / warps;
      expect(Math.abs(active / measured - 1)).toBeLessThan(0.06);
    });

    it(`wait as long for their first instruction and their exit, in blocks of ${row.threads}`, () => {
      const instructions = (time.ipc * time.cycles) / warps;
      for (const reason of ["branch_resolving", "no_instruction", "drain"] as const) {
        const measured = (row.stalls[reason] ?? 0) * row.instructionsPerWarp;
        expect(Math.abs(time.stalls[reason] * instructions - measured), reason).toBeLessThan(3);
      }
    });
  }
});
