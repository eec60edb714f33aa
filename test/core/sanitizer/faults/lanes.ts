/** Faults whose other side is another lane of the warp. */
import {
  asVector,
  atomicAdd,
  ballot_sync,
  f32,
  f64,
  float4,
  i32,
  i64,
  kernel,
  local,
  ptr,
  shared,
  shfl_xor_sync,
  syncthreads,
  syncwarp,
  threadfence,
  threadfence_block,
  threadIdx,
  u32,
  volatile,
} from "../../../../src/index.js";
import { NEW } from "../planted/planted.js";
import { type CellFault, launched } from "./cell.js";

const warp = { block: 32, length: 64 };
const ints = { input: ptr(i32), out: ptr(i32) };

const pairsOfDoubles = kernel("pairsOfDoubles", { data: ptr(f64) }, { FIXED: false }, ({ data }, { FIXED }) => {
  const t = i32(threadIdx.x);
  data[FIXED ? t : t >> 1] = f64(t);
});

const transposed = kernel("transposed", { out: ptr(f32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const tile = shared(f32, [4, 9]);
  const [x, y] = [threadIdx.x, threadIdx.y];
  tile[y][x] = f32(x * 4 + y);
  if (FIXED) syncwarp();
  out[y * 8 + x] = tile[x & 3][y + (x & 4)];
});

const longSums = kernel(
  "longSums",
  { sums: ptr(i64), input: ptr(i64) },
  { FIXED: false },
  ({ sums, input }, { FIXED }) => {
    const t = threadIdx.x;
    for (let k = u32(0); k < 2; k++) sums[FIXED ? t : t & 3] += input[t + 32 * k];
  },
);

const floatBins = kernel("floatBins", { out: ptr(f32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const bins = shared(f32, 8);
  const t = threadIdx.x;
  if (t < 8) bins[t] = 0.0;
  syncwarp();
  if (FIXED) atomicAdd(bins, t & 7, 0.5);
  else bins[t & 7] += 0.5;
  syncwarp();
  if (t < 8) out[t] = bins[t];
});

const volatileTotal = kernel("volatileTotal", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const total = volatile(out);
  const t = threadIdx.x;
  if (FIXED) atomicAdd(out, 0, input[t]);
  else total[0] += input[t];
});

const volatileShared = kernel("volatileShared", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const total = volatile(shared(i32, 2));
  const t = threadIdx.x;
  if (t < 2) total[t] = 0;
  syncthreads();
  if (FIXED) {
    if (t < 2) total[t] += input[t];
  } else total[t & 1] += input[t];
  syncthreads();
  out[t] = total[t & 1];
});

const resetByLane = kernel(
  "resetByLane",
  { count: ptr(u32), out: ptr(u32) },
  { FIXED: false },
  ({ count, out }, { FIXED }) => {
    const t = threadIdx.x;
    if (!FIXED && t === 5) count[0] = 0;
    out[t] = atomicAdd(count, 0, 1);
  },
);

const sharedPeek = kernel("sharedPeek", { out: ptr(i32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const count = shared(i32, [2, 2]);
  const t = threadIdx.x;
  if (t < 4) count[t >> 1][t & 1] = 0;
  syncwarp();
  if (t < 16) atomicAdd(count[1], t & 1, 1);
  if (FIXED) syncwarp();
  out[t] = count[1][0];
});

/** Lanes of one warp make progress by themselves from 7.0 on. */
const laneFlag = kernel(
  "laneFlag",
  { data: ptr(i32), ready: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ data, ready, out }, { FIXED }) => {
    const state = volatile(ready);
    if (threadIdx.x === 0) {
      data[3] = 7;
      if (FIXED) threadfence_block();
      state[0] = 1;
    } else if (threadIdx.x === 16) {
      while (state[0] === 0) {}
      out[0] = data[3];
    }
  },
);

const laneFlagLate = kernel(
  "laneFlagLate",
  { data: ptr(f32), ready: ptr(i32), out: ptr(f32) },
  { FIXED: false },
  ({ data, ready, out }, { FIXED }) => {
    const state = volatile(ready);
    if (threadIdx.x === 2) {
      data[3] = 7.5;
      if (FIXED) threadfence();
      state[0] = 1;
      if (!FIXED) threadfence();
    } else if (threadIdx.x === 9) {
      while (state[0] === 0) {}
      out[0] = data[3];
    }
  },
);

const sharedLaneFlag = kernel("sharedLaneFlag", { out: ptr(f64) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const slot = shared(f64, 1);
  const flag = shared(i32, 1);
  const t = threadIdx.x;
  if (t === 0) flag[0] = 0;
  syncwarp();
  if (t === 0) {
    slot[0] = 2.5;
    if (FIXED) threadfence_block();
    atomicAdd(flag, 0, 1);
  } else if (t === 31) {
    while (atomicAdd(flag, 0, 0) === 0) {}
    out[0] = slot[0];
  }
});

const sharedLaneFlagEarly = kernel("sharedLaneFlagEarly", { out: ptr(f64) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const slot = shared(f64, 1);
  const flag = shared(i32, 1);
  const t = threadIdx.x;
  if (t === 0) flag[0] = 0;
  syncwarp();
  if (t === 0) {
    if (!FIXED) threadfence_block();
    slot[0] = 2.5;
    if (FIXED) threadfence_block();
    atomicAdd(flag, 0, 1);
  } else if (t === 31) {
    while (atomicAdd(flag, 0, 0) === 0) {}
    out[0] = slot[0];
  }
});

const neighbourGlobal = kernel(
  "neighbourGlobal",
  { data: ptr(i64), out: ptr(i64) },
  { FIXED: false },
  ({ data, out }, { FIXED }) => {
    const t = threadIdx.x;
    data[t] += 1n;
    if (FIXED) syncwarp();
    out[t] = data[t ^ 1];
  },
);

const unrolledSteps = kernel("unrolledSteps", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 64);
  const t = threadIdx.x;
  values[t] = input[t];
  values[t + 32] = 0;
  syncwarp();
  for (let s = 16; s > 0; s >>= 1) {
    const other = values[t + s];
    syncwarp();
    values[t] += other;
    if (FIXED) syncwarp();
  }
  out[t] = values[t];
});

const halfWarpBarrier = kernel("halfWarpBarrier", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  if (FIXED) syncthreads();
  else if ((t & 3) !== 1) syncthreads();
  out[t] = input[t];
});

const evenLanesWrite = kernel(
  "evenLanesWrite",
  { temp: ptr(f32), out: ptr(f32) },
  { FIXED: false },
  ({ temp, out }, { FIXED }) => {
    const t = threadIdx.x;
    if (FIXED || t % 2 === 0) temp[t] = 1.5;
    syncwarp();
    out[t] = temp[t ^ 1] * 2.0;
  },
);

const evenLanesShared = kernel("evenLanesShared", { out: ptr(f64) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const temp = shared(f64, [2, 16]);
  const t = threadIdx.x;
  if (FIXED || t % 2 === 0) temp[t >> 4][t & 15] = 1.5;
  syncwarp();
  out[t] = temp[t >> 4][(t & 15) ^ 1] * 2.0;
});

const localHole = kernel("localHole", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const list = local(f32, 6);
  for (let k = 0; k < (FIXED ? 6 : 5); k++) list[k] = f32(k);
  let sum = f32(0);
  for (let k = 0; k < 6; k++) sum += list[(k + input[threadIdx.x]) % 6];
  out[threadIdx.x] = i32(sum);
});

const nextLane = kernel("nextLane", { data: ptr(f64) }, { FIXED: false }, ({ data }, { FIXED }) => {
  const t = threadIdx.x;
  const right = FIXED && t === 31 ? t : t + 1;
  const value = data[right];
  syncwarp();
  data[t] = value;
});

const nextLaneShared = kernel("nextLaneShared", { out: ptr(f32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const row = shared(f32, 32);
  const t = threadIdx.x;
  row[t] = f32(t);
  syncwarp();
  out[t] = row[FIXED ? (t + 1) & 31 : t + 1];
});

const localBeyond = kernel(
  "localBeyond",
  { out: ptr(i64), input: ptr(i32) },
  { FIXED: false },
  ({ out, input }, { FIXED }) => {
    const stack = local(i64, 4);
    for (let k = 0; k < 4; k++) stack[k] = i64(k);
    let top = 0;
    for (let k = 0; k < 3; k++) top += input[k] > 0 ? 1 : 0;
    out[threadIdx.x] = stack[FIXED ? top : top + 1];
  },
);

const halfVector = kernel(
  "halfVector",
  { input: ptr(f32), out: ptr(f32) },
  { FIXED: false },
  ({ input, out }, { FIXED }) => {
    const t = threadIdx.x;
    const part = input.subarray(FIXED ? 4 : 2);
    const quads = asVector(part, float4);
    out[t] = quads[t].w;
  },
);

const halfSharedVector = kernel("halfSharedVector", { out: ptr(f32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const row = shared(f32, 136);
  const t = threadIdx.x;
  for (let k = t; k < 136; k += 32) row[k] = f32(k);
  syncwarp();
  const part = row.subarray(FIXED ? 4 : 1);
  const quads = asVector(part, float4);
  out[t] = quads[t].y;
});

const maskTooWide = kernel("maskTooWide", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  const odd = (t & 1) === 1;
  if (odd) out[t] = shfl_xor_sync(FIXED ? 0xaaaaaaaa : 0xffffffff, input[t], 2);
  out[32 + t] = input[t];
});

const maskOfBallot = kernel(
  "maskOfBallot",
  { input: ptr(i32), out: ptr(u32) },
  { FIXED: false },
  ({ input, out }, { FIXED }) => {
    const t = threadIdx.x;
    const big = ballot_sync(0xffffffff, input[t] > 40);
    const mask = FIXED ? big : big >>> 1;
    if (input[t] > 40) out[t] = ballot_sync(mask, input[t] > 60);
    out[32 + t] = u32(i32(mask));
  },
);

export const laneFaults: readonly CellFault[] = [
  launched(
    ["a plain store that nothing orders", "global", "lane"],
    "two lanes store to one f64",
    ["racecheck", "data[FIXED ? t : t >> 1]"],
    pairsOfDoubles,
    warp,
  ),
  launched(
    ["a plain store that nothing orders", "shared", "lane"],
    "a transposed tile without syncwarp",
    ["racecheck", "tile[y][x] = f32"],
    transposed,
    { block: [8, 4] },
    NEW,
  ),
  launched(
    ["a plain update, x += 1", "global", "lane"],
    "i64 sums of lanes, in a loop",
    ["racecheck", "sums[FIXED ? t : t & 3] +="],
    longSums,
    warp,
  ),
  launched(
    ["a plain update, x += 1", "shared", "lane"],
    "f32 bins without atomics",
    ["racecheck", "else bins[t & 7] +="],
    floatBins,
    warp,
    NEW,
  ),
  launched(
    ["an update through volatile", "global", "lane"],
    "a volatile total of lanes",
    ["racecheck", "else total[0] += input[t]"],
    volatileTotal,
    warp,
  ),
  launched(
    ["an update through volatile", "shared", "lane"],
    "volatile totals in shared memory",
    ["racecheck", "total[t & 1] += input[t]"],
    volatileShared,
    warp,
  ),
  launched(
    ["a plain access beside atomics", "global", "lane"],
    "a lane sets the counter of the others back",
    ["racecheck", "count[0] = 0"],
    resetByLane,
    { ...warp, zeros: ["count"] },
    NEW,
  ),
  launched(
    ["a plain access beside atomics", "shared", "lane"],
    "a row of counters read too early",
    ["racecheck", "out[t] = count[1][0]"],
    sharedPeek,
    warp,
    NEW,
  ),
  launched(
    ["a hand-over without its fence", "global", "lane"],
    "a volatile flag for a lane",
    ["racecheck", "data[3] = 7"],
    laneFlag,
    { ...warp, zeros: ["ready"] },
    NEW,
  ),
  launched(
    ["a hand-over without its fence", "shared", "lane"],
    "an atomic flag for a lane",
    ["racecheck", "slot[0] = 2.5"],
    sharedLaneFlag,
    warp,
    NEW,
  ),
  launched(
    ["a hand-over with its fence in the wrong place", "global", "lane"],
    "a fence behind the flag",
    ["racecheck", "data[3] = 7.5"],
    laneFlagLate,
    { ...warp, zeros: ["ready"] },
    NEW,
  ),
  launched(
    ["a hand-over with its fence in the wrong place", "shared", "lane"],
    "a fence before the value",
    ["racecheck", "slot[0] = 2.5"],
    sharedLaneFlagEarly,
    warp,
    NEW,
  ),
  launched(
    ["a barrier that is missing", "global", "lane"],
    "i64 elements that the neighbour reads",
    ["racecheck", "out[t] = data[t ^ 1]"],
    neighbourGlobal,
    warp,
    NEW,
  ),
  launched(
    ["a barrier that is missing", "shared", "lane"],
    "steps of a warp with one syncwarp of two",
    ["racecheck", "values[t] += other"],
    unrolledSteps,
    warp,
    NEW,
  ),
  launched(
    ["a barrier that a part reaches", "shared", "lane"],
    "three lanes in four reach the barrier",
    ["synccheck", "syncthreads()"],
    halfWarpBarrier,
    warp,
  ),
  launched(
    ["a read of what nobody has written", "global", "lane"],
    "even lanes write, all read",
    ["initcheck", "out[t] = temp[t ^ 1]"],
    evenLanesWrite,
    { ...warp, unwritten: ["temp"] },
  ),
  launched(
    ["a read of what nobody has written", "shared", "lane"],
    "even lanes write f64, all read",
    ["initcheck", "out[t] = temp[t >> 4]["],
    evenLanesShared,
    warp,
  ),
  launched(
    ["a read of what nobody has written", "local", "lane"],
    "the last element of a local array",
    ["initcheck", "sum += list["],
    localHole,
    warp,
  ),
  launched(
    ["an index out of bounds", "global", "lane"],
    "the right neighbour of the last lane",
    ["memcheck", "const value = data[right]"],
    nextLane,
    { block: 32, length: 32 },
  ),
  launched(
    ["an index out of bounds", "shared", "lane"],
    "the right neighbour in shared memory",
    ["memcheck", "out[t] = row["],
    nextLaneShared,
    warp,
  ),
  launched(
    ["an index out of bounds", "local", "lane"],
    "the top of an i64 stack",
    ["memcheck", "out[threadIdx.x] = stack["],
    localBeyond,
    warp,
  ),
  launched(
    ["a vector at half of one", "global", "lane"],
    "a float4 from element 2 on",
    ["memcheck", "out[t] = quads[t].w"],
    halfVector,
    { ...warp, sizes: { input: 256 } },
  ),
  launched(
    ["a vector at half of one", "shared", "lane"],
    "a float4 of shared memory from element 1 on",
    ["memcheck", "out[t] = quads[t].y"],
    halfSharedVector,
    warp,
  ),
  launched(
    ["a mask that names the wrong lanes", "global", "lane"],
    "all lanes named in a branch of odd ones",
    ["synccheck", "shfl_xor_sync("],
    maskTooWide,
    warp,
    NEW,
  ),
  launched(
    ["a mask that names the wrong lanes", "shared", "lane"],
    "a ballot's mask, shifted",
    ["synccheck", "ballot_sync(mask"],
    maskOfBallot,
    warp,
    NEW,
  ),
];
