/** Patterns that order threads by something else than a plain barrier, each of them right: no tool may say a word. */
import {
  atomicAdd,
  atomicCAS,
  atomicExch,
  atomicMax,
  blockDim,
  blockIdx,
  coalesced_threads,
  deviceSynchronize,
  gridDim,
  i32,
  type Kernel,
  kernel,
  launch,
  plus,
  ptr,
  reduce,
  shared,
  shfl_down_sync,
  shfl_up_sync,
  syncthreads,
  syncwarp,
  this_grid,
  this_thread_block,
  threadfence,
  threadfence_block,
  threadIdx,
  tiled_partition,
  u32,
  volatile,
} from "../../../src/index.js";
import { ALL, type Launching, NEW } from "./planted/planted.js";

export interface Pattern {
  readonly name: string;
  readonly kernel: Kernel;
  readonly launching: Launching;
  readonly devices: readonly string[];
}

const ints = { input: ptr(i32), out: ptr(i32) };

/** Programming Guide, memory fence functions: the last block sums up, and sets the counter back for the next launch. */
const lastBlock = kernel(
  "lastBlock",
  { input: ptr(i32), sums: ptr(i32), count: ptr(u32), out: ptr(i32) },
  ({ input, sums, count, out }) => {
    const values = shared(i32, 64);
    const isLast = shared(i32, 1);
    const t = threadIdx.x;
    values[t] = input[blockIdx.x * 64 + t];
    syncthreads();
    for (let s = 32; s > 0; s >>= 1) {
      if (t < s) values[t] += values[t + s];
      syncthreads();
    }
    if (t === 0) {
      sums[blockIdx.x] = values[0];
      threadfence();
      isLast[0] = i32(atomicAdd(count, 0, 1) === gridDim.x - 1);
    }
    syncthreads();
    if (isLast[0] !== 0) {
      values[t] = t < gridDim.x ? sums[t] : 0;
      syncthreads();
      for (let s = 32; s > 0; s >>= 1) {
        if (t < s) values[t] += values[t + s];
        syncthreads();
      }
      if (t === 0) {
        out[0] = values[0];
        count[0] = 0;
      }
    }
  },
);

/** All threads write and fence, and one of them tells of it. */
const everybodyFences = kernel(
  "everybodyFences",
  { data: ptr(i32), count: ptr(u32), out: ptr(i32) },
  ({ data, count, out }) => {
    const before = shared(u32, 1);
    const i = blockIdx.x * 64 + threadIdx.x;
    data[i] *= 2;
    threadfence();
    syncthreads();
    if (threadIdx.x === 7) before[0] = atomicAdd(count, 0, 1);
    syncthreads();
    if (before[0] === gridDim.x - 1) out[threadIdx.x] = data[threadIdx.x] + data[64 + threadIdx.x];
  },
);

/** Thread 0 fences for its block, after the barrier. */
const oneFences = kernel("oneFences", { data: ptr(i32), count: ptr(u32), out: ptr(i32) }, ({ data, count, out }) => {
  const before = shared(u32, 1);
  const i = blockIdx.x * 64 + threadIdx.x;
  data[i] *= 2;
  syncthreads();
  if (threadIdx.x === 0) {
    threadfence();
    before[0] = atomicAdd(count, 0, 1);
  }
  syncthreads();
  if (before[0] === gridDim.x - 1) out[threadIdx.x] = data[threadIdx.x] + data[64 + threadIdx.x];
});

const spinLock = kernel("spinLock", { mutex: ptr(i32), sum: ptr(i32) }, ({ mutex, sum }) => {
  if (threadIdx.x === 0) {
    while (atomicCAS(mutex, 0, 0, 1) !== 0) {}
    threadfence();
    for (let k = 0; k < 4; k++) sum[k] += k + i32(blockIdx.x);
    threadfence();
    atomicExch(mutex, 0, 0);
  }
});

/** A lock of the block, in shared memory, with fences of the block. */
const sharedLock = kernel("sharedLock", ints, ({ input, out }) => {
  const mutex = shared(i32, 1);
  const sum = shared(i32, 1);
  const t = threadIdx.x;
  if (t === 0) {
    mutex[0] = 0;
    sum[0] = 0;
  }
  syncthreads();
  if (t % 32 === 0) {
    while (atomicCAS(mutex, 0, 0, 1) !== 0) {}
    threadfence_block();
    sum[0] += input[t];
    threadfence_block();
    atomicExch(mutex, 0, 0);
  }
  syncthreads();
  if (t === 0) out[0] = sum[0];
});

/** Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016: status 1 is a sum, 2 a prefix. */
const lookBack = kernel(
  "lookBack",
  { input: ptr(i32), aggregates: ptr(i32), prefixes: ptr(i32), flags: ptr(i32), out: ptr(i32) },
  ({ input, aggregates, prefixes, flags, out }) => {
    const state = volatile(flags);
    const before = shared(i32, 1);
    const values = shared(i32, 64);
    const t = i32(threadIdx.x);
    const b = i32(blockIdx.x);
    values[t] = input[b * 64 + t];
    syncthreads();
    for (let s = 1; s < 64; s *= 2) {
      const left = t >= s ? values[t - s] : 0;
      syncthreads();
      values[t] += left;
      syncthreads();
    }
    if (t === 0) {
      const own = values[63];
      let sum = 0;
      if (b > 0) {
        aggregates[b] = own;
        threadfence();
        state[b] = 1;
        let at = b - 1;
        let open = true;
        while (open) {
          const status = state[at];
          if (status === 2) {
            threadfence();
            sum += prefixes[at];
            open = false;
          } else if (status === 1) {
            threadfence();
            sum += aggregates[at];
            at -= 1;
          }
        }
      }
      prefixes[b] = sum + own;
      threadfence();
      state[b] = 2;
      before[0] = sum;
    }
    syncthreads();
    out[b * 64 + t] = values[t] + before[0];
  },
);

/** Block after block adds to the same element: each passes on what it knows of those before it. */
const chain = kernel("chain", { turn: ptr(i32), data: ptr(i32) }, ({ turn, data }) => {
  if (threadIdx.x === 0) {
    while (atomicAdd(turn, 0, 0) !== i32(blockIdx.x)) {}
    threadfence();
    data[0] += 1;
    data[1 + blockIdx.x] = data[blockIdx.x] + 1;
    threadfence();
    atomicExch(turn, 0, i32(blockIdx.x) + 1);
  }
});

const gridSync = kernel("gridSync", { data: ptr(i32), out: ptr(i32) }, ({ data, out }) => {
  const grid = this_grid();
  const i = blockIdx.x * 64 + threadIdx.x;
  for (let step = 0; step < 3; step++) {
    const other = data[i ^ 64];
    grid.sync();
    data[i] = other + 1;
    grid.sync();
  }
  out[i] = data[i ^ 64];
});

const subMasks = kernel("subMasks", ints, ({ input, out }) => {
  const values = shared(i32, 32);
  const t = threadIdx.x;
  values[t] = input[t];
  if (t < 16) {
    syncwarp(0xffff);
    out[t] = values[15 - t];
  } else {
    syncwarp(0xffff0000);
    out[t] = values[47 - t];
  }
});

/** Quarters that hand on to the next one: what a lane knows, it passes on. */
const handedOn = kernel("handedOn", ints, ({ input, out }) => {
  const values = shared(i32, 32);
  const t = threadIdx.x;
  values[t] = input[t];
  if (t < 16) syncwarp(0xffff);
  if (t >= 8 && t < 24) syncwarp(0xffff00);
  if (t >= 16) syncwarp(0xffff0000);
  if (t >= 16) out[t] = values[t - 16];
});

const warpSteps = kernel("warpSteps", ints, ({ input, out }) => {
  const values = shared(i32, 64);
  const t = threadIdx.x;
  values[t] = input[t];
  syncwarp();
  const first = t & 32;
  for (let s = u32(16); s > 0; s >>= 1) {
    const other = values[first + ((t + s) & 31)];
    syncwarp();
    values[t] += other;
    syncwarp();
  }
  if ((t & 31) === 0) out[t >> 5] = values[t];
});

/** Warp 0 fills a slot and warp 1 empties it, by counters in shared memory. */
const producer = kernel("producer", ints, ({ input, out }) => {
  const slot = shared(i32, 32);
  const filled = shared(i32, 1);
  const emptied = shared(i32, 1);
  const t = i32(threadIdx.x);
  const lane = t & 31;
  if (t === 0) {
    filled[0] = 0;
    emptied[0] = 0;
  }
  syncthreads();
  for (let round = 0; round < 2; round++) {
    if (t < 32) {
      if (lane === 0) {
        while (atomicAdd(emptied, 0, 0) < round) {}
        threadfence_block();
      }
      syncwarp();
      slot[lane] = input[32 * round + lane];
      syncwarp();
      if (lane === 0) {
        threadfence_block();
        atomicAdd(filled, 0, 1);
      }
    } else {
      if (lane === 0) {
        while (atomicAdd(filled, 0, 0) <= round) {}
        threadfence_block();
      }
      syncwarp();
      out[32 * round + lane] = slot[lane] * 2;
      syncwarp();
      if (lane === 0) {
        threadfence_block();
        atomicAdd(emptied, 0, 1);
      }
    }
  }
});

const histogram = kernel("histogram", { input: ptr(u32), out: ptr(u32) }, ({ input, out }) => {
  const bins = shared(u32, 16);
  const t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  syncthreads();
  atomicAdd(bins, input[blockIdx.x * blockDim.x + t] & 15, 1);
  syncthreads();
  if (t < 16) atomicAdd(out, t, bins[t]);
});

const doubleBuffer = kernel("doubleBuffer", { ...ints, n: i32 }, ({ input, out, n }) => {
  const halves = shared(i32, 128);
  const t = i32(threadIdx.x);
  let sum = 0;
  for (let step = 0; step < n; step++) {
    halves[64 * (step & 1) + t] = input[step * 64 + t];
    syncthreads();
    sum += halves[64 * (step & 1) + 63 - t];
  }
  out[t] = sum;
});

const tiles = kernel("tiles", ints, ({ input, out }) => {
  const values = shared(i32, 64);
  const tile = tiled_partition(this_thread_block(), 16);
  const t = threadIdx.x;
  const rank = tile.thread_rank();
  const first = t - rank;
  values[t] = input[t];
  tile.sync();
  for (let s = u32(8); s > 0; s >>= 1) {
    if (rank < s) values[t] += values[t + s];
    tile.sync();
  }
  out[t] = values[first] + reduce(tile, input[t], plus);
});

const aggregated = kernel(
  "aggregated",
  { input: ptr(i32), count: ptr(i32), out: ptr(i32) },
  ({ input, count, out }) => {
    const t = threadIdx.x;
    if (input[t] % 3 === 0) {
      const active = coalesced_threads();
      let place = 0;
      if (active.thread_rank() === 0) place = atomicAdd(count, 0, i32(active.size()));
      place = active.shfl(place, 0) + i32(active.thread_rank());
      out[place] = input[t];
    }
  },
);

const shuffles = kernel("shuffles", ints, ({ input, out }) => {
  let value = input[blockIdx.x * 64 + threadIdx.x];
  for (let offset = 16; offset > 0; offset >>= 1) value += shfl_down_sync(0xffffffff, value, offset);
  const left = shfl_up_sync(0xffffffff, value, 1);
  if ((threadIdx.x & 31) === 0) atomicAdd(out, 0, value + left);
});

/** All lanes read one word, and one of them writes it after the barrier. */
const broadcast = kernel("broadcast", ints, ({ input, out }) => {
  const largest = shared(i32, 1);
  const t = threadIdx.x;
  for (let round = 0; round < 3; round++) {
    if (t === 0) largest[0] = round;
    syncthreads();
    atomicMax(largest, 0, input[t]);
    syncthreads();
    out[t] = largest[0];
    syncthreads();
  }
});

const addOne = kernel("addOne", { data: ptr(i32) }, ({ data }) => {
  data[threadIdx.x] += 1;
});

/** Children of one block run one after the other, and see all that their parent's block did before a barrier. */
const children = kernel("children", { data: ptr(i32) }, ({ data }) => {
  const own = data.subarray(blockIdx.x * 64);
  own[threadIdx.x] *= 2;
  syncthreads();
  if (threadIdx.x === 0) {
    launch(addOne, { grid: 1, block: 64 }, { data: own });
    launch(addOne, { grid: 1, block: 64 }, { data: own });
  }
});

const waits = kernel("waits", { data: ptr(i32), out: ptr(i32) }, ({ data, out }) => {
  const own = data.subarray(blockIdx.x * 64);
  if (threadIdx.x === 0) {
    launch(addOne, { grid: 1, block: 64 }, { data: own });
    deviceSynchronize();
  }
  syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = own[63 - threadIdx.x];
});

const two = { grid: 2, length: 128 };

export const patterns: readonly Pattern[] = [
  { name: "the last block", kernel: lastBlock, launching: { grid: 4, length: 256, zeros: ["count"] }, devices: ALL },
  { name: "a fence in every thread", kernel: everybodyFences, launching: { ...two, zeros: ["count"] }, devices: ALL },
  { name: "one fence for the block", kernel: oneFences, launching: { ...two, zeros: ["count"] }, devices: ALL },
  { name: "a spin lock", kernel: spinLock, launching: { grid: 6, zeros: ["mutex"] }, devices: ALL },
  { name: "a spin lock in shared memory", kernel: sharedLock, launching: {}, devices: ALL },
  {
    name: "decoupled look-back",
    kernel: lookBack,
    launching: { grid: 5, length: 320, zeros: ["flags"], unwritten: ["aggregates", "prefixes"] },
    devices: ALL,
  },
  { name: "blocks in turn", kernel: chain, launching: { grid: 5, zeros: ["turn"] }, devices: ALL },
  { name: "grid.sync", kernel: gridSync, launching: two, devices: NEW },
  { name: "syncwarp by halves", kernel: subMasks, launching: { block: 32 }, devices: NEW },
  { name: "syncwarp from part to part", kernel: handedOn, launching: { block: 32 }, devices: NEW },
  { name: "syncwarp at each step", kernel: warpSteps, launching: {}, devices: ALL },
  { name: "a warp that fills and one that empties", kernel: producer, launching: {}, devices: ALL },
  { name: "a histogram by atomics", kernel: histogram, launching: { ...two, zeros: ["out"] }, devices: ALL },
  {
    name: "two buffers and one barrier",
    kernel: doubleBuffer,
    launching: { sizes: { input: 256 }, values: { n: 4 } },
    devices: ALL,
  },
  { name: "tiles of 16", kernel: tiles, launching: {}, devices: NEW },
  { name: "coalesced threads", kernel: aggregated, launching: { zeros: ["count"] }, devices: NEW },
  { name: "shuffles without memory", kernel: shuffles, launching: { ...two, zeros: ["out"] }, devices: NEW },
  { name: "atomics between barriers", kernel: broadcast, launching: {}, devices: ALL },
  { name: "child grids of a block", kernel: children, launching: two, devices: NEW },
  { name: "a wait for a child grid", kernel: waits, launching: two, devices: ["v100"] },
];
