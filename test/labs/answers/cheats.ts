/** Answers that try to cheat the checks: the trick of each, its exercise, and the check that it fails. */
import { answer as lab26 } from "../../../labs/lab-26/solution.js";
import { answer as lab28 } from "../../../labs/lab-28/solution.js";
import { device, i32, int2, int4, kernel } from "../../../src/core/frontend/index.js";
import { changed, guardedSum, sum, type WrongAnswer } from "./answer.js";

const warpSum = device("warpSum", { params: { value: i32 } }, ({ value }, { shfl_down_sync }) => {
  let total = value;
  for (let s = 16; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
  return total;
});

const alone = kernel("alone", { params: guardedSum }, ({ input, output, n }) => {
  let total = 0;
  for (let k = 0; k < n; k++) total += input[k];
  output[0] = total;
});

export interface Cheat extends WrongAnswer {
  readonly exercise: string;
}

export const cheats: readonly Cheat[] = [
  {
    exercise: "lab-25",
    what: "lets the lanes of a warp go one after the other, so that no two meet in a bank",
    caughtBy: "additions",
    answer: kernel(
      "answer",
      { params: sum },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        sdata[tid] = input[blockIdx.x * blockDim.x + tid];
        syncthreads();
        for (let s = u32(1); s < blockDim.x; s *= 2) {
          const left = 2 * s * tid;
          for (let lane = u32(0); lane < 32; lane++) {
            if ((tid & 31) === lane && left < blockDim.x) sdata[left] += sdata[left + s];
          }
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      },
    ),
  },
  {
    exercise: "lab-25",
    what: "lets each thread work its sums out from the input by itself, thread 0 the whole of it",
    caughtBy: "additions",
    answer: kernel(
      "answer",
      { params: sum },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, u32 }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const start = blockIdx.x * blockDim.x;
        for (let s = u32(1); s < blockDim.x; s *= 2) {
          const left = 2 * s * tid;
          if (left < blockDim.x) {
            let total = 0;
            for (let k = u32(0); k < 2 * s; k++) total += input[start + left + k];
            sdata[tid + (tid >> 5)] = total;
            if (2 * s === blockDim.x) output[blockIdx.x] = total;
          }
        }
      },
    ),
  },
  {
    exercise: "lab-25",
    what: "lets thread 0 make all sums in their order",
    caughtBy: "order",
    answer: kernel(
      "answer",
      { params: sum },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        sdata[tid] = input[blockIdx.x * blockDim.x + tid];
        syncthreads();
        if (tid > 0) return;
        for (let s = u32(1); s < blockDim.x; s *= 2) {
          for (let left = u32(0); left < blockDim.x; left += 2 * s) sdata[left] += sdata[left + s];
        }
        output[blockIdx.x] = sdata[0];
      },
    ),
  },
  {
    exercise: "lab-25",
    what: "has barriers beyond need in every fifth block alone",
    caughtBy: "barriers",
    answer: kernel(
      "answer",
      { params: sum },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        sdata[tid + (tid >> 5)] = input[blockIdx.x * blockDim.x + tid];
        syncthreads();
        for (let s = u32(1); s < blockDim.x; s *= 2) {
          const left = 2 * s * tid;
          const right = left + s;
          if (left < blockDim.x) sdata[left + (left >> 5)] += sdata[right + (right >> 5)];
          syncthreads();
        }
        if (blockIdx.x % 5 === 4) syncthreads();
        if (tid === 0) output[blockIdx.x] = sdata[0];
      },
    ),
  },
  {
    exercise: "lab-26",
    what: "lets block 0 make every block's sum",
    caughtBy: "hazards",
    answer: kernel(
      "answer",
      { params: sum },
      ({ input, output }, { threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads, u32 }) => {
        if (blockIdx.x > 0) return;
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        for (let block = u32(0); block < gridDim.x; block++) {
          syncthreads();
          sdata[tid] = input[block * blockDim.x + tid];
          let left = blockDim.x;
          while (left > 1) {
            syncthreads();
            const half = (left + 1) >> 1;
            if (tid + half < left) sdata[tid] += sdata[tid + half];
            left = half;
          }
          if (tid === 0) output[block] = sdata[0];
        }
      },
    ),
  },
  {
    exercise: "lab-26",
    what: "adds the zeros that shared memory happens to hold beyond the block's threads",
    caughtBy: "hazards",
    answer: kernel(
      "answer",
      { params: sum },
      ({ input, output }, { threadIdx, blockIdx, blockDim, shared, syncthreads, u32 }) => {
        const sdata = shared(i32, 2048);
        const tid = threadIdx.x;
        sdata[tid] = input[blockIdx.x * blockDim.x + tid];
        let s = u32(1);
        while (s < blockDim.x) s <<= 1;
        for (s >>= 1; s > 0; s >>= 1) {
          syncthreads();
          if (tid < s) sdata[tid] += sdata[tid + s];
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      },
    ),
  },
  {
    exercise: "lab-26",
    what: "has memory fences for barriers",
    caughtBy: "result",
    answer: changed(
      lab26,
      ["syncthreads }", "threadfence_block }"],
      ["syncthreads(); let", "threadfence_block(); let"],
      ["syncthreads(); left = half;", "threadfence_block(); left = half;"],
    ),
  },
  {
    exercise: "lab-26",
    what: "lets a child grid of one thread add",
    caughtBy: "result",
    answer: kernel(
      "answer",
      { params: sum, functions: { alone } },
      ({ input, output }, { threadIdx, blockIdx, blockDim, launch, i32 }, { alone }) => {
        if (threadIdx.x > 0) return;
        const elements = input.subarray(blockIdx.x * blockDim.x);
        launch(
          alone,
          { grid: 1, block: 1 },
          { input: elements, output: output.subarray(blockIdx.x), n: i32(blockDim.x) },
        );
      },
    ),
  },
  {
    exercise: "lab-26",
    what: "waits a while by the clock instead of at a barrier",
    caughtBy: "hazards",
    answer: changed(
      lab26,
      ["syncthreads }", "syncthreads, clock }"],
      [
        "syncthreads(); left = half;",
        "if (half > 16) syncthreads(); else { const begin = clock(); while (clock() - begin < 200) {} } left = half;",
      ],
    ),
  },
  {
    exercise: "lab-26",
    what: "adds in the last warp alone, which runs last in the default order",
    caughtBy: "hazards",
    answer: kernel(
      "answer",
      { params: sum },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, u32 }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        sdata[tid] = input[blockIdx.x * blockDim.x + tid];
        if (tid !== blockDim.x - 1) return;
        let total = 0;
        for (let k = u32(0); k < blockDim.x; k++) total += sdata[k];
        output[blockIdx.x] = total;
      },
    ),
  },
  {
    exercise: "lab-27",
    what: "leaves barriers out where the input is large, as in the measured launch",
    caughtBy: "hazards",
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
          if (s > 32 || n < 200000) syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      },
    ),
  },
  {
    exercise: "lab-27",
    what: "lets thread 0 add in odd blocks",
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
        if ((blockIdx.x & 1) === 1) {
          if (tid > 0) return;
          let total = 0;
          for (let k = u32(0); k < blockDim.x; k++) total += sdata[k];
          output[blockIdx.x] = total;
          return;
        }
        for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      },
    ),
  },
  {
    exercise: "lab-27",
    what: "loads two neighbours at a time",
    caughtBy: "loads",
    answer: kernel(
      "answer",
      { params: guardedSum },
      ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, asVector }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const pairs = asVector(input, int2);
        const first = blockIdx.x * blockDim.x * 4 + 2 * tid;
        const second = first + 2 * blockDim.x;
        let sum = 0;
        if (first + 1 < n) {
          const pair = pairs[first >> 1];
          sum = pair.x + pair.y;
        } else if (first < n) sum = input[first];
        if (second + 1 < n) {
          const pair = pairs[second >> 1];
          sum += pair.x + pair.y;
        } else if (second < n) sum += input[second];
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
    exercise: "lab-27",
    what: "exchanges by atomics alone: the last warp takes the others' sums without waiting",
    caughtBy: "result",
    answer: kernel(
      "answer",
      { params: guardedSum, functions: { warpSum } },
      ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, atomicExch, atomicAdd }, { warpSum }) => {
        const sums = externShared(i32);
        const tid = threadIdx.x;
        const warps = blockDim.x >> 5;
        const lane = tid & 31;
        let sum = 0;
        for (let k = 0; k < 4; k++) {
          const i = (blockIdx.x * 4 + k) * blockDim.x + tid;
          if (i < n) sum += input[i];
        }
        sum = warpSum(sum);
        if (lane === 0) atomicExch(sums, tid >> 5, sum);
        if (tid >> 5 !== warps - 1) return;
        const total = warpSum(lane < warps ? atomicAdd(sums, lane, 0) : 0);
        if (lane === 0) output[blockIdx.x] = total;
      },
    ),
  },
  {
    exercise: "lab-27",
    what: "waits for the warps by a flag in shared memory",
    caughtBy: "hazards",
    answer: kernel(
      "answer",
      { params: guardedSum, functions: { warpSum } },
      (
        { input, output, n },
        { threadIdx, blockIdx, blockDim, externShared, shared, volatile, threadfence_block, syncthreads },
        { warpSum },
      ) => {
        const sums = externShared(i32);
        const flags = volatile(shared(i32, 32));
        const tid = threadIdx.x;
        const warps = blockDim.x >> 5;
        const lane = tid & 31;
        if (tid < 32) flags[tid] = 0;
        syncthreads();
        let sum = 0;
        for (let k = 0; k < 4; k++) {
          const i = (blockIdx.x * 4 + k) * blockDim.x + tid;
          if (i < n) sum += input[i];
        }
        sum = warpSum(sum);
        if (lane === 0) {
          sums[tid >> 5] = sum;
          threadfence_block();
          flags[tid >> 5] = 1;
        }
        if (tid >= 32) return;
        if (lane < warps) while (flags[lane] === 0) {}
        const total = warpSum(lane < warps ? sums[lane] : 0);
        if (lane === 0) output[blockIdx.x] = total;
      },
    ),
  },
  {
    exercise: "lab-28",
    what: "is careful only where a warp is split, as seeded schedules split it",
    caughtBy: "hazards",
    answer: kernel(
      "answer",
      { params: sum, functions: { warpSum } },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, activemask }, { warpSum }) => {
        const sums = externShared(i32);
        const tid = threadIdx.x;
        const warps = blockDim.x >> 5;
        const lane = tid & 31;
        const i = blockIdx.x * (blockDim.x * 2) + tid;
        const own = warpSum(input[i] + input[i + blockDim.x]);
        if (lane === 0) sums[tid >> 5] = own;
        if (activemask() !== 0xffffffff) syncthreads();
        if (tid >> 5 === warps - 1) {
          const total = warpSum(lane < warps ? sums[lane] : 0);
          if (lane === 0) output[blockIdx.x] = total;
        }
      },
    ),
  },
  {
    exercise: "lab-28",
    what: "lets two threads add the 64 values from vectors, and shuffles for show",
    caughtBy: "primitives",
    answer: kernel(
      "answer",
      { params: sum },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, asVector, shfl_down_sync }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const i = blockIdx.x * (blockDim.x * 2) + tid;
        let own = input[i] + input[i + blockDim.x];
        sdata[tid] = own;
        for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
          syncthreads();
          if (tid < s) {
            own += sdata[tid + s];
            sdata[tid] = own;
          }
        }
        syncthreads();
        if (tid < 32) {
          const rows = asVector(sdata, int4);
          let total = 0;
          if (tid < 2) {
            for (let k = 0; k < 8; k++) {
              const row = rows[8 * tid + k];
              total += row.x + row.y + row.z + row.w;
            }
          }
          total += shfl_down_sync(0xffffffff, total, 1);
          let shown = total;
          for (let s = 2; s < 32; s *= 2) shown = shfl_down_sync(0xffffffff, shown, s);
          if (tid === 0) output[blockIdx.x] = shown === total + 1 ? shown - 1 : total;
        }
      },
    ),
  },
  {
    exercise: "lab-28",
    what: "lets every lane write its running sum to the output: the last lane's stays",
    caughtBy: "hazards",
    answer: changed(
      lab28,
      ["shfl_down_sync }", "shfl_up_sync }"],
      [
        "(let s = 16; s > 0; s >>= 1) sum += shfl_down_sync",
        "(let s = 1; s < 32; s *= 2) { const other = shfl_up_sync",
      ],
      ["if (tid === 0)", "if (tid >= s) sum += other; }"],
    ),
  },
  {
    exercise: "lab-28",
    what: "sets the output to zero, and lets the warps add to it without atomics",
    caughtBy: "hazards",
    answer: kernel(
      "answer",
      { params: sum, functions: { warpSum } },
      ({ input, output }, { threadIdx, blockIdx, blockDim, syncthreads }, { warpSum }) => {
        const tid = threadIdx.x;
        if (tid === 0) output[blockIdx.x] = 0;
        syncthreads();
        const i = blockIdx.x * (blockDim.x * 2) + tid;
        const own = warpSum(input[i] + input[i + blockDim.x]);
        if ((tid & 31) === 0) output[blockIdx.x] += own;
      },
    ),
  },
  {
    exercise: "lab-28",
    what: "lets the first lane of each warp add all of the warp's elements, and shuffles afterwards",
    caughtBy: "additions",
    answer: kernel(
      "answer",
      { params: sum, functions: { warpSum } },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }, { warpSum }) => {
        const sums = externShared(i32);
        const tid = threadIdx.x;
        const warps = blockDim.x >> 5;
        if ((tid & 31) === 0) {
          let own = 0;
          const start = 2 * (blockIdx.x * blockDim.x + tid);
          for (let k = u32(0); k < 64; k++) own += input[start + k];
          sums[tid >> 5] = own;
        }
        syncthreads();
        if (tid < 32) {
          const total = warpSum(tid < warps ? sums[tid] : 0);
          if (tid === 0) output[blockIdx.x] = total;
        }
      },
    ),
  },
  {
    exercise: "lab-28",
    what: "knows the sum of ones, and adds nothing but them",
    caughtBy: "result",
    answer: kernel("answer", { params: sum }, ({ input, output }, { threadIdx, blockIdx, blockDim, i32 }) => {
      const start = blockIdx.x * blockDim.x * 2;
      if (threadIdx.x === 0) output[blockIdx.x] = input[start] * i32(blockDim.x) * 2;
    }),
  },
  {
    exercise: "lab-28",
    what: "leaves each block's sum to the block before",
    caughtBy: "hazards",
    answer: kernel(
      "answer",
      { params: sum, functions: { warpSum } },
      ({ input, output }, { threadIdx, blockIdx, blockDim, gridDim, externShared, syncthreads }, { warpSum }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const next = (blockIdx.x + 1) % gridDim.x;
        const i = next * (blockDim.x * 2) + tid;
        sdata[tid] = input[i] + input[i + blockDim.x];
        syncthreads();
        for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSum(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[next] = total;
        }
      },
    ),
  },
];
