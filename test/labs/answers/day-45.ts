import { answer as solution } from "../../../labs/day-45/solution.js";
import {
  atomicAdd,
  blockDim,
  blockIdx,
  device,
  i32,
  idiv,
  kernel,
  plus,
  reduce,
  shared,
  shfl_down_sync,
  shfl_up_sync,
  shfl_xor_sync,
  syncthreads,
  syncwarp,
  this_thread_block,
  threadIdx,
  tiled_partition,
} from "../../../src/index.js";
import { type Answers, changed, guardedSum } from "./answer.js";

const down = device("down", { value: i32 }, ({ value }) => {
  for (let s = 16; s > 0; s >>= 1) value += shfl_down_sync(0xffffffff, value, s);
  return value;
});

export const answers: Answers = {
  right: [
    {
      how: "the loop of the page",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          const i = first + k * width;
          if (i < n) sum += input[i];
        }
        for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          sum = tid < width >> 5 ? sums[tid] : 0;
          for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      how: "shifting down, with a device function",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          const i = first + k * width;
          if (i < n) sum += input[i];
        }
        sum = down(sum);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid >= 32) return;
        sum = down(tid < width >> 5 ? sums[tid] : 0);
        if (tid === 0) output[blockIdx.x] = sum;
      }),
    },
    {
      how: "eight loads written out, and the last warp does the second stage",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        if (first < n) sum += input[first];
        if (first + width < n) sum += input[first + width];
        if (first + 2 * width < n) sum += input[first + 2 * width];
        if (first + 3 * width < n) sum += input[first + 3 * width];
        if (first + 4 * width < n) sum += input[first + 4 * width];
        if (first + 5 * width < n) sum += input[first + 5 * width];
        if (first + 6 * width < n) sum += input[first + 6 * width];
        if (first + 7 * width < n) sum += input[first + 7 * width];
        for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        const lane = tid & 31;
        const warps = width >> 5;
        if (tid >> 5 === warps - 1) {
          sum = lane < warps ? sums[lane] : 0;
          for (let s = 1; s < 32; s *= 2) sum += shfl_xor_sync(0xffffffff, sum, s);
          if (lane === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      how: "a scan by shifting up, whose last lane has the sum",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          const i = first + k * width;
          if (i < n) sum += input[i];
        }
        const lane = tid & 31;
        for (let s = 1; s < 32; s *= 2) {
          const other = shfl_up_sync(0xffffffff, sum, s);
          if (lane >= s) sum += other;
        }
        if (lane === 31) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          let total = lane < width >> 5 ? sums[lane] : 0;
          for (let s = 1; s < 32; s *= 2) {
            const other = shfl_up_sync(0xffffffff, total, s);
            if (lane >= s) total += other;
          }
          if (lane === 31) output[blockIdx.x] = total;
        }
      }),
    },
    {
      how: "cooperative groups",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const block = this_thread_block();
        const warp = tiled_partition(block, 32);
        const tid = i32(block.thread_rank());
        const width = i32(blockDim.x);
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          const i = (i32(blockIdx.x) * 8 + k) * width + tid;
          if (i < n) sum += input[i];
        }
        sum = reduce(warp, sum, plus);
        if (warp.thread_rank() === 0) sums[warp.meta_group_rank()] = sum;
        block.sync();
        if (warp.meta_group_rank() === 0) {
          sum = reduce(warp, tid < i32(warp.meta_group_size()) ? sums[tid] : 0, plus);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
  ],
  wrong: [
    {
      what: "stops after the first warp's sum (the starter)",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          const i = first + k * width;
          if (i < n) sum += input[i];
        }
        for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
        if (tid === 0) output[blockIdx.x] = sum;
      }),
    },
    {
      what: "reads beyond the end",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) sum += input[first + k * width];
        for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          sum = tid < width >> 5 ? sums[tid] : 0;
          for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      what: "adds seven elements of eight",
      caughtBy: "result",
      answer: changed(solution, ["for (let k = 0; k < 8; k++) {", "for (let k = 0; k < 7; k++) {"]),
    },
    {
      what: "has no barrier between the stages",
      caughtBy: "hazards",
      answer: changed(solution, ["syncthreads();", ""]),
    },
    {
      what: "adds eight warps' sums, whatever the block",
      caughtBy: "hazards",
      answer: changed(solution, ["width >> 5 ?", "8 ?"]),
    },
    {
      what: "shifts in warps that the input's end has divided",
      caughtBy: "result",
      answer: changed(
        solution,
        ["for (let k = 0; k < 8; k++) {", "if (first < n) { for (let k = 0; k < 8; k++) {"],
        ["if ((tid & 31) === 0)", "} if ((tid & 31) === 0)"],
      ),
    },
    {
      what: "adds eight neighbours",
      caughtBy: "loads",
      answer: changed(
        solution,
        ["tid; let sum", "8 * tid; let sum"],
        ["const i = first + k * width;", "const i = first + k;"],
      ),
    },
    {
      what: "adds in shared memory, with a barrier a step",
      caughtBy: "primitives",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const all = shared(i32, 1024);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          const i = first + k * width;
          if (i < n) sum += input[i];
        }
        all[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 0; s >>= 1) {
          if (tid < s) all[tid] += all[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = all[0];
      }),
    },
    {
      what: "adds the warps' sums by atomics",
      caughtBy: "primitives",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const total = shared(i32, 1);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        if (tid === 0) total[0] = 0;
        syncthreads();
        for (let k = 0; k < 8; k++) {
          const i = first + k * width;
          if (i < n) sum += input[i];
        }
        for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) atomicAdd(total, 0, sum);
        syncthreads();
        if (tid === 0) output[blockIdx.x] = total[0];
      }),
    },
    {
      what: "lets thread 0 add the warps' sums",
      caughtBy: "additions",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          const i = first + k * width;
          if (i < n) sum += input[i];
        }
        for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid === 0) {
          let total = 0;
          for (let w = 0; w < width >> 5; w++) total += sums[w];
          output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "puts every thread's sum into shared memory first",
      caughtBy: "shared-requests",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const all = shared(i32, 1024);
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          const i = first + k * width;
          if (i < n) sum += input[i];
        }
        all[tid] = sum;
        syncwarp();
        sum = all[tid ^ 1] + all[tid];
        for (let s = 16; s > 1; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          sum = tid < width >> 5 ? sums[tid] : 0;
          for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      what: "waits twice",
      caughtBy: "barriers",
      answer: changed(solution, ["if (tid < 32) {", "syncthreads(); if (tid < 32) {"]),
    },
    {
      what: "adds onto what the output held",
      caughtBy: "result",
      answer: changed(solution, ["[blockIdx.x] =", "[blockIdx.x] +="]),
    },
    {
      what: "is no faster than the page's kernel: it divides for every element",
      caughtBy: "speed-up",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = i32(blockIdx.x) * (8 * width) + tid;
        let sum = 0;
        let slow = 1;
        for (let k = 0; k < 8; k++) {
          const i = first + k * width;
          for (let turn = 0; turn < 4; turn++) slow = idiv(slow + i, 3 + (slow & 7));
          if (i < n) sum += input[i];
        }
        if (slow === -1) sum += 1;
        for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          sum = tid < width >> 5 ? sums[tid] : 0;
          for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      what: "leaves the sum of the whole grid to block 0",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const first = tid;
        let sum = 0;
        for (let i = first; i < n; i += width) sum += input[i];
        for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          sum = tid < width >> 5 ? sums[tid] : 0;
          for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = blockIdx.x === 0 ? sum : 0;
        }
      }),
    },
  ],
};
