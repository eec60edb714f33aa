/** Further patterns that are right: staging, queues, locks, look-back, ring buffers, halos, parts of tiles. */
import {
  asVector,
  atomicAdd,
  atomicCAS,
  atomicExch,
  atomicInc,
  atomicMin,
  atomicOr,
  atomicSub,
  ballot_sync,
  blockDim,
  blockIdx,
  coalesced_threads,
  deviceSynchronize,
  f32,
  f64,
  float4,
  gridDim,
  i32,
  type Kernel,
  kernel,
  launch,
  plus,
  popc,
  ptr,
  reduce,
  shared,
  shfl_down_sync,
  shfl_sync,
  shfl_up_sync,
  syncthreads,
  syncthreadsOr,
  syncwarp,
  this_thread_block,
  threadfence,
  threadfence_block,
  threadIdx,
  tiled_partition,
  u32,
  volatile,
} from "../../../src/index.js";
import type { Pattern } from "./correct-patterns.js";
import { ALL, NEW } from "./planted/planted.js";

const ints = { input: ptr(i32), out: ptr(i32) };
const floats = { input: ptr(f32), out: ptr(f32) };

/** Two stages of a tile: the next one is loaded to registers, then stored, while this one is used. */
const stagedTiles = kernel("stagedTiles", floats, { STEPS: 4 }, ({ input, out }, { STEPS }) => {
  const stages = shared(f32, [2, 64]);
  const t = i32(threadIdx.x);
  stages[0][t] = input[t];
  syncthreads();
  let sum = f32(0);
  for (let step = 0; step < STEPS; step++) {
    const now = step & 1;
    let next = f32(0);
    if (step + 1 < STEPS) next = input[(step + 1) * 64 + t];
    for (let k = 0; k < 4; k++) sum += stages[now][(t + k * 16) & 63];
    if (step + 1 < STEPS) stages[now ^ 1][t] = next;
    syncthreads();
  }
  out[t] = sum;
});

/** One word holds a status and a value, so no fence is needed between the two. */
const packedLookBack = kernel(
  "packedLookBack",
  { input: ptr(u32), states: ptr(u32), out: ptr(u32) },
  ({ input, states, out }) => {
    const before = shared(u32, 1);
    const b = i32(blockIdx.x);
    if (threadIdx.x === 0) {
      const own = input[b] & 255;
      if (b === 0) atomicExch(states, 0, own | 0x80000000);
      else atomicExch(states, b, own | 0x40000000);
      let sum = u32(0);
      let at = b - 1;
      while (at >= 0) {
        const word = atomicOr(states, at, 0);
        if ((word & 0x80000000) !== 0) {
          sum += word & 0xffff;
          at = -1;
        } else if ((word & 0x40000000) !== 0) {
          sum += word & 0xffff;
          at -= 1;
        }
      }
      if (b > 0) atomicExch(states, b, (sum + own) | 0x80000000);
      before[0] = sum;
    }
    syncthreads();
    out[b * 64 + i32(threadIdx.x)] = before[0] + threadIdx.x;
  },
);

/** Blocks take pieces of work until none is left. */
const workQueue = kernel(
  "workQueue",
  { input: ptr(i32), next: ptr(i32), out: ptr(i32), n: i32 },
  ({ input, next, out, n }) => {
    const piece = shared(i32, 1);
    let open = true;
    while (open) {
      if (threadIdx.x === 0) piece[0] = atomicAdd(next, 0, 1);
      syncthreads();
      const mine = piece[0];
      syncthreads();
      open = mine < n;
      if (open) out[mine * 64 + i32(threadIdx.x)] = input[mine * 64 + i32(threadIdx.x)] * 2;
    }
  },
);

/** Threads put items on a queue and others take them once the item's own flag says so. */
const itemsWithFlags = kernel(
  "itemsWithFlags",
  { items: ptr(f64), full: ptr(i32), tail: ptr(u32), out: ptr(f64) },
  ({ items, full, tail, out }) => {
    const state = volatile(full);
    if (threadIdx.x === 0) {
      if (blockIdx.x < 2) {
        for (let k = u32(0); k < 3; k++) {
          const at = atomicAdd(tail, 0, 1);
          items[at] = f64(blockIdx.x) + f64(k);
          threadfence();
          state[at] = 1;
        }
      } else {
        let sum = f64(0);
        for (let at = u32(0); at < 6; at++) {
          while (state[at] === 0) {}
          threadfence();
          sum += items[at];
        }
        out[0] = sum;
      }
    }
  },
);

/** Warp 0 loads, warps 1 and 2 compute; each stage has a flag for full and one for empty. */
const specialised = kernel("specialised", floats, ({ input, out }) => {
  const stages = shared(f32, [2, 32]);
  const full = shared(i32, 2);
  const empty = shared(i32, 2);
  const [fullNow, emptyNow] = [volatile(full), volatile(empty)];
  const t = i32(threadIdx.x);
  const lane = t & 31;
  const warp = t >> 5;
  if (t < 2) {
    full[t] = 0;
    empty[t] = 2;
  }
  syncthreads();
  for (let k = 0; k < 4; k++) {
    const s = k & 1;
    if (warp === 0) {
      while (emptyNow[s] !== 2) {}
      threadfence_block();
      syncwarp();
      stages[s][lane] = input[k * 32 + lane];
      threadfence_block();
      syncwarp();
      if (lane === 0) {
        atomicExch(empty, s, 0);
        threadfence_block();
        atomicExch(full, s, k + 1);
      }
    } else {
      while (fullNow[s] !== k + 1) {}
      threadfence_block();
      syncwarp();
      const value = stages[s][(lane + warp) & 31];
      out[(k * 2 + warp - 1) * 32 + lane] = value;
      threadfence_block();
      syncwarp();
      if (lane === 0) atomicAdd(empty, s, 1);
    }
    syncwarp();
  }
});

/** atomicInc sets the counter back by itself; the last block adds with all of its threads. */
const lastByInc = kernel(
  "lastByInc",
  { input: ptr(f32), partial: ptr(f32), count: ptr(u32), out: ptr(f32) },
  ({ input, partial, count, out }) => {
    const values = shared(f32, 64);
    const t = threadIdx.x;
    values[t] = input[blockIdx.x * 64 + t];
    syncthreads();
    for (let s = u32(32); s >= 1; s = s >> 1) {
      if (t < s) values[t] += values[t + s];
      syncthreads();
    }
    if (t === 0) partial[blockIdx.x] = values[0];
    threadfence();
    let last = false;
    if (t === 0) last = atomicInc(count, 0, gridDim.x - 1) === gridDim.x - 1;
    if (syncthreadsOr(last)) {
      let sum = f32(0);
      for (let b = t; b < gridDim.x; b += 64) sum += volatile(partial)[b];
      values[t] = sum;
      syncthreads();
      if (t === 0) {
        let total = f32(0);
        for (let k = 0; k < 64; k++) total += values[k];
        out[0] = total;
      }
    }
  },
);

/** A histogram of each warp, and their sum. */
const privateBins = kernel("privateBins", { input: ptr(u32), out: ptr(u32) }, ({ input, out }) => {
  const bins = shared(u32, [2, 16]);
  const t = threadIdx.x;
  const warp = t >> 5;
  for (let k = t & 31; k < 16; k += 32) bins[warp][k] = 0;
  syncwarp();
  for (let k = u32(0); k < 2; k++) atomicAdd(bins[warp], input[(blockIdx.x * 2 + k) * 64 + t] & 15, 1);
  syncthreads();
  if (t < 16) atomicAdd(out, t, bins[0][t] + bins[1][t]);
});

/** Bins of each thread in its own column. */
const ownColumns = kernel("ownColumns", { input: ptr(u32), out: ptr(u32) }, ({ input, out }) => {
  const bins = shared(u32, [4, 64]);
  const t = threadIdx.x;
  for (let k = 0; k < 4; k++) bins[k][t] = 0;
  for (let k = u32(0); k < 4; k++) bins[input[(t + k) & 63] & 3][t] += 1;
  syncthreads();
  if (t < 4) {
    let sum = u32(0);
    for (let k = u32(0); k < 64; k++) sum += bins[t][(k + t) & 63];
    out[t] = sum;
  }
});

/** A last warp that is shorter than the others: its mask comes from a ballot. */
const shortWarp = kernel("shortWarp", { ...ints, n: u32 }, ({ input, out, n }) => {
  const t = threadIdx.x;
  const mask = ballot_sync(0xffffffff, t < n);
  if (t < n) {
    let value = input[t];
    for (let d = u32(16); d > 0; d >>= 1) {
      const other = shfl_down_sync(mask, value, d);
      if ((t & 31) + d < 32 && t + d < n) value += other;
    }
    if ((t & 31) === 0) out[t >> 5] = value;
  }
});

const partialTiles = kernel("partialTiles", ints, ({ input, out }) => {
  const tile = tiled_partition(this_thread_block(), 8);
  const t = threadIdx.x;
  const value = reduce(tile, input[t], plus);
  if (tile.thread_rank() === 0) out[t >> 3] = value;
});

/** A group of those that are there adds once. */
const groupAdds = kernel("groupAdds", { input: ptr(i32), count: ptr(i32), out: ptr(i32) }, ({ input, count, out }) => {
  const t = threadIdx.x;
  if ((input[t] & 2) === 0) {
    const group = coalesced_threads();
    const sum = reduce(group, input[t], plus);
    if (group.thread_rank() === 0) atomicAdd(count, 0, sum);
    group.sync();
    out[t] = group.shfl(sum, 0);
  }
});

/** Places of a compaction by ballots, with the warps' counts in shared memory. */
const compacted = kernel("compacted", { input: ptr(i32), out: ptr(i32) }, ({ input, out }) => {
  const counts = shared(u32, 2);
  const t = threadIdx.x;
  const lane = t & 31;
  const keep = input[t] % 2 === 0;
  const ballot = ballot_sync(0xffffffff, keep);
  if (lane === 0) counts[t >> 5] = popc(ballot);
  syncthreads();
  const before = t < 32 ? u32(0) : counts[0];
  if (keep) out[before + popc(ballot & ((1 << lane) - 1))] = input[t];
});

/** Each step of the last warp reads, meets and writes: from 7.0 on volatile alone is not enough. */
const lastWarp = kernel("lastWarp", floats, ({ input, out }) => {
  const values = shared(f32, 128);
  const t = threadIdx.x;
  values[t] = input[t];
  values[t + 64] = 0.0;
  syncthreads();
  if (t < 32) {
    const warp = volatile(values);
    let sum = warp[t];
    for (let s = 32; s > 0; s >>= 1) {
      sum += warp[t + s];
      syncwarp();
      warp[t] = sum;
      syncwarp();
    }
    if (t === 0) out[0] = sum;
  }
});

/** On Fermi a volatile array is enough. */
export const fermiTail: Kernel = kernel("fermiTail", floats, ({ input, out }) => {
  const values = shared(f32, 128);
  const t = threadIdx.x;
  values[t] = input[t];
  values[t + 64] = 0.0;
  syncthreads();
  if (t < 32) {
    const warp = volatile(values);
    for (let s = 32; s > 0; s >>= 1) warp[t] += warp[t + s];
    if (t === 0) out[0] = warp[0];
  }
});

/** Two blocks pass items through a ring of four places, by two counters that one side each writes. */
const ring = kernel(
  "ring",
  { slots: ptr(f64), head: ptr(u32), tail: ptr(u32), out: ptr(f64) },
  { ITEMS: 9 },
  ({ slots, head, tail, out }, { ITEMS }) => {
    const [taken, put] = [volatile(head), volatile(tail)];
    if (threadIdx.x === 0) {
      if (blockIdx.x === 0) {
        for (let k = u32(0); k < ITEMS; k++) {
          while (k - taken[0] >= 4) {}
          threadfence();
          slots[k & 3] = f64(k) * 1.5;
          threadfence();
          put[0] = k + 1;
        }
      } else {
        let sum = f64(0);
        for (let k = u32(0); k < ITEMS; k++) {
          while (put[0] <= k) {}
          threadfence();
          sum += slots[k & 3];
          threadfence();
          taken[0] = k + 1;
        }
        out[0] = sum;
      }
    }
  },
);

/** A seqlock: readers repeat where a writer was there meanwhile; the data are volatile. */
const seqlock = kernel("seqlock", { version: ptr(u32), data: ptr(i32), out: ptr(i32) }, ({ version, data, out }) => {
  const words = volatile(data);
  if (threadIdx.x === 0) {
    if (blockIdx.x === 0) {
      atomicAdd(version, 0, 1);
      threadfence();
      words[0] = 5;
      words[1] = 6;
      threadfence();
      atomicAdd(version, 0, 1);
    } else {
      let again = true;
      while (again) {
        const before = atomicAdd(version, 0, 0);
        threadfence();
        const sum = words[0] + words[1];
        threadfence();
        again = (before & 1) === 1 || atomicAdd(version, 0, 0) !== before;
        if (!again) out[blockIdx.x] = sum;
      }
    }
  }
});

const ticketLock = kernel(
  "ticketLock",
  { next: ptr(u32), serving: ptr(u32), out: ptr(f64) },
  ({ next, serving, out }) => {
    if (threadIdx.x === 0) {
      const mine = atomicAdd(next, 0, 1);
      while (atomicAdd(serving, 0, 0) !== mine) {}
      threadfence();
      for (let k = 0; k < 3; k++) out[k] += f64(mine) + 1.0;
      threadfence();
      atomicAdd(serving, 0, 1);
    }
  },
);

/** Readers count up, a writer waits until none is there: bit 16 on is the writer. */
const readersWriter = kernel(
  "readersWriter",
  { lock: ptr(i32), data: ptr(i32), out: ptr(i32) },
  ({ lock, data, out }) => {
    if (threadIdx.x === 0) {
      if (blockIdx.x === 1) {
        while (atomicCAS(lock, 0, 0, 65536) !== 0) {}
        threadfence();
        data[0] += 3;
        data[1] = data[0] * 2;
        threadfence();
        atomicSub(lock, 0, 65536);
      } else {
        let open = true;
        while (open) {
          if (atomicAdd(lock, 0, 1) < 65536) {
            threadfence();
            out[blockIdx.x] = data[0] + data[1];
            threadfence();
            open = false;
          }
          atomicSub(lock, 0, 1);
        }
      }
    }
  },
);

/** A barrier of the grid by hand, with a counter that only grows. */
const ownBarrier = kernel("ownBarrier", { count: ptr(u32), data: ptr(i32), out: ptr(i32) }, ({ count, data, out }) => {
  const i = blockIdx.x * 64 + threadIdx.x;
  for (let round = u32(1); round <= 2; round++) {
    data[i] += i32(round);
    threadfence();
    syncthreads();
    if (threadIdx.x === 0) {
      atomicAdd(count, 0, 1);
      while (atomicAdd(count, 0, 0) < (2 * round - 1) * gridDim.x) {}
      threadfence();
    }
    syncthreads();
    out[i] = data[i ^ 64];
    threadfence();
    syncthreads();
    if (threadIdx.x === 0) {
      atomicAdd(count, 0, 1);
      while (atomicAdd(count, 0, 0) < 2 * round * gridDim.x) {}
      threadfence();
    }
    syncthreads();
  }
});

const stencil = kernel("stencil", { ...floats, n: i32 }, ({ input, out, n }) => {
  const row = shared(f32, 66);
  const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
  const t = i32(threadIdx.x) + 1;
  row[t] = i < n ? input[i] : 0.0;
  if (t === 1) row[0] = i > 0 ? input[i - 1] : 0.0;
  if (t === 64) row[65] = i + 1 < n ? input[i + 1] : 0.0;
  syncthreads();
  if (i < n) out[i] = row[t - 1] + row[t] + row[t + 1];
});

const paddedTranspose = kernel("paddedTranspose", floats, ({ input, out }) => {
  const tile = shared(f32, [8, 9]);
  const [x, y] = [threadIdx.x, threadIdx.y];
  const [bx, by] = [blockIdx.x * 8, blockIdx.y * 8];
  tile[y][x] = input[(by + y) * 16 + bx + x];
  syncthreads();
  out[(bx + y) * 16 + by + x] = tile[x][y];
});

/** All vectors of a row are loaded, and each thread stores what it alone reads again. */
const vectorStaging = kernel("vectorStaging", floats, ({ input, out }) => {
  const row = shared(f32, 256);
  const [from, to] = [asVector(input, float4), asVector(row, float4)];
  const t = threadIdx.x;
  to[t] = from[t];
  const own = row[4 * t + 3];
  syncthreads();
  out[t] = own + row[255 - 4 * t];
});

const scale = kernel("scale", { data: ptr(f64), by: i32 }, ({ data, by }) => {
  data[threadIdx.x] *= f64(by);
});

const joinedChildren = kernel("joinedChildren", { data: ptr(f64), out: ptr(f64) }, ({ data, out }) => {
  const own = data.subarray(blockIdx.x * 64);
  own[threadIdx.x] += 1.0;
  syncthreads();
  if (threadIdx.x < 2) launch(scale, { grid: 1, block: 32 }, { data: own.subarray(32 * threadIdx.x), by: 2 });
  syncthreads();
  if (threadIdx.x === 5) deviceSynchronize();
  syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = own[63 - threadIdx.x];
});

const tailChild = kernel("tailChild", { data: ptr(f64) }, ({ data }) => {
  data[blockIdx.x * 64 + threadIdx.x] += 1.0;
  if (blockIdx.x === 0 && threadIdx.x === 0) {
    launch(scale, { grid: 1, block: 128, stream: "tail" }, { data, by: 3 });
  }
});

/** The first lane takes a place for its warp and tells the others by a shuffle. */
const leaderPlaces = kernel(
  "leaderPlaces",
  { input: ptr(i32), next: ptr(u32), out: ptr(i32) },
  ({ input, next, out }) => {
    const lane = threadIdx.x & 31;
    const keep = input[blockIdx.x * 64 + threadIdx.x] % 5 !== 0;
    const votes = ballot_sync(0xffffffff, keep);
    let first = u32(0);
    if (lane === 0) first = atomicAdd(next, 0, popc(votes));
    first = shfl_sync(0xffffffff, first, 0);
    if (keep) out[first + popc(votes & ((1 << lane) - 1))] = input[blockIdx.x * 64 + threadIdx.x];
  },
);

/** Scan of warps by shuffles, and of their sums by the first warp. */
const twoLevelScan = kernel("twoLevelScan", ints, ({ input, out }) => {
  const sums = shared(i32, 32);
  const t = threadIdx.x;
  const lane = t & 31;
  let value = input[t];
  for (let d = u32(1); d < 32; d <<= 1) {
    const other = shfl_up_sync(0xffffffff, value, d);
    if (lane >= d) value += other;
  }
  if (t < 32) sums[t] = 0;
  syncthreads();
  if (lane === 31) sums[t >> 5] = value;
  syncthreads();
  if (t < 32) {
    let total = sums[t];
    for (let d = u32(1); d < 32; d <<= 1) {
      const other = shfl_up_sync(0xffffffff, total, d);
      if (lane >= d) total += other;
    }
    sums[t] = total;
  }
  syncthreads();
  out[t] = value + (t >= 32 ? sums[(t >> 5) - 1] : 0);
});

/** Union by atomicMin until nothing changes, the change told by one flag. */
const relaxed = kernel("relaxed", { label: ptr(i32), out: ptr(i32) }, ({ label, out }) => {
  const changed = shared(i32, 1);
  const t = i32(threadIdx.x);
  let open = true;
  while (open) {
    if (t === 0) changed[0] = 0;
    syncthreads();
    const left = atomicAdd(label, t > 0 ? t - 1 : 0, 0);
    if (atomicMin(label, t, left) > left) atomicExch(changed, 0, 1);
    syncthreads();
    open = changed[0] !== 0;
    syncthreads();
  }
  out[t] = label[t];
});

const two = { grid: 2, length: 128 };
const four = { grid: 4, length: 256 };
const row = (name: string, each: Pattern["kernel"], launching: Pattern["launching"] = {}, devices = ALL): Pattern => ({
  name,
  kernel: each,
  launching,
  devices,
});

export const rightPatterns: readonly Pattern[] = [
  row("two stages of a tile", stagedTiles, { sizes: { input: 256 } }),
  row("look-back with status and value in one word", packedLookBack, { ...four, zeros: ["states"] }),
  row("a work queue of blocks", workQueue, { grid: 3, length: 320, zeros: ["next"], values: { n: 5 } }),
  row("items with a flag each", itemsWithFlags, { grid: 3, unwritten: ["items"], zeros: ["full", "tail"] }),
  row("one warp that loads for two", specialised, { block: 96, length: 256 }),
  row("the last block by atomicInc", lastByInc, { ...four, zeros: ["count"], unwritten: ["partial"] }),
  row("a histogram of each warp", privateBins, { grid: 2, length: 256, zeros: ["out"] }, NEW),
  row("bins in the thread's own column", ownColumns),
  row("a short last warp and a ballot's mask", shortWarp, { values: { n: 50 } }, NEW),
  row("tiles of eight", partialTiles, {}, NEW),
  row("a coalesced group that adds once", groupAdds, { zeros: ["count"] }, NEW),
  row("places by ballots", compacted),
  row("a last warp with volatile and syncwarp", lastWarp),
  row("a ring between two blocks", ring, { grid: 2, zeros: ["head", "tail"] }),
  row("a seqlock", seqlock, { grid: 3, zeros: ["version"] }),
  row("a ticket lock by atomics", ticketLock, { grid: 4, zeros: ["next", "serving"] }),
  row("a lock of readers and a writer", readersWriter, { grid: 4, zeros: ["lock"] }),
  row("a barrier of the grid by hand", ownBarrier, { ...two, zeros: ["count"] }),
  row("a stencil with its halo", stencil, { grid: 2, length: 100, values: { n: 100 } }),
  row("a padded transposition", paddedTranspose, { grid: [2, 2], block: [8, 8], length: 256 }),
  row("vectors into shared memory", vectorStaging, { length: 256 }),
  row("children that another thread waits for", joinedChildren, two, ["v100"]),
  row("a tail launch over all blocks' elements", tailChild, two, ["h200"]),
  row("places by the first lane", leaderPlaces, { ...two, zeros: ["next"] }, NEW),
  row("a scan of two levels", twoLevelScan, {}, NEW),
  row("labels until nothing changes", relaxed),
];
