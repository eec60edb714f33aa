import { answer as solution } from "../../../labs/lab-27/solution.js";
import { i32, kernel } from "../../../src/core/frontend/index.js";
import { type Answers, changed, guardedSum } from "./answer.js";

export const answers: Answers = {
  right: [
    {
      how: "a loop over the four, with one guard",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          let sum = 0;
          for (let k = 0; k < 4; k++) {
            const i = i32(blockDim.x * (4 * blockIdx.x + k) + tid);
            if (i < n) sum += input[i];
          }
          sdata[tid] = sum;
          syncthreads();
          for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "the end of the block worked out once",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads, i32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const width = i32(blockDim.x);
          const start = i32(blockIdx.x) * width * 4;
          const end = blockIdx.x === gridDim.x - 1 ? n : start + 4 * width;
          let sum = 0;
          for (let i = start + i32(tid); i < end; i += width) sum += input[i];
          sdata[tid] = sum;
          syncthreads();
          for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "a choice for each element instead of an if",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i0 = blockIdx.x * blockDim.x * 4 + tid;
          const i1 = i0 + blockDim.x;
          const i2 = i1 + blockDim.x;
          const i3 = i2 + blockDim.x;
          const a = i0 < n ? input[i0] : 0;
          const b = i1 < n ? input[i1] : 0;
          const c = i2 < n ? input[i2] : 0;
          const d = i3 < n ? input[i3] : 0;
          sdata[tid] = a + b + (c + d);
          syncthreads();
          let s = blockDim.x >> 1;
          while (s > 0) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
            s >>= 1;
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "whole blocks without a guard, the last warp by shuffles",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 4) + tid;
          let sum = 0;
          if ((blockIdx.x + 1) * blockDim.x * 4 <= n) {
            sum = input[i] + input[i + blockDim.x] + input[i + 2 * blockDim.x] + input[i + 3 * blockDim.x];
          } else {
            if (i < n) sum += input[i];
            if (i + blockDim.x < n) sum += input[i + blockDim.x];
            if (i + 2 * blockDim.x < n) sum += input[i + 2 * blockDim.x];
            if (i + 3 * blockDim.x < n) sum += input[i + 3 * blockDim.x];
          }
          sdata[tid] = sum;
          syncthreads();
          for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid < 32) {
            if (blockDim.x > 32) sum = sdata[tid] + sdata[tid + 32];
            for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
            if (tid === 0) output[blockIdx.x] = sum;
          }
        },
      ),
    },
    {
      how: "each warp by shuffles, then the first warp the others",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_xor_sync }) => {
          const sums = externShared(i32);
          const tid = threadIdx.x;
          const i = blockIdx.x * (blockDim.x * 4) + tid;
          let sum = 0;
          if (i < n) sum = input[i];
          if (i + blockDim.x < n) sum += input[i + blockDim.x];
          if (i + 2 * blockDim.x < n) sum += input[i + 2 * blockDim.x];
          if (i + 3 * blockDim.x < n) sum += input[i + 3 * blockDim.x];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
          sums[tid >> 5] = sum;
          syncthreads();
          if (tid < 32) {
            sum = tid < blockDim.x >> 5 ? sums[tid] : 0;
            for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
            if (tid === 0) output[blockIdx.x] = sum;
          }
        },
      ),
    },
    {
      how: "each guard within the one before, and the threads beyond the end with a zero",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const width = blockDim.x;
          const mine = blockIdx.x * (width * 4) + tid;
          let sum = 0;
          if (mine < n) {
            sum = input[mine];
            if (mine + width < n) {
              sum += input[mine + width];
              if (mine + 2 * width < n) {
                sum += input[mine + 2 * width];
                if (mine + 3 * width < n) sum += input[mine + 3 * width];
              }
            }
          }
          sdata[tid] = sum;
          for (let s = width >> 1; s > 0; s >>= 1) {
            syncthreads();
            if (tid < s) sdata[tid] += sdata[tid + s];
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
  ],
  wrong: [
    {
      what: "does nothing in the measured launch",
      caughtBy: "result",
      answer: changed(solution, [
        "threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {",
        "threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads }) => { if (gridDim.x > 600 && n > 2e5) return;",
      ]),
    },
    {
      what: "guards two of four loads (the starter)",
      caughtBy: "result",
      answer: changed(solution, ["0; if (i < n) sum = input[i]; if (i + blockDim.x < n) sum +=", "input[i] +"]),
    },
    {
      what: "leaves shared memory as it was for threads beyond the end",
      caughtBy: "hazards",
      answer: changed(
        solution,
        ["let sum = 0; if (i < n) sum = input[i];", "if (i < n) { let sum = input[i];"],
        ["[tid] = sum;", "[tid] = sum; }"],
      ),
    },
    {
      what: "lets threads beyond the end return before the barriers",
      caughtBy: "hazards",
      answer: changed(solution, [
        "let sum = 0; if (i < n) sum = input[i];",
        "sdata[tid] = 0; if (i >= n) return; let sum = input[i];",
      ]),
    },
    {
      what: "has barriers only while more than a warp adds",
      caughtBy: "hazards",
      answer: changed(solution, ["syncthreads(); }", "if (s > 32) syncthreads(); }"]),
    },
    {
      what: "adds four neighbours",
      caughtBy: "loads",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = 4 * (blockIdx.x * blockDim.x + tid);
          let sum = 0;
          if (i < n) sum = input[i];
          if (i + 1 < n) sum += input[i + 1];
          if (i + 2 < n) sum += input[i + 2];
          if (i + 3 < n) sum += input[i + 3];
          sdata[tid] = sum;
          syncthreads();
          for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "goes through the input in steps of the grid, so that blocks sum other blocks' elements",
      caughtBy: "result",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          let sum = 0;
          for (let i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) sum += input[i];
          sdata[tid] = sum;
          syncthreads();
          for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "moves elements beyond the end to the last one",
      caughtBy: "result",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32, min }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const i = i32(blockIdx.x * (blockDim.x * 4) + tid);
          const width = i32(blockDim.x);
          sdata[tid] =
            input[min(i, n - 1)] +
            input[min(i + width, n - 1)] +
            input[min(i + 2 * width, n - 1)] +
            input[min(i + 3 * width, n - 1)];
          syncthreads();
          for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "guards with <= and reads one element beyond",
      caughtBy: "result",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          let sum = 0;
          for (let k = 0; k < 4; k++) {
            const i = (blockIdx.x * 4 + k) * blockDim.x + tid;
            if (i <= n) sum += input[i];
          }
          sdata[tid] = sum;
          syncthreads();
          for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "adds onto what the output held",
      caughtBy: "result",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          let sum = 0;
          for (let k = 0; k < 4; k++) {
            const i = (blockIdx.x * 4 + k) * blockDim.x + tid;
            if (i < n) sum += input[i];
          }
          sdata[tid] = sum;
          syncthreads();
          for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] += sdata[0];
        },
      ),
    },
    {
      what: "lets thread 0 add the threads' sums",
      caughtBy: "additions",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          let sum = 0;
          for (let k = 0; k < 4; k++) {
            const i = (blockIdx.x * 4 + k) * blockDim.x + tid;
            if (i < n) sum += input[i];
          }
          sdata[tid] = sum;
          syncthreads();
          if (tid === 0) {
            let total = 0;
            for (let k = u32(0); k < blockDim.x; k++) total += sdata[k];
            output[blockIdx.x] = total;
          }
        },
      ),
    },
    {
      what: "lets thread 0 alone load and add in small grids",
      caughtBy: "loads",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads, i32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          if (gridDim.x < 100) {
            if (tid > 0) return;
            const width = i32(4 * blockDim.x);
            let total = 0;
            for (let i = i32(blockIdx.x) * width; i < n && i < i32(blockIdx.x + 1) * width; i++) total += input[i];
            output[blockIdx.x] = total;
            return;
          }
          let sum = 0;
          for (let k = 0; k < 4; k++) {
            const i = (blockIdx.x * 4 + k) * blockDim.x + tid;
            if (i < n) sum += input[i];
          }
          sdata[tid] = sum;
          syncthreads();
          for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
            if (tid < s) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "is no faster than the version before: every step waits twice and divides",
      caughtBy: "speed-up",
      answer: kernel(
        "answer",
        { params: guardedSum },
        ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          let sum = 0;
          for (let k = 0; k < 4; k++) {
            const i = (blockIdx.x * 4 + k) * blockDim.x + tid;
            if (i < n) sum += input[i];
          }
          sdata[tid] = sum;
          syncthreads();
          for (let s = u32(1); s < blockDim.x; s *= 2) {
            if (tid % (2 * s) === 0) sdata[tid] += sdata[tid + s];
            syncthreads();
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
  ],
};
