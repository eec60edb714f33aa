/** Planted faults that synccheck has to find. */
import {
  all_sync,
  ballot_sync,
  blockIdx,
  i32,
  type Kernel,
  kernel,
  ptr,
  reduce_add_sync,
  shared,
  shfl_down_sync,
  shfl_sync,
  shfl_xor_sync,
  syncthreads,
  syncwarp,
  this_grid,
  threadIdx,
  u32,
  volatile,
} from "../../../../src/index.js";
import { type Expected, error, type Launching, NEW, OLD, type Planted, planted } from "./planted.js";

const ints = { input: ptr(i32), out: ptr(i32) };

const inBranch = kernel("inBranch", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 64);
  const t = threadIdx.x;
  values[t] = input[t];
  syncthreads();
  let value = values[t];
  if (t < 16) {
    value += values[t + 16];
    if (!FIXED) syncthreads();
  }
  out[t] = value;
});

const wholeWarps = kernel("wholeWarps", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  if (FIXED || t < 32) syncthreads();
  out[t] = input[t];
});

const earlyReturn = kernel("earlyReturn", { ...ints, n: i32 }, { FIXED: false }, ({ input, out, n }, { FIXED }) => {
  const values = shared(i32, 64);
  const t = i32(threadIdx.x);
  if (!FIXED && t >= n) return;
  if (t < n) values[t] = input[t];
  syncthreads();
  if (t < n) out[t] = values[n - 1 - t];
});

const twoBarriers = kernel("twoBarriers", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  if (FIXED) syncthreads();
  else if (t % 2 === 0) syncthreads();
  else {
    syncthreads();
  }
  out[t] = input[t];
});

const unequalTimes = kernel("unequalTimes", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  const times = FIXED ? u32(4) : u32(1) + (t >> 5);
  for (let k = u32(0); k < times; k++) syncthreads();
  out[t] = input[t];
});

const neverComes = kernel("neverComes", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  let value = input[t];
  if (t < 16) value += shfl_xor_sync(FIXED ? 0xffff : 0xffffffff, value, 8);
  out[t] = value;
});

const leavesCallerOut = kernel("leavesCallerOut", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  out[t] = shfl_down_sync(FIXED ? 0xffffffff : 0xffff, input[t], 4);
});

const callerOutOfSyncwarp = kernel("callerOutOfSyncwarp", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  const value = input[t];
  syncwarp(FIXED ? 0xffffffff : 0x7fffffff);
  out[t] = value;
});

const outsideMask = kernel("outsideMask", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  const value = input[t];
  if (t < 16) out[t] = shfl_sync(0xffff, value, FIXED ? 3 : 20);
  else out[t] = shfl_sync(0xffff0000, value, 20);
});

const inactiveLane = kernel("inactiveLane", { ...ints, n: i32 }, { FIXED: false }, ({ input, out, n }, { FIXED }) => {
  const t = i32(threadIdx.x);
  if (!FIXED && t >= n) return;
  let value = t < n ? input[t] : 0;
  for (let offset = 16; offset > 0; offset >>= 1) value += shfl_down_sync(0xffffffff, value, offset);
  if (t === 0) out[0] = value;
});

const absentVoters = kernel(
  "absentVoters",
  { input: ptr(i32), out: ptr(u32), n: i32 },
  { FIXED: false },
  ({ input, out, n }, { FIXED }) => {
    const t = i32(threadIdx.x);
    if (!FIXED && t >= n) return;
    out[t] = ballot_sync(0xffffffff, t < n ? input[t] > 7 : false);
  },
);

const absentAddends = kernel("absentAddends", { ...ints, n: i32 }, { FIXED: false }, ({ input, out, n }, { FIXED }) => {
  const t = i32(threadIdx.x);
  if (!FIXED && t >= n) return;
  out[t] = reduce_add_sync(0xffffffff, t < n ? input[t] : 0);
});

const voteInBranch = kernel("voteInBranch", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  const positive = input[t] > 0;
  if (FIXED) out[t] = i32(all_sync(0xffffffff, positive));
  else if (t < 24) out[t] = i32(all_sync(0xffffffff, positive));
});

const voteInside = kernel("voteInside", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  const positive = input[t] > 0;
  let all = 0;
  if (FIXED) all = i32(all_sync(0xffffffff, positive));
  else if (t < 24) all = i32(all_sync(0xffffffff, positive));
  out[t] = all;
});

const spinForBarrier = kernel("spinForBarrier", { flag: ptr(i32) }, { FIXED: false }, ({ flag }, { FIXED }) => {
  const state = volatile(flag);
  if (threadIdx.x >= 32) {
    if (!FIXED) syncthreads();
    if (threadIdx.x === 40) state[0] = 1;
  } else if (threadIdx.x === 0) while (state[0] === 0) {}
});

const crossed = kernel("crossed", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  if (FIXED || threadIdx.x < 16) syncthreads();
  else syncwarp();
  out[threadIdx.x] = input[threadIdx.x];
});

const blockStaysAway = kernel(
  "blockStaysAway",
  { ...ints, n: u32 },
  { FIXED: false },
  ({ input, out, n }, { FIXED }) => {
    if (!FIXED && blockIdx.x >= n) return;
    this_grid().sync();
    out[blockIdx.x * 64 + threadIdx.x] = input[blockIdx.x * 64 + threadIdx.x];
  },
);

function note(title: string, ...lines: readonly string[]): Expected {
  return { ...error("synccheck", title, ...lines), severity: "note" };
}

/**
 * Lanes in the mask have ended: from 7.0 on nobody waits for them. On an H200 the sums are right and compute-sanitizer reports
 * nothing (test/reference/sanitizers/faults.json, tooMany), so it is a note there.
 */
function behindReturn(
  name: string,
  kernel: Kernel,
  launching: Launching,
  lines: readonly string[],
): readonly Planted[] {
  const title = "Missing thread(s) of the mask";
  return [
    planted(name, kernel, launching, [error("synccheck", title, ...lines)], [OLD]),
    planted(name, kernel, launching, [note(title, ...lines)], NEW),
  ];
}

export const synccheckFaults: readonly Planted[] = [
  planted(
    "syncthreads in a branch that half a warp takes",
    inBranch,
    {},
    [error("synccheck", "Divergent thread(s) in block", "if (!FIXED) syncthreads()")],
    NEW,
  ),
  // The other half waits for the warp to come out of the branch.
  planted(
    "syncthreads in a branch that half a warp takes",
    inBranch,
    {},
    [error("synccheck", "Divergent thread(s) in block", "if (!FIXED) syncthreads()", "if (t < 16)")],
    [OLD],
  ),
  planted("syncthreads in a branch that one warp takes", wholeWarps, {}, [
    error("synccheck", "Divergent thread(s) in block", "if (FIXED || t < 32) syncthreads()"),
  ]),
  planted(
    "syncthreads behind a return of some threads",
    earlyReturn,
    { values: { n: 40 } },
    [error("synccheck", "Divergent thread(s) in block", "syncthreads()")],
    [OLD],
  ),
  // Defined from 7.0 on, where compute-sanitizer says nothing: a note of what to look out for.
  planted(
    "syncthreads behind a return of some threads",
    earlyReturn,
    { values: { n: 40 } },
    [{ ...error("synccheck", "Divergent thread(s) in block", "syncthreads()"), severity: "note" }],
    NEW,
  ),
  planted(
    "syncthreads in both sides of a branch",
    twoBarriers,
    {},
    [error("synccheck", "Divergent thread(s) in block", "syncthreads()", "else if (t % 2 === 0) syncthreads()")],
    NEW,
  ),
  // They are two barriers there, each of them divergent.
  planted(
    "syncthreads in both sides of a branch",
    twoBarriers,
    {},
    [
      error("synccheck", "Divergent thread(s) in block", "else if (t % 2 === 0) syncthreads()", "syncthreads()"),
      error("synccheck", "Divergent thread(s) in block", "syncthreads()", "else if (t % 2 === 0) syncthreads()"),
    ],
    [OLD],
  ),
  planted("syncthreads that warps reach a different number of times", unequalTimes, {}, [
    error("synccheck", "Divergent thread(s) in block", "k < times; k++) syncthreads()"),
  ]),
  planted(
    "a shuffle whose mask names lanes that never come",
    neverComes,
    { block: 32 },
    [error("synccheck", "Missing thread(s) of the mask", "value += shfl_xor_sync(")],
    NEW,
  ),
  planted(
    "a shuffle whose mask leaves its callers out",
    leavesCallerOut,
    { block: 32 },
    [error("synccheck", "Invalid arguments", "out[t] = shfl_down_sync(")],
    NEW,
  ),
  planted(
    "syncwarp whose mask leaves a caller out",
    callerOutOfSyncwarp,
    { block: 32 },
    [error("synccheck", "Invalid arguments", "syncwarp(FIXED")],
    NEW,
  ),
  planted(
    "syncwarp whose mask leaves a caller out",
    callerOutOfSyncwarp,
    { block: 32 },
    [error("synccheck", "Thread(s) outside of the mask", "syncwarp(FIXED")],
    [OLD],
  ),
  planted(
    "a shuffle from a lane outside its mask",
    outsideMask,
    { block: 32 },
    [error("synccheck", "Shuffle from a thread that takes no part", "if (t < 16) out[t] = shfl_sync(")],
    NEW,
  ),
  planted(
    "a shuffle from lanes that have returned",
    inactiveLane,
    { block: 32, values: { n: 20 } },
    [
      note("Missing thread(s) of the mask", "value += shfl_down_sync("),
      error("synccheck", "Shuffle from a thread that takes no part", "value += shfl_down_sync("),
    ],
    NEW,
  ),
  ...behindReturn("a ballot that lanes do not come to", absentVoters, { block: 32, values: { n: 20 } }, [
    "out[t] = ballot_sync(",
  ]),
  planted(
    "a reduction of a warp that lanes do not come to",
    absentAddends,
    { block: 32, values: { n: 20 } },
    [note("Missing thread(s) of the mask", "out[t] = reduce_add_sync(")],
    ["h200"],
  ),
  ...behindReturn("a vote in a branch that ends the kernel, with all lanes in its mask", voteInBranch, { block: 32 }, [
    "else if (t < 24)",
  ]),
  planted("a vote in a branch, with all lanes in its mask", voteInside, { block: 32 }, [
    error("synccheck", "Missing thread(s) of the mask", "else if (t < 24)"),
  ]),
  planted("a barrier and a spin that wait for each other", spinForBarrier, { zeros: ["flag"] }, [
    error("synccheck", "Deadlock", "while (state[0] === 0)"),
  ]),
  planted(
    "syncthreads and syncwarp that wait for each other",
    crossed,
    { block: 32 },
    [error("synccheck", "Deadlock", "else syncwarp()")],
    NEW,
  ),
  planted(
    "a block that stays away from grid.sync",
    blockStaysAway,
    { grid: 2, length: 128, values: { n: 1 } },
    [error("synccheck", "Deadlock", "this_grid().sync()")],
    NEW,
  ),
];
