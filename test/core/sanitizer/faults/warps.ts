/** Faults whose other side is another warp of the block. */
import {
  asVector,
  atomicAdd,
  atomicCAS,
  atomicExch,
  atomicMax,
  ballot_sync,
  device,
  double2,
  externShared,
  f32,
  f64,
  float2,
  i32,
  i64,
  kernel,
  make_double2,
  ptr,
  shared,
  syncthreads,
  syncwarp,
  threadfence,
  threadfence_block,
  threadIdx,
  u32,
  u64,
  unroll,
  volatile,
} from "../../../../src/index.js";
import { NEW } from "../planted/planted.js";
import { type CellFault, launched } from "./cell.js";

const ints = { input: ptr(i32), out: ptr(i32) };
const handed = { data: ptr(f32), ready: ptr(i32), out: ptr(f32) };

const lastWins = kernel("lastWins", { data: ptr(i64) }, { FIXED: false }, ({ data }, { FIXED }) => {
  const t = i32(threadIdx.x);
  data[FIXED ? t : t % 48] = i64(t) * 5n;
});

/** A device function that writes wherever its array lies. */
const put = device("put", { to: ptr(f32), at: i32, value: f32 }, ({ to, at, value }) => {
  to[at] = value;
});

const throughFunction = kernel("throughFunction", { out: ptr(f32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const part = shared(f32, 64);
  const t = i32(threadIdx.x);
  put(part, t, f32(t));
  if (FIXED) syncthreads();
  put(out, t, part[63 - t]);
});

const columnSums = kernel(
  "columnSums",
  { sums: ptr(f64), input: ptr(f64) },
  { FIXED: false },
  ({ sums, input }, { FIXED }) => {
    const [x, y] = [threadIdx.x, threadIdx.y];
    for (let k = 0; k < 2; k++) {
      unroll();
      const value = input[y * 32 + x] * f64(k + 1);
      if (FIXED) atomicAdd(sums, x, value);
      else sums[x] += value;
    }
  },
);

const sharedMinimum = kernel("sharedMinimum", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const most = shared(i32, 1);
  const t = threadIdx.x;
  if (t === 0) most[0] = -1;
  syncthreads();
  if (FIXED) atomicMax(most, 0, input[t]);
  else if (input[t] > most[0]) most[0] = input[t];
  syncthreads();
  out[t] = most[0];
});

const volatileOfWarps = kernel(
  "volatileOfWarps",
  { total: ptr(u64), input: ptr(u64) },
  { FIXED: false },
  ({ total, input }, { FIXED }) => {
    const sum = volatile(total);
    const t = threadIdx.x;
    if ((t & 31) === 0) {
      if (FIXED) atomicAdd(total, 0, input[t]);
      else sum[0] += input[t];
      threadfence();
    }
  },
);

const volatileSlot = kernel("volatileSlot", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const words = shared(i32, 4);
  const bits = volatile(words);
  const t = threadIdx.x;
  if (t < 4) words[t] = 0;
  syncthreads();
  if ((t & 31) === 3) {
    if (FIXED) atomicAdd(words, 2, input[t]);
    else bits[2] = bits[2] + input[t];
  }
  syncthreads();
  out[t] = words[2];
});

const swapsBesideStore = kernel(
  "swapsBesideStore",
  { words: ptr(u32), out: ptr(u32) },
  { FIXED: false },
  ({ words, out }, { FIXED }) => {
    const t = threadIdx.x;
    if (t === 40) {
      if (FIXED) atomicExch(words, 1, 9);
      else words[1] = 9;
    } else if (t < 32) out[t] = atomicCAS(words, 1, t, t + 1);
  },
);

const sharedCountRead = kernel("sharedCountRead", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const found = shared(u32, 1);
  const t = threadIdx.x;
  if (t === 0) found[0] = 0;
  syncthreads();
  if (input[t] > 20) atomicAdd(found, 0, 1);
  if (FIXED) syncthreads();
  if (t === 33) out[0] = i32(found[0]);
});

const warpFlag = kernel("warpFlag", handed, { FIXED: false }, ({ data, ready, out }, { FIXED }) => {
  const state = volatile(ready);
  if (threadIdx.x === 0) {
    for (let k = 0; k < 4; k++) data[k] = f32(k) + 0.5;
    if (FIXED) threadfence_block();
    state[0] = 1;
  } else if (threadIdx.x === 32) {
    while (state[0] !== 1) {}
    threadfence_block();
    for (let k = 0; k < 4; k++) out[k] = data[k];
  }
});

const sharedSlot = kernel("sharedSlot", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const slot = shared(i32, 32);
  const full = shared(i32, 1);
  const state = volatile(full);
  const t = threadIdx.x;
  if (t === 0) full[0] = 0;
  syncthreads();
  if (t < 32) {
    slot[t] = input[t];
    if (FIXED) threadfence_block();
    syncwarp();
    if (t === 0) state[0] = 1;
  } else {
    while (state[0] === 0) {}
    out[t - 32] = slot[t - 32];
  }
});

const warpFlagFirst = kernel("warpFlagFirst", handed, { FIXED: false }, ({ data, ready, out }, { FIXED }) => {
  if (threadIdx.x === 5) {
    if (!FIXED) threadfence();
    data[2] = 1.5;
    if (FIXED) threadfence();
    atomicExch(ready, 0, 1);
  } else if (threadIdx.x === 37) {
    while (atomicAdd(ready, 0, 0) === 0) {}
    out[0] = data[2];
  }
});

const sharedFlagFirst = kernel("sharedFlagFirst", { out: ptr(i64) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const slot = shared(i64, 2);
  const full = shared(i32, 1);
  const t = threadIdx.x;
  if (t === 0) full[0] = 0;
  syncthreads();
  if (t === 5) {
    slot[1] = 99n;
    if (FIXED) threadfence_block();
    atomicExch(full, 0, 1);
    if (!FIXED) threadfence_block();
  } else if (t === 37) {
    while (atomicAdd(full, 0, 0) === 0) {}
    out[0] = slot[1];
  }
});

const shiftedInPlace = kernel("shiftedInPlace", { data: ptr(f64) }, { FIXED: false }, ({ data }, { FIXED }) => {
  const t = threadIdx.x;
  const right = data[t + 1];
  if (FIXED) syncthreads();
  data[t] = right;
});

const pairsOfTile = kernel(
  "pairsOfTile",
  { input: ptr(f32), out: ptr(f32) },
  { FIXED: false },
  ({ input, out }, { FIXED }) => {
    const tile = externShared(f32);
    const pairs = asVector(tile, float2);
    const t = threadIdx.x;
    for (let step = 0; step < 2; step++) {
      tile[t] = input[t] + f32(step);
      syncthreads();
      const two = pairs[31 - (t >> 1)];
      out[t] = two.x + two.y;
      if (FIXED) syncthreads();
    }
  },
);

const barrierInLoop = kernel("barrierInLoop", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 64);
  const t = threadIdx.x;
  values[t] = input[t];
  syncthreads();
  for (let s = u32(32); s > 0; s >>= 1) {
    if (t < s) values[t] += values[t + s];
    if (FIXED) syncthreads();
    else if (t < 32) syncthreads();
  }
  if (t < 32) out[t] = values[0];
});

const secondWarpIdle = kernel(
  "secondWarpIdle",
  { temp: ptr(f64), out: ptr(f64) },
  { FIXED: false },
  ({ temp, out }, { FIXED }) => {
    const t = threadIdx.x;
    if (FIXED || t < 32) temp[t] = 1.0;
    syncthreads();
    const pairs = asVector(temp, double2);
    if (t < 32) out[t] = pairs[t].x;
  },
);

const warpSums = kernel("warpSums", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const sums = shared(i32, 32);
  const t = threadIdx.x;
  if (FIXED && t < 32) sums[t] = 0;
  syncthreads();
  if ((t & 31) === 0) sums[t >> 5] = input[t];
  syncthreads();
  if (t < 32) out[t] = sums[t];
});

const otherRow = kernel("otherRow", { data: ptr(f32), out: ptr(f32) }, { FIXED: false }, ({ data, out }, { FIXED }) => {
  const [x, y] = [threadIdx.x, threadIdx.y];
  out[y * 32 + x] = data[(FIXED ? (y + 1) & 1 : y + 1) * 32 + x];
});

const rowOfTile = kernel("rowOfTile", { out: ptr(i32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const tile = shared(i32, [2, 33]);
  const t = i32(threadIdx.x);
  tile[t >> 5][t & 31] = t;
  syncthreads();
  out[t] = tile[FIXED ? 1 - (t >> 5) : 2 - (t >> 5)][t & 31];
});

const oddHalf = kernel("oddHalf", { data: ptr(i32), out: ptr(f64) }, { FIXED: false }, ({ data, out }, { FIXED }) => {
  const t = threadIdx.x;
  const part = out.subarray((t >> 5) * (FIXED ? 64 : 65));
  const pairs = asVector(part, double2);
  pairs[t & 31] = make_double2(f64(data[t]), 1.0);
});

const oddSharedPart = kernel("oddSharedPart", { out: ptr(f32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const row = shared(f32, 160);
  const t = threadIdx.x;
  for (let k = t; k < 160; k += 64) row[k] = f32(k);
  syncthreads();
  const part = row.subarray((t >> 5) * (FIXED ? 64 : 63));
  const pairs = asVector(part, float2);
  out[t] = pairs[t & 31].y;
});

const ballotOfWarps = kernel(
  "ballotOfWarps",
  { input: ptr(i32), out: ptr(u32) },
  { FIXED: false },
  ({ input, out }, { FIXED }) => {
    const t = threadIdx.x;
    const n = u32(40);
    if (FIXED || t < n) out[t] = ballot_sync(0xffffffff, t < n ? input[t] > 7 : false);
    out[64 + t] = u32(input[t]);
  },
);

export const warpFaults: readonly CellFault[] = [
  launched(
    ["a plain store that nothing orders", "global", "warp"],
    "i64 elements that two warps store to",
    ["racecheck", "data[FIXED ? t : t % 48]"],
    lastWins,
  ),
  launched(
    ["a plain store that nothing orders", "shared", "warp"],
    "a device function stores, another warp reads",
    ["racecheck", "put(out, t, part[63 - t])"],
    throughFunction,
  ),
  launched(
    ["a plain update, x += 1", "global", "warp"],
    "f64 sums of columns, unrolled",
    ["racecheck", "else sums[x] += value"],
    columnSums,
    { block: [32, 2] },
    NEW,
  ),
  launched(
    ["a plain update, x += 1", "shared", "warp"],
    "a largest value by if",
    ["racecheck", "else if (input[t] > most[0])"],
    sharedMinimum,
  ),
  launched(
    ["an update through volatile", "global", "warp"],
    "a u64 total of warps, with fences",
    ["racecheck", "else sum[0] += input[t]"],
    volatileOfWarps,
    {},
    NEW,
  ),
  launched(
    ["an update through volatile", "shared", "warp"],
    "bits[2] = bits[2] + x",
    ["racecheck", "else bits[2] = bits[2] + input[t]"],
    volatileSlot,
  ),
  launched(
    ["a plain access beside atomics", "global", "warp"],
    "a store beside atomicCAS",
    ["racecheck", "else words[1] = 9"],
    swapsBesideStore,
  ),
  launched(
    ["a plain access beside atomics", "shared", "warp"],
    "a count that is read before the barrier",
    ["racecheck", "out[0] = i32(found[0])"],
    sharedCountRead,
  ),
  launched(
    ["a hand-over without its fence", "global", "warp"],
    "four f32 and a volatile flag",
    ["racecheck", "data[k] = f32(k)"],
    warpFlag,
    { zeros: ["ready"] },
  ),
  launched(
    ["a hand-over without its fence", "shared", "warp"],
    "a slot and a volatile flag",
    ["racecheck", "slot[t] = input[t]"],
    sharedSlot,
  ),
  launched(
    ["a hand-over with its fence in the wrong place", "global", "warp"],
    "a fence before the value",
    ["racecheck", "data[2] = 1.5"],
    warpFlagFirst,
    { zeros: ["ready"] },
  ),
  launched(
    ["a hand-over with its fence in the wrong place", "shared", "warp"],
    "a fence behind the flag, i64",
    ["racecheck", "slot[1] = 99"],
    sharedFlagFirst,
  ),
  launched(
    ["a barrier that is missing", "global", "warp"],
    "f64 elements shifted in place",
    ["racecheck", "data[t] = right"],
    shiftedInPlace,
    { length: 65 },
  ),
  launched(
    ["a barrier that is missing", "shared", "warp"],
    "float2 of a tile that the next step overwrites",
    ["racecheck", "tile[t] = input[t] + f32(step)"],
    pairsOfTile,
    { sharedBytes: 256 },
  ),
  launched(
    ["a barrier that a part reaches", "shared", "warp"],
    "one warp of two, in a loop",
    ["synccheck", "else if (t < 32) syncthreads()"],
    barrierInLoop,
  ),
  launched(
    ["a read of what nobody has written", "global", "warp"],
    "a warp that writes nothing, read as double2",
    ["initcheck", "out[t] = pairs[t].x"],
    secondWarpIdle,
    { unwritten: ["temp"] },
  ),
  launched(
    ["a read of what nobody has written", "shared", "warp"],
    "sums of absent warps",
    ["initcheck", "out[t] = sums[t]"],
    warpSums,
  ),
  launched(
    ["an index out of bounds", "global", "warp"],
    "the row of the next warp",
    ["memcheck", "out[y * 32 + x] = data["],
    otherRow,
    { block: [32, 2] },
  ),
  launched(
    ["an index out of bounds", "shared", "warp"],
    "the row beside, one too far",
    ["memcheck", "out[t] = tile["],
    rowOfTile,
  ),
  launched(
    ["a vector at half of one", "global", "warp"],
    "a double2 store from an odd element on",
    ["memcheck", "pairs[t & 31] = make_double2"],
    oddHalf,
    { sizes: { out: 256 } },
  ),
  launched(
    ["a vector at half of one", "shared", "warp"],
    "float2 of a part that each warp begins elsewhere",
    ["memcheck", "out[t] = pairs[t & 31].y"],
    oddSharedPart,
  ),
  launched(
    ["a mask that names the wrong lanes", "global", "warp"],
    "a second warp of which eight lanes come",
    ["synccheck", "out[t] = ballot_sync("],
    ballotOfWarps,
    { sizes: { out: 128 } },
  ),
];
