import {
  asVector,
  atomicAdd,
  blockDim,
  blockIdx,
  device,
  externShared,
  gridDim,
  i32,
  idiv,
  int4,
  kernel,
  min,
  sharedPtr,
  shfl_down_sync,
  syncthreads,
  threadIdx,
} from "../../../src/index.js";
import { type Answers, guardedSum } from "./answer.js";

/** The block's sum of one value a thread. */
const blockSumOf40 = device("blockSumOf40", { sdata: sharedPtr(i32), value: i32 }, ({ sdata, value }) => {
  const tid = i32(threadIdx.x);
  sdata[tid] = value;
  syncthreads();
  for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  return sdata[0];
});

/** In steps of the grid: even, whatever n is. The number of blocks decides. */
const inSteps = kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
  const sdata = externShared(i32);
  const step = i32(blockDim.x * gridDim.x);
  let sum = 0;
  for (let i = i32(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) sum += input[i];
  const total = blockSumOf40(sdata, sum);
  if (threadIdx.x === 0) output[blockIdx.x] = total;
});

/** A block takes pieces of PIECE elements. */
const inPieces = kernel("answer", guardedSum, { BLOCKS: 560, PIECE: 8192 }, ({ input, output, n }, { PIECE }) => {
  const sdata = externShared(i32);
  let sum = 0;
  for (let first = i32(blockIdx.x) * PIECE; first < n; first += i32(gridDim.x) * PIECE) {
    for (let k = i32(threadIdx.x); k < PIECE; k += i32(blockDim.x)) if (first + k < n) sum += input[first + k];
  }
  const total = blockSumOf40(sdata, sum);
  if (threadIdx.x === 0) output[blockIdx.x] = total;
});

/** A block has one run of elements, a multiple of WHOLE long. */
const inRuns = kernel("answer", guardedSum, { BLOCKS: 320, WHOLE: 32 }, ({ input, output, n }, { WHOLE }) => {
  const sdata = externShared(i32);
  const parts = i32(gridDim.x) * WHOLE;
  const each = idiv(n + parts - 1, parts) * WHOLE;
  const first = i32(blockIdx.x) * each;
  const end = min(n, first + each);
  let sum = 0;
  for (let i = first + i32(threadIdx.x); i < end; i += i32(blockDim.x)) sum += input[i];
  const total = blockSumOf40(sdata, sum);
  if (threadIdx.x === 0) output[blockIdx.x] = total;
});

export const answers: Answers = {
  right: [
    {
      how: "vectors of four ints",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const fours = asVector(input, int4);
        const step = i32(blockDim.x * gridDim.x);
        const first = i32(blockIdx.x * blockDim.x + threadIdx.x);
        const count = n >> 2;
        let sum = 0;
        for (let i = first; i < count; i += step) {
          const four = fours[i];
          sum += four.x + four.y + four.z + four.w;
        }
        if (4 * count + first < n) sum += input[4 * count + first];
        const total = blockSumOf40(sdata, sum);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    { how: "in steps of the grid, with blocks for both GPUs", answer: inSteps },
    {
      how: "in steps of the grid, with so many blocks that the last ones matter little",
      answer: inSteps.with({ BLOCKS: 1024 }),
    },
    { how: "one run of elements a block, in whole warps", answer: inRuns },
    { how: "small pieces in turn", answer: inPieces.with({ BLOCKS: 480, PIECE: 256 }) },
    {
      how: "two loads a step, and the rest one by one",
      answer: kernel("answer", guardedSum, { BLOCKS: 320 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const step = i32(blockDim.x * gridDim.x);
        let i = i32(blockIdx.x * blockDim.x) + tid;
        let sum = 0;
        while (i + step < n) {
          sum += input[i] + input[i + step];
          i += 2 * step;
        }
        if (i < n) sum += input[i];
        sdata[tid] = sum;
        syncthreads();
        for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
  ],
  wrong: [
    {
      what: "takes large pieces, with 100 blocks (the starter)",
      caughtBy: "idle-sms",
      answer: inPieces.with({ BLOCKS: 100 }),
    },
    { what: "takes large pieces, which are fewer than the blocks", caughtBy: "idle-sms", answer: inPieces },
    {
      what: "has a block more than SMs on some SMs alone",
      caughtBy: "idle-sms",
      answer: inSteps.with({ BLOCKS: 100 }),
    },
    { what: "has fewer blocks than the V100 has SMs", caughtBy: "idle-sms", answer: inSteps.with({ BLOCKS: 64 }) },
    { what: "fits the V100 alone", caughtBy: "idle-sms", answer: inSteps.with({ BLOCKS: 80 }) },
    { what: "fits the M2070 alone", caughtBy: "idle-sms", answer: inSteps.with({ BLOCKS: 14 * 9 }) },
    {
      what: "rounds a block's run up, so that the last blocks have none",
      caughtBy: "idle-sms",
      answer: inRuns.with({ WHOLE: 8192 }),
    },
    { what: "asks for more blocks than it may", caughtBy: "result", answer: inSteps.with({ BLOCKS: 5600 }) },
    {
      what: "says no number of blocks",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = i32(blockDim.x * gridDim.x);
        let sum = 0;
        for (let i = i32(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) sum += input[i];
        const total = blockSumOf40(sdata, sum);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "counts on its number of blocks instead of the launch's",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = i32(blockDim.x) * 560;
        let sum = 0;
        for (let i = i32(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) sum += input[i];
        const total = blockSumOf40(sdata, sum);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "adds one element a thread and stops",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
        const total = blockSumOf40(sdata, i < n ? input[i] : 0);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "gives each block the same whole share and drops the rest",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, { BLOCKS: 320 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const each = idiv(n, i32(gridDim.x));
        const first = i32(blockIdx.x) * each;
        let sum = 0;
        for (let k = i32(threadIdx.x); k < each; k += i32(blockDim.x)) sum += input[first + k];
        const total = blockSumOf40(sdata, sum);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "reads one element beyond the input",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = i32(blockDim.x * gridDim.x);
        let sum = 0;
        for (let i = i32(blockIdx.x * blockDim.x + threadIdx.x); i <= n; i += step) sum += input[i];
        const total = blockSumOf40(sdata, sum);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "writes no output for blocks without elements",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = i32(blockDim.x * gridDim.x);
        const first = i32(blockIdx.x * blockDim.x);
        let sum = 0;
        for (let i = first + i32(threadIdx.x); i < n; i += step) sum += input[i];
        const total = blockSumOf40(sdata, sum);
        if (threadIdx.x === 0 && first < n) output[blockIdx.x] = total;
      }),
    },
    {
      what: "shuffles, which a Fermi cannot",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sums = externShared(i32);
        const tid = i32(threadIdx.x);
        const step = i32(blockDim.x * gridDim.x);
        let sum = 0;
        for (let i = i32(blockIdx.x * blockDim.x) + tid; i < n; i += step) sum += input[i];
        for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          let total = tid < i32(blockDim.x >> 5) ? sums[tid] : 0;
          for (let s = 16; s > 0; s >>= 1) total += shfl_down_sync(0xffffffff, total, s);
          if (tid === 0) output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "adds the threads' sums by atomics",
      caughtBy: "primitives",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        if (threadIdx.x === 0) sdata[0] = 0;
        syncthreads();
        const step = i32(blockDim.x * gridDim.x);
        let sum = 0;
        for (let i = i32(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) sum += input[i];
        atomicAdd(sdata, 0, sum);
        syncthreads();
        if (threadIdx.x === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "gives each thread a run of neighbouring elements",
      caughtBy: "sectors-per-request",
      answer: kernel("answer", guardedSum, { BLOCKS: 80 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const threads = i32(blockDim.x * gridDim.x);
        const each = idiv(n + threads - 1, threads);
        const first = i32(blockIdx.x * blockDim.x + threadIdx.x) * each;
        let sum = 0;
        for (let i = first; i < first + each; i++) if (i < n) sum += input[i];
        const total = blockSumOf40(sdata, sum);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "lets threads without elements return before the barriers",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const step = i32(blockDim.x * gridDim.x);
        let i = i32(blockIdx.x * blockDim.x + threadIdx.x);
        if (threadIdx.x === 0) output[blockIdx.x] = 0;
        if (i >= n) return;
        let sum = 0;
        for (; i < n; i += step) sum += input[i];
        const total = blockSumOf40(sdata, sum);
        if (threadIdx.x === 0) output[blockIdx.x] = total;
      }),
    },
    {
      what: "has one barrier for all halvings",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const step = i32(blockDim.x * gridDim.x);
        let sum = 0;
        for (let i = i32(blockIdx.x * blockDim.x) + tid; i < n; i += step) sum += input[i];
        sdata[tid] = sum;
        syncthreads();
        for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) if (tid < s) sdata[tid] += sdata[tid + s];
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "lets one thread add the block's sums",
      caughtBy: "additions",
      answer: kernel("answer", guardedSum, { BLOCKS: 560 }, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const step = i32(blockDim.x * gridDim.x);
        let sum = 0;
        for (let i = i32(blockIdx.x * blockDim.x) + tid; i < n; i += step) sum += input[i];
        sdata[tid] = sum;
        syncthreads();
        if (tid === 0) {
          let total = 0;
          for (let t = 0; t < i32(blockDim.x); t++) total += sdata[t];
          output[blockIdx.x] = total;
        }
      }),
    },
  ],
};
