/** Faults whose other side is another block of the grid. */
import {
  asVector,
  atomicAdd,
  atomicCAS,
  atomicExch,
  blockDim,
  blockIdx,
  device,
  f32,
  f64,
  float4,
  gridDim,
  i32,
  i64,
  kernel,
  make_float4,
  ptr,
  syncthreads,
  this_grid,
  threadfence,
  threadfence_block,
  threadIdx,
  u32,
  u64,
  volatile,
} from "../../../../src/index.js";
import { NEW } from "../planted/planted.js";
import { type CellFault, launched } from "./cell.js";

const grid = { grid: 3, length: 256 };
const sums = { sums: ptr(f64), count: ptr(u32), out: ptr(f64) };

const haloOfBlocks = kernel("haloOfBlocks", { data: ptr(f32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = f32(i);
  if (!FIXED && threadIdx.x === 0) data[i + 64] = -1.0;
});

const increment = device("increment", { to: ptr(u64), at: u32 }, ({ to, at }) => {
  to[at] += u64(1);
});

const incremented = kernel("incremented", { total: ptr(u64) }, { FIXED: false }, ({ total }, { FIXED }) => {
  if (threadIdx.x === 0) increment(total, FIXED ? blockIdx.x : u32(0));
});

const volatileOfBlocks = kernel("volatileOfBlocks", { total: ptr(f64) }, { FIXED: false }, ({ total }, { FIXED }) => {
  const sum = volatile(total);
  if (threadIdx.x === 0) {
    threadfence();
    if (FIXED) sum[blockIdx.x] = sum[blockIdx.x] + 1.0;
    else sum[0] = sum[0] + 1.0;
    threadfence();
  }
});

const volatileTicket = kernel(
  "volatileTicket",
  { next: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ next, out }, { FIXED }) => {
    const tickets = volatile(next);
    if (threadIdx.x === 0) {
      let mine = 0;
      if (FIXED) mine = atomicAdd(next, 0, 1);
      else {
        mine = tickets[0];
        tickets[0] = mine + 1;
      }
      out[mine] = i32(blockIdx.x);
    }
  },
);

const readsTotal = kernel(
  "readsTotal",
  { total: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ total, out }, { FIXED }) => {
    atomicAdd(total, 0, 1);
    if (blockIdx.x === 2 && threadIdx.x === 0) out[0] = FIXED ? atomicAdd(total, 0, 0) : total[0];
  },
);

const lastWithout = kernel("lastWithout", sums, { FIXED: false }, ({ sums, count, out }, { FIXED }) => {
  if (threadIdx.x === 0) {
    sums[blockIdx.x * 4 + 1] = f64(blockIdx.x) * 1.5;
    if (FIXED) threadfence();
    if (atomicAdd(count, 0, 1) === gridDim.x - 1) {
      let total = f64(0);
      for (let b = u32(0); b < gridDim.x; b++) total += sums[b * 4 + 1];
      out[0] = total;
    }
  }
});

/** Each thread writes, one fences for all: after the barrier it may, before it not. */
const fencesBeforeBarrier = kernel(
  "fencesBeforeBarrier",
  { data: ptr(i64), flags: ptr(i32), out: ptr(i64) },
  { FIXED: false },
  ({ data, flags, out }, { FIXED }) => {
    const state = volatile(flags);
    const t = threadIdx.x;
    if (blockIdx.x === 0) {
      data[t] = i64(t) + 1n;
      if (!FIXED && t === 0) threadfence();
      syncthreads();
      if (t === 0) {
        if (FIXED) threadfence();
        state[0] = 1;
      }
    } else {
      if (t === 0) while (state[0] === 0) {}
      syncthreads();
      out[64 * blockIdx.x + t] = data[63 - t];
    }
  },
);

const narrowQuads = kernel(
  "narrowQuads",
  { data: ptr(f32), ready: ptr(i32), out: ptr(f32) },
  { FIXED: false },
  ({ data, ready, out }, { FIXED }) => {
    const quads = asVector(data, float4);
    if (threadIdx.x === 0) {
      if (blockIdx.x === 0) {
        quads[3] = make_float4(1.0, 2.0, 3.0, 4.0);
        if (FIXED) threadfence();
        else threadfence_block();
        atomicExch(ready, 0, 1);
      } else {
        while (atomicAdd(ready, 0, 0) === 0) {}
        out[blockIdx.x] = quads[3].z;
      }
    }
  },
);

const unlockedEarly = kernel(
  "unlockedEarly",
  { mutex: ptr(i32), total: ptr(f64) },
  { FIXED: false },
  ({ mutex, total }, { FIXED }) => {
    if (threadIdx.x === 0) {
      while (atomicCAS(mutex, 0, 0, 1) !== 0) {}
      threadfence();
      if (!FIXED) atomicExch(mutex, 0, 0);
      total[0] += 0.5;
      threadfence();
      if (FIXED) atomicExch(mutex, 0, 0);
    }
  },
);

const fenceBehindTicket = kernel("fenceBehindTicket", sums, { FIXED: false }, ({ sums, count, out }, { FIXED }) => {
  if (threadIdx.x === 0) {
    for (let k = u32(0); k < 2; k++) {
      sums[blockIdx.x * 2 + k] = f64(k);
      if (FIXED) threadfence();
    }
    const before = atomicAdd(count, 0, 1);
    threadfence();
    if (before === gridDim.x - 1) out[0] = sums[0] + sums[3];
  }
});

const steps = kernel("steps", { data: ptr(f32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  const i = blockIdx.x * 64 + threadIdx.x;
  for (let step = 0; step < 2; step++) {
    const right = data[i + 64];
    if (FIXED) this_grid().sync();
    data[i] = right + 1.0;
    if (FIXED) this_grid().sync();
    else syncthreads();
  }
});

const blockSkips = kernel("blockSkips", { data: ptr(i32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  data[blockIdx.x * 64 + threadIdx.x] += 1;
  if (FIXED || blockIdx.x < 2) this_grid().sync();
  data[blockIdx.x * 64 + threadIdx.x] *= 2;
});

const blocksBelow = kernel(
  "blocksBelow",
  { part: ptr(f64), out: ptr(f64) },
  { FIXED: false },
  ({ part, out }, { FIXED }) => {
    const n = FIXED ? gridDim.x : gridDim.x - 1;
    if (threadIdx.x === 0 && blockIdx.x < n) part[blockIdx.x] = 2.5;
    this_grid().sync();
    out[blockIdx.x * 64 + threadIdx.x] = part[gridDim.x - 1 - blockIdx.x];
  },
);

const lastBlockBeyond = kernel(
  "lastBlockBeyond",
  { data: ptr(i64), n: i32 },
  { FIXED: false },
  ({ data, n }, { FIXED }) => {
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    if (!FIXED || i < n) data[i] += 1n;
  },
);

const wrappedIndex = kernel(
  "wrappedIndex",
  { data: ptr(f32), out: ptr(f32) },
  { FIXED: false },
  ({ data, out }, { FIXED }) => {
    const i = blockIdx.x * 64 + threadIdx.x;
    out[i] = FIXED && i === 0 ? 0.0 : data[i - 1];
  },
);

const oddBlocks = kernel(
  "oddBlocks",
  { data: ptr(f32), out: ptr(f32) },
  { FIXED: false },
  ({ data, out }, { FIXED }) => {
    const part = data.subarray(blockIdx.x * (FIXED ? 128 : 130));
    const quads = asVector(part, float4);
    if (threadIdx.x < 32) out[blockIdx.x * 32 + threadIdx.x] = quads[threadIdx.x].x;
  },
);

export const blockFaults: readonly CellFault[] = [
  launched(
    ["a plain store that nothing orders", "global", "block"],
    "a halo that its owner writes, too",
    ["racecheck", "data[i + 64] ="],
    haloOfBlocks,
    grid,
  ),
  launched(
    ["a plain update, x += 1", "global", "block"],
    "a device function adds to a u64",
    ["racecheck", "to[at] += u64(1)"],
    incremented,
    grid,
  ),
  launched(
    ["an update through volatile", "global", "block"],
    "an f64 total between two fences",
    ["racecheck", "else sum[0] = sum[0] +"],
    volatileOfBlocks,
    grid,
  ),
  launched(
    ["an update through volatile", "global", "block"],
    "a ticket by volatile",
    ["racecheck", "tickets[0] = mine + 1"],
    volatileTicket,
    { ...grid, zeros: ["next"] },
  ),
  launched(
    ["a plain access beside atomics", "global", "block"],
    "a total that is read while others add",
    ["racecheck", "out[0] = FIXED ?"],
    readsTotal,
    { ...grid, zeros: ["total"] },
  ),
  launched(
    ["a hand-over without its fence", "global", "block"],
    "the last block, f64 every fourth word",
    ["racecheck", "total += sums[b * 4 + 1]"],
    lastWithout,
    { ...grid, zeros: ["count"] },
  ),
  launched(
    ["a hand-over with a fence of the block", "global", "block"],
    "a float4 and an atomic flag",
    ["racecheck", "out[blockIdx.x] = quads[3].z"],
    narrowQuads,
    { ...grid, zeros: ["ready"] },
  ),
  launched(
    ["a hand-over with its fence in the wrong place", "global", "block"],
    "one thread fences before the barrier",
    ["racecheck", "= data[63 - t]"],
    fencesBeforeBarrier,
    { ...grid, zeros: ["flags"] },
  ),
  launched(
    ["a hand-over with its fence in the wrong place", "global", "block"],
    "a lock that is given back too early",
    ["racecheck", "total[0] +="],
    unlockedEarly,
    { ...grid, zeros: ["mutex"] },
  ),
  launched(
    ["a hand-over with its fence in the wrong place", "global", "block"],
    "a fence behind the ticket, in a loop",
    ["racecheck", "out[0] = sums[0] + sums[3]"],
    fenceBehindTicket,
    { ...grid, zeros: ["count"] },
  ),
  launched(
    ["a barrier that is missing", "global", "block"],
    "syncthreads for grid.sync, in a loop",
    ["racecheck", "data[i] = right +"],
    steps,
    grid,
    NEW,
  ),
  launched(
    ["a barrier that a part reaches", "global", "block"],
    "a block that skips grid.sync",
    ["synccheck", "this_grid().sync()"],
    blockSkips,
    grid,
    NEW,
  ),
  launched(
    ["a read of what nobody has written", "global", "block"],
    "the part of the last block",
    ["initcheck", "= part[gridDim.x - 1 - blockIdx.x]"],
    blocksBelow,
    { ...grid, unwritten: ["part"] },
    NEW,
  ),
  launched(
    ["an index out of bounds", "global", "block"],
    "threads of the last block beyond n",
    ["memcheck", "data[i] += 1"],
    lastBlockBeyond,
    { grid: 3, length: 150, values: { n: 150 } },
  ),
  launched(
    ["an index out of bounds", "global", "block"],
    "the left neighbour of the first thread",
    ["memcheck", "data[i - 1]"],
    wrappedIndex,
    grid,
  ),
  launched(
    ["a vector at half of one", "global", "block"],
    "parts of 130 elements as float4",
    ["memcheck", "quads[threadIdx.x].x"],
    oddBlocks,
    { ...grid, sizes: { data: 512 } },
  ),
];
