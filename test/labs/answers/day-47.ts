import {
  atomicAdd,
  atomicExch,
  blockDim,
  blockIdx,
  device,
  gridDim,
  i32,
  kernel,
  plus,
  ptr,
  reduce,
  shared,
  shfl_down_sync,
  shfl_xor_sync,
  syncthreads,
  this_grid,
  this_thread_block,
  threadfence,
  threadIdx,
  tiled_partition,
  u32,
  volatile,
} from "../../../src/index.js";
import { type Answers, changed, sum } from "./answer.js";

const params = { ...sum, n: u32 };

/** The block's sum of one value a thread; right in the first warp. */
const blockSumOf47 = device("blockSumOf47", { value: i32 }, ({ value }) => {
  const warpSums = shared(i32, 32);
  for (let s = 16; s > 0; s >>= 1) value += shfl_xor_sync(0xffffffff, value, s);
  if ((threadIdx.x & 31) === 0) warpSums[threadIdx.x >> 5] = value;
  syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x >> 5 ? warpSums[threadIdx.x] : 0;
    for (let s = 16; s > 0; s >>= 1) value += shfl_xor_sync(0xffffffff, value, s);
  }
  return value;
});

/** The block's own sum, of its elements in steps of the grid; right in the first warp. */
const ownSumOf47 = device("ownSumOf47", { input: ptr(i32), n: u32 }, ({ input, n }) => {
  let own = 0;
  for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) own += input[i];
  return blockSumOf47(own);
});

/** The blocks' sums, from output[1] on, added by the block; right in the first warp. */
const blocksSumOf47 = device("blocksSumOf47", { output: ptr(i32) }, ({ output }) => {
  let all = 0;
  for (let b = threadIdx.x; b < gridDim.x; b += blockDim.x) all += output[b + 1];
  return blockSumOf47(all);
});

const ticketOfThread0 = kernel("answer", params, ({ input, output, n }) => {
  const isLast = shared(i32, 1);
  const own = ownSumOf47(input, n);
  if (threadIdx.x === 0) {
    output[blockIdx.x + 1] = own;
    threadfence();
    isLast[0] = atomicAdd(output, gridDim.x + 1, 1) === i32(gridDim.x) - 1 ? 1 : 0;
  }
  syncthreads();
  if (isLast[0] === 1) {
    const all = blocksSumOf47(output);
    if (threadIdx.x === 0) output[0] = all;
  }
});

export const answers: Answers = {
  right: [
    {
      how: "thread 0 fences and takes the ticket, as in CUDA's guide",
      answer: ticketOfThread0,
    },
    {
      how: "every thread fences, and the barrier gives the vote",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const ticket = shared(i32, 1);
        const own = ownSumOf47(input, n);
        if (threadIdx.x === 0) output[blockIdx.x + 1] = own;
        threadfence();
        if (threadIdx.x === 0) ticket[0] = atomicAdd(output, gridDim.x + 1, 1);
        syncthreads();
        if (ticket[0] + 1 === i32(gridDim.x)) {
          const all = blocksSumOf47(output);
          if (threadIdx.x === 0) output[0] = all;
        }
      }),
    },
    {
      how: "an atomic that counts down, fences on both sides, and the reduction of cooperative groups",
      answer: kernel("answer", { input: ptr(i32), output: ptr(i32), n: u32 }, ({ input, output, n }) => {
        const warpSums = shared(i32, 32);
        const isLast = shared(i32, 1);
        const block = this_thread_block();
        const warp = tiled_partition(block, 32);
        const tid = block.thread_rank();
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) own += input[i];
        own = reduce(warp, own, plus);
        if (warp.thread_rank() === 0) warpSums[warp.meta_group_rank()] = own;
        block.sync();
        if (warp.meta_group_rank() === 0) {
          own = reduce(warp, tid < warp.meta_group_size() ? warpSums[tid] : 0, plus);
          if (tid === 0) {
            output[blockIdx.x + 1] = own;
            threadfence();
            const before = atomicAdd(output, gridDim.x + 1, -1);
            threadfence();
            isLast[0] = before === 1 - i32(gridDim.x) ? 1 : 0;
          }
        }
        block.sync();
        if (isLast[0] === 1 && warp.meta_group_rank() === 0) {
          let all = 0;
          for (let b = tid; b < gridDim.x; b += 32) all += output[b + 1];
          all = reduce(warp, all, plus);
          if (tid === 0) output[0] = all;
        }
      }),
    },
    {
      how: "the sums stored by an atomic exchange and read as volatile",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const isLast = shared(i32, 1);
        const own = ownSumOf47(input, n);
        if (threadIdx.x === 0) {
          atomicExch(output, blockIdx.x + 2, own);
          threadfence();
          isLast[0] = atomicAdd(output, 1, 1) === i32(gridDim.x) - 1 ? 1 : 0;
        }
        syncthreads();
        if (isLast[0] === 0) return;
        let all = 0;
        for (let b = threadIdx.x; b < gridDim.x; b += blockDim.x) all += volatile(output)[b + 2];
        all = blockSumOf47(all);
        if (threadIdx.x === 0) output[0] = all;
      }),
    },
    {
      how: "a tree in shared memory, and the first block's sum in output[0]",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sums = shared(i32, 1024);
        const last = shared(i32, 1);
        const tid = threadIdx.x;
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) own += input[i];
        sums[tid] = own;
        syncthreads();
        for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
          if (tid < s) sums[tid] += sums[tid + s];
          syncthreads();
        }
        if (tid === 0) {
          output[blockIdx.x] = sums[0];
          threadfence();
          last[0] = atomicAdd(output, gridDim.x, 1);
        }
        syncthreads();
        if (last[0] < i32(gridDim.x) - 1) return;
        let all = 0;
        for (let b = tid; b < gridDim.x; b += blockDim.x) all += output[b];
        sums[tid] = all;
        syncthreads();
        for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
          if (tid < s) sums[tid] += sums[tid + s];
          syncthreads();
        }
        if (tid === 0) output[0] = sums[0];
      }),
    },
  ],
  wrong: [
    {
      what: "leaves each block's sum and takes no ticket (the starter)",
      caughtBy: "primitives",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const own = ownSumOf47(input, n);
        if (threadIdx.x === 0) output[blockIdx.x] = own;
      }),
    },
    {
      what: "lets the block with the highest number add",
      caughtBy: "hazards",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const own = ownSumOf47(input, n);
        if (threadIdx.x === 0) {
          output[blockIdx.x + 1] = own;
          threadfence();
          atomicAdd(output, gridDim.x + 1, 1);
        }
        syncthreads();
        if (blockIdx.x === gridDim.x - 1) {
          const all = blocksSumOf47(output);
          if (threadIdx.x === 0) output[0] = all;
        }
      }),
    },
    {
      what: "has no fence",
      caughtBy: "primitives",
      answer: changed(ticketOfThread0, ["threadfence();", ""]),
    },
    {
      what: "has a barrier of the block in place of the fence",
      caughtBy: "primitives",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const isLast = shared(i32, 1);
        const own = ownSumOf47(input, n);
        if (threadIdx.x === 0) output[blockIdx.x + 1] = own;
        syncthreads();
        if (threadIdx.x === 0) isLast[0] = atomicAdd(output, gridDim.x + 1, 1) === i32(gridDim.x) - 1 ? 1 : 0;
        syncthreads();
        if (isLast[0] === 1) {
          const all = blocksSumOf47(output);
          if (threadIdx.x === 0) output[0] = all;
        }
      }),
    },
    {
      what: "fences for its own block alone",
      caughtBy: "hazards",
      answer: changed(ticketOfThread0, ["threadfence();", "threadfence_block();"]),
    },
    {
      what: "fences before it stores its sum",
      caughtBy: "hazards",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const isLast = shared(i32, 1);
        const own = ownSumOf47(input, n);
        if (threadIdx.x === 0) {
          threadfence();
          output[blockIdx.x + 1] = own;
          isLast[0] = atomicAdd(output, gridDim.x + 1, 1) === i32(gridDim.x) - 1 ? 1 : 0;
        }
        syncthreads();
        if (isLast[0] === 1) {
          const all = blocksSumOf47(output);
          if (threadIdx.x === 0) output[0] = all;
        }
      }),
    },
    {
      what: "reads a ticket that thread 0 may not have written",
      caughtBy: "hazards",
      answer: changed(ticketOfThread0, ["syncthreads();", ""]),
    },
    {
      what: "waits for as many tickets as there are blocks, of which the last has one fewer",
      caughtBy: "result",
      answer: changed(ticketOfThread0, ["- 1 ? 1 : 0;", "? 1 : 0;"]),
    },
    {
      what: "lets every thread take a ticket",
      caughtBy: "result",
      answer: changed(
        ticketOfThread0,
        ["threadfence(); isLast[0] =", "isLast[0] = 0; } threadfence(); syncthreads(); if ("],
        ["1 ? 1 : 0; }", "1) isLast[0] = 1;"],
      ),
    },
    {
      what: "counts in the place of the last block's sum",
      caughtBy: "result",
      answer: changed(ticketOfThread0, ["gridDim.x + 1", "gridDim.x"]),
    },
    {
      what: "adds the sums of as many blocks as a block has threads",
      caughtBy: "result",
      answer: changed(ticketOfThread0, [
        "const all = blocksSumOf47(output);",
        "const all = blockSumOf47(threadIdx.x < gridDim.x ? output[threadIdx.x + 1] : 0);",
      ]),
    },
    {
      what: "adds each block's sum to the output by an atomic",
      caughtBy: "primitives",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const own = ownSumOf47(input, n);
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "waits for the whole grid, and block 0 adds",
      caughtBy: "primitives",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const own = ownSumOf47(input, n);
        if (threadIdx.x === 0) {
          output[blockIdx.x + 1] = own;
          threadfence();
          atomicAdd(output, gridDim.x + 1, 1);
        }
        this_grid().sync();
        if (blockIdx.x === 0) {
          const all = blocksSumOf47(output);
          if (threadIdx.x === 0) output[0] = all;
        }
      }),
    },
    {
      what: "lets thread 0 add the threads' sums",
      caughtBy: "additions",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sums = shared(i32, 1024);
        const isLast = shared(i32, 1);
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) own += input[i];
        sums[threadIdx.x] = own;
        syncthreads();
        if (threadIdx.x === 0) {
          let all = 0;
          for (let t = u32(0); t < blockDim.x; t++) all += sums[t];
          output[blockIdx.x + 1] = all;
          threadfence();
          isLast[0] = atomicAdd(output, gridDim.x + 1, 1) === i32(gridDim.x) - 1 ? 1 : 0;
        }
        syncthreads();
        if (isLast[0] === 1) {
          const all = blocksSumOf47(output);
          if (threadIdx.x === 0) output[0] = all;
        }
      }),
    },
    {
      what: "lets the first warp add the threads' sums",
      caughtBy: "additions",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sums = shared(i32, 1024);
        const isLast = shared(i32, 1);
        const tid = threadIdx.x;
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) own += input[i];
        sums[tid] = own;
        syncthreads();
        if (tid < 32) {
          let all = 0;
          for (let t = tid; t < blockDim.x; t += 32) all += sums[t];
          for (let s = 16; s > 0; s >>= 1) all += shfl_down_sync(0xffffffff, all, s);
          if (tid === 0) {
            output[blockIdx.x + 1] = all;
            threadfence();
            isLast[0] = atomicAdd(output, gridDim.x + 1, 1) === i32(gridDim.x) - 1 ? 1 : 0;
          }
        }
        syncthreads();
        if (isLast[0] === 1) {
          const all = blocksSumOf47(output);
          if (tid === 0) output[0] = all;
        }
      }),
    },
    {
      what: "adds the threads' sums by atomics of one thread",
      caughtBy: "additions",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const sums = shared(i32, 1025);
        const isLast = shared(i32, 1);
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) own += input[i];
        sums[threadIdx.x] = own;
        if (threadIdx.x === 0) sums[1024] = 0;
        syncthreads();
        if (threadIdx.x === 0) {
          for (let t = u32(0); t < blockDim.x; t++) atomicAdd(sums, 1024, sums[t]);
          output[blockIdx.x + 1] = sums[1024];
          threadfence();
          isLast[0] = atomicAdd(output, gridDim.x + 1, 1) === i32(gridDim.x) - 1 ? 1 : 0;
        }
        syncthreads();
        if (isLast[0] === 1) {
          const all = blocksSumOf47(output);
          if (threadIdx.x === 0) output[0] = all;
        }
      }),
    },
    {
      what: "lets thread 0 of the last block add the blocks' sums",
      caughtBy: "speed-up",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const own = ownSumOf47(input, n);
        if (threadIdx.x !== 0) return;
        output[blockIdx.x + 1] = own;
        threadfence();
        if (atomicAdd(output, gridDim.x + 1, 1) !== i32(gridDim.x) - 1) return;
        let all = 0;
        for (let b = u32(0); b < gridDim.x; b++) all += output[b + 1];
        output[0] = all;
      }),
    },
    {
      what: "lets thread 0 of the last block add the blocks' sums by atomics",
      caughtBy: "speed-up",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const own = ownSumOf47(input, n);
        if (threadIdx.x !== 0) return;
        output[blockIdx.x + 1] = own;
        threadfence();
        if (atomicAdd(output, gridDim.x + 1, 1) !== i32(gridDim.x) - 1) return;
        for (let b = u32(0); b < gridDim.x; b++) atomicAdd(output, 0, output[b + 1]);
      }),
    },
    {
      what: "asks all lanes at every step whether any has an element left",
      caughtBy: "speed-up",
      answer: changed(ticketOfThread0, [
        "const own = ownSumOf47(input, n);",
        "let own = 0; let i = blockIdx.x * blockDim.x + threadIdx.x; while (any_sync(0xffffffff, i < n)) { own += i < n ? input[i] : 0; for (let turn = 0; turn < 12; turn++) threadfence(); i += blockDim.x * gridDim.x; } own = blockSumOf47(own);",
      ]),
    },
    {
      what: "reads beyond the end",
      caughtBy: "result",
      answer: changed(ticketOfThread0, [
        "const own = ownSumOf47(input, n);",
        "let own = 0; for (let i = blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) own += input[i + threadIdx.x]; own = blockSumOf47(own);",
      ]),
    },
    {
      what: "does not go on in steps of the grid",
      caughtBy: "result",
      answer: changed(ticketOfThread0, [
        "const own = ownSumOf47(input, n);",
        "const i = blockIdx.x * blockDim.x + threadIdx.x; const own = blockSumOf47(i < n ? input[i] : 0);",
      ]),
    },
  ],
};
