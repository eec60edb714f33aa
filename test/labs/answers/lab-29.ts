import {
  atomicAdd,
  blockDim,
  blockIdx,
  device,
  externShared,
  i32,
  kernel,
  plus,
  reduce,
  shared,
  sharedPtr,
  shfl_down_sync,
  shfl_xor_sync,
  syncthreads,
  syncwarp,
  this_thread_block,
  threadIdx,
  tiled_partition,
  u32,
  unroll,
  volatile,
} from "../../../src/index.js";
import { type Answers, sum } from "./answer.js";

const warpSumOf29 = device("warpSumOf29", { value: i32 }, ({ value }) => {
  let total = value;
  for (let s = 16; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
  return total;
});

const volatileWarpOf29 = device("volatileWarpOf29", { sdata: volatile(sharedPtr(i32)), tid: u32 }, ({ sdata, tid }) => {
  sdata[tid] += sdata[tid + 32];
  sdata[tid] += sdata[tid + 16];
  sdata[tid] += sdata[tid + 8];
  sdata[tid] += sdata[tid + 4];
  sdata[tid] += sdata[tid + 2];
  sdata[tid] += sdata[tid + 1];
});

const BLOCK_OF_256 = { BLOCK: 256 };

export const answers: Answers = {
  right: [
    {
      how: "the chain written out, a barrier within each step",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        if (BLOCK >= 1024) {
          if (tid < 512) sdata[tid] += sdata[tid + 512];
          syncthreads();
        }
        if (BLOCK >= 512) {
          if (tid < 256) sdata[tid] += sdata[tid + 256];
          syncthreads();
        }
        if (BLOCK >= 256) {
          if (tid < 128) sdata[tid] += sdata[tid + 128];
          syncthreads();
        }
        if (BLOCK >= 128) {
          if (tid < 64) sdata[tid] += sdata[tid + 64];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      how: "a loop over the constant, which the compiler unrolls, and a butterfly",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        for (let s = BLOCK >> 1; s > 32; s >>= 1) {
          unroll();
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          let total = sdata[tid] + sdata[tid + 32];
          for (let s = 1; s < 32; s *= 2) total += shfl_xor_sync(0xffffffff, total, s);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      how: "the own sum in a register, and the barrier before each step",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const elements = input.subarray(blockIdx.x * (BLOCK * 2));
        let own = elements[tid] + elements[tid + BLOCK];
        sdata[tid] = own;
        for (let s = BLOCK >> 1; s >= 64; s >>= 1) {
          syncthreads();
          if (tid < s) {
            own += sdata[tid + s];
            sdata[tid] = own;
          }
        }
        syncthreads();
        if (tid >= 32) return;
        own = warpSumOf29(own + sdata[tid + 32]);
        if (tid === 0) output[blockIdx.x] = own;
      }),
    },
    {
      how: "every warp by shuffles, then the first warp as many sums as there are warps",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sums = shared(i32, BLOCK >> 5);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        const own = warpSumOf29(input[i] + input[i + BLOCK]);
        if ((tid & 31) === 0) sums[tid >> 5] = own;
        syncthreads();
        if (tid < 32) {
          let total = tid < BLOCK >> 5 ? sums[tid] : 0;
          for (let s = BLOCK >> 6; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      how: "the last warp in shared memory with syncwarp() between reads and writes",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        for (let s = BLOCK >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          let own = sdata[tid];
          for (let s = 32; s > 0; s >>= 1) {
            own += sdata[tid + s];
            syncwarp();
            sdata[tid] = own;
            syncwarp();
          }
          if (tid === 0) output[blockIdx.x] = own;
        }
      }),
    },
    {
      how: "the reduction of cooperative groups for the last warp",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const warp = tiled_partition(this_thread_block(), 32);
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        for (let s = BLOCK >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          const total = reduce(warp, sdata[tid] + sdata[tid + 32], plus);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
  ],
  wrong: [
    {
      what: "asks for the one size with ===, as the notes do",
      caughtBy: "result",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        if (BLOCK === 1024 && tid < 512) sdata[tid] += sdata[tid + 512];
        syncthreads();
        if (BLOCK === 512 && tid < 256) sdata[tid] += sdata[tid + 256];
        syncthreads();
        if (BLOCK === 256 && tid < 128) sdata[tid] += sdata[tid + 128];
        syncthreads();
        if (BLOCK === 128 && tid < 64) sdata[tid] += sdata[tid + 64];
        syncthreads();
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "has no template constant",
      caughtBy: "result",
      answer: kernel("answer", sum, ({ input, output }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        const i = blockIdx.x * (blockDim.x * 2) + tid;
        sdata[tid] = input[i] + input[i + blockDim.x];
        syncthreads();
        for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "declares the constant under another name",
      caughtBy: "result",
      answer: kernel("answer", sum, { SIZE: 256 }, ({ input, output }, { SIZE }) => {
        const sdata = shared(i32, SIZE);
        const tid = threadIdx.x;
        const i = blockIdx.x * (SIZE * 2) + tid;
        sdata[tid] = input[i] + input[i + SIZE];
        syncthreads();
        for (let s = SIZE >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "declares the constant and loops over blockDim.x",
      caughtBy: "primitives",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (blockDim.x * 2) + tid;
        sdata[tid] = input[i] + input[i + blockDim.x];
        syncthreads();
        for (let s = blockDim.x >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "writes the chain with blockDim.x",
      caughtBy: "primitives",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (blockDim.x * 2) + tid;
        sdata[tid] = input[i] + input[i + blockDim.x];
        syncthreads();
        if (blockDim.x >= 1024) {
          if (tid < 512) sdata[tid] += sdata[tid + 512];
          syncthreads();
        }
        if (blockDim.x >= 512) {
          if (tid < 256) sdata[tid] += sdata[tid + 256];
          syncthreads();
        }
        if (blockDim.x >= 256) {
          if (tid < 128) sdata[tid] += sdata[tid + 128];
          syncthreads();
        }
        if (blockDim.x >= 128) {
          if (tid < 64) sdata[tid] += sdata[tid + 64];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "keeps the barriers of the steps that a block does not have",
      caughtBy: "barriers",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        if (BLOCK >= 1024 && tid < 512) sdata[tid] += sdata[tid + 512];
        syncthreads();
        if (BLOCK >= 512 && tid < 256) sdata[tid] += sdata[tid + 256];
        syncthreads();
        if (BLOCK >= 256 && tid < 128) sdata[tid] += sdata[tid + 128];
        syncthreads();
        if (BLOCK >= 128 && tid < 64) sdata[tid] += sdata[tid + 64];
        syncthreads();
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "lets the last warp add by volatile places, a race from Volta on",
      caughtBy: "hazards",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        for (let s = BLOCK >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) volatileWarpOf29(sdata, tid);
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "has > for >= at one step",
      caughtBy: "result",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        if (BLOCK > 512) {
          if (tid < 512) sdata[tid] += sdata[tid + 512];
          syncthreads();
        }
        if (BLOCK > 512) {
          if (tid < 256) sdata[tid] += sdata[tid + 256];
          syncthreads();
        }
        if (BLOCK >= 256) {
          if (tid < 128) sdata[tid] += sdata[tid + 128];
          syncthreads();
        }
        if (BLOCK >= 128) {
          if (tid < 64) sdata[tid] += sdata[tid + 64];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "leaves out the barriers between the steps",
      caughtBy: "hazards",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        for (let s = BLOCK >> 1; s > 32; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
        }
        syncthreads();
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "knows a block of 256 only",
      caughtBy: "result",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * 512 + tid;
        sdata[tid] = input[i] + input[i + 256];
        syncthreads();
        if (tid < 128) sdata[tid] += sdata[tid + 128];
        syncthreads();
        if (tid < 64) sdata[tid] += sdata[tid + 64];
        syncthreads();
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "adds each warp's sum to the output by an atomic",
      caughtBy: "primitives",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const tid = threadIdx.x;
        if (tid === 0) output[blockIdx.x] = 0;
        syncthreads();
        const i = blockIdx.x * (BLOCK * 2) + tid;
        const own = warpSumOf29(input[i] + input[i + BLOCK]);
        if ((tid & 31) === 0) atomicAdd(output, blockIdx.x, own);
      }),
    },
    {
      what: "lets the first warp add all, in an unrolled loop",
      caughtBy: "additions",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const tid = threadIdx.x;
        if (tid >= 32) return;
        const elements = input.subarray(blockIdx.x * (BLOCK * 2));
        let own = 0;
        for (let k = 0; k < BLOCK >> 4; k++) {
          unroll();
          own += elements[tid + 32 * k];
        }
        own = warpSumOf29(own);
        if (tid === 0) output[blockIdx.x] = own;
      }),
    },
    {
      what: "ends the chain at 128 places",
      caughtBy: "result",
      answer: kernel("answer", sum, BLOCK_OF_256, ({ input, output }, { BLOCK }) => {
        const sdata = shared(i32, BLOCK);
        const tid = threadIdx.x;
        const i = blockIdx.x * (BLOCK * 2) + tid;
        sdata[tid] = input[i] + input[i + BLOCK];
        syncthreads();
        for (let s = BLOCK >> 1; s > 64; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid < 32) {
          const total = warpSumOf29(sdata[tid] + sdata[tid + 32]);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
  ],
};
