/**
 * Cooperative groups as a learner uses them, against what the CUDA C++ Programming Guide says of their members. Grids
 * are larger than what is traced: both engines run.
 */
import { describe, expect, it } from "vitest";
import { f32, i32, type Kernel, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../../src/core/host/launch.js";

const gpus = ["v100", "h200"].map((id) => new Gpu(id, { memoryBytes: 8 << 20 }));
const m2070 = new Gpu("m2070", { memoryBytes: 8 << 20 });

const BLOCKS = 40;
const data = (threads: number): Int32Array =>
  Int32Array.from({ length: BLOCKS * threads }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >> 20) - (i % 7));

/** Runs it over BLOCKS blocks; the outputs by name, a value each thread. */
function run(
  gpu: Gpu,
  one: Kernel,
  threads: number,
  outputs: readonly string[],
  config: Partial<LaunchConfig> = {},
): Record<string, Int32Array> {
  const input = gpu.upload(data(threads));
  const out = Object.fromEntries(outputs.map((name) => [name, gpu.alloc(i32, BLOCKS * threads).fill(-99)]));
  try {
    gpu.launch(one, { grid: BLOCKS, block: threads, ...config }, { input, ...out });
    return Object.fromEntries(Object.entries(out).map(([name, buffer]) => [name, buffer.read()]));
  } finally {
    gpu.reset();
  }
}

const tiles = (size: number): Kernel =>
  kernel(
    `tiles${size}`,
    {
      params: {
        input: ptr(i32),
        sum: ptr(i32),
        low: ptr(i32),
        scans: ptr(i32),
        before: ptr(i32),
        votes: ptr(i32),
        moved: ptr(i32),
      },
      constants: { SIZE: size },
    },
    ({ input, sum, low, scans, before, votes, moved }, cuda, { SIZE }) => {
      const block = cuda.this_thread_block();
      const tile = cuda.tiled_partition(block, SIZE);
      const i = cuda.blockIdx.x * block.size() + block.thread_rank();
      const value = input[i];
      sum[i] = cuda.reduce(tile, value, cuda.plus);
      low[i] = cuda.reduce(tile, value, cuda.less) ^ cuda.reduce(tile, value, cuda.greater);
      scans[i] = cuda.inclusive_scan(tile, value, cuda.plus) ^ cuda.inclusive_scan(tile, value, cuda.bit_xor);
      before[i] = cuda.exclusive_scan(tile, value, cuda.plus);
      const bits = tile.ballot(value > 0);
      const truths = (tile.any(value === 7) ? 1 : 0) + (tile.all(value > -2000) ? 2 : 0);
      votes[i] = cuda.i32(bits) ^ (truths << 4) ^ (tile.size() << 8) ^ (tile.thread_rank() << 16);
      let shuffled = tile.shfl(value, 1) + tile.shfl_up(value, 1) * 3 + tile.shfl_down(value, 1) * 5;
      shuffled += tile.shfl_xor(value, SIZE >> 1) * 7 + cuda.i32(tile.meta_group_rank()) * 1000;
      tile.sync();
      moved[i] = shuffled + cuda.i32(tile.meta_group_size()) * 100_000;
    },
  );

function expectTiles(out: Record<string, Int32Array>, size: number, threads: number): void {
  const input = data(threads);
  for (let i = 0; i < input.length; i++) {
    const thread = i % threads;
    const rank = thread % size;
    const start = i - rank;
    const tile = [...input.subarray(start, start + size)];
    const own = tile[rank]!;
    const upTo = tile.slice(0, rank + 1);
    const add = (values: readonly number[]): number => values.reduce((a, b) => (a + b) | 0, 0);
    const ballot = tile.reduce((mask, value, lane) => (value > 0 ? mask | (1 << lane) : mask), 0);
    const truths = (tile.includes(7) ? 1 : 0) + (tile.every((value) => value > -2000) ? 2 : 0);
    const shuffled =
      tile[1 % size]! + (tile[rank - 1] ?? own) * 3 + (tile[rank + 1] ?? own) * 5 + tile[rank ^ (size >> 1)]! * 7;
    const meta = Math.floor(thread / size) * 1000 + (threads / size) * 100_000;
    expect({
      i,
      sum: out.sum![i],
      low: out.low![i],
      scans: out.scans![i],
      before: out.before![i],
      votes: out.votes![i],
      moved: out.moved![i],
    }).toEqual({
      i,
      sum: add(tile),
      low: Math.min(...tile) ^ Math.max(...tile),
      scans: add(upTo) ^ upTo.reduce((a, b) => a ^ b),
      before: add(upTo.slice(0, -1)),
      votes: ballot ^ (truths << 4) ^ (size << 8) ^ (rank << 16),
      moved: (shuffled + meta) | 0,
    });
  }
}

describe("tiled_partition", () => {
  it.each([1, 2, 4, 8, 16, 32])("of %i threads reduces, scans, votes and shuffles in each tile", (size) => {
    for (const gpu of gpus) {
      const out = run(gpu, tiles(size), 96, ["sum", "low", "scans", "before", "votes", "moved"]);
      expectTiles(out, size, 96);
    }
  });

  it("takes the threads of a block of two dimensions by their rank, x first", () => {
    const out = run(gpus[1]!, tiles(8), 96, ["sum", "low", "scans", "before", "votes", "moved"], { block: [12, 8] });
    expectTiles(out, 8, 96);
  });

  it("may be split again", () => {
    const nested = kernel("nested", { params: { input: ptr(i32), out: ptr(i32) } }, ({ input, out }, cuda) => {
      const warp = cuda.tiled_partition(cuda.this_thread_block(), 32);
      const four = cuda.tiled_partition(warp, 4);
      const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
      out[i] = cuda.reduce(four, input[i], cuda.plus) + cuda.i32(four.thread_rank());
    });
    const input = data(64);
    const sums = Int32Array.from(input, (_, i) => {
      const start = i - (i % 4);
      return input.subarray(start, start + 4).reduce((a, b) => a + b) + (i % 4);
    });
    for (const gpu of gpus) expect(run(gpu, nested, 64, ["out"]).out).toEqual(sums);
  });

  it("reduces floats in the order of its butterfly, the same on every GPU", () => {
    const floats = kernel("floats", { params: { x: ptr(f32), out: ptr(f32) } }, ({ x, out }, cuda) => {
      const tile = cuda.tiled_partition(cuda.this_thread_block(), 16);
      const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
      out[i] = cuda.reduce(tile, x[i], cuda.plus);
    });
    const x = Float32Array.from(data(64), (value, i) => value * 1.37 + 1 / (i + 1));
    const results = gpus.map((gpu) => {
      const out = gpu.alloc(f32, x.length);
      gpu.launch(floats, { grid: BLOCKS, block: 64 }, { x: gpu.upload(x), out });
      const read = out.read();
      gpu.reset();
      return read;
    });
    const butterfly = Float32Array.from(x, (_, i) => {
      let values = [...x.subarray(i - (i % 16), i - (i % 16) + 16)];
      for (let offset = 8; offset > 0; offset >>= 1)
        values = values.map((value, lane) => Math.fround(value + values[lane ^ offset]!));
      return values[i % 16]!;
    });
    for (const read of results) expect(read).toEqual(butterfly);
  });
});

describe("coalesced_threads", () => {
  const branch = kernel(
    "branch",
    { params: { input: ptr(i32), ranks: ptr(i32), sums: ptr(i32), firsts: ptr(i32), scans: ptr(i32) } },
    ({ input, ranks, sums, firsts, scans }, cuda) => {
      const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
      const value = input[i];
      if ((value & 3) !== 0) {
        const active = cuda.coalesced_threads();
        ranks[i] = cuda.i32(active.thread_rank() + active.size() * 100);
        sums[i] = cuda.reduce(active, value, cuda.plus);
        firsts[i] = active.shfl(value, 0) * 2 + (active.any(value > 500) ? 1 : 0);
        scans[i] = cuda.exclusive_scan(active, 1, cuda.plus) * 1000 + cuda.i32(cuda.popc(active.ballot(value < 0)));
      }
    },
  );

  it.each(gpus.map((gpu) => [gpu.device.id, gpu] as const))("are those of the branch, by rank, on %s", (_, gpu) => {
    const out = run(gpu, branch, 80, ["ranks", "sums", "firsts", "scans"]);
    const input = data(80);
    input.forEach((value, i) => {
      const thread = i % 80;
      const start = i - (thread % 32);
      const warp = [...input.subarray(start, Math.min(start + 32, i - thread + 80))];
      const active = warp.map((one, lane) => ({ one, lane })).filter(({ one }) => (one & 3) !== 0);
      const rank = active.findIndex(({ lane }) => lane === thread % 32);
      const own = { ranks: out.ranks![i], sums: out.sums![i], firsts: out.firsts![i], scans: out.scans![i] };
      if ((value & 3) === 0) expect(own).toEqual({ ranks: -99, sums: -99, firsts: -99, scans: -99 });
      else {
        const some = active.some(({ one }) => one > 500) ? 1 : 0;
        expect(own).toEqual({
          ranks: rank + active.length * 100,
          sums: active.reduce((sum, { one }) => sum + one, 0),
          firsts: active[0]!.one * 2 + some,
          scans: rank * 1000 + active.filter(({ one }) => one < 0).length,
        });
      }
    });
  });

  it("let one lane add for all of them: the aggregated atomic", () => {
    const aggregated = kernel(
      "aggregated",
      { params: { input: ptr(i32), count: ptr(u32), kept: ptr(i32) } },
      ({ input, count, kept }, cuda) => {
        const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
        if (input[i] > 100) {
          const active = cuda.coalesced_threads();
          let place = cuda.u32(0);
          if (active.thread_rank() === 0) place = cuda.atomicAdd(count, 0, active.size());
          kept[active.shfl(place, 0) + active.thread_rank()] = input[i];
        }
      },
    );
    for (const gpu of gpus) {
      const [input, count, kept] = [gpu.upload(data(128)), gpu.alloc(u32, 1), gpu.alloc(i32, BLOCKS * 128)];
      gpu.launch(aggregated, { grid: BLOCKS, block: 128 }, { input, count, kept });
      const expected = data(128).filter((value) => value > 100);
      expect(count.read()[0]).toBe(expected.length);
      expect(kept.read().subarray(0, expected.length).sort()).toEqual(expected.sort());
      gpu.reset();
    }
  });
});

describe("the block and the grid as groups", () => {
  it("a block knows its size and ranks on every GPU, and its sync is __syncthreads", () => {
    const ranks = kernel("ranks", { params: { input: ptr(i32), out: ptr(i32) } }, ({ out }, cuda) => {
      const block = cuda.this_thread_block();
      const s = cuda.shared(cuda.i32, 96);
      s[block.thread_rank()] = cuda.i32(block.thread_rank());
      block.sync();
      out[cuda.blockIdx.x * 96 + block.thread_rank()] =
        s[95 - block.thread_rank()] + cuda.i32(block.num_threads()) * 1000;
    });
    for (const gpu of [m2070, ...gpus]) {
      const out = run(gpu, ranks, 96, ["out"], { block: [4, 8, 3] }).out!;
      expect(out).toEqual(Int32Array.from(out, (_, i) => 95 - (i % 96) + 96_000));
    }
  });

  it("a grid waits for all its blocks in a cooperative launch: the sum of what all have written", () => {
    const whole = kernel(
      "whole",
      { params: { input: ptr(i32), sums: ptr(i32), out: ptr(i32) } },
      ({ input, sums, out }, cuda) => {
        const grid = cuda.this_grid();
        const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
        cuda.atomicAdd(sums, cuda.blockIdx.x, input[i]);
        grid.sync();
        let total = 0;
        for (let b = 0; b < cuda.gridDim.x; b++) total += sums[b];
        grid.sync();
        if (cuda.threadIdx.x === 0) sums[cuda.blockIdx.x] = 0;
        grid.sync();
        out[i] =
          total + sums[(cuda.blockIdx.x + 1) % cuda.gridDim.x] + cuda.i32(grid.thread_rank() === cuda.u64(i)) - 1;
      },
    );
    for (const gpu of gpus) {
      const input = data(64);
      const [from, sums, out] = [gpu.upload(input), gpu.alloc(i32, BLOCKS), gpu.alloc(i32, input.length)];
      gpu.launch(whole, { grid: BLOCKS, block: 64 }, { input: from, sums, out });
      const total = input.reduce((a, b) => (a + b) | 0, 0);
      expect(out.read()).toEqual(new Int32Array(input.length).fill(total));
      gpu.reset();
    }
  });

  it("a grid that does not fit on the GPU is refused with the largest that does", () => {
    const wait = kernel("wait", { params: { out: ptr(i32) } }, ({ out }, { this_grid, blockIdx }) => {
      this_grid().sync();
      out[blockIdx.x] = 1;
    });
    const gpu = gpus[0]!;
    const out = gpu.alloc(i32, 2000);
    // 80 SMs hold two blocks of 1024 threads each.
    expect(() => gpu.launch(wait, { grid: 161, block: 1024 }, { out })).toThrow("Launch 160 blocks at most");
    gpu.launch(wait, { grid: 160, block: 1024 }, { out });
    expect(out.read().filter((value) => value === 1)).toHaveLength(160);
    gpu.reset();
  });
});

describe("a tile's number among those that its parent was split into", () => {
  const numbers: Kernel = kernel("tileNumbers", { params: { out: ptr(u32) } }, ({ out }, cuda) => {
    const block = cuda.this_thread_block();
    const warp = cuda.tiled_partition(block, 32);
    const eight = cuda.tiled_partition(warp, 8);
    const two = cuda.tiled_partition(eight, 2);
    const same = cuda.tiled_partition(two, 2);
    const ofBlock = cuda.tiled_partition(block, 8);
    const here = cuda.coalesced_threads();
    const i = (cuda.blockIdx.x * block.size() + block.thread_rank()) * 12;
    out[i] = warp.meta_group_rank();
    out[i + 1] = warp.meta_group_size();
    out[i + 2] = eight.meta_group_rank();
    out[i + 3] = eight.meta_group_size();
    out[i + 4] = two.meta_group_rank();
    out[i + 5] = two.meta_group_size();
    out[i + 6] = same.meta_group_rank();
    out[i + 7] = same.meta_group_size();
    out[i + 8] = ofBlock.meta_group_rank();
    out[i + 9] = ofBlock.meta_group_size();
    out[i + 10] = here.meta_group_rank();
    out[i + 11] = here.meta_group_size();
  });

  /** `meta_group_size`: groups created when the parent was partitioned (CUDA C++ Programming Guide, thread_block_tile). */
  const expected = (thread: number, threads: number): number[] => {
    const lane = thread % 32;
    return [
      ...[Math.floor(thread / 32), Math.ceil(threads / 32)],
      ...[Math.floor(lane / 8), 4],
      ...[Math.floor((lane % 8) / 2), 4],
      ...[0, 1],
      ...[Math.floor(thread / 8), Math.ceil(threads / 8)],
      ...[0, 1],
    ];
  };

  it.each([32, 100])("is counted in the parent and not in the block, in blocks of %i", (threads) => {
    for (const gpu of gpus) {
      for (const schedule of ["default", { seed: 5 }] as const) {
        const out = gpu.alloc(u32, BLOCKS * threads * 12);
        gpu.launch(numbers, { grid: BLOCKS, block: threads, schedule }, { out });
        const all = Array.from({ length: BLOCKS * threads }, (_, i) => expected(i % threads, threads));
        expect([...out.read()]).toEqual(all.flat());
        gpu.reset();
      }
    }
  });
});
