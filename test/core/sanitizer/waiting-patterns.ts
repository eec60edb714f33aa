/** Patterns in which threads wait for a volatile flag, or update under a lock or in turn: each is right. */
import {
  atomicAdd,
  atomicCAS,
  atomicExch,
  atomicMax,
  blockIdx,
  gridDim,
  i32,
  kernel,
  ptr,
  shared,
  syncthreads,
  syncwarp,
  threadfence,
  threadfence_block,
  threadIdx,
  volatile,
} from "../../../src/index.js";
import type { Pattern } from "./correct-patterns.js";
import { ALL, NEW } from "./planted/planted.js";

const ints = { input: ptr(i32), out: ptr(i32) };
const turned = { turn: ptr(i32), out: ptr(i32) };

/** A warp that fills a slot and one that empties it, by one volatile flag in shared memory. */
const oneFlag = kernel("oneFlag", ints, ({ input, out }) => {
  const slot = shared(i32, 32);
  const flag = shared(i32, 1);
  const state = volatile(flag);
  const t = i32(threadIdx.x);
  const lane = t & 31;
  if (t === 0) flag[0] = 0;
  syncthreads();
  for (let round = 0; round < 2; round++) {
    if (t < 32) {
      while (state[0] !== 0) {}
      threadfence_block();
      syncwarp();
      slot[lane] = input[32 * round + lane];
      threadfence_block();
      syncwarp();
      if (lane === 0) state[0] = 1;
    } else {
      while (state[0] !== 1) {}
      threadfence_block();
      syncwarp();
      out[32 * round + lane] = slot[lane];
      threadfence_block();
      syncwarp();
      if (lane === 0) state[0] = 0;
    }
    syncwarp();
  }
});

/** The same by two counters, each written by one side alone. */
const twoCounters = kernel("twoCounters", ints, ({ input, out }) => {
  const slots = shared(i32, 64);
  const counters = shared(i32, 2);
  const state = volatile(counters);
  const t = i32(threadIdx.x);
  const lane = t & 31;
  if (t < 2) counters[t] = 0;
  syncthreads();
  for (let round = 0; round < 2; round++) {
    const slot = 32 * (round & 1) + lane;
    if (t < 32) {
      while (round - state[1] >= 2) {}
      syncwarp();
      slots[slot] = input[32 * round + lane];
      threadfence_block();
      syncwarp();
      if (lane === 0) state[0] = round + 1;
    } else {
      while (state[0] <= round) {}
      syncwarp();
      out[32 * round + lane] = slots[slot];
      threadfence_block();
      syncwarp();
      if (lane === 0) state[1] = round + 1;
    }
    syncwarp();
  }
});

const inTurn = kernel("inTurn", turned, ({ turn, out }) => {
  const now = volatile(turn);
  if (threadIdx.x === 0) {
    while (now[0] !== i32(blockIdx.x)) {}
    threadfence();
    out[0] += 1;
    threadfence();
    now[0] = i32(blockIdx.x) + 1;
  }
});

/** The block whose turn it is alone adds to the number of the turn. */
const addsToTurn = kernel("addsToTurn", turned, ({ turn, out }) => {
  const now = volatile(turn);
  if (threadIdx.x === 0) {
    while (now[0] !== i32(blockIdx.x)) {}
    threadfence();
    out[0] += 1;
    threadfence();
    now[0] += 1;
  }
});

const ticketLock = kernel("ticketLock", { next: ptr(i32), ...turned }, ({ next, turn, out }) => {
  const now = volatile(turn);
  if (threadIdx.x === 0) {
    const mine = atomicAdd(next, 0, 1);
    while (now[0] !== mine) {}
    threadfence();
    out[0] += mine;
    threadfence();
    now[0] = mine + 1;
  }
});

/** A number from an atomic, and an element of one's own. */
const tickets = kernel("tickets", { next: ptr(i32), out: ptr(i32) }, ({ next, out }) => {
  if (threadIdx.x % 3 === 0) out[atomicAdd(next, 0, 1)] = i32(threadIdx.x);
});

const peeks = kernel("peeks", ints, ({ input, out }) => {
  const most = volatile(out);
  const value = input[threadIdx.x];
  if (value > most[0]) atomicMax(out, 0, value);
});

const peeksShared = kernel("peeksShared", ints, ({ input, out }) => {
  const most = shared(i32, 1);
  if (threadIdx.x === 0) most[0] = 0;
  syncthreads();
  atomicMax(most, 0, input[threadIdx.x]);
  syncthreads();
  if (threadIdx.x === 0) atomicMax(out, 0, most[0]);
});

/** Test, and test-and-set: the volatile look comes before the atomic. */
const testFirst = kernel("testFirst", { mutex: ptr(i32), out: ptr(i32) }, ({ mutex, out }) => {
  const state = volatile(mutex);
  if (threadIdx.x === 0) {
    let open = true;
    while (open) {
      while (state[0] !== 0) {}
      open = atomicCAS(mutex, 0, 0, 1) !== 0;
    }
    threadfence();
    out[0] += 1;
    threadfence();
    state[0] = 0;
  }
});

/** Every lane of a warp takes the lock in turn: from 7.0 on each makes progress. */
const laneLock = kernel("laneLock", { mutex: ptr(i32), out: ptr(i32) }, ({ mutex, out }) => {
  let open = true;
  while (open) {
    if (atomicCAS(mutex, 0, 0, 1) === 0) {
      threadfence();
      out[0] += 1;
      threadfence();
      atomicExch(mutex, 0, 0);
      open = false;
    }
  }
});

/** Whoever changes something says so; all write one value. */
const changed = kernel("changed", { ...ints, flag: ptr(i32) }, ({ input, out, flag }) => {
  const any = volatile(flag);
  const i = blockIdx.x * 64 + threadIdx.x;
  out[i] = input[i] + 1;
  if (threadIdx.x === 0 && any[0] === 0) any[0] = 1;
});

/** Each block tells of its part by a flag of its own, and the last one reads all. */
const flagsOfBlocks = kernel(
  "flagsOfBlocks",
  { flags: ptr(i32), data: ptr(i32), out: ptr(i32) },
  ({ flags, data, out }) => {
    const state = volatile(flags);
    if (threadIdx.x === 0) {
      data[blockIdx.x] = i32(blockIdx.x) + 3;
      threadfence();
      state[blockIdx.x] = 1;
      if (blockIdx.x === gridDim.x - 1) {
        let sum = 0;
        for (let b = 0; b < gridDim.x; b++) {
          while (state[b] === 0) {}
          threadfence();
          sum += data[b];
        }
        out[0] = sum;
      }
    }
  },
);

const four = { grid: 4, length: 256 };
const row = (name: string, each: Pattern["kernel"], launching: Pattern["launching"], devices = ALL): Pattern => ({
  name,
  kernel: each,
  launching,
  devices,
});

export const waitingPatterns: readonly Pattern[] = [
  row("two warps and one volatile flag", oneFlag, {}),
  row("two warps and two volatile counters", twoCounters, {}),
  row("blocks in turn by a volatile word", inTurn, { ...four, zeros: ["turn"] }),
  row("a turn that its owner adds to", addsToTurn, { ...four, zeros: ["turn"] }),
  row("a ticket lock", ticketLock, { ...four, zeros: ["next", "turn"] }),
  row("elements by ticket", tickets, { zeros: ["next"] }),
  row("a volatile look before atomicMax", peeks, { zeros: ["out"] }),
  row("a largest value of the block, then of the grid", peeksShared, { ...four, zeros: ["out"] }),
  row("a volatile look before a lock is taken", testFirst, { ...four, zeros: ["mutex"] }),
  row("a lock that all lanes of a warp take", laneLock, { block: 32, zeros: ["mutex"] }, NEW),
  row("a flag that all set to one value", changed, { ...four, zeros: ["flag"] }),
  row("a flag of each block", flagsOfBlocks, { ...four, zeros: ["flags"] }),
];
