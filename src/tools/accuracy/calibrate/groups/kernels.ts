/** The other kernels of test/reference/h200/micro/extra.cu: shared memory, barriers, loops, chases, streams, blocks. */
import { f32, i32, int4, type Kernel, kernel, ptr, u32 } from "../../../../core/frontend/index.js";

const sharedParams = { out: ptr(u32), stride: u32, rounds: i32 };

/** Operations in an iteration of these three. Each has its own place, so that none can be left out; all have the same banks. */
export const SHARED_A_ROUND = 64;

export const sharedLoads: Kernel = kernel(
  "sharedLoads",
  { params: sharedParams },
  ({ out, stride, rounds }, { threadIdx, externShared, unroll, u32 }) => {
    const words = externShared(u32);
    let at = (threadIdx.x % 32) * stride;
    let sum = u32(0);
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      for (let k = 0; k < 64; k++) {
        unroll();
        sum ^= words[at + k]!;
      }
      at++;
    }
    if (sum === 123457) out[0] = sum;
  },
);

export const sharedStores: Kernel = kernel(
  "sharedStores",
  { params: sharedParams },
  ({ out, stride, rounds }, { threadIdx, externShared, unroll, u32 }) => {
    const words = externShared(u32);
    let at = (threadIdx.x % 32) * stride;
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      for (let k = 0; k < 64; k++) {
        unroll();
        words[at + k] = stride;
      }
      at++;
    }
    if (words[at] === 123457) out[0] = at;
  },
);

/** Without a use of the values before: RED. */
export const sharedAtomics: Kernel = kernel(
  "sharedAtomics",
  { params: sharedParams },
  ({ out, stride, rounds }, { threadIdx, externShared, unroll, atomicAdd, u32 }) => {
    const words = externShared(u32);
    let at = (threadIdx.x % 32) * stride;
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      for (let k = 0; k < 64; k++) {
        unroll();
        atomicAdd(words, at + k, stride);
      }
      at++;
    }
    if (words[at] === 123457) out[0] = at;
  },
);

/** Barriers in an iteration. */
export const BARRIERS_A_ROUND = 16;

export const barriers: Kernel = kernel(
  "barriers",
  { params: { rounds: i32 } },
  ({ rounds }, { syncthreads, unroll }) => {
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      for (let k = 0; k < 16; k++) {
        unroll();
        syncthreads();
      }
    }
  },
);

export const tightLoop: Kernel = kernel(
  "tightLoop",
  { params: { out: ptr(u32), rounds: i32 } },
  ({ out, rounds }, { threadIdx, unroll, u32 }) => {
    let x = threadIdx.x;
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      x = (x & u32(round)) ^ u32(rounds);
    }
    if (x === 123457) out[0] = x;
  },
);

/** Sixteen dependent multiply-adds on either side; `mask` of the thread's index says which. */
export const diverge: Kernel = kernel(
  "diverge",
  { params: { out: ptr(f32), b: f32, mask: u32, rounds: i32 } },
  ({ out, b, mask, rounds }, { threadIdx, unroll, f32 }) => {
    let x = f32(threadIdx.x);
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      if ((threadIdx.x & mask) !== 0) {
        for (let k = 0; k < 16; k++) {
          unroll();
          x = x * b + b;
        }
      } else {
        for (let k = 0; k < 16; k++) {
          unroll();
          x = x * b + x;
        }
      }
    }
    if (x === 1.25) out[0] = x;
  },
);

const chaseParams = { out: ptr(u32), links: ptr(u32), hops: i32 };

/** Each load gives the place of the next; through L1. */
export const chaseThroughL1: Kernel = kernel(
  "chaseThroughL1",
  { params: chaseParams },
  ({ out, links, hops }, { unroll, u32 }) => {
    let place = u32(0);
    for (let hop = 0; hop < hops; hop++) {
      unroll(4);
      place = links[place]!;
    }
    out[0] = place;
  },
);

/** The same past L1. */
export const chaseThroughL2: Kernel = kernel(
  "chaseThroughL2",
  { params: chaseParams },
  ({ out, links, hops }, { unroll, volatile, u32 }) => {
    const fresh = volatile(links);
    let place = u32(0);
    for (let hop = 0; hop < hops; hop++) {
      unroll(4);
      place = fresh[place]!;
    }
    out[0] = place;
  },
);

export const readSpan: Kernel = kernel(
  "readSpan",
  { params: { data: ptr(int4), n: u32, out: ptr(i32) } },
  ({ data, n, out }, { threadIdx, blockIdx, blockDim, gridDim, i32 }) => {
    let sum = i32(0);
    for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
      const value = data[i]!;
      sum ^= value.x ^ value.y ^ value.z ^ value.w;
    }
    if (sum === 1234567) out[3] = sum;
  },
);

/** LOADS loads of 4 bytes in flight a thread; a block reads tiles of blockDim * LOADS words. */
export const inflight: Kernel = kernel(
  "inflight",
  { params: { data: ptr(u32), tiles: u32, out: ptr(u32) }, constants: { LOADS: 1 } },
  ({ data, tiles, out }, { threadIdx, blockIdx, blockDim, gridDim, unroll, u32 }, { LOADS }) => {
    let sum = u32(0);
    for (let tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      unroll(1);
      const from = tile * blockDim.x * LOADS + threadIdx.x;
      for (let k = 0; k < LOADS; k++) {
        unroll();
        sum ^= data[from + k * blockDim.x]!;
      }
    }
    if (sum === 1234567) out[3] = sum;
  },
);

/** Each thread adds 1 to one of `mask` + 1 counters, `rounds` times: to consecutive ones or to scattered ones. */
export const globalAtomics: Kernel = kernel(
  "globalAtomics",
  { params: { counters: ptr(u32), mask: u32, rounds: i32 }, constants: { SCATTERED: false } },
  ({ counters, mask, rounds }, { threadIdx, blockIdx, blockDim, atomicAdd, u32 }, { SCATTERED }) => {
    const thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (let round = 0; round < rounds; round++) {
      const place = SCATTERED ? (thread * 2654435761 + u32(round) * 40503) >>> 7 : thread + u32(round) * 32;
      atomicAdd(counters, place & mask, 1);
    }
  },
);
