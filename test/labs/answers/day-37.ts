import { device, i32, kernel, u32 } from "../../../src/core/frontend/index.js";
import {
  activemask,
  atomicAdd,
  blockDim,
  blockIdx,
  min,
  shared,
  shfl_down_sync,
  shfl_sync,
  shfl_up_sync,
  shfl_xor_sync,
  syncthreads,
  threadIdx,
} from "../../../src/index.js";
import { type Answers, changed, guardedSum } from "./answer.js";

/** The sum of a warp's first lanes, in lane 0. */
const firstLanes = device("firstLanes", { value: i32, lanes: i32 }, ({ value, lanes }) => {
  const lane = i32(threadIdx.x & 31);
  const mask = lanes >= 32 ? 0xffffffff : (u32(1) << lanes) - 1;
  for (let offset = 16; offset > 0; offset >>= 1) {
    const other = shfl_down_sync(mask, value, offset);
    if (lane + offset < lanes) value += other;
  }
  return value;
});

/** Lanes of this thread's warp that the block has. */
const lanesHere = device("lanesHere", {}, () => min(32, i32(blockDim.x) - i32(threadIdx.x & ~31)));

const warpsHere = device("warpsHere", {}, () => i32((blockDim.x + 31) >> 5));

const shifting = kernel("answer", guardedSum, ({ input, output, n }) => {
  const sums = shared(i32, 32);
  const tid = i32(threadIdx.x);
  const i = i32(blockIdx.x * blockDim.x) + tid;
  let sum = firstLanes(i < n ? input[i] : 0, lanesHere());
  if ((tid & 31) === 0) sums[tid >> 5] = sum;
  syncthreads();
  if (tid < 32) {
    sum = firstLanes(tid < warpsHere() ? sums[tid] : 0, 32);
    if (tid === 0) output[blockIdx.x] = sum;
  }
});

export const answers: Answers = {
  right: [
    {
      how: "shifting down, with a device function",
      answer: shifting,
    },
    {
      how: "a butterfly whose partners may be missing",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const lane = tid & 31;
        const i = i32(blockIdx.x * blockDim.x) + tid;
        const lanes = lanesHere();
        const mask = lanes === 32 ? 0xffffffff : (u32(1) << lanes) - 1;
        let sum = 0;
        if (i < n) sum = input[i];
        for (let m = 16; m > 0; m >>= 1) {
          const other = shfl_xor_sync(mask, sum, m);
          if ((lane ^ m) < lanes) sum += other;
        }
        if (lane === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid >= 32) return;
        let total = tid < warpsHere() ? sums[tid] : 0;
        for (let m = 1; m < 32; m *= 2) total += shfl_xor_sync(0xffffffff, total, m);
        if (tid === 0) output[blockIdx.x] = total;
      }),
    },
    {
      how: "a scan whose last lane has the warp's sum",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const lane = tid & 31;
        const i = i32(blockIdx.x * blockDim.x) + tid;
        const lanes = lanesHere();
        const mask = u32(0xffffffff) >>> (32 - lanes);
        let sum = i < n ? input[i] : 0;
        for (let offset = 1; offset < 32; offset <<= 1) {
          const before = shfl_up_sync(mask, sum, offset);
          if (lane >= offset) sum += before;
        }
        if (lane === lanes - 1) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          const total = firstLanes(tid < warpsHere() ? sums[tid] : 0, 32);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      how: "named source lanes, each lane its own where there is none",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const lane = tid & 31;
        const i = i32(blockIdx.x * blockDim.x) + tid;
        const lanes = lanesHere();
        const mask = lanes < 32 ? (u32(1) << lanes) - 1 : 0xffffffff;
        let sum = i < n ? input[i] : 0;
        for (let offset = 16; offset > 0; offset >>= 1) {
          const there = lane + offset < lanes;
          const other = shfl_sync(mask, sum, there ? lane + offset : lane);
          sum += there ? other : 0;
        }
        if (lane === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          const total = firstLanes(tid < warpsHere() ? sums[tid] : 0, 32);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      how: "a second stage of only as many lanes as there are warps, unrolled by hand",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        const lanes = lanesHere();
        const lane = tid & 31;
        const mask = lanes === 32 ? 0xffffffff : (u32(1) << lanes) - 1;
        let sum = i < n ? input[i] : 0;
        let other = shfl_down_sync(mask, sum, 16);
        if (lane + 16 < lanes) sum += other;
        other = shfl_down_sync(mask, sum, 8);
        if (lane + 8 < lanes) sum += other;
        other = shfl_down_sync(mask, sum, 4);
        if (lane + 4 < lanes) sum += other;
        other = shfl_down_sync(mask, sum, 2);
        if (lane + 2 < lanes) sum += other;
        other = shfl_down_sync(mask, sum, 1);
        if (lane + 1 < lanes) sum += other;
        if (lane === 0) sums[tid >> 5] = sum;
        syncthreads();
        const warps = warpsHere();
        if (tid < warps) {
          const total = firstLanes(sums[tid], warps);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      how: "a full mask in each warp, and only values of lanes that are there",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        const lanes = lanesHere();
        let sum = i < n ? input[i] : 0;
        for (let offset = 16; offset > 0; offset >>= 1) {
          const other = shfl_down_sync(0xffffffff, sum, offset);
          if ((tid & 31) + offset < lanes) sum += other;
        }
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          sum = firstLanes(tid < warpsHere() ? sums[tid] : 0, 32);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
  ],
  wrong: [
    {
      what: "adds what lanes give that the block does not have",
      caughtBy: "hazards",
      answer: changed(shifting, [", lanesHere()", ", 32"]),
    },
    {
      what: "has the right mask and adds what missing lanes give",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        const lanes = lanesHere();
        const mask = lanes >= 32 ? 0xffffffff : (u32(1) << lanes) - 1;
        let sum = i < n ? input[i] : 0;
        for (let offset = 16; offset > 0; offset >>= 1) sum += shfl_down_sync(mask, sum, offset);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          sum = firstLanes(tid < warpsHere() ? sums[tid] : 0, 32);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      what: "leaves a lane out of its mask",
      caughtBy: "result",
      answer: changed(shifting, [", lanesHere()", ", lanesHere() - 1"]),
    },
    {
      what: "adds sums of warps that the block does not have",
      caughtBy: "hazards",
      answer: changed(shifting, ["tid < warpsHere() ? sums[tid] : 0", "sums[tid]"]),
    },
    {
      what: "does not wait for the warps' sums",
      caughtBy: "hazards",
      answer: changed(shifting, ["syncthreads();", ""]),
    },
    {
      what: "waits in the lanes that leave a sum alone",
      caughtBy: "result",
      answer: changed(shifting, ["sums[tid >> 5]", "{ sums[tid >> 5]"], ["if (tid < 32) {", "} if (tid < 32) {"]),
    },
    {
      what: "forgets the sum of a warp that is not whole",
      caughtBy: "result",
      answer: changed(shifting, ["warpsHere() ?", "i32(blockDim.x >> 5) ?"]),
    },
    {
      what: "lets only the lanes with an element come to the shuffle",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        if (tid < 32) sums[tid] = 0;
        if (i < n) {
          let sum = input[i];
          for (let offset = 16; offset > 0; offset >>= 1) sum += shfl_down_sync(activemask(), sum, offset);
          if ((tid & 31) === 0) sums[tid >> 5] = sum;
        }
        syncthreads();
        if (tid < 32) {
          const total = firstLanes(tid < warpsHere() ? sums[tid] : 0, 32);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "reads beyond the end of the input",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        let sum = firstLanes(input[i32(blockIdx.x * blockDim.x) + tid], lanesHere());
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          sum = firstLanes(tid < warpsHere() ? sums[tid] : 0, 32);
          if (tid === 0) output[blockIdx.x] = sum;
        }
      }),
    },
    {
      what: "adds the warps' sums by an atomic",
      caughtBy: "primitives",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const total = shared(i32, 1);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        if (tid === 0) total[0] = 0;
        syncthreads();
        const sum = firstLanes(i < n ? input[i] : 0, lanesHere());
        if ((tid & 31) === 0) atomicAdd(total, 0, sum);
        syncthreads();
        if (tid === 0) output[blockIdx.x] = total[0];
      }),
    },
    {
      what: "adds in shared memory without a shuffle",
      caughtBy: "primitives",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = shared(i32, 1024);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        let left = i32(blockDim.x);
        while (left > 1) {
          const half = (left + 1) >> 1;
          if (tid < left - half) sdata[tid] += sdata[tid + half];
          syncthreads();
          left = half;
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "lets thread 0 add all warps' sums",
      caughtBy: "additions",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        const sum = firstLanes(i < n ? input[i] : 0, lanesHere());
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid === 0) {
          let total = 0;
          for (let warp = 0; warp < warpsHere(); warp++) total += sums[warp];
          output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "waits twice",
      caughtBy: "barriers",
      answer: changed(
        shifting,
        ["tid; let sum", "tid; if (tid < 32) sums[tid] = 0; syncthreads(); let sum"],
        ["tid < warpsHere() ? sums[tid] : 0", "sums[tid]"],
      ),
    },
    {
      what: "sends its elements through shared memory first",
      caughtBy: "shared-requests",
      answer: changed(
        shifting,
        ["const sums =", "const sdata = volatile(shared(i32, 1024)); const sums ="],
        ["let sum = firstLanes(i < n ? input[i] : 0", "sdata[tid] = i < n ? input[i] : 0"],
        ["i < n ? input[i] : 0, lanesHere());", "i < n ? input[i] : 0; let sum = firstLanes(sdata[tid], lanesHere());"],
      ),
    },
    {
      what: "adds to what the output held",
      caughtBy: "result",
      answer: changed(shifting, ["[blockIdx.x] =", "[blockIdx.x] +="]),
    },
  ],
};
