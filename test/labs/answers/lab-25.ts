import { answer as solution } from "../../../labs/lab-25/solution.js";
import { device, i32, kernel, sharedPtr, u32 } from "../../../src/core/frontend/index.js";
import { type Answers, changed, sum } from "./answer.js";

const place = device("place", { params: { element: u32 } }, ({ element }) => element + (element >> 5));

const addPair = device("addPair", { params: { sdata: sharedPtr(i32), left: u32, s: u32 } }, ({ sdata, left, s }) => {
  const right = left + s;
  sdata[left + (left >> 5)] += sdata[right + (right >> 5)];
});

const pairFirst = changed(solution, [
  "if (left < blockDim.x) { const right = left + s; sdata[left + (left >> 5)] += sdata[right + (right >> 5)]; }",
  "const right = left + s; if (left < blockDim.x) sdata[left + (left >> 5)] += sdata[right + (right >> 5)];",
]);

export const answers: Answers = {
  right: [
    {
      how: "a while loop, its index worked out early, its condition turned around",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, idiv, u32 }) => {
          const sdata = externShared(i32);
          const t = threadIdx.x;
          const own = input[blockDim.x * blockIdx.x + t];
          sdata[t + idiv(t, 32)] = own;
          let s = u32(1);
          while (blockDim.x > s) {
            syncthreads();
            const left = t * s * 2;
            const right = left + s;
            if (!(left >= blockDim.x)) {
              const other = sdata[right + (right >> 5)];
              sdata[left + (left >> 5)] = other + sdata[left + (left >> 5)];
            }
            s = s << 1;
          }
          if (t === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "a device function for the place",
      answer: kernel(
        "answer",
        { params: sum, functions: { place } },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }, { place }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[place(tid)] = input[blockIdx.x * blockDim.x + tid];
          syncthreads();
          for (let s = u32(1); s < blockDim.x; s *= 2) {
            const left = 2 * s * tid;
            if (left < blockDim.x) sdata[place(left)] += sdata[place(left + s)];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "a device function that adds a pair, and the steps counted by their exponent",
      answer: kernel(
        "answer",
        { params: sum, functions: { addPair } },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }, { addPair }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid + (tid >> 5)] = input[blockIdx.x * blockDim.x + tid];
          syncthreads();
          for (let step = 0; u32(1) << step < blockDim.x; step++) {
            const left = tid << (step + 1);
            if (left < blockDim.x) addPair(sdata, left, u32(1) << step);
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "unrolled for every block up to 1024",
      answer: kernel(
        "answer",
        { params: sum, functions: { addPair } },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }, { addPair }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const count = blockDim.x;
          sdata[tid + (tid >> 5)] = input[blockIdx.x * count + tid];
          syncthreads();
          if (count > 1 && 2 * tid < count) addPair(sdata, 2 * tid, u32(1));
          syncthreads();
          if (count > 2 && 4 * tid < count) addPair(sdata, 4 * tid, u32(2));
          syncthreads();
          if (count > 4 && 8 * tid < count) addPair(sdata, 8 * tid, u32(4));
          syncthreads();
          if (count > 8 && 16 * tid < count) addPair(sdata, 16 * tid, u32(8));
          syncthreads();
          if (count > 16 && 32 * tid < count) addPair(sdata, 32 * tid, u32(16));
          if (count > 32) {
            syncthreads();
            if (64 * tid < count) addPair(sdata, 64 * tid, u32(32));
          }
          if (count > 64) {
            syncthreads();
            if (128 * tid < count) addPair(sdata, 128 * tid, u32(64));
          }
          if (count > 128) {
            syncthreads();
            if (256 * tid < count) addPair(sdata, 256 * tid, u32(128));
          }
          if (count > 256) {
            syncthreads();
            if (512 * tid < count) addPair(sdata, 512 * tid, u32(256));
          }
          if (count > 512) {
            syncthreads();
            if (tid === 0) addPair(sdata, u32(0), u32(512));
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "the groups of CUDA instead of threadIdx and syncthreads",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { this_thread_block, blockIdx, externShared, u32 }) => {
          const block = this_thread_block();
          const rank = u32(block.thread_rank());
          const size = u32(block.size());
          const sdata = externShared(i32);
          sdata[rank + (rank >> 5)] = input[blockIdx.x * size + rank];
          block.sync();
          for (let s = u32(1); s < size; s *= 2) {
            const left = 2 * s * rank;
            const right = left + s;
            if (right < size) sdata[left + (left >> 5)] += sdata[right + (right >> 5)];
            block.sync();
          }
          if (rank === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "the idle threads leave the loop's work to a break, and a subarray of the input",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const elements = input.subarray(blockIdx.x * blockDim.x);
          sdata[tid + (tid >> 5)] = elements[tid];
          syncthreads();
          let s = u32(1);
          for (;;) {
            if (s >= blockDim.x) break;
            const left = 2 * s * tid;
            if (left < blockDim.x) {
              const a = sdata.subarray(left + (left >> 5));
              const b = sdata.subarray(left + s + ((left + s) >> 5));
              a[0] += b[0];
            }
            syncthreads();
            s += s;
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "the first pair added on its way in",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const left = 2 * tid;
          const i = blockIdx.x * blockDim.x + left;
          if (left < blockDim.x) sdata[left + (left >> 5)] = input[i] + input[i + 1];
          syncthreads();
          for (let s = u32(2); s < blockDim.x; s *= 2) {
            const to = 2 * s * tid;
            const from = to + s;
            if (to < blockDim.x) sdata[to + (to >> 5)] += sdata[from + (from >> 5)];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
  ],
  wrong: [
    {
      what: "does nothing in a large grid, which is measured",
      caughtBy: "result",
      answer: changed(
        pairFirst,
        ["externShared,", "gridDim, externShared,"],
        ["const sdata =", "if (gridDim.x > 90) return; const sdata ="],
      ),
    },
    {
      what: "lets thread 0 add alone in small grids",
      caughtBy: "order",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads, u32 }) => {
          const tid = threadIdx.x;
          const start = blockIdx.x * blockDim.x;
          if (gridDim.x < 90) {
            if (tid === 0) {
              let total = 0;
              for (let k = u32(0); k < blockDim.x; k++) total += input[start + k];
              output[blockIdx.x] = total;
            }
            return;
          }
          const sdata = externShared(i32);
          sdata[tid + (tid >> 5)] = input[start + tid];
          syncthreads();
          for (let s = u32(1); s < blockDim.x; s *= 2) {
            const left = 2 * s * tid;
            const right = left + s;
            if (left < blockDim.x) sdata[left + (left >> 5)] += sdata[right + (right >> 5)];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "lets thread 0 add all that the others have loaded",
      caughtBy: "order",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
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
      what: "has barriers only while the distance is small",
      caughtBy: "hazards",
      answer: changed(pairFirst, ["syncthreads(); }", "if (s < 16) syncthreads(); }"]),
    },
    {
      what: "has barriers only while the distance is large",
      caughtBy: "hazards",
      answer: changed(pairFirst, ["syncthreads(); }", "if (s > 4) syncthreads(); }"]),
    },
    {
      what: "adds onto what the output held",
      caughtBy: "result",
      answer: changed(pairFirst, ["= sdata[0]; }", "+= sdata[0]; }"]),
    },
    {
      what: "works for the named blocks alone",
      caughtBy: "result",
      answer: changed(pairFirst, [
        "const sdata =",
        "if (blockDim.x !== 64 && blockDim.x !== 256 && blockDim.x !== 1024) return; const sdata =",
      ]),
    },
    {
      what: "has its barrier inside of the divergent if",
      caughtBy: "hazards",
      answer: changed(pairFirst, ["(left < blockDim.x)", "(left < blockDim.x) {"], ["(); }", "(); } }"]),
    },
    {
      what: "lets the idle half of the threads return before the barriers",
      caughtBy: "hazards",
      answer: changed(pairFirst, ["; for", "; if (2 * tid >= blockDim.x) return; for"]),
    },
    {
      what: "has the loop of Lab 26",
      caughtBy: "order",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
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
      what: "has more barriers than needed in small blocks",
      caughtBy: "barriers",
      answer: changed(pairFirst, ["syncthreads(); }", "syncthreads(); if (blockDim.x < 512) syncthreads(); }"]),
    },
    {
      what: "has no barrier behind the load",
      caughtBy: "hazards",
      answer: changed(pairFirst, ["syncthreads(); for", "for"]),
    },
    {
      what: "avoids the conflicts by the first kernel's loop, in which thread 2st works for element 2st",
      caughtBy: "order",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
          syncthreads();
          for (let s = u32(1); s < blockDim.x; s *= 2) {
            if (tid % (2 * s) === 0) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "has a row's places one bank apart for every second row only",
      caughtBy: "conflict-degree",
      answer: changed(
        pairFirst,
        ["+ (tid >> 5)", "+ (tid >> 6)"],
        ["+ (left >> 5)", "+ (left >> 6)"],
        ["(right >> 5)", "(right >> 6)"],
      ),
    },
    {
      what: "adds by atomics into one place",
      caughtBy: "order",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, atomicAdd }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          if (tid === 0) sdata[0] = 0;
          syncthreads();
          atomicAdd(sdata, 0, input[blockIdx.x * blockDim.x + tid]);
          syncthreads();
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
  ],
};
