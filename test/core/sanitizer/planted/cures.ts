/** Planted races, each with what its cure has to say, and the kernel that follows the cure as its twin. */
import {
  atomicAdd,
  atomicCAS,
  atomicExch,
  atomicMin,
  atomicOr,
  blockIdx,
  gridDim,
  i32,
  type Kernel,
  kernel,
  ptr,
  shared,
  syncthreads,
  syncwarp,
  threadfence,
  threadfence_block,
  threadIdx,
  u32,
  volatile,
} from "../../../../src/index.js";
import { type Launching, NEW, OLD } from "./planted.js";

export interface Cured {
  readonly name: string;
  readonly kernel: Kernel;
  readonly launching: Launching;
  readonly devices?: readonly string[];
  readonly cure: RegExp;
  /** The array that the corrected kernel leaves, and its first values. */
  readonly result: string;
  readonly right: readonly number[];
}

const sum = { input: ptr(i32), out: ptr(i32) };

/** A lost update between blocks: each access is volatile, and the two of one update are not one. */
const volatileSum = kernel("volatileSum", sum, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const total = volatile(out);
  if (threadIdx.x === 0) {
    if (FIXED) atomicAdd(out, 0, input[blockIdx.x]);
    else total[0] += input[blockIdx.x];
  }
});

const fencedVolatileSum = kernel("fencedVolatileSum", sum, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const total = volatile(out);
  if (threadIdx.x === 0) {
    threadfence();
    if (FIXED) atomicAdd(out, 0, input[blockIdx.x]);
    else total[0] += input[blockIdx.x];
    threadfence();
  }
});

/** Each block takes a number: a ticket. */
const ticket = kernel("ticket", { next: ptr(i32), out: ptr(i32) }, { FIXED: false }, ({ next, out }, { FIXED }) => {
  if (threadIdx.x === 0) {
    let mine = 0;
    if (FIXED) mine = atomicAdd(next, 0, 1);
    else {
      const counter = volatile(next);
      mine = counter[0];
      counter[0] = mine + 1;
    }
    atomicAdd(out, mine, 7);
  }
});

const bins = kernel("bins", { input: ptr(i32), out: ptr(i32) }, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const bin = input[threadIdx.x] & 3;
  if (FIXED) atomicAdd(out, bin, 1);
  else out[bin] += 1;
});

const bits = kernel("bits", { out: ptr(u32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  const t = threadIdx.x;
  const bit = u32(1) << (t & 31);
  if (FIXED) atomicOr(out, t >> 5, bit);
  else out[t >> 5] |= bit;
});

const least = kernel("least", sum, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const v = 100 - input[threadIdx.x];
  if (FIXED) atomicMin(out, 0, v);
  else if (v < out[0]) out[0] = v;
});

/** FENCE: 0 none, 1 too narrow, 2 before the write, 3 behind the hand-over. */
const lastBlock = kernel(
  "lastBlock",
  { input: ptr(i32), sums: ptr(i32), count: ptr(i32), out: ptr(i32) },
  { FIXED: false, FENCE: 0 },
  ({ input, sums, count, out }, { FIXED, FENCE }) => {
    if (threadIdx.x === 0) {
      if (!FIXED && FENCE === 2) threadfence();
      sums[blockIdx.x] = input[blockIdx.x];
      if (FIXED) threadfence();
      if (!FIXED && FENCE === 1) threadfence_block();
      const before = atomicAdd(count, 0, 1);
      if (!FIXED && FENCE === 3) threadfence();
      if (before === i32(gridDim.x) - 1) {
        let total = 0;
        for (let b = 0; b < gridDim.x; b++) total += sums[b];
        out[0] = total;
      }
    }
  },
);

/** A fence of one thread, without the barrier that lets it know of the others. */
const noBarrier = kernel(
  "noBarrier",
  { data: ptr(i32), count: ptr(i32), out: ptr(i32) },
  { FIXED: false },
  ({ data, count, out }, { FIXED }) => {
    const before = shared(i32, 1);
    const t = threadIdx.x;
    data[blockIdx.x * 64 + t] = i32(t);
    if (FIXED) syncthreads();
    if (t === 0) {
      threadfence();
      before[0] = atomicAdd(count, 0, 1);
    }
    syncthreads();
    if (before[0] === i32(gridDim.x) - 1 && t < 2) out[t] = data[t * 64 + 40];
  },
);

const lock = kernel("lock", { mutex: ptr(i32), out: ptr(i32) }, { FIXED: false }, ({ mutex, out }, { FIXED }) => {
  if (threadIdx.x === 0) {
    while (atomicCAS(mutex, 0, 0, 1) !== 0) {}
    out[0] += 1;
    if (FIXED) threadfence();
    atomicExch(mutex, 0, 0);
  }
});

const lastWarp = kernel("lastWarp", sum, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 32);
  const t = threadIdx.x;
  if (FIXED) {
    const kept = volatile(values);
    kept[t] = input[t];
    syncwarp();
    out[t] = kept[t ^ 1];
  } else {
    values[t] = input[t];
    out[t] = values[t ^ 1];
  }
});

const inputs = Array.from({ length: 64 }, (_, k) => 3 * k + 1);
const grid = { grid: 4, length: 256, zeros: ["out", "count", "next", "mutex"] };
const one = { zeros: ["out"] };
const total = inputs.slice(0, 4).reduce((a, b) => a + b);
const last = { ...grid, unwritten: ["sums"] };
const fenced = (FENCE: number): Kernel => lastBlock.with({ FENCE });

export const cures: readonly Cured[] = [
  {
    name: "a volatile sum of blocks",
    kernel: volatileSum,
    launching: grid,
    cure: /atomicAdd/,
    result: "out",
    right: [total],
  },
  {
    name: "a volatile sum with fences",
    kernel: fencedVolatileSum,
    launching: grid,
    cure: /atomicAdd/,
    result: "out",
    right: [total],
  },
  {
    name: "a ticket by volatile",
    kernel: ticket,
    launching: grid,
    cure: /atomicAdd/,
    result: "out",
    right: [7, 7, 7, 7, 0],
  },
  {
    name: "a histogram without atomics",
    kernel: bins,
    launching: one,
    cure: /atomicAdd/,
    result: "out",
    right: [0, 1, 2, 3].map((bin) => inputs.filter((value) => (value & 3) === bin).length),
  },
  {
    name: "bits that are set without atomics",
    kernel: bits,
    launching: one,
    cure: /atomicOr/,
    result: "out",
    right: [2 ** 32 - 1, 2 ** 32 - 1],
  },
  {
    name: "a least value without atomics",
    kernel: least,
    launching: one,
    cure: /atomicMin/,
    result: "out",
    right: [Math.min(0, ...inputs.map((v) => 100 - v))],
  },
  {
    name: "the last block without a fence",
    kernel: fenced(0),
    launching: last,
    cure: /^Put threadfence\(\) between the write of line \d+ and line \d+/,
    result: "out",
    right: [total],
  },
  {
    name: "the last block, its fence too narrow",
    kernel: fenced(1),
    launching: last,
    cure: /threadfence_block\(\) of line \d+ holds within the block/,
    result: "out",
    right: [total],
  },
  {
    name: "the last block, its fence before the write",
    kernel: fenced(2),
    launching: last,
    cure: /stands before the write\. Put threadfence\(\)/,
    result: "out",
    right: [total],
  },
  {
    name: "the last block, its fence behind the hand-over",
    kernel: fenced(3),
    launching: last,
    cure: /stands behind the hand-over\. Put threadfence\(\)/,
    result: "out",
    right: [total],
  },
  {
    name: "a fence without a barrier before it",
    kernel: noBarrier,
    launching: { ...grid, grid: 2 },
    cure: /put syncthreads\(\) between line \d+ and the fence/,
    result: "out",
    right: [40, 40],
  },
  {
    name: "a lock without a fence",
    kernel: lock,
    launching: grid,
    cure: /^Put threadfence\(\) between/,
    result: "out",
    right: [4],
  },
  {
    name: "a last warp without volatile",
    kernel: lastWarp,
    launching: { block: 32, length: 32 },
    devices: [OLD],
    cure: /declare the array volatile/,
    result: "out",
    right: [4, 1, 10, 7],
  },
  {
    name: "lanes without syncwarp",
    kernel: lastWarp,
    launching: { block: 32, length: 32 },
    devices: NEW,
    cure: /syncwarp\(\)/,
    result: "out",
    right: [4, 1, 10, 7],
  },
];
