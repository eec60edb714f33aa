/** Patterns of dynamic parallelism that the Programming Guide calls right: no tool may say a word. */
import {
  blockDim,
  blockIdx,
  deviceSynchronize,
  i32,
  type Kernel,
  kernel,
  launch,
  ptr,
  self,
  syncthreads,
  threadfence,
  threadIdx,
  u32,
  volatile,
} from "../../../src/index.js";
import type { Pattern } from "./correct-patterns.js";
import { NEW } from "./planted/planted.js";

const both = { data: ptr(i32), out: ptr(i32) };

const addOne = kernel("addOne", { data: ptr(i32) }, ({ data }) => {
  data[threadIdx.x] += 1;
});
const copyOut = kernel("copyOut", both, ({ data, out }) => {
  out[threadIdx.x] = data[threadIdx.x];
});

const ownWrites = kernel("ownWrites", both, ({ data, out }) => {
  if (threadIdx.x === 0) {
    for (let i = 0; i < 64; i++) data[i] = i;
    launch(copyOut, { grid: 1, block: 64 }, { data, out });
  }
});

/** All threads launch into the block's stream, which orders their grids. */
const everyThread = kernel("everyThread", { data: ptr(i32) }, ({ data }) => {
  launch(addOne, { grid: 1, block: 64 }, { data });
});

const laterThread = kernel("laterThread", both, ({ data, out }) => {
  if (threadIdx.x === 0) launch(addOne, { grid: 1, block: 64 }, { data });
  syncthreads();
  if (threadIdx.x === 40) launch(copyOut, { grid: 1, block: 64 }, { data, out });
});

const knownWait = kernel("knownWait", both, ({ data, out }) => {
  if (threadIdx.x === 0) launch(addOne, { grid: 1, block: 64 }, { data });
  syncthreads();
  if (threadIdx.x === 40) {
    deviceSynchronize();
    out[0] = data[3];
  }
});

const tailReads = kernel("tailReads", both, ({ data, out }) => {
  const i = blockIdx.x * 64 + threadIdx.x;
  if (i === 0) launch(copyOut, { grid: 1, block: 128, stream: "tail" }, { data, out });
  if (threadIdx.x === 1)
    launch(addOne, { grid: 1, block: 64, stream: "fireAndForget" }, { data: data.subarray(64 * blockIdx.x) });
});

/** The recursive sum that replaces a wait for children. */
const tailSum: Kernel = kernel("tailSum", { data: ptr(i32), count: u32 }, ({ data, count }) => {
  const half = count >> 1;
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) data[i] += data[i + half];
  if (i === 0 && half > 1) launch(self, { grid: (half + 63) >> 6, block: 64, stream: "tail" }, { data, count: half });
});

const nestedWait: Kernel = kernel("nestedWait", { data: ptr(i32), count: u32 }, ({ data, count }) => {
  const half = count >> 1;
  if (threadIdx.x < half) data[threadIdx.x] += data[threadIdx.x + half];
  syncthreads();
  if (threadIdx.x === 0 && half > 1) {
    launch(self, { grid: 1, block: half }, { data, count: half });
    deviceSynchronize();
    data[1] = data[0];
  }
});

/** A thread that has waited hands the result to another block. */
const handsOver = kernel("handsOver", { data: ptr(i32), out: ptr(i32), ready: ptr(i32) }, ({ data, out, ready }) => {
  const flag = volatile(ready);
  if (threadIdx.x === 0) {
    if (blockIdx.x === 0) {
      launch(addOne, { grid: 1, block: 64 }, { data });
      deviceSynchronize();
      threadfence();
      flag[0] = 1;
    } else {
      while (flag[0] === 0) {}
      threadfence();
      out[0] = data[3];
      launch(copyOut, { grid: 1, block: 64 }, { data, out });
    }
  }
});

const two = { grid: 2, length: 128 };

export const childPatterns: readonly Pattern[] = [
  { name: "a child grid of what its thread wrote", kernel: ownWrites, launching: {}, devices: NEW },
  { name: "a child grid of every thread", kernel: everyThread, launching: { block: 48 }, devices: NEW },
  { name: "child grids of two threads of a block", kernel: laterThread, launching: {}, devices: NEW },
  { name: "a wait of a thread that knows of the launch", kernel: knownWait, launching: {}, devices: ["v100"] },
  {
    name: "a tail launch that reads what blocks and grids wrote",
    kernel: tailReads,
    launching: two,
    devices: ["h200"],
  },
  {
    name: "a sum by tail launches",
    kernel: tailSum,
    launching: { ...two, sizes: { data: 128 }, values: { count: 128 } },
    devices: ["h200"],
  },
  {
    name: "a child grid's result, handed to another block and its child grid",
    kernel: handsOver,
    launching: { ...two, zeros: ["ready"] },
    devices: ["v100"],
  },
  { name: "nested waits", kernel: nestedWait, launching: { values: { count: 16 } }, devices: ["v100"] },
];
