/** Planted faults that racecheck has to find between blocks, and between a grid and those that it starts. */
import {
  atomicAdd,
  atomicCAS,
  atomicExch,
  blockIdx,
  deviceSynchronize,
  gridDim,
  i32,
  kernel,
  launch,
  ptr,
  shared,
  syncthreads,
  this_grid,
  threadfence,
  threadfence_block,
  threadIdx,
  volatile,
} from "../../../../src/index.js";
import { NEW, type Planted, planted, raw, war, waw } from "./planted.js";

const _ints = { input: ptr(i32), out: ptr(i32) };

const otherBlock = kernel(
  "otherBlock",
  { data: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ data, out }, { FIXED }) => {
    const i = blockIdx.x * 64 + threadIdx.x;
    data[i] += 1;
    syncthreads();
    out[i] = data[FIXED ? i ^ 32 : i ^ 64];
  },
);

const oneCounter = kernel("oneCounter", { count: ptr(i32) }, { FIXED: false }, ({ count }, { FIXED }) => {
  if (threadIdx.x === 0) {
    if (FIXED) atomicAdd(count, 0, 1);
    else count[0] += 1;
  }
});

/** The last block to end adds the sums of all. */
const lastBlock = kernel(
  "lastBlock",
  { input: ptr(i32), sums: ptr(i32), count: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ input, sums, count, out }, { FIXED }) => {
    const last = shared(i32, 1);
    if (threadIdx.x === 0) {
      sums[blockIdx.x] = input[blockIdx.x * 64];
      if (FIXED) threadfence();
      last[0] = i32(atomicAdd(count, 0, 1) === i32(gridDim.x) - 1);
    }
    syncthreads();
    if (last[0] !== 0 && threadIdx.x === 0) {
      let sum = 0;
      for (let b = 0; b < gridDim.x; b++) sum += sums[b];
      out[0] = sum;
    }
  },
);

/** A fence that holds for the block alone. */
const blockFence = kernel(
  "blockFence",
  { input: ptr(i32), sums: ptr(i32), count: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ input, sums, count, out }, { FIXED }) => {
    if (threadIdx.x === 0) {
      sums[blockIdx.x] = input[blockIdx.x * 64];
      if (FIXED) threadfence();
      else threadfence_block();
      if (atomicAdd(count, 0, 1) === i32(gridDim.x) - 1) {
        let sum = 0;
        for (let b = 0; b < gridDim.x; b++) sum += sums[b];
        out[0] = sum;
      }
    }
  },
);

/** The fence comes after the atomic that tells of the sum. */
const fenceTooLate = kernel(
  "fenceTooLate",
  { input: ptr(i32), sums: ptr(i32), count: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ input, sums, count, out }, { FIXED }) => {
    if (threadIdx.x === 0) {
      threadfence();
      sums[blockIdx.x] = input[blockIdx.x * 64];
      if (FIXED) threadfence();
      const before = atomicAdd(count, 0, 1);
      threadfence();
      if (before === i32(gridDim.x) - 1) {
        let sum = 0;
        for (let b = 0; b < gridDim.x; b++) sum += sums[b];
        out[0] = sum;
      }
    }
  },
);

const lock = kernel("lock", { mutex: ptr(i32), sum: ptr(i32) }, { FIXED: false }, ({ mutex, sum }, { FIXED }) => {
  if (threadIdx.x === 0) {
    while (atomicCAS(mutex, 0, 0, 1) !== 0) {}
    if (FIXED) threadfence();
    sum[0] += 1;
    if (FIXED) threadfence();
    atomicExch(mutex, 0, 0);
  }
});

const noLock = kernel("noLock", { mutex: ptr(i32), sum: ptr(i32) }, { FIXED: false }, ({ mutex, sum }, { FIXED }) => {
  if (threadIdx.x === 0) {
    if (FIXED) while (atomicCAS(mutex, 0, 0, 1) !== 0) {}
    threadfence();
    sum[0] += 1;
    threadfence();
    if (FIXED) atomicExch(mutex, 0, 0);
  }
});

const flag = kernel(
  "flag",
  { data: ptr(i32), ready: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ data, ready, out }, { FIXED }) => {
    const state = volatile(ready);
    if (threadIdx.x === 0) {
      if (blockIdx.x === 0) {
        data[0] = 42;
        if (FIXED) threadfence();
        state[0] = 1;
      } else {
        while (state[0] === 0) {}
        threadfence();
        out[0] = data[0];
      }
    }
  },
);

/** A flag that is no volatile and no atomic. */
const plainFlag = kernel(
  "plainFlag",
  { ready: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ ready, out }, { FIXED }) => {
    if (threadIdx.x === 0) {
      if (blockIdx.x === 0) {
        if (FIXED) atomicExch(ready, 0, 1);
        else ready[0] = 1;
      } else out[0] = atomicAdd(ready, 0, 0);
    }
  },
);

const gridSync = kernel("gridSync", { data: ptr(i32), out: ptr(i32) }, { FIXED: false }, ({ data, out }, { FIXED }) => {
  const i = blockIdx.x * 64 + threadIdx.x;
  data[i] += 1;
  if (FIXED) this_grid().sync();
  else syncthreads();
  out[i] = data[i ^ 64];
});

const addOne = kernel("addOne", { data: ptr(i32) }, ({ data }) => {
  data[threadIdx.x] += 1;
});

const twoChildren = kernel("twoChildren", { data: ptr(i32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  if (threadIdx.x === 0) launch(addOne, { grid: 1, block: 32 }, { data: data.subarray(FIXED ? 32 * blockIdx.x : 0) });
});

const withoutWait = kernel(
  "withoutWait",
  { data: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ data, out }, { FIXED }) => {
    if (threadIdx.x === 0) {
      launch(addOne, { grid: 1, block: 32 }, { data });
      if (FIXED) deviceSynchronize();
      out[0] = data[5];
    }
  },
);

/** The wait that compute capability 9.0 has no more. */
const readsChild = kernel(
  "readsChild",
  { data: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ data, out }, { FIXED }) => {
    if (threadIdx.x === 0) launch(addOne, { grid: 1, block: 32 }, { data });
    if (!FIXED) out[threadIdx.x] = data[31 - (threadIdx.x & 31)];
  },
);

/** A child sees what the thread that starts it has written, and what that one knew of others by a barrier. */
const launchTooEarly = kernel("launchTooEarly", { data: ptr(i32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  data[threadIdx.x] = 3;
  if (FIXED) syncthreads();
  if (threadIdx.x === 0) launch(addOne, { grid: 1, block: 64 }, { data });
});

const two = { grid: 2, length: 128 };
const summed = "sum += sums[b]";
const told = "sums[blockIdx.x] = input[";

export const gridRaces: readonly Planted[] = [
  planted("a barrier of the block, between accesses of two blocks", otherBlock, two, [
    raw("global", "data[i] += 1", "out[i] = data["),
    war("global", "out[i] = data[", "data[i] += 1"),
  ]),
  planted("a counter that all blocks add to without an atomic", oneCounter, { grid: 4, length: 1 }, [
    raw("global", "count[0] += 1", "count[0] += 1"),
  ]),
  planted("the last block without a fence", lastBlock, { ...two, zeros: ["count"] }, [raw("global", told, summed)]),
  planted("the last block with a fence of the block alone", blockFence, { ...two, zeros: ["count"] }, [
    raw("global", told, summed),
  ]),
  planted("the last block with its fence after the atomic", fenceTooLate, { grid: 3, length: 192, zeros: ["count"] }, [
    raw("global", told, summed),
  ]),
  planted("a lock without fences", lock, { grid: 4, zeros: ["mutex"] }, [raw("global", "sum[0] += 1", "sum[0] += 1")]),
  planted("fences without a lock", noLock, { grid: 4, zeros: ["mutex"] }, [
    raw("global", "sum[0] += 1", "sum[0] += 1"),
  ]),
  planted("a flag without a fence", flag, { grid: 2, zeros: ["ready"] }, [
    raw("global", "data[0] = 42", "out[0] = data[0]"),
  ]),
  planted("a flag that is written plainly", plainFlag, { grid: 2, zeros: ["ready"] }, [
    waw("global", "ready[0] = 1", "atomicAdd(ready, 0, 0)", "Atomic"),
  ]),
  planted(
    "syncthreads in the place of grid.sync",
    gridSync,
    two,
    [raw("global", "data[i] += 1", "out[i] = data[i ^ 64]"), war("global", "out[i] = data[i ^ 64]", "data[i] += 1")],
    NEW,
  ),
  planted(
    "child grids of two blocks that update the same elements",
    twoChildren,
    two,
    [raw("global", "data[threadIdx.x] += 1", "data[threadIdx.x] += 1")],
    NEW,
  ),
  planted(
    "a child grid's result, read without a wait",
    withoutWait,
    {},
    [war("global", "out[0] = data[5]", "data[threadIdx.x] += 1")],
    ["v100"],
  ),
  planted(
    "a child grid's result, read in the grid that started it",
    readsChild,
    {},
    [war("global", "out[threadIdx.x] = data[31", "data[threadIdx.x] += 1")],
    NEW,
  ),
  planted(
    "a child grid that is started before other warps have written",
    launchTooEarly,
    {},
    [
      raw("global", "data[threadIdx.x] = 3", "data[threadIdx.x] += 1"),
      waw("global", "data[threadIdx.x] = 3", "data[threadIdx.x] += 1"),
    ],
    NEW,
  ),
];
