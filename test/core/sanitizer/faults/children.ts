/** Faults whose other side is a child grid, or the grid that started it. */
import {
  asVector,
  atomicAdd,
  blockIdx,
  deviceSynchronize,
  f32,
  f64,
  float4,
  i32,
  i64,
  kernel,
  launch,
  ptr,
  shfl_down_sync,
  syncthreads,
  threadfence,
  threadfence_block,
  threadIdx,
  u32,
  volatile,
} from "../../../../src/index.js";
import { NEW } from "../planted/planted.js";
import { type CellFault, launched } from "./cell.js";

const VOLTA: readonly string[] = ["v100"];

const fillFloats = kernel("fillFloats", { data: ptr(f32), from: u32 }, ({ data, from }) => {
  data[from + threadIdx.x] = f32(threadIdx.x) * 2.0;
});
const overlapping = kernel("overlapping", { data: ptr(f32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  if (threadIdx.x === 0) {
    launch(fillFloats, { grid: 1, block: 32 }, { data, from: u32(blockIdx.x * (FIXED ? 32 : 16)) });
  }
});

const addLongs = kernel("addLongs", { data: ptr(i64) }, ({ data }) => {
  data[threadIdx.x & 7] += 1n;
});
const childUpdates = kernel("childUpdates", { data: ptr(i64) }, { FIXED: false }, ({ data }, { FIXED }) => {
  if (threadIdx.x === 0) {
    launch(addLongs, { grid: 1, block: 8 }, { data });
    if (FIXED) deviceSynchronize();
    data[3] += 10n;
  }
});

const countVolatile = kernel("countVolatile", { total: ptr(i32), FIX: i32 }, ({ total, FIX }) => {
  const sum = volatile(total);
  if (FIX === 1) atomicAdd(total, 0, 1);
  else sum[0] += 1;
});
const volatileChildren = kernel("volatileChildren", { total: ptr(i32) }, { FIXED: false }, ({ total }, { FIXED }) => {
  if (threadIdx.x === 0) launch(countVolatile, { grid: 1, block: 1 }, { total, FIX: FIXED ? 1 : 0 });
});

const countUp = kernel("countUp", { total: ptr(u32) }, ({ total }) => {
  atomicAdd(total, 0, 1);
});
const parentReads = kernel(
  "parentReads",
  { total: ptr(u32), out: ptr(u32) },
  { FIXED: false },
  ({ total, out }, { FIXED }) => {
    if (threadIdx.x === 0) {
      launch(countUp, { grid: 2, block: 32 }, { total });
      if (FIXED) out[0] = atomicAdd(total, 0, 0);
      else out[0] = total[0];
    }
  },
);

/** A child that tells of its value by a flag; its parent does not wait, so only the flag orders them. */
const tells = kernel("tells", { data: ptr(f64), ready: ptr(i32), HOW: i32 }, ({ data, ready, HOW }) => {
  const state = volatile(ready);
  if (HOW === 3) threadfence();
  data[1] = 2.5;
  if (HOW === 1) threadfence();
  if (HOW === 2) threadfence_block();
  state[0] = 1;
});
const hears = kernel("hears", { data: ptr(f64), ready: ptr(i32), out: ptr(f64) }, ({ data, ready, out }) => {
  const state = volatile(ready);
  while (state[0] === 0) {}
  threadfence();
  out[0] = data[1];
});
const told = { data: ptr(f64), ready: ptr(i32), out: ptr(f64) };
const childTells = kernel("childTells", told, { FIXED: false, HOW: 0 }, ({ data, ready, out }, { FIXED, HOW }) => {
  if (threadIdx.x === 0) {
    launch(tells, { grid: 1, block: 1, stream: "fireAndForget" }, { data, ready, HOW: FIXED ? 1 : HOW });
    launch(hears, { grid: 1, block: 1, stream: "fireAndForget" }, { data, ready, out });
  }
});

const copyFloats = kernel("copyFloats", { data: ptr(f32), out: ptr(f32) }, ({ data, out }) => {
  out[threadIdx.x] = data[63 - threadIdx.x];
});
const launchesEarly = kernel(
  "launchesEarly",
  { data: ptr(f32), out: ptr(f32) },
  { FIXED: false },
  ({ data, out }, { FIXED }) => {
    const row = data.subarray(64);
    row[threadIdx.x] = 1.5;
    if (FIXED) syncthreads();
    if (threadIdx.x === 0) launch(copyFloats, { grid: 1, block: 64 }, { data: row, out });
  },
);

const meets = kernel("meets", { out: ptr(i32), WIDE: u32 }, ({ out, WIDE }) => {
  if (threadIdx.x < WIDE) syncthreads();
  out[threadIdx.x] = 1;
});
const childDiverges = kernel("childDiverges", { out: ptr(i32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  if (threadIdx.x === 0) launch(meets, { grid: 1, block: 64 }, { out, WIDE: FIXED ? u32(64) : u32(32) });
});

const doubleOf = kernel("doubleOf", { temp: ptr(f64), out: ptr(f64) }, ({ temp, out }) => {
  out[threadIdx.x] = temp[threadIdx.x] * 2.0;
});
const halfForChild = kernel(
  "halfForChild",
  { temp: ptr(f64), out: ptr(f64) },
  { FIXED: false },
  ({ temp, out }, { FIXED }) => {
    const t = threadIdx.x;
    if (FIXED || t < 24) temp[t] = 1.0;
    syncthreads();
    if (t === 0) launch(doubleOf, { grid: 1, block: 32 }, { temp, out });
  },
);

const recursive = kernel("recursive", { data: ptr(i64), n: i32 }, ({ data, n }) => {
  const i = i32(blockIdx.x * 32 + threadIdx.x);
  if (i < n) data[i] = i64(i);
});
const childBeyond = kernel("childBeyond", { data: ptr(i64) }, { FIXED: false }, ({ data }, { FIXED }) => {
  if (threadIdx.x === 0) launch(recursive, { grid: 3, block: 32 }, { data: data.subarray(8), n: FIXED ? 56 : 60 });
});

const firstWords = kernel("firstWords", { data: ptr(f32), out: ptr(f32) }, ({ data, out }) => {
  const quads = asVector(data, float4);
  out[threadIdx.x] = quads[threadIdx.x].x;
});
const oddPart = kernel("oddPart", { data: ptr(f32), out: ptr(f32) }, { FIXED: false }, ({ data, out }, { FIXED }) => {
  if (threadIdx.x === 0) launch(firstWords, { grid: 1, block: 8 }, { data: data.subarray(FIXED ? 4 : 6), out });
});

const sumsOfWarp = kernel("sumsOfWarp", { data: ptr(i32), out: ptr(i32), n: u32 }, ({ data, out, n }) => {
  const t = threadIdx.x;
  let sum = data[t];
  if (t < n) for (let d = 16; d > 0; d >>= 1) sum += shfl_down_sync(0xffffffff, sum, d);
  out[1 + t] = sum;
  if (t === 0) out[0] = sum;
});
const maskOfChild = kernel(
  "maskOfChild",
  { data: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ data, out }, { FIXED }) => {
    if (threadIdx.x === 0) launch(sumsOfWarp, { grid: 1, block: 32 }, { data, out, n: FIXED ? u32(32) : u32(20) });
  },
);

const flagged = { length: 8, zeros: ["ready"], block: 1 };
const HOPPER: readonly string[] = ["h200"];

export const childFaults: readonly CellFault[] = [
  launched(
    ["a plain store that nothing orders", "global", "child grid"],
    "f32 parts of two blocks' children that overlap",
    ["racecheck", "data[from + threadIdx.x]"],
    overlapping,
    { grid: 2, length: 128 },
    NEW,
  ),
  launched(
    ["a plain update, x += 1", "global", "child grid"],
    "an i64 that the parent updates, too",
    ["racecheck", "data[3] +="],
    childUpdates,
    {},
    VOLTA,
  ),
  launched(
    ["an update through volatile", "global", "child grid"],
    "children of two blocks add through volatile",
    ["racecheck", "else sum[0] += 1"],
    volatileChildren,
    { grid: 2, zeros: ["total"] },
    NEW,
  ),
  launched(
    ["a plain access beside atomics", "global", "child grid"],
    "a total that the parent reads while the child adds",
    ["racecheck", "else out[0] = total[0]"],
    parentReads,
    { zeros: ["total"] },
    NEW,
  ),
  launched(
    ["a hand-over without its fence", "global", "child grid"],
    "one child tells another by a flag",
    ["racecheck", "out[0] = data[1]"],
    childTells,
    flagged,
    HOPPER,
  ),
  launched(
    ["a hand-over with a fence of the block", "global", "child grid"],
    "one child tells another with threadfence_block",
    ["racecheck", "out[0] = data[1]"],
    childTells.with({ HOW: 2 }),
    flagged,
    HOPPER,
  ),
  launched(
    ["a hand-over with its fence in the wrong place", "global", "child grid"],
    "one child fences before its value",
    ["racecheck", "out[0] = data[1]"],
    childTells.with({ HOW: 3 }),
    flagged,
    HOPPER,
  ),
  launched(
    ["a barrier that is missing", "global", "child grid"],
    "a child of a row that other warps still write",
    ["racecheck", "row[threadIdx.x] ="],
    launchesEarly,
    { length: 128 },
    NEW,
  ),
  launched(
    ["a barrier that a part reaches", "shared", "child grid"],
    "a child of which one warp meets",
    ["synccheck", "if (threadIdx.x < WIDE) syncthreads()"],
    childDiverges,
    {},
    NEW,
  ),
  launched(
    ["a read of what nobody has written", "global", "child grid"],
    "f64 of which the parent writes 24",
    ["initcheck", "out[threadIdx.x] = temp[threadIdx.x]"],
    halfForChild,
    { unwritten: ["temp"] },
    NEW,
  ),
  launched(
    ["an index out of bounds", "global", "child grid"],
    "n of the whole given with a part",
    ["memcheck", "if (i < n) data[i]"],
    childBeyond,
    {},
    NEW,
  ),
  launched(
    ["a vector at half of one", "global", "child grid"],
    "a part from element 6 on, read as float4",
    ["memcheck", "quads[threadIdx.x].x"],
    oddPart,
    {},
    NEW,
  ),
  launched(
    ["a mask that names the wrong lanes", "global", "child grid"],
    "a child's warp of which 20 lanes come",
    ["synccheck", "shfl_down_sync("],
    maskOfChild,
    {},
    NEW,
  ),
];
