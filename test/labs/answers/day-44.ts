import { answer as solution } from "../../../labs/day-44/solution.js";
import {
  atomicAdd,
  blockDim,
  blockIdx,
  externShared,
  i32,
  kernel,
  shfl_down_sync,
  shfl_xor_sync,
  syncthreads,
  syncwarp,
  threadIdx,
  volatile,
} from "../../../src/index.js";
import { type Answers, changed, guardedSum } from "./answer.js";

export const answers: Answers = {
  right: [
    {
      how: "the last warp by shifting down",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        if (i < n) sum = input[i];
        if (i + width < n) sum += input[i + width];
        if (i + 2 * width < n) sum += input[i + 2 * width];
        if (i + 3 * width < n) sum += input[i + 3 * width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          sum = sdata[tid] + sdata[tid + 32];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      how: "the last warp by an xor butterfly",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        if (i < n) sum = input[i];
        if (i + width < n) sum += input[i + width];
        if (i + 2 * width < n) sum += input[i + 2 * width];
        if (i + 3 * width < n) sum += input[i + 3 * width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          sum = sdata[tid] + sdata[tid + 32];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_xor_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      how: "a loop over the four elements",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 4; k++) {
          const at = i + k * width;
          if (at < n) sum += input[at];
        }
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          sum = sdata[tid] + sdata[tid + 32];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      how: "guards within guards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        if (i < n) {
          sum = input[i];
          if (i + width < n) {
            sum += input[i + width];
            if (i + 2 * width < n) {
              sum += input[i + 2 * width];
              if (i + 3 * width < n) sum += input[i + 3 * width];
            }
          }
        }
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          sum = sdata[tid] + sdata[tid + 32];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      how: "all loads first, with zeros for those beyond the end",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        const a = i < n ? input[i] : 0;
        const b = i + width < n ? input[i + width] : 0;
        const c = i + 2 * width < n ? input[i + 2 * width] : 0;
        const d = i + 3 * width < n ? input[i + 3 * width] : 0;
        let sum = a + b + (c + d);
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          sum = sdata[tid] + sdata[tid + 32];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      how: "the last warp in shared memory, with syncwarp",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        for (let k = 0; k < 4; k++) if (i + k * width < n) sum += input[i + k * width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          sum = sdata[tid];
          for (let s = 32; s > 0; s >>= 1) {
            sum += sdata[tid + s];
            syncwarp();
            sdata[tid] = sum;
            syncwarp();
          }
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
  ],
  wrong: [
    {
      what: "has the notes' guard (the starter)",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        if (i + 3 * width < n) {
          sum = input[i] + input[i + width] + input[i + 2 * width] + input[i + 3 * width];
        }
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "has the notes' guard and the right last warp",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        if (i + 3 * width < n) {
          sum = input[i] + input[i + width] + input[i + 2 * width] + input[i + 3 * width];
        }
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          sum = sdata[tid] + sdata[tid + 32];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      what: "guards with the last block's first element only",
      caughtBy: "result",
      answer: changed(
        solution,
        ["; if (i + width < n) sum += input[i + width]; if (i + 2 * width < n) sum +=", "+ input[i + width] +"],
        ["; if (i + 3 * width < n) sum +=", "+"],
        ["sdata[tid] = sum;", "; sdata[tid] = sum;"],
      ),
    },
    {
      what: "forgets the third element",
      caughtBy: "result",
      answer: changed(solution, [
        "(i + 2 * width < n) sum += input[i + 2 * width]; if (i + 3 * width < n)",
        "(i + 3 * width < n)",
      ]),
    },
    {
      what: "lets threads beyond the end return",
      caughtBy: "hazards",
      answer: changed(solution, [
        "if (i < n) sum = input[i];",
        "sdata[tid] = 0; if (i >= n) return; if (i < n) sum = input[i];",
      ]),
    },
    {
      what: "has barriers in the last steps too",
      caughtBy: "barriers",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        if (i < n) sum = input[i];
        if (i + width < n) sum += input[i + width];
        if (i + 2 * width < n) sum += input[i + 2 * width];
        if (i + 3 * width < n) sum += input[i + 3 * width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "has a volatile last warp without syncwarp",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        if (i < n) sum = input[i];
        if (i + width < n) sum += input[i + width];
        if (i + 2 * width < n) sum += input[i + 2 * width];
        if (i + 3 * width < n) sum += input[i + 3 * width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          const places = volatile(sdata);
          places[tid] += places[tid + 32];
          places[tid] += places[tid + 16];
          places[tid] += places[tid + 8];
          places[tid] += places[tid + 4];
          places[tid] += places[tid + 2];
          places[tid] += places[tid + 1];
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "begins the last warp a step too early, so that a warp adds what another has not finished",
      caughtBy: "hazards",
      answer: changed(solution, ["syncthreads(); }", "if (s > 64) syncthreads(); }"]),
    },
    {
      what: "begins the shuffles with the first warp's own places",
      caughtBy: "result",
      answer: changed(solution, ["sum = sdata[tid] + sdata[tid + 32];", "sum = sdata[tid];"]),
    },
    {
      what: "adds four neighbours",
      caughtBy: "loads",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + 4 * tid;
        let sum = 0;
        if (i < n) sum = input[i];
        if (i + 1 < n) sum += input[i + 1];
        if (i + 2 < n) sum += input[i + 2];
        if (i + 3 < n) sum += input[i + 3];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          sum = sdata[tid] + sdata[tid + 32];
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      what: "adds the threads' sums by atomics",
      caughtBy: "primitives",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        if (i < n) sum = input[i];
        if (i + width < n) sum += input[i + width];
        if (i + 2 * width < n) sum += input[i + 2 * width];
        if (i + 3 * width < n) sum += input[i + 3 * width];
        if (tid === 0) sdata[0] = 0;
        syncthreads();
        atomicAdd(sdata, 0, sum);
        syncthreads();
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "lets thread 0 add what is left",
      caughtBy: "additions",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (4 * width) + tid;
        let sum = 0;
        if (i < n) sum = input[i];
        if (i + width < n) sum += input[i + width];
        if (i + 2 * width < n) sum += input[i + 2 * width];
        if (i + 3 * width < n) sum += input[i + 3 * width];
        sdata[tid] = sum;
        syncthreads();
        if (tid === 0) {
          let total = 0;
          for (let k = 0; k < width; k++) total += sdata[k];
          output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "writes to the input",
      caughtBy: "result",
      answer: changed(solution, ["if (tid === 0)", "if (tid === 0) { input[0] = 0;"], ["} }", "} } }"]),
    },
    {
      what: "adds onto what the output held",
      caughtBy: "result",
      answer: changed(solution, ["[blockIdx.x] =", "[blockIdx.x] +="]),
    },
  ],
};
