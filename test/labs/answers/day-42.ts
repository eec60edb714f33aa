import { device, i32, kernel, sharedPtr } from "../../../src/core/frontend/index.js";
import {
  atomicAdd,
  blockDim,
  blockIdx,
  externShared,
  min,
  shared,
  shfl_down_sync,
  syncthreads,
  syncwarp,
  threadIdx,
  unroll,
} from "../../../src/index.js";
import { type Answers, guardedSum } from "./answer.js";

/** The thread's elements, a block's width apart. */
const eightApart = device("eightApart", { input: guardedSum.input, n: i32 }, ({ input, n }) => {
  const width = i32(blockDim.x);
  const start = i32(blockIdx.x) * width * 8 + i32(threadIdx.x);
  let sum = 0;
  for (let k = 0; k < 8; k++) {
    const i = start + k * width;
    if (i < n) sum += input[i];
  }
  return sum;
});

/** The thread's elements, eight neighbours. */
const eightNeighbours = device("eightNeighbours", { input: guardedSum.input, n: i32 }, ({ input, n }) => {
  const first = i32(blockIdx.x * blockDim.x + threadIdx.x) * 8;
  let sum = 0;
  for (let k = 0; k < 8; k++) if (first + k < n) sum += input[first + k];
  return sum;
});

/** The block's sum in shared memory, the first half of the places taking up the second. */
const halves = device("halves", { sdata: sharedPtr(i32), tid: i32 }, ({ sdata, tid }) => {
  syncthreads();
  for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  return sdata[0];
});

/** The same by neighbouring threads, at places ever further apart. */
const interleaved = device("interleaved", { sdata: sharedPtr(i32), tid: i32 }, ({ sdata, tid }) => {
  syncthreads();
  for (let s = 1; s < i32(blockDim.x); s *= 2) {
    const at = 2 * s * tid;
    if (at < i32(blockDim.x)) sdata[at] += sdata[at + s];
    syncthreads();
  }
  return sdata[0];
});

const tree = kernel("answer", guardedSum, ({ input, output, n }) => {
  const sdata = externShared(i32);
  const tid = i32(threadIdx.x);
  sdata[tid] = eightApart(input, n);
  const sum = halves(sdata, tid);
  if (tid === 0) output[blockIdx.x] = sum;
});

export const answers: Answers = {
  right: [
    {
      how: "two stages of shuffles",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const warpSums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        let sum = eightApart(input, n);
        for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) warpSums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          let total = tid < i32(blockDim.x) >> 5 ? warpSums[tid] : 0;
          for (let s = 16; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    { how: "loads a block's width apart, and halves", answer: tree },
    {
      how: "shuffles in the last warp",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        sdata[tid] = eightApart(input, n);
        syncthreads();
        for (let s = i32(blockDim.x >> 1); s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          let sum = sdata[tid];
          for (let d = 16; d > 0; d >>= 1) sum += shfl_down_sync(0xffffffff, sum, d);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      how: "a last warp with syncwarp in place of barriers",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        sdata[tid] = eightApart(input, n);
        syncthreads();
        for (let s = i32(blockDim.x >> 1); s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          for (let s = 16; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncwarp();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        }
      }),
    },
    {
      how: "a loop to the block's end or the input's",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * width * 8;
        const end = min(n, first + width * 8);
        let sum = 0;
        for (let i = first + tid; i < end; i += width) sum += input[i];
        sdata[tid] = sum;
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      how: "two sums a thread, each of four elements, from the last on",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const start = i32(blockIdx.x) * width * 8 + tid;
        let [even, odd] = [0, 0];
        for (let k = 6; k >= 0; k -= 2) {
          const i = start + k * width;
          even += i < n ? input[i] : 0;
          odd += i + width < n ? input[i + width] : 0;
        }
        sdata[tid] = even + odd;
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      how: "a warp's own 256 elements, and halves written from the last thread on",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const start = i32(blockIdx.x * blockDim.x * 8) + (tid >> 5) * 256 + (tid & 31);
        let sum = 0;
        for (let k = 0; k < 8; k++) if (start + 32 * k < n) sum += input[start + 32 * k];
        sdata[tid] = sum;
        syncthreads();
        let s = i32(blockDim.x);
        while (s > 1) {
          s >>= 1;
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
  ],
  wrong: [
    {
      what: "has all three faults (the starter), seen in the loads",
      caughtBy: "sectors-per-request",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = (i32(blockIdx.x) * width + tid) * 8;
        let sum = 0;
        if (tid % 2 === 0) {
          for (let k = 0; k < 8; k++) {
            if (first + k < n) sum += input[first + k];
          }
        } else {
          for (let k = 7; k >= 0; k--) {
            if (first + k < n) sum += input[first + k];
          }
        }
        sdata[tid] = sum;
        const total = interleaved(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "cures the divergence alone, and keeps eight neighbours a thread",
      caughtBy: "sectors-per-request",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        sdata[tid] = eightNeighbours(input, n);
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "loads every second element in a step",
      caughtBy: "sectors-per-request",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const start = i32(blockIdx.x) * width * 8 + 2 * tid;
        let sum = 0;
        for (let k = 0; k < 4; k++) {
          const i = start + 2 * k * width;
          if (i < n) sum += input[i];
          if (i + 1 < n) sum += input[i + 1];
        }
        sdata[tid] = sum;
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "cures the loads alone, and keeps the interleaved tree",
      caughtBy: "conflict-degree",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        sdata[tid] = eightApart(input, n);
        const total = interleaved(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "keeps the threads' sums in columns, and meets in a bank",
      caughtBy: "conflict-degree",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const rows = width >> 5;
        const at = (tid & 31) * rows + (tid >> 5);
        sdata[at] = eightApart(input, n);
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "lets odd threads go through their elements the other way round",
      caughtBy: "divergent-branches",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const start = i32(blockIdx.x) * width * 8 + tid;
        let sum = 0;
        if (tid % 2 === 0) {
          for (let k = 0; k < 8; k++) if (start + k * width < n) sum += input[start + k * width];
        } else {
          for (let k = 7; k >= 0; k--) if (start + k * width < n) sum += input[start + k * width];
        }
        sdata[tid] = sum;
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "begins at an element that the lane's number chooses, in a loop",
      caughtBy: "divergent-branches",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const start = i32(blockIdx.x) * width * 8 + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          unroll(1);
          const i = start + k * width;
          if (i < n) sum += input[i];
        }
        for (let k = 0; k < (tid & 3); k++) {
          unroll(1);
          sum = sum ^ k ^ k;
        }
        sdata[tid] = sum;
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "leaves the barrier out of the tree's steps",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        sdata[tid] = eightApart(input, n);
        syncthreads();
        for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
        }
        syncthreads();
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "adds in shared memory by atomics",
      caughtBy: "primitives",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        if (tid === 0) sdata[0] = 0;
        syncthreads();
        atomicAdd(sdata, 0, eightApart(input, n));
        syncthreads();
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "lets thread 0 add the threads' sums",
      caughtBy: "additions",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        sdata[tid] = eightApart(input, n);
        syncthreads();
        if (tid === 0) {
          let sum = 0;
          for (let t = 0; t < i32(blockDim.x); t++) sum += sdata[t];
          output[blockIdx.x] = sum;
        }
      }),
    },
    {
      what: "drops the elements of a block that is not full",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const start = i32(blockIdx.x) * width * 8 + tid;
        let sum = 0;
        if (start + 7 * width < n) for (let k = 0; k < 8; k++) sum += input[start + k * width];
        sdata[tid] = sum;
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "does not guard the input's end",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const start = i32(blockIdx.x) * width * 8 + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) sum += input[start + k * width];
        sdata[tid] = sum;
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "adds the elements of the next block's first row",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const start = i32(blockIdx.x) * width * 8 + tid;
        let sum = 0;
        for (let k = 0; k <= 8; k++) if (start + k * width < n) sum += input[start + k * width];
        sdata[tid] = sum;
        const total = halves(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
  ],
};
