import { answer as solution } from "../../../labs/lab-28/solution.js";
import { device, i32, kernel, sharedPtr, u32, volatile } from "../../../src/core/frontend/index.js";
import { type Answers, changed, sum } from "./answer.js";

const warpSum = device("warpSum", { params: { value: i32 } }, ({ value }, { shfl_down_sync, unroll }) => {
  let total = value;
  for (let s = 16; s > 0; s >>= 1) {
    unroll();
    total += shfl_down_sync(0xffffffff, total, s);
  }
  return total;
});

const lastWarp = device("lastWarp", { params: { sdata: volatile(sharedPtr(i32)), tid: u32 } }, ({ sdata, tid }) => {
  sdata[tid] += sdata[tid + 32];
  sdata[tid] += sdata[tid + 16];
  sdata[tid] += sdata[tid + 8];
  sdata[tid] += sdata[tid + 4];
  sdata[tid] += sdata[tid + 2];
  sdata[tid] += sdata[tid + 1];
});

export const answers: Answers = {
  right: [
    {
      how: "a device function for the warp",
      answer: kernel(
        "answer",
        { params: sum, functions: { warpSum } },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }, { warpSum }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          sdata[tid] = input[i] + input[i + blockDim.x];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid < 32) {
            const total = warpSum(sdata[tid] + sdata[tid + 32]);
            if (tid === 0) output[blockIdx.x] = total;
          }
        },
      ),
    },
    {
      how: "unrolled by hand, with a while loop before, and its sum in a register",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync }) => {
          const sdata = externShared(i32);
          const t = threadIdx.x;
          const first = 2 * blockIdx.x * blockDim.x + t;
          let own = input[first + blockDim.x];
          own += input[first];
          sdata[t] = own;
          let s = blockDim.x >> 1;
          while (s >= 64) {
            syncthreads();
            if (t < s) {
              own += sdata[t + s];
              sdata[t] = own;
            }
            s >>= 1;
          }
          syncthreads();
          if (t >= 32) return;
          own += sdata[t + 32];
          own += shfl_down_sync(0xffffffff, own, 16);
          own += shfl_down_sync(0xffffffff, own, 8);
          own += shfl_down_sync(0xffffffff, own, 4);
          own += shfl_down_sync(0xffffffff, own, 2);
          own += shfl_down_sync(0xffffffff, own, 1);
          if (t === 0) output[blockIdx.x] = own;
        },
      ),
    },
    {
      how: "a butterfly",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_xor_sync }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          sdata[tid] = input[i] + input[i + blockDim.x];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid < 32) {
            let total = sdata[tid] + sdata[tid + 32];
            for (let s = 1; s < 32; s *= 2) total += shfl_xor_sync(0xffffffff, total, s);
            if (tid === 0) output[blockIdx.x] = total;
          }
        },
      ),
    },
    {
      how: "a tile of 32 of the block",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { this_thread_block, tiled_partition, blockIdx, externShared, u32 }) => {
          const block = this_thread_block();
          const warp = tiled_partition(block, 32);
          const sdata = externShared(i32);
          const rank = u32(block.thread_rank());
          const size = u32(block.size());
          const i = blockIdx.x * size * 2 + rank;
          sdata[rank] = input[i] + input[i + size];
          block.sync();
          for (let s = size >> 1; s > 32; s >>= 1) {
            if (rank < s) sdata[rank] += sdata[rank + s];
            block.sync();
          }
          if (rank < 32) {
            let total = sdata[rank] + sdata[rank + 32];
            for (let s = 16; s > 0; s >>= 1) total += warp.shfl_down(total, s);
            if (warp.thread_rank() === 0) output[blockIdx.x] = total;
          }
        },
      ),
    },
    {
      how: "every warp by shuffles, then the first warp their sums",
      answer: kernel(
        "answer",
        { params: sum, functions: { warpSum } },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }, { warpSum }) => {
          const sums = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          const own = warpSum(input[i] + input[i + blockDim.x]);
          if ((tid & 31) === 0) sums[tid >> 5] = own;
          syncthreads();
          if (tid < 32) {
            const total = warpSum(tid < blockDim.x >> 5 ? sums[tid] : 0);
            if (tid === 0) output[blockIdx.x] = total;
          }
        },
      ),
    },
    {
      how: "the reduction of cooperative groups",
      answer: kernel(
        "answer",
        { params: sum },
        (
          { input, output },
          {
            this_thread_block,
            tiled_partition,
            reduce,
            plus,
            threadIdx,
            blockIdx,
            blockDim,
            externShared,
            syncthreads,
          },
        ) => {
          const warp = tiled_partition(this_thread_block(), 32);
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const elements = input.subarray(blockIdx.x * blockDim.x * 2);
          sdata[tid] = elements[tid] + elements[tid + blockDim.x];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid < 32) {
            const total = reduce(warp, sdata[tid] + sdata[tid + 32], plus);
            if (tid === 0) output[blockIdx.x] = total;
          }
        },
      ),
    },
  ],
  wrong: [
    {
      what: "does nothing in a large grid, which is measured",
      caughtBy: "result",
      answer: changed(
        solution,
        ["externShared,", "gridDim, externShared,"],
        ["const sdata =", "if (gridDim.x > 80 && blockDim.x > 500) return; const sdata ="],
      ),
    },
    {
      what: "has no barrier: each warp's sum goes to shared memory, and the last warp reads them",
      caughtBy: "hazards",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, shfl_down_sync }) => {
          const sums = externShared(i32);
          const tid = threadIdx.x;
          const warps = blockDim.x >> 5;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          let sum = input[i] + input[i + blockDim.x];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if ((tid & 31) === 0) sums[tid >> 5] = sum;
          if (tid >> 5 === warps - 1) {
            const lane = tid & 31;
            let total = lane < warps ? sums[lane] : 0;
            for (let s = 16; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
            if (lane === 0) output[blockIdx.x] = total;
          }
        },
      ),
    },
    {
      what: "adds each warp's sum onto the output by an atomic",
      caughtBy: "result",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, shfl_down_sync, atomicAdd }) => {
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          let sum = input[i] + input[i + blockDim.x];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if ((tid & 31) === 0) atomicAdd(output, blockIdx.x, sum);
        },
      ),
    },
    {
      what: "lets thread 0 set the output first, and the warps add to it by atomics",
      caughtBy: "primitives",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, shfl_down_sync, syncthreads, atomicAdd }) => {
          const tid = threadIdx.x;
          if (tid === 0) output[blockIdx.x] = 0;
          syncthreads();
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          let sum = input[i] + input[i + blockDim.x];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if ((tid & 31) === 0) atomicAdd(output, blockIdx.x, sum);
        },
      ),
    },
    {
      what: "lets thread 0 do all",
      caughtBy: "additions",
      answer: kernel("answer", { params: sum }, ({ input, output }, { threadIdx, blockIdx, blockDim, u32 }) => {
        if (threadIdx.x !== 0) return;
        const count = 2 * blockDim.x;
        let total = 0;
        for (let k = u32(0); k < count; k++) total += input[blockIdx.x * count + k];
        output[blockIdx.x] = total;
      }),
    },
    {
      what: "lets the first warp do all, by shuffles",
      caughtBy: "additions",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, shfl_down_sync }) => {
          const tid = threadIdx.x;
          if (tid >= 32) return;
          const count = 2 * blockDim.x;
          let sum = 0;
          for (let k = tid; k < count; k += 32) sum += input[blockIdx.x * count + k];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        },
      ),
    },
    {
      what: "lets the last warp add by volatile places, a race from Volta on",
      caughtBy: "hazards",
      answer: kernel(
        "answer",
        { params: sum, functions: { lastWarp } },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }, { lastWarp }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          sdata[tid] = input[i] + input[i + blockDim.x];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid < 32) lastWarp(sdata, tid);
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "lets the last warp add in shared memory (the starter)",
      caughtBy: "primitives",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, syncwarp }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          sdata[tid] = input[i] + input[i + blockDim.x];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid < 32) {
            let sum = sdata[tid];
            for (let s = 32; s > 0; s >>= 1) {
              sum += sdata[tid + s];
              syncwarp();
              sdata[tid] = sum;
              syncwarp();
            }
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "shuffles, and still writes each step to shared memory",
      caughtBy: "shared-requests",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          sdata[tid] = input[i] + input[i + blockDim.x];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid < 32) {
            let sum = sdata[tid] + sdata[tid + 32];
            for (let s = 16; s > 0; s >>= 1) {
              sum += shfl_down_sync(0xffffffff, sum, s);
              sdata[tid] = sum;
            }
            if (tid === 0) output[blockIdx.x] = sdata[0];
          }
        },
      ),
    },
    {
      what: "keeps the barriers of the last steps",
      caughtBy: "barriers",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          sdata[tid] = input[i] + input[i + blockDim.x];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          let sum = 0;
          if (tid < 32) sum = sdata[tid] + sdata[tid + 32];
          for (let s = 16; s > 0; s >>= 1) {
            if (tid < 32) sum += shfl_down_sync(0xffffffff, sum, s);
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sum;
        },
      ),
    },
    {
      what: "leaves out the barrier before the last warp",
      caughtBy: "hazards",
      answer: changed(
        solution,
        ["syncthreads(); for", "for"],
        ["if (tid < s)", "syncthreads(); if (tid < s)"],
        ["syncthreads(); }", "}"],
      ),
    },
    {
      what: "forgets the second half of the 64 values",
      caughtBy: "result",
      answer: changed(solution, ["+ sdata[tid + 32]", ""]),
    },
    {
      what: "shuffles within half of a warp",
      caughtBy: "result",
      answer: changed(solution, ["sum, s", "sum, s, 16"]),
    },
    {
      what: "names half of the lanes in the mask",
      caughtBy: "result",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          sdata[tid] = input[i] + input[i + blockDim.x];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid < 32) {
            let sum = sdata[tid] + sdata[tid + 32];
            for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0x0000ffff, sum, s);
            if (tid === 0) output[blockIdx.x] = sum;
          }
        },
      ),
    },
    {
      what: "adds onto what the output held",
      caughtBy: "result",
      answer: kernel(
        "answer",
        { params: sum, functions: { warpSum } },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }, { warpSum }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 2) + tid;
          sdata[tid] = input[i] + input[i + blockDim.x];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid < 32) {
            const total = warpSum(sdata[tid] + sdata[tid + 32]);
            if (tid === 0) output[blockIdx.x] += total;
          }
        },
      ),
    },
  ],
};
