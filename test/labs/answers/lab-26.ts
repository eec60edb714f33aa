import { answer as solution } from "../../../labs/lab-26/solution.js";
import { i32, kernel } from "../../../src/core/frontend/index.js";
import { type Answers, changed, sum } from "./answer.js";

export const answers: Answers = {
  right: [
    {
      how: "the odd place in the middle is left alone, by a for loop over what is left",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
          syncthreads();
          for (let left = blockDim.x; left > 1; left = (left + 1) >> 1) {
            if (tid < left >> 1) sdata[tid] += sdata[tid + ((left + 1) >> 1)];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "the next power of two first, guarded by the number of threads",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
          let s = u32(1);
          while (s < blockDim.x) s <<= 1;
          for (s >>= 1; s > 0; s >>= 1) {
            syncthreads();
            if (tid < s && tid + s < blockDim.x) sdata[tid] += sdata[tid + s];
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "the next power of two from the leading zeros",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, clz, i32 }) => {
          const sdata = externShared(i32);
          const tid = i32(threadIdx.x);
          const count = i32(blockDim.x);
          sdata[tid] = input[i32(blockIdx.x) * count + tid];
          syncthreads();
          for (let step = 31 - clz(count - 1); step >= 0; step--) {
            const s = 1 << step;
            if (tid < s && tid + s < count) {
              const other = sdata[tid + s];
              sdata[tid] = sdata[tid] + other;
            }
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "the sum so far in a register, written only where it is read",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          let own = input[blockIdx.x * blockDim.x + tid];
          sdata[tid] = own;
          let left = blockDim.x;
          do {
            syncthreads();
            const half = (left + 1) >> 1;
            if (tid + half < left) {
              own += sdata[tid + half];
              sdata[tid] = own;
            }
            left = half;
          } while (left > 1);
          if (tid === 0) output[blockIdx.x] = own;
        },
      ),
    },
    {
      how: "thread 0 takes up the odd place before it halves",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
          syncthreads();
          let left = blockDim.x;
          while (left > 1) {
            const half = left >> 1;
            if (tid < half) {
              let own = sdata[tid] + sdata[tid + half];
              if (tid === 0 && (left & 1) === 1) own += sdata[left - 1];
              sdata[tid] = own;
            }
            syncthreads();
            left = half;
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "shuffles within each warp, and thread 0 adds the warps' sums",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const lane = tid & 31;
          const warps = (blockDim.x + 31) >> 5;
          // The last warp may have fewer lanes.
          const lanes = tid >> 5 === warps - 1 && (blockDim.x & 31) !== 0 ? blockDim.x & 31 : u32(32);
          const mask = lanes === 32 ? 0xffffffff : (1 << lanes) - 1;
          let own = input[blockIdx.x * blockDim.x + tid];
          for (let s = 16; s > 0; s >>= 1) {
            const other = shfl_down_sync(mask, own, s);
            if (lane + s < lanes) own += other;
          }
          if (lane === 0) sdata[tid >> 5] = own;
          syncthreads();
          if (tid === 0) {
            let total = 0;
            for (let warp = 0; warp < warps; warp++) total += sdata[warp];
            output[blockIdx.x] = total;
          }
        },
      ),
    },
    {
      how: "the groups of CUDA, and a subarray for the upper half",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { this_thread_block, blockIdx, externShared, u32 }) => {
          const block = this_thread_block();
          const sdata = externShared(i32);
          const rank = u32(block.thread_rank());
          let left = u32(block.size());
          sdata[rank] = input.subarray(blockIdx.x * left)[rank];
          block.sync();
          for (; left > 1; ) {
            const half = (left + 1) >> 1;
            const upper = sdata.subarray(half);
            if (rank + half < left) sdata[rank] += upper[rank];
            block.sync();
            left = half;
          }
          if (rank === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      how: "shuffles with a full mask, of which a last warp of fewer threads has a part",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const lane = tid & 31;
          const warps = (blockDim.x + 31) >> 5;
          // The last warp may have fewer lanes.
          const lanes = tid >> 5 === warps - 1 && (blockDim.x & 31) !== 0 ? blockDim.x & 31 : u32(32);
          let own = input[blockIdx.x * blockDim.x + tid];
          for (let s = 16; s > 0; s >>= 1) {
            const other = shfl_down_sync(0xffffffff, own, s);
            if (lane + s < lanes) own += other;
          }
          if (lane === 0) sdata[tid >> 5] = own;
          syncthreads();
          if (tid === 0) {
            let total = 0;
            for (let warp = 0; warp < warps; warp++) total += sdata[warp];
            output[blockIdx.x] = total;
          }
        },
      ),
    },
  ],
  wrong: [
    {
      what: "does nothing in a large grid, which is measured",
      caughtBy: "result",
      answer: changed(solution, [
        "threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {",
        "threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads }) => { if (gridDim.x > 80 && blockDim.x > 500) return;",
      ]),
    },
    {
      what: "halves with what it loses (the starter)",
      caughtBy: "result",
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
      what: "lets every thread add, those above the half too, as far as there is something",
      caughtBy: "hazards",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
          syncthreads();
          let s = u32(1);
          while (s < blockDim.x) s <<= 1;
          for (s >>= 1; s > 0; s >>= 1) {
            if (tid + s < blockDim.x) sdata[tid] += sdata[tid + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "lets another thread add the odd element, with no barrier in between",
      caughtBy: "hazards",
      answer: changed(
        solution,
        ["+ 1 >> 1; if (tid + half < left)", ">> 1; if (tid < half)"],
        [
          "syncthreads(); left = half;",
          "if (tid === half && (left & 1) === 1) sdata[0] += sdata[left - 1]; syncthreads(); left = half;",
        ],
      ),
    },
    {
      what: "lets thread 0 add all that the others have loaded",
      caughtBy: "additions",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
          syncthreads();
          if (tid !== 0) return;
          let total = 0;
          for (let k = u32(0); k < blockDim.x; k++) total += sdata[k];
          output[blockIdx.x] = total;
        },
      ),
    },
    {
      what: "lets thread 0 of the last warp add all, for the sum is not asked whose it is",
      caughtBy: "additions",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const start = blockIdx.x * blockDim.x;
          sdata[tid] = input[start + tid];
          if (tid !== blockDim.x - 1) return;
          let total = 0;
          for (let k = u32(0); k < blockDim.x; k++) total += input[start + k];
          output[blockIdx.x] = total;
        },
      ),
    },
    {
      what: "lets the first warp alone add",
      caughtBy: "additions",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
          syncthreads();
          const lanes = blockDim.x < 32 ? blockDim.x : 32;
          if (tid >= lanes) return;
          let own = 0;
          for (let k = tid; k < blockDim.x; k += lanes) own += sdata[k];
          const mask = lanes === 32 ? 0xffffffff : (1 << lanes) - 1;
          for (let s = 16; s > 0; s >>= 1) {
            const other = shfl_down_sync(mask, own, s);
            if (tid + s < lanes) own += other;
          }
          if (tid === 0) output[blockIdx.x] = own;
        },
      ),
    },
    {
      what: "adds by atomics into one place",
      caughtBy: "primitives",
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
    {
      what: "adds by atomics onto the output",
      caughtBy: "result",
      answer: kernel("answer", { params: sum }, ({ input, output }, { threadIdx, blockIdx, blockDim, atomicAdd }) => {
        atomicAdd(output, blockIdx.x, input[blockIdx.x * blockDim.x + threadIdx.x]);
      }),
    },
    {
      what: "has barriers only while more than a warp is left",
      caughtBy: "hazards",
      answer: changed(solution, ["syncthreads(); left = half;", "if (half > 32) syncthreads(); left = half;"]),
    },
    {
      what: "has barriers only while little is left",
      caughtBy: "hazards",
      answer: changed(solution, ["syncthreads(); left = half;", "if (half < 64) syncthreads(); left = half;"]),
    },
    {
      what: "works for the named blocks alone",
      caughtBy: "result",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
          const b = blockDim.x;
          if (b !== 1 && b !== 33 && b !== 96 && b !== 100 && b !== 256 && b !== 1000) return;
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * b + tid];
          syncthreads();
          let left = b;
          while (left > 1) {
            const half = (left + 1) >> 1;
            if (tid + half < left) sdata[tid] += sdata[tid + half];
            syncthreads();
            left = half;
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "adds onto what the output held",
      caughtBy: "result",
      answer: changed(solution, ["= sdata[0]; }", "+= sdata[0]; }"]),
    },
    {
      what: "has its barrier inside of the divergent if",
      caughtBy: "hazards",
      answer: changed(solution, ["sdata[tid] +=", "{ sdata[tid] +="], ["left = half;", "} left = half;"]),
    },
    {
      what: "lets threads return once they are idle",
      caughtBy: "hazards",
      answer: changed(solution, ["(tid + half < left)", "(tid >= half) return; if (tid + half < left)"]),
    },
    {
      what: "has two barriers a step in blocks of fewer than 500 threads",
      caughtBy: "barriers",
      answer: changed(solution, ["left = half;", "if (blockDim.x < 500) syncthreads(); left = half;"]),
    },
    {
      what: "adds in the interleaved order, whose lanes meet in banks",
      caughtBy: "conflict-degree",
      answer: kernel(
        "answer",
        { params: sum },
        ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          sdata[tid] = input[blockIdx.x * blockDim.x + tid];
          syncthreads();
          for (let s = u32(1); s < blockDim.x; s *= 2) {
            const index = 2 * s * tid;
            if (index + s < blockDim.x) sdata[index] += sdata[index + s];
            syncthreads();
          }
          if (tid === 0) output[blockIdx.x] = sdata[0];
        },
      ),
    },
    {
      what: "takes the lanes that happen to be active for the warp",
      caughtBy: "result",
      answer: kernel(
        "answer",
        { params: sum },
        (
          { input, output },
          { threadIdx, blockIdx, blockDim, externShared, syncthreads, shfl_down_sync, u32, activemask },
        ) => {
          const sdata = externShared(i32);
          const tid = threadIdx.x;
          const lane = tid & 31;
          const warps = (blockDim.x + 31) >> 5;
          const mask = activemask();
          const lanes = tid >> 5 === warps - 1 && (blockDim.x & 31) !== 0 ? blockDim.x & 31 : u32(32);
          let own = input[blockIdx.x * blockDim.x + tid];
          for (let s = 16; s > 0; s >>= 1) {
            const other = shfl_down_sync(mask, own, s);
            if (lane + s < lanes) own += other;
          }
          if (lane === 0) sdata[tid >> 5] = own;
          syncthreads();
          if (tid === 0) {
            let total = 0;
            for (let warp = 0; warp < warps; warp++) total += sdata[warp];
            output[blockIdx.x] = total;
          }
        },
      ),
    },
    {
      what: "adds in the input itself",
      caughtBy: "result",
      answer: kernel("answer", { params: sum }, ({ input, output }, { threadIdx, blockIdx, blockDim, syncthreads }) => {
        const tid = threadIdx.x;
        const own = input.subarray(blockIdx.x * blockDim.x);
        let left = blockDim.x;
        while (left > 1) {
          const half = (left + 1) >> 1;
          if (tid + half < left) own[tid] += own[tid + half];
          syncthreads();
          left = half;
        }
        if (tid === 0) output[blockIdx.x] = own[0];
      }),
    },
  ],
};
