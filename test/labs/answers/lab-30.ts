import {
  asVector,
  atomicAdd,
  blockDim,
  blockIdx,
  device,
  externShared,
  gridDim,
  i32,
  int4,
  kernel,
  plus,
  reduce,
  sharedPtr,
  shfl_down_sync,
  shfl_xor_sync,
  syncthreads,
  this_thread_block,
  threadIdx,
  tiled_partition,
  u32,
  unroll,
} from "../../../src/index.js";
import { type Answers, sum } from "./answer.js";

const params = { ...sum, n: u32 };

const warpSumOf30 = device("warpSumOf30", { value: i32 }, ({ value }) => {
  let total = value;
  for (let s = 16; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
  return total;
});

/** The block's sum of one value a thread; right in thread 0. */
const blockSumOf30 = device("blockSumOf30", { sdata: sharedPtr(i32), value: i32 }, ({ sdata, value }) => {
  const tid = threadIdx.x;
  sdata[tid] = value;
  syncthreads();
  for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  return tid < 32 ? warpSumOf30(sdata[tid] + sdata[tid + 32]) : 0;
});

export const answers: Answers = {
  right: [
    {
      how: "whole trips of four, then the rest one by one",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + threadIdx.x;
        let own = 0;
        while (i + 3 * step < n) {
          own += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
          i += 4 * step;
        }
        while (i < n) {
          own += input[i];
          i += step;
        }
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      how: "four sums, one for each load",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + threadIdx.x;
        let [a, b, c, d] = [0, 0, 0, 0];
        for (; i + 3 * step < n; i += 4 * step) {
          a += input[i];
          b += input[i + step];
          c += input[i + 2 * step];
          d += input[i + 3 * step];
        }
        for (; i < n; i += step) a += input[i];
        const total = blockSumOf30(sdata, a + b + (c + d));
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      how: "a block takes four widths of itself in a trip",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const width = blockDim.x;
        const step = 4 * width * gridDim.x;
        let own = 0;
        for (let i = blockIdx.x * (4 * width) + threadIdx.x; i < n; i += step) {
          if (i + 3 * width < n) {
            own += input[i] + input[i + width] + input[i + 2 * width] + input[i + 3 * width];
          } else {
            for (let k = i; k < n; k += width) own += input[k];
          }
        }
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      how: "four loads in an unrolled loop, and butterflies at the end",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sums = externShared(i32);
        const tid = threadIdx.x;
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + tid;
        let own = 0;
        for (; i + 3 * step < n; i += 4 * step) {
          for (let k = 0; k < 4; k++) {
            unroll();
            own += input[i + k * step];
          }
        }
        for (; i < n; i += step) own += input[i];
        for (let s = 1; s < 32; s *= 2) own += shfl_xor_sync(0xffffffff, own, s);
        if ((tid & 31) === 0) sums[tid >> 5] = own;
        syncthreads();
        if (tid < 32) {
          let total = tid < blockDim.x >> 5 ? sums[tid] : 0;
          for (let s = 1; s < 32; s *= 2) total += shfl_xor_sync(0xffffffff, total, s);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      how: "vectors of four ints, the rest by the first threads",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const vectors = asVector(input, int4);
        const step = blockDim.x * gridDim.x;
        const first = blockIdx.x * blockDim.x + threadIdx.x;
        let own = 0;
        for (let i = first; i < n >> 2; i += step) {
          const { x, y, z, w } = vectors[i];
          own += x + y + (z + w);
        }
        const rest = (n >> 2) * 4 + first;
        if (rest < n) own += input[rest];
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      how: "the reduction of cooperative groups for each warp",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const block = this_thread_block();
        const warp = tiled_partition(block, 32);
        const sums = externShared(i32);
        const tid = threadIdx.x;
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + tid;
        let own = 0;
        for (; i + 3 * step < n; i += 4 * step) {
          own += input[i] + input[i + step] + (input[i + 2 * step] + input[i + 3 * step]);
        }
        for (; i < n; i += step) own += input[i];
        const ofWarp = reduce(warp, own, plus);
        if (warp.thread_rank() === 0) sums[tid >> 5] = ofWarp;
        block.sync();
        if (tid < 32) {
          const total = reduce(warp, tid < blockDim.x >> 5 ? sums[tid] : 0, plus);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
  ],
  wrong: [
    {
      what: "has one load in flight (the starter)",
      caughtBy: "speed-up",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x * gridDim.x;
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) own += input[i];
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "has two loads in flight, as Example 03's V5",
      caughtBy: "speed-up",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const width = blockDim.x;
        const step = 2 * width * gridDim.x;
        let own = 0;
        for (let i = blockIdx.x * (2 * width) + threadIdx.x; i < n; i += step) {
          own += input[i];
          if (i + width < n) own += input[i + width];
        }
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "adds the four elements and forgets what is left",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x * gridDim.x;
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i + 3 * step < n; i += 4 * step) {
          own += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
        }
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "guards the first of four loads alone",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x * gridDim.x;
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 4 * step) {
          own += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
        }
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "adds four elements and does not go on",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x * gridDim.x;
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        let own = 0;
        if (i < n) own += input[i];
        if (i + step < n) own += input[i + step];
        if (i + 2 * step < n) own += input[i + 2 * step];
        if (i + 3 * step < n) own += input[i + 3 * step];
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "steps by the block's width, so that blocks add each other's elements",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x;
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) own += input[i];
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "guards with <= and reads one element beyond",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + threadIdx.x;
        let own = 0;
        for (; i + 3 * step < n; i += 4 * step) {
          own += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
        }
        for (; i <= n; i += step) own += input[i];
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "gives each thread a run of neighbouring elements",
      caughtBy: "sectors-per-request",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const threads = blockDim.x * gridDim.x;
        const each = u32(Math.trunc((n + threads - 1) / threads));
        const first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
        let own = 0;
        for (let i = first; i < first + each; i++) if (i < n) own += input[i];
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "adds each warp's sum to the output by an atomic",
      caughtBy: "primitives",
      answer: kernel("answer", params, ({ input, output, n }) => {
        if (threadIdx.x === 0) output[blockIdx.x] = 0;
        syncthreads();
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + threadIdx.x;
        let own = 0;
        for (; i + 3 * step < n; i += 4 * step) {
          own += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
        }
        for (; i < n; i += step) own += input[i];
        own = warpSumOf30(own);
        if ((threadIdx.x & 31) === 0) atomicAdd(output, blockIdx.x, own);
      }),
    },
    {
      what: "lets the threads without elements return before the barriers",
      caughtBy: "hazards",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        let own = 0;
        for (; i + 3 * step < n; i += 4 * step) {
          own += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
        }
        for (; i < n; i += step) own += input[i];
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "has no barrier behind the threads' sums",
      caughtBy: "hazards",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + tid;
        let own = 0;
        for (; i + 3 * step < n; i += 4 * step) {
          own += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
        }
        for (; i < n; i += step) own += input[i];
        sdata[tid] = own;
        for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSumOf30(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "adds onto what the output held",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + threadIdx.x;
        let own = 0;
        for (; i + 3 * step < n; i += 4 * step) {
          own += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
        }
        for (; i < n; i += step) own += input[i];
        const total = blockSumOf30(sdata, own);
        if (threadIdx.x === 0) output[blockIdx.x] += total;
      }),
    },
    {
      what: "lets the first warp alone add, in blocks of any size",
      caughtBy: "additions",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const step = blockDim.x * gridDim.x;
        const tid = threadIdx.x;
        if (tid >= 32) return;
        let own = 0;
        for (let base = blockIdx.x * blockDim.x; base < n; base += step) {
          for (let k = tid; k < blockDim.x; k += 32) if (base + k < n) own += input[base + k];
        }
        own = warpSumOf30(own);
        if (tid === 0) output[blockIdx.x] = own;
      }),
    },
  ],
};
