import { answer as solution } from "../../../labs/day-46/solution.js";
import {
  activemask,
  blockDim,
  blockIdx,
  externShared,
  i32,
  kernel,
  shfl_down_sync,
  syncthreads,
  syncwarp,
  threadIdx,
  volatile,
} from "../../../src/index.js";
import { type Answers, changed, guardedSum } from "./answer.js";

const blockBarriers = kernel("answer", guardedSum, ({ input, output, n }) => {
  const sdata = externShared(i32);
  const tid = i32(threadIdx.x);
  const width = i32(blockDim.x);
  const i = i32(blockIdx.x) * (2 * width) + tid;
  let sum = i < n ? input[i] : 0;
  if (i + width < n) sum += input[i + width];
  sdata[tid] = sum;
  syncthreads();
  for (let s = width >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  if (tid === 0) output[blockIdx.x] = sdata[0];
});

export const answers: Answers = {
  right: [
    {
      how: "the four faults mended, nothing else changed",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        let sum = i < n ? input[i] : 0;
        if (i + width < n) sum += input[i + width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          for (let s = 16; s > 0; s >>= 1) {
            const other = sdata[tid + s];
            syncwarp();
            sdata[tid] += other;
            syncwarp();
          }
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      how: "the last warp by shuffles",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        let sum = i < n ? input[i] : 0;
        if (i + width < n) sum += input[i + width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          let last = sdata[tid];
          for (let s = 16; s > 0; s >>= 1) last += shfl_down_sync(0xffffffff, last, s);
          if (tid === 0) output[blockIdx.x] = last;
        }
      }),
    },
    {
      how: "barriers down to the last step, no part for one warp",
      answer: blockBarriers,
    },
    {
      how: "each element with its own guard in one line",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        sdata[tid] = (i < n ? input[i] : 0) + (i + width < n ? input[i + width] : 0);
        syncthreads();
        for (let s = width >> 1; s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          let last = sdata[tid];
          for (let s = 16; s > 0; s >>= 1) last += shfl_down_sync(0xffffffff, last, s);
          if (tid === 0) output[blockIdx.x] = last;
        }
      }),
    },
    {
      how: "zeros first, then the elements over them",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        sdata[tid] = 0;
        if (i < n) sdata[tid] += input[i];
        if (i + width < n) sdata[tid] += input[i + width];
        syncthreads();
        for (let s = width >> 1; s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          for (let s = 16; s > 0; s >>= 1) {
            const other = sdata[tid + s];
            syncwarp();
            sdata[tid] += other;
            syncwarp();
          }
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      how: "the barrier before each step",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        let sum = i < n ? input[i] : 0;
        if (i + width < n) sum += input[i + width];
        sdata[tid] = sum;
        for (let s = width >> 1; s >= 32; s >>= 1) {
          syncthreads();
          if (tid < s) sdata[tid] += sdata[tid + s];
        }
        syncthreads();
        if (tid < 32) {
          let last = sdata[tid];
          for (let s = 16; s > 0; s >>= 1) last += shfl_down_sync(0xffffffff, last, s);
          if (tid === 0) output[blockIdx.x] = last;
        }
      }),
    },
  ],
  wrong: [
    {
      what: "leaves all four faults in (the starter)",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        if (i < n) sdata[tid] = input[i] + input[i + width];
        syncthreads();
        for (let s = width >> 1; s >= 32; s >>= 1) {
          if (tid < s) {
            sdata[tid] += sdata[tid + s];
            syncthreads();
          }
        }
        if (tid < 32) {
          const last = volatile(sdata);
          last[tid] += last[tid + 16];
          last[tid] += last[tid + 8];
          last[tid] += last[tid + 4];
          last[tid] += last[tid + 2];
          last[tid] += last[tid + 1];
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "leaves memcheck's fault in: the second element without a guard",
      caughtBy: "result",
      answer: changed(solution, [
        "let sum = i < n ? input[i] : 0; if (i + width < n) sum += input[i + width];",
        "let sum = 0; if (i < n) sum = input[i] + input[i + width];",
      ]),
    },
    {
      what: "leaves initcheck's fault in: places without an element unset",
      caughtBy: "hazards",
      answer: changed(
        solution,
        ["let sum = i < n ? input[i] : 0;", "if (i < n) { let sum = input[i];"],
        ["[tid] = sum;", "[tid] = sum; }"],
      ),
    },
    {
      what: "leaves synccheck's fault in: the barrier inside of the branch",
      caughtBy: "hazards",
      answer: changed(solution, ["if (tid < s)", "if (tid < s) {"], ["if (tid < 32) {", "} if (tid < 32) {"]),
    },
    {
      what: "leaves racecheck's fault in: the volatile last warp",
      caughtBy: "hazards",
      answer: changed(solution, [
        "for (let s = 16; s > 0; s >>= 1) { const other = sdata[tid + s]; syncwarp(); sdata[tid] += other; syncwarp(); }",
        "const last = volatile(sdata); last[tid] += last[tid + 16]; last[tid] += last[tid + 8]; last[tid] += last[tid + 4]; last[tid] += last[tid + 2]; last[tid] += last[tid + 1];",
      ]),
    },
    {
      what: "mends the reads alone",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        let sum = i < n ? input[i] : 0;
        if (i + width < n) sum += input[i + width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s >= 32; s >>= 1) {
          if (tid < s) {
            sdata[tid] += sdata[tid + s];
            syncthreads();
          }
        }
        if (tid < 32) {
          const last = volatile(sdata);
          last[tid] += last[tid + 16];
          last[tid] += last[tid + 8];
          last[tid] += last[tid + 4];
          last[tid] += last[tid + 2];
          last[tid] += last[tid + 1];
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "mends the barriers alone",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        if (i < n) sdata[tid] = input[i] + input[i + width];
        syncthreads();
        for (let s = width >> 1; s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          let last = sdata[tid];
          for (let s = 16; s > 0; s >>= 1) last += shfl_down_sync(0xffffffff, last, s);
          if (tid === 0) output[blockIdx.x] = last;
        }
      }),
    },
    {
      what: "guards the second element only, and loses the first of a last pair",
      caughtBy: "result",
      answer: changed(
        solution,
        ["let sum = i < n ? input[i] : 0;", "let sum = 0;"],
        ["+= input[i + width]", "= input[i] + input[i + width]"],
      ),
    },
    {
      what: "lets threads without an element return",
      caughtBy: "hazards",
      answer: changed(solution, [
        "let sum = i < n ? input[i] : 0;",
        "sdata[tid] = 0; if (i >= n) return; let sum = input[i];",
      ]),
    },
    {
      what: "has no barrier after the loads",
      caughtBy: "hazards",
      answer: changed(solution, ["sdata[tid] = sum; syncthreads();", "sdata[tid] = sum;"]),
    },
    {
      what: "takes the barrier out of the loop",
      caughtBy: "hazards",
      answer: changed(
        blockBarriers,
        ["> 0; s >>= 1", ">= 32; s >>= 1"],
        [
          "syncthreads(); }",
          "} syncthreads(); if (tid < 32) { for (let s = 16; s > 0; s >>= 1) { const other = sdata[tid + s]; syncwarp(); sdata[tid] += other; syncwarp(); } }",
        ],
      ),
    },
    {
      what: "waits once between reading and writing in the last warp",
      caughtBy: "hazards",
      answer: changed(solution, [
        "const other = sdata[tid + s]; syncwarp(); sdata[tid] += other;",
        "sdata[tid] += sdata[tid + s];",
      ]),
    },
    {
      what: "shuffles under a mask that names half of the lanes",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        let sum = i < n ? input[i] : 0;
        if (i + width < n) sum += input[i + width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          let last = sdata[tid];
          for (let s = 16; s > 0; s >>= 1) last += shfl_down_sync(0xffff, last, s);
          if (tid === 0) output[blockIdx.x] = last;
        }
      }),
    },
    {
      what: "shuffles under the mask of the lanes that are here",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        let sum = i < n ? input[i] : 0;
        if (i + width < n) sum += input[i + width];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          let last = sdata[tid];
          const mask = activemask();
          for (let s = 16; s > 0; s >>= 1) last += shfl_down_sync(mask, last, s);
          if (tid === 0) output[blockIdx.x] = last;
        }
      }),
    },
    {
      what: "waits for the whole block in the last warp",
      caughtBy: "hazards",
      answer: changed(
        solution,
        ["syncwarp(); sdata[tid] += other;", "syncthreads(); sdata[tid] += other;"],
        ["syncwarp(); }", "syncthreads(); }"],
      ),
    },
    {
      what: "lets atomics do the last warp's work",
      caughtBy: "primitives",
      answer: changed(
        blockBarriers,
        ["> 0; s >>= 1", ">= 32; s >>= 1"],
        ["if (tid === 0)", "if (tid > 0 && tid < 32) atomicAdd(sdata, 0, sdata[tid]); syncthreads(); if (tid === 0)"],
      ),
    },
    {
      what: "lets thread 0 add all",
      caughtBy: "additions",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * (2 * width) + tid;
        let sum = i < n ? input[i] : 0;
        if (i + width < n) sum += input[i + width];
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
      what: "takes neighbouring elements",
      caughtBy: "loads",
      answer: changed(
        solution,
        ["tid; let sum", "2 * tid; let sum"],
        ["i + width < n", "i + 1 < n"],
        ["< n) sum += input[i + width];", "< n) sum += input[i + 1];"],
      ),
    },
    {
      what: "waits twice a step",
      caughtBy: "barriers",
      answer: changed(blockBarriers, ["syncthreads(); }", "syncthreads(); syncthreads(); }"]),
    },
    {
      what: "stops a step early",
      caughtBy: "result",
      answer: changed(solution, [">= 32; s >>=", "> 32; s >>="]),
    },
  ],
};
