import {
  asVector,
  atomicAdd,
  blockDim,
  blockIdx,
  device,
  externShared,
  gridDim,
  i32,
  int4,
  type Kernel,
  kernel,
  launch,
  plus,
  ptr,
  reduce,
  shared,
  shfl_xor_sync,
  syncthreads,
  this_grid,
  this_thread_block,
  threadfence,
  threadIdx,
  tiled_partition,
  u32,
} from "../../../src/index.js";
import { type Answers, sum } from "./answer.js";

const params = { ...sum, n: u32 };

const warpSumOfCap = device("warpSumOfCap", { value: i32 }, ({ value }) => {
  let total = value;
  for (let s = 16; s > 0; s >>= 1) total += shfl_xor_sync(0xffffffff, total, s);
  return total;
});

/** The block's sum of one value a thread; right in the first warp. */
const blockSumOfCap = device("blockSumOfCap", { value: i32 }, ({ value }) => {
  const sums = shared(i32, 32);
  const own = warpSumOfCap(value);
  if ((threadIdx.x & 31) === 0) sums[threadIdx.x >> 5] = own;
  syncthreads();
  return threadIdx.x < 32 ? warpSumOfCap(threadIdx.x < blockDim.x >> 5 ? sums[threadIdx.x] : 0) : 0;
});

/** A thread's elements, by vectors, two of them in flight at a time. */
const twoVectorsOfCap = device("twoVectorsOfCap", { input: ptr(i32), n: u32 }, ({ input, n }) => {
  const fours = asVector(input, int4);
  const step = blockDim.x * gridDim.x;
  const first = blockIdx.x * blockDim.x + threadIdx.x;
  let i = first;
  let own = 0;
  for (; i + step < n >> 2; i += 2 * step) {
    const a = fours[i];
    const b = fours[i + step];
    own += a.x + a.y + (a.z + a.w) + (b.x + b.y + (b.z + b.w));
  }
  if (i < n >> 2) {
    const a = fours[i];
    own += a.x + a.y + (a.z + a.w);
  }
  const rest = (n >> 2) * 4 + first;
  return rest < n ? own + input[rest] : own;
});

/** The same with four of them. */
const fourVectorsOfCap = device("fourVectorsOfCap", { input: ptr(i32), n: u32 }, ({ input, n }) => {
  const fours = asVector(input, int4);
  const step = blockDim.x * gridDim.x;
  const first = blockIdx.x * blockDim.x + threadIdx.x;
  let i = first;
  let own = 0;
  for (; i + 3 * step < n >> 2; i += 4 * step) {
    const a = fours[i];
    const b = fours[i + step];
    const c = fours[i + 2 * step];
    const d = fours[i + 3 * step];
    own += a.x + a.y + (a.z + a.w) + (b.x + b.y + (b.z + b.w));
    own += c.x + c.y + (c.z + c.w) + (d.x + d.y + (d.z + d.w));
  }
  for (; i < n >> 2; i += step) {
    const a = fours[i];
    own += a.x + a.y + (a.z + a.w);
  }
  const rest = (n >> 2) * 4 + first;
  return rest < n ? own + input[rest] : own;
});

/** A thread's elements, one load at a time. */
const oneLoadOfCap = device("oneLoadOfCap", { input: ptr(i32), n: u32 }, ({ input, n }) => {
  let own = 0;
  for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) own += input[i];
  return own;
});

const chosen = { BLOCK: 256, BLOCKS_PER_SM: 8 };

/** A grid that fits an SM too often to wait for itself. */
const waitsForAll = (BLOCKS_PER_SM: number): Kernel =>
  kernel("answer", params, { BLOCK: 512, BLOCKS_PER_SM }, ({ input, output, n }) => {
    const own = blockSumOfCap(twoVectorsOfCap(input, n));
    if (threadIdx.x === 0) output[blockIdx.x + 1] = own;
    this_grid().sync();
    if (blockIdx.x === 0) {
      let all = 0;
      for (let b = threadIdx.x; b < gridDim.x; b += blockDim.x) all += output[b + 1];
      all = blockSumOfCap(all);
      if (threadIdx.x === 0) output[0] = all;
    }
  });

const child = kernel("child", { input: ptr(i32), output: ptr(i32), n: u32 }, ({ input, output, n }) => {
  const own = blockSumOfCap(twoVectorsOfCap(input, n));
  if (threadIdx.x === 0) atomicAdd(output, 0, own);
});

export const answers: Answers = {
  right: [
    {
      how: "two vectors in flight, a tree in shared memory, one atomic a block",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        sdata[tid] = twoVectorsOfCap(input, n);
        syncthreads();
        for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSumOfCap(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) atomicAdd(output, 0, total);
        }
      }),
    },
    {
      how: "the last block that is done adds the blocks' sums",
      answer: kernel("answer", params, { BLOCK: 512, BLOCKS_PER_SM: 3 }, ({ input, output, n }) => {
        const isLast = shared(i32, 1);
        const own = blockSumOfCap(fourVectorsOfCap(input, n));
        if (threadIdx.x === 0) {
          output[blockIdx.x + 1] = own;
          threadfence();
          isLast[0] = atomicAdd(output, gridDim.x + 1, 1) === gridDim.x - 1 ? 1 : 0;
        }
        syncthreads();
        if (isLast[0] === 1) {
          let all = 0;
          for (let b = threadIdx.x; b < gridDim.x; b += blockDim.x) all += output[b + 1];
          all = blockSumOfCap(all);
          if (threadIdx.x === 0) output[0] = all;
        }
      }),
    },
    { how: "a barrier of the grid, and one block that adds the blocks' sums", answer: waitsForAll(4) },
    {
      how: "one vector at a time, in the largest blocks, two waves of them",
      answer: kernel("answer", params, { BLOCK: 1024, BLOCKS_PER_SM: 4 }, ({ input, output, n }) => {
        const fours = asVector(input, int4);
        const first = blockIdx.x * blockDim.x + threadIdx.x;
        let own = 0;
        for (let i = first; i < n >> 2; i += blockDim.x * gridDim.x) {
          const { x, y, z, w } = fours[i];
          own += x + y + (z + w);
        }
        if ((n >> 2) * 4 + first < n) own += input[(n >> 2) * 4 + first];
        own = blockSumOfCap(own);
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      how: "the reduction of cooperative groups, and the warps' sums by atomics in shared memory",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const block = this_thread_block();
        const warp = tiled_partition(block, 32);
        const total = shared(i32, 1);
        if (block.thread_rank() === 0) total[0] = 0;
        const own = reduce(warp, twoVectorsOfCap(input, n), plus);
        block.sync();
        if (warp.thread_rank() === 0) atomicAdd(total, 0, own);
        block.sync();
        if (block.thread_rank() === 0) atomicAdd(output, 0, total[0]);
      }),
    },
  ],
  wrong: [
    {
      what: "has one block an SM, one load in flight and an atomic a thread (the starter)",
      caughtBy: "bandwidth",
      answer: kernel("answer", params, { BLOCK: 256, BLOCKS_PER_SM: 1 }, ({ input, output, n }) => {
        atomicAdd(output, 0, oneLoadOfCap(input, n));
      }),
    },
    {
      what: "fills the SMs and has one load in flight",
      caughtBy: "bandwidth",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = blockSumOfCap(oneLoadOfCap(input, n));
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "adds each warp's sum to the output by an atomic",
      caughtBy: "bandwidth",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = warpSumOfCap(twoVectorsOfCap(input, n));
        if ((threadIdx.x & 31) === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "has four loads in flight and no vectors, as Lab 30's",
      caughtBy: "bandwidth",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const step = blockDim.x * gridDim.x;
        let i = blockIdx.x * blockDim.x + threadIdx.x;
        let own = 0;
        for (; i + 3 * step < n; i += 4 * step) {
          own += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
        }
        for (; i < n; i += step) own += input[i];
        own = blockSumOfCap(own);
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "leaves out the elements behind the last vector",
      caughtBy: "result",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, (n >> 2) * 4));
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "reads the last vector whole, beyond n",
      caughtBy: "result",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, ((n + 3) >> 2) * 4));
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "does not go on in steps of the grid",
      caughtBy: "result",
      answer: kernel("answer", params, { BLOCK: 512, BLOCKS_PER_SM: 4 }, ({ input, output, n }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        const own = blockSumOfCap(i < n ? input[i] : 0);
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "has no fence between a block's sum and the counter",
      caughtBy: "hazards",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const isLast = shared(i32, 1);
        const own = blockSumOfCap(twoVectorsOfCap(input, n));
        if (threadIdx.x === 0) {
          output[blockIdx.x + 1] = own;
          isLast[0] = atomicAdd(output, gridDim.x + 1, 1) === gridDim.x - 1 ? 1 : 0;
        }
        syncthreads();
        if (isLast[0] === 1) {
          let all = 0;
          for (let b = threadIdx.x; b < gridDim.x; b += blockDim.x) all += output[b + 1];
          all = blockSumOfCap(all);
          if (threadIdx.x === 0) output[0] = all;
        }
      }),
    },
    {
      what: "counts to one more than there are blocks",
      caughtBy: "result",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, n));
        if (threadIdx.x !== 0) return;
        output[blockIdx.x + 1] = own;
        threadfence();
        if (atomicAdd(output, gridDim.x + 1, 1) !== gridDim.x) return;
        for (let b = u32(0); b < gridDim.x; b++) output[0] += output[b + 1];
      }),
    },
    {
      what: "counts in the place of the last block's sum",
      caughtBy: "result",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, n));
        if (threadIdx.x !== 0) return;
        output[blockIdx.x + 1] = own;
        threadfence();
        if (atomicAdd(output, gridDim.x, 1) !== gridDim.x - 1) return;
        for (let b = u32(0); b < gridDim.x; b++) output[0] += output[b + 1];
      }),
    },
    {
      what: "adds to the output without an atomic",
      caughtBy: "hazards",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, n));
        if (threadIdx.x === 0) output[0] += own;
      }),
    },
    {
      what: "adds without an atomic in a large grid alone",
      caughtBy: "hazards",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, n));
        if (threadIdx.x !== 0) return;
        if (gridDim.x > 100) output[0] += own;
        else atomicAdd(output, 0, own);
      }),
    },
    {
      what: "has a fence, in front of the block's sum",
      caughtBy: "hazards",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, n));
        if (threadIdx.x !== 0) return;
        threadfence();
        output[blockIdx.x + 1] = own;
        if (atomicAdd(output, gridDim.x + 1, 1) !== gridDim.x - 1) return;
        for (let b = u32(0); b < gridDim.x; b++) output[0] += output[b + 1];
      }),
    },
    {
      what: "goes on in steps of the H200's grid",
      caughtBy: "result",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 1056 * blockDim.x) own += input[i];
        own = blockSumOfCap(own);
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "adds vectors from the second element on",
      caughtBy: "result",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        let own = twoVectorsOfCap(input.subarray(1), n - 1);
        if (blockIdx.x === 0 && threadIdx.x === 0) own += input[0];
        own = blockSumOfCap(own);
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "lets each block set the output",
      caughtBy: "result",
      answer: kernel("answer", params, chosen, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, n));
        if (threadIdx.x === 0) output[0] = own;
      }),
    },
    {
      what: "has no barrier behind the warps' sums",
      caughtBy: "hazards",
      answer: kernel("answer", params, { BLOCK: 64, BLOCKS_PER_SM: 32 }, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const own = warpSumOfCap(twoVectorsOfCap(input, n));
        if ((threadIdx.x & 31) === 0) sums[threadIdx.x >> 5] = own;
        if (threadIdx.x === 0) atomicAdd(output, 0, sums[0] + sums[1]);
      }),
    },
    {
      what: "says neither its threads nor its blocks",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, n));
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    {
      what: "asks for more threads than a block has",
      caughtBy: "result",
      answer: kernel("answer", params, { BLOCK: 2048, BLOCKS_PER_SM: 1 }, ({ input, output, n }) => {
        const own = blockSumOfCap(twoVectorsOfCap(input, n));
        if (threadIdx.x === 0) atomicAdd(output, 0, own);
      }),
    },
    { what: "lets more blocks wait for each other than fit on the GPU", caughtBy: "result", answer: waitsForAll(5) },
    {
      what: "lets a child grid add",
      caughtBy: "result",
      answer: kernel("answer", params, { ...chosen, child }, ({ input, output, n }) => {
        if (blockIdx.x === 0 && threadIdx.x === 0) launch(child, { grid: 1056, block: 256 }, { input, output, n });
      }),
    },
  ],
};
