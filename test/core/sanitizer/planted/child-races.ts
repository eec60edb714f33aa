/**
 * Planted faults between grids and those that they start: each breaks one sentence of the Programming Guide's "Memory Coherence
 * and Consistency" of dynamic parallelism.
 */
import {
  blockIdx,
  deviceSynchronize,
  i32,
  kernel,
  launch,
  ptr,
  syncthreads,
  threadIdx,
} from "../../../../src/index.js";
import { NEW, type Planted, planted, raw, war, waw } from "./planted.js";

const WAITS: readonly string[] = ["v100"];
const both = { data: ptr(i32), out: ptr(i32) };

const addOne = kernel("addOne", { data: ptr(i32) }, ({ data }) => {
  data[threadIdx.x] += 1;
});
const fill = kernel("fill", { data: ptr(i32) }, ({ data }) => {
  data[threadIdx.x] = i32(threadIdx.x) + 5;
});
const copyOut = kernel("copyOut", both, ({ data, out }) => {
  out[threadIdx.x] = data[threadIdx.x];
});

/** The launching thread waits, and another one reads without having met it. */
const otherThread = kernel("otherThread", both, { FIXED: false }, ({ data, out }, { FIXED }) => {
  if (threadIdx.x === 0) {
    launch(addOne, { grid: 1, block: 64 }, { data });
    deviceSynchronize();
  }
  if (FIXED) syncthreads();
  if (threadIdx.x === 40) out[0] = data[3];
});

/** A wait holds for launches that the waiting thread knows of. */
const blindWait = kernel("blindWait", both, { FIXED: false }, ({ data, out }, { FIXED }) => {
  if (threadIdx.x === 0) launch(addOne, { grid: 1, block: 64 }, { data });
  if (FIXED) syncthreads();
  if (threadIdx.x === 40) {
    deviceSynchronize();
    out[0] = data[3];
  }
});

const otherBlock = kernel("otherBlock", both, { FIXED: false }, ({ data, out }, { FIXED }) => {
  if (threadIdx.x === 0) {
    if (blockIdx.x === 0) {
      launch(addOne, { grid: 1, block: 64 }, { data });
      deviceSynchronize();
    }
    if (blockIdx.x === (FIXED ? 0 : 1)) out[0] = data[3];
  }
});

const writesAfter = kernel("writesAfter", both, { FIXED: false }, ({ data, out }, { FIXED }) => {
  if (threadIdx.x === 0) {
    if (FIXED) data[3] = 9;
    launch(copyOut, { grid: 1, block: 64 }, { data, out });
    if (!FIXED) data[3] = 8;
  }
});

const overwrites = kernel("overwrites", { data: ptr(i32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  if (threadIdx.x === 0) {
    launch(fill, { grid: 1, block: 64 }, { data });
    if (!FIXED) data[3] = 1;
  }
});

const blocksWrite = kernel("blocksWrite", both, { FIXED: false }, ({ data, out }, { FIXED }) => {
  const i = blockIdx.x * 64 + threadIdx.x;
  data[i] = 7;
  syncthreads();
  if (i === 0) {
    if (FIXED) launch(copyOut, { grid: 1, block: 128, stream: "tail" }, { data, out });
    else launch(copyOut, { grid: 1, block: 128 }, { data, out });
  }
});

const forgotten = kernel("forgotten", { data: ptr(i32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  if (threadIdx.x === 0) {
    launch(fill, { grid: 1, block: 32, stream: "fireAndForget" }, { data });
    launch(addOne, { grid: 1, block: 32, stream: "fireAndForget" }, { data: data.subarray(FIXED ? 32 : 0) });
  }
});

/** A block's own stream does not wait for what was forgotten. */
const besideStream = kernel("besideStream", { data: ptr(i32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  if (threadIdx.x === 0) {
    if (FIXED) launch(fill, { grid: 1, block: 32 }, { data });
    else launch(fill, { grid: 1, block: 32, stream: "fireAndForget" }, { data });
    launch(addOne, { grid: 1, block: 32 }, { data });
  }
});

/** The grid in the middle does not wait for the one below it. */
const middle = kernel("middle", both, { FIXED: false }, ({ data, out }, { FIXED }) => {
  launch(addOne, { grid: 1, block: 64 }, { data });
  if (FIXED) deviceSynchronize();
  out[0] = data[3];
});
const above = kernel("above", both, { FIXED: false }, ({ data, out }, { FIXED }) => {
  if (threadIdx.x === 0) {
    if (FIXED) launch(addOne, { grid: 1, block: 64 }, { data });
    else launch(middle, { grid: 1, block: 1 }, { data, out });
  }
});

const two = { grid: 2, length: 128 };

export const childRaces: readonly Planted[] = [
  planted(
    "a child grid's result, read by a thread that has not met the one that waited",
    otherThread,
    {},
    [raw("global", "data[threadIdx.x] += 1", "out[0] = data[3]")],
    WAITS,
  ),
  planted(
    "a wait of a thread that does not know of the launch",
    blindWait,
    {},
    [raw("global", "data[threadIdx.x] += 1", "out[0] = data[3]")],
    WAITS,
  ),
  planted(
    "a child grid's result, read in another block than waited for it",
    otherBlock,
    two,
    [raw("global", "data[threadIdx.x] += 1", "out[0] = data[3]")],
    WAITS,
  ),
  planted(
    "a parent's write after the launch of a child that reads there",
    writesAfter,
    {},
    [raw("global", "data[3] = 8", "out[threadIdx.x] = data[threadIdx.x]")],
    NEW,
  ),
  planted(
    "a parent's write after the launch of a child that writes there",
    overwrites,
    {},
    [waw("global", "data[3] = 1", "data[threadIdx.x] = i32(threadIdx.x) + 5")],
    NEW,
  ),
  planted(
    "a child grid that reads what other blocks of its parent write",
    blocksWrite,
    two,
    [raw("global", "data[i] = 7", "out[threadIdx.x] = data[threadIdx.x]")],
    ["h200"],
  ),
  planted(
    "two forgotten child grids that write the same elements",
    forgotten,
    {},
    [
      raw("global", "data[threadIdx.x] = i32(threadIdx.x) + 5", "data[threadIdx.x] += 1"),
      waw("global", "data[threadIdx.x] = i32(threadIdx.x) + 5", "data[threadIdx.x] += 1"),
    ],
    ["h200"],
  ),
  planted(
    "a forgotten child grid, and one of the block's stream that reads what it writes",
    besideStream,
    {},
    [
      raw("global", "data[threadIdx.x] = i32(threadIdx.x) + 5", "data[threadIdx.x] += 1"),
      waw("global", "data[threadIdx.x] = i32(threadIdx.x) + 5", "data[threadIdx.x] += 1"),
    ],
    ["h200"],
  ),
  planted(
    "a grandchild's result, read by the grid between",
    above,
    {},
    [war("global", "out[0] = data[3]", "data[threadIdx.x] += 1")],
    NEW,
  ),
];
