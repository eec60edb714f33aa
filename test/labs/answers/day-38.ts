import { device, i32, kernel, sharedPtr, u32 } from "../../../src/core/frontend/index.js";
import {
  blockDim,
  blockIdx,
  externShared,
  gridDim,
  min,
  shfl_down_sync,
  syncthreads,
  threadIdx,
  unroll,
} from "../../../src/index.js";
import { type Answers, changed, guardedSum } from "./answer.js";

/** Adds the block's sums in shared memory and writes the total. */
const treeSum = device("treeSum", { sdata: sharedPtr(i32), tid: u32 }, ({ sdata, tid }) => {
  syncthreads();
  for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  return sdata[0];
});

const fixedSteps = kernel("answer", guardedSum, ({ input, output, n }) => {
  const sdata = externShared(i32);
  const tid = threadIdx.x;
  const start = i32(blockIdx.x * blockDim.x * 8 + tid);
  let sum = 0;
  for (let k = 0; k < 8; k++) {
    const i = start + k * i32(blockDim.x);
    if (i < n) sum += input[i];
  }
  sdata[tid] = sum;
  const total = treeSum(sdata, tid);
  if (tid === 0) output[blockIdx.x] = total;
});

export const answers: Answers = {
  right: [
    {
      how: "a fixed number of guarded steps",
      answer: fixedSteps,
    },
    {
      how: "a loop that ends where the block or the input does",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const first = i32(blockIdx.x * blockDim.x * 8);
        const end = min(n, first + i32(blockDim.x * 8));
        let sum = 0;
        for (let i = first + i32(tid); i < end; i += i32(blockDim.x)) sum += input[i];
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      how: "written out, with a choice instead of a condition",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const t = i32(threadIdx.x);
        const w = i32(blockDim.x);
        const i = i32(blockIdx.x) * w * 8 + t;
        let sum = i < n ? input[i] : 0;
        sum += i + w < n ? input[i + w] : 0;
        sum += i + 2 * w < n ? input[i + 2 * w] : 0;
        sum += i + 3 * w < n ? input[i + 3 * w] : 0;
        sum += i + 4 * w < n ? input[i + 4 * w] : 0;
        sum += i + 5 * w < n ? input[i + 5 * w] : 0;
        sum += i + 6 * w < n ? input[i + 6 * w] : 0;
        sum += i + 7 * w < n ? input[i + 7 * w] : 0;
        sdata[t] = sum;
        syncthreads();
        for (let s = w >> 1; s > 0; s >>= 1) {
          if (t < s) sdata[t] += sdata[t + s];
          syncthreads();
        }
        if (t === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      how: "a while loop that counts down, and contiguous pairs in the tree",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        let i = i32(blockIdx.x * blockDim.x * 8 + tid);
        let sum = 0;
        let left = 8;
        while (left > 0) {
          if (i < n) sum += input[i];
          i += i32(blockDim.x);
          left -= 1;
        }
        sdata[tid] = sum;
        syncthreads();
        for (let s = u32(1); s < blockDim.x; s *= 2) {
          const index = 2 * s * tid;
          if (index < blockDim.x) sdata[index] += sdata[index + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      how: "a loop that is kept a loop, from the block's last elements on",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        let sum = 0;
        for (let k = 7; k >= 0; k--) {
          unroll(1);
          const i = i32((blockIdx.x * 8 + k) * blockDim.x + tid);
          sum += i < n ? input[i] : 0;
        }
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
  ],
  wrong: [
    {
      what: "lets even and odd threads add different halves (the starter)",
      caughtBy: "loads",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const first = i32(blockIdx.x * blockDim.x * 8);
        const pair = i32(tid >> 1) * 8;
        let sum = 0;
        if (tid % 2 === 0) {
          // Even threads add up the block's first half.
          for (let k = 0; k < 8; k++) {
            const i = first + pair + k;
            if (i < n) sum += input[i];
          }
        } else {
          // Odd threads add up its second half.
          for (let k = 0; k < 8; k++) {
            const i = first + i32(blockDim.x * 4) + pair + k;
            if (i < n) sum += input[i];
          }
        }
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "lets even threads add for odd ones",
      caughtBy: "additions",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        let sum = 0;
        if (tid % 2 === 0) {
          const start = i32((blockIdx.x * blockDim.x + tid) * 8);
          for (let k = 0; k < 16; k++) if (start + k < n) sum += input[start + k];
        }
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "lets each lane go its own number of steps",
      caughtBy: "divergent-branches",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const even = (tid & 1) === 0;
        const first = i32(blockIdx.x * blockDim.x * 8) + i32(even ? tid : tid - 1);
        const steps = even ? 10 : 6;
        let sum = 0;
        for (let k = 0; k < steps; k++) {
          unroll(1);
          const step = even ? k : k < 6 ? k : 0;
          const i = first + step * i32(blockDim.x);
          const own = i + (even ? 0 : 1);
          if (k < 8 && own < n) sum += input[own];
        }
        if (!even) {
          for (let k = 6; k < 8; k++) {
            unroll(1);
            const i = first + 1 + k * i32(blockDim.x);
            if (i < n) sum += input[i];
          }
        }
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "lets the first half of the block add for the other one",
      caughtBy: "additions",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const half = blockDim.x >> 1;
        let sum = 0;
        if (tid < half) {
          const start = i32(blockIdx.x * blockDim.x * 8 + tid);
          for (let k = 0; k < 16; k++) {
            const i = start + k * i32(half);
            if (i < n) sum += input[i];
          }
        }
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "gives each thread eight neighbours",
      caughtBy: "loads",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const start = i32((blockIdx.x * blockDim.x + tid) * 8);
        let sum = 0;
        for (let k = 0; k < 8; k++) if (start + k < n) sum += input[start + k];
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "goes on in steps of the grid: other elements than its block's",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        let sum = 0;
        for (let i = i32(blockIdx.x * blockDim.x + tid); i < n; i += i32(gridDim.x * blockDim.x)) sum += input[i];
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "does not guard the input's end",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const start = i32(blockIdx.x * blockDim.x * 8 + tid);
        let sum = 0;
        for (let k = 0; k < 8; k++) sum += input[start + k * i32(blockDim.x)];
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "guards eight elements by the last of them, and drops the tail",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const start = i32(blockIdx.x * blockDim.x * 8 + tid);
        let sum = 0;
        if (start + 7 * i32(blockDim.x) < n) {
          for (let k = 0; k < 8; k++) sum += input[start + k * i32(blockDim.x)];
        }
        sdata[tid] = sum;
        const total = treeSum(sdata, tid);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "adds seven elements",
      caughtBy: "result",
      answer: changed(fixedSteps, ["for (let k = 0; k < 8; k++) {", "for (let k = 1; k < 8; k++) {"]),
    },
    {
      what: "leaves out the barrier of the tree's steps",
      caughtBy: "hazards",
      answer: changed(
        fixedSteps,
        [
          "const total = treeSum(sdata, tid);",
          "syncthreads(); for (let s = blockDim.x >> 1; s > 0; s >>= 1) { if (tid < s) sdata[tid] += sdata[tid + s]; } syncthreads();",
        ],
        ["total;", "sdata[0];"],
      ),
    },
    {
      what: "adds the threads' sums by atomics",
      caughtBy: "primitives",
      answer: changed(
        fixedSteps,
        ["threadIdx.x;", "threadIdx.x; if (tid === 0) sdata[0] = 0; syncthreads();"],
        ["sdata[tid] = sum; const total = treeSum(sdata, tid);", "atomicAdd(sdata, 0, sum); syncthreads();"],
        ["total;", "sdata[0];"],
      ),
    },
    {
      what: "shuffles in the last warp",
      caughtBy: "primitives",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const start = i32(blockIdx.x * blockDim.x * 8 + tid);
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          const i = start + k * i32(blockDim.x);
          if (i < n) sum += input[i];
        }
        sdata[tid] = sum;
        syncthreads();
        for (let s = blockDim.x >> 1; s >= 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          let total = sdata[tid];
          for (let s = 16; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "lets thread 0 add the threads' sums",
      caughtBy: "additions",
      answer: changed(
        fixedSteps,
        ["const total = treeSum(sdata, tid);", "syncthreads();"],
        [
          "if (tid === 0)",
          "if (tid === 0) { let total = 0; for (let t = u32(0); t < blockDim.x; t++) total += sdata[t];",
        ],
        ["total; }", "total; } }"],
      ),
    },
  ],
};
