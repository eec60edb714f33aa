/** Faults of waits that one side's run to its end would hide. */
import {
  blockIdx,
  f32,
  f64,
  i32,
  i64,
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
import { type CellFault, launched } from "./cell.js";

const ring = kernel(
  "ring",
  { slots: ptr(f64), head: ptr(u32), tail: ptr(u32), out: ptr(f64) },
  { FIXED: false },
  ({ slots, head, tail, out }, { FIXED }) => {
    const [taken, put] = [volatile(head), volatile(tail)];
    const places = u32(FIXED ? 2 : 3);
    if (threadIdx.x === 0) {
      if (blockIdx.x === 0) {
        for (let k = u32(0); k < 8; k++) {
          while (k - taken[0] >= places) {}
          threadfence();
          slots[k & 1] = f64(k);
          threadfence();
          put[0] = k + 1;
        }
      } else {
        let sum = f64(0);
        for (let k = u32(0); k < 8; k++) {
          while (put[0] <= k) {}
          threadfence();
          sum += slots[k & 1];
          threadfence();
          taken[0] = k + 1;
        }
        out[0] = sum;
      }
    }
  },
);

const neverEmpty = kernel(
  "neverEmpty",
  { data: ptr(f32), out: ptr(f32) },
  { FIXED: false },
  ({ data, out }, { FIXED }) => {
    const slot = shared(f32, 32);
    const flags = shared(i32, 2);
    const state = volatile(flags);
    const t = i32(threadIdx.x);
    if (t < 2) flags[t] = 0;
    syncthreads();
    for (let k = 0; k < 2; k++) {
      if (t < 32) {
        if (FIXED) while (state[1] < k) {}
        syncwarp();
        slot[t] = data[k * 32 + t];
        threadfence_block();
        syncwarp();
        if (t === 0) state[0] = k + 1;
      } else {
        while (state[0] < k + 1) {}
        out[k * 32 + t - 32] = slot[t - 32];
        threadfence_block();
        syncwarp();
        if (t === 32) state[1] = k + 1;
      }
      syncwarp();
    }
  },
);

const readsEarly = kernel(
  "readsEarly",
  { data: ptr(i64), ready: ptr(i32), out: ptr(i64) },
  { FIXED: false },
  ({ data, ready, out }, { FIXED }) => {
    const state = volatile(ready);
    if (threadIdx.x === 0) {
      if (blockIdx.x === 0) {
        data[0] = 5n;
        threadfence();
        state[0] = 1;
      } else {
        let value = i64(0);
        if (!FIXED) value = data[0];
        while (state[0] === 0) {}
        threadfence();
        if (FIXED) value = data[0];
        out[0] = value;
      }
    }
  },
);

export const waitFaults: readonly CellFault[] = [
  launched(
    ["a barrier that is missing", "global", "block"],
    "a ring of two f64 that takes three",
    ["racecheck", "slots[k & 1]"],
    ring,
    { grid: 2, zeros: ["head", "tail"] },
  ),
  launched(
    ["a barrier that is missing", "shared", "warp"],
    "a slot that nobody waits to be empty",
    ["racecheck", "slot[t] = data[k * 32 + t]"],
    neverEmpty,
  ),
  launched(
    ["a barrier that is missing", "global", "block"],
    "an i64 that is read before the wait",
    ["racecheck", "value = data[0]"],
    readsEarly,
    { grid: 2, zeros: ["ready"] },
  ),
];
