import {
  atomicAdd,
  blockDim,
  blockIdx,
  externShared,
  gridDim,
  i32,
  type Kernel,
  kernel,
  launch,
  ptr,
  self,
  shared,
  shfl_down_sync,
  syncthreads,
  threadIdx,
} from "../../../src/index.js";
import { type Answers, changed, guardedSum } from "./answer.js";

const partials = { output: ptr(i32), count: i32 };

/** One block adds all partial sums. */
const addAll: Kernel = kernel("addAll", partials, ({ output, count }) => {
  const sdata = shared(i32, 256);
  const tid = i32(threadIdx.x);
  let sum = 0;
  for (let k = tid; k < count; k += 256) sum += output[k];
  sdata[tid] = sum;
  syncthreads();
  for (let s = 128; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  if (tid === 0) output[0] = sdata[0];
});

/** The same with as many threads as the launch gives. */
const addAnyWidth: Kernel = kernel("addAnyWidth", partials, ({ output, count }) => {
  const sdata = externShared(i32);
  const tid = i32(threadIdx.x);
  let sum = 0;
  for (let k = tid; k < count; k += i32(blockDim.x)) sum += output[k];
  sdata[tid] = sum;
  syncthreads();
  for (let s = i32(blockDim.x) >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  if (tid === 0) output[0] = sdata[0];
});

const addByWarp: Kernel = kernel("addByWarp", partials, ({ output, count }) => {
  let sum = 0;
  for (let k = i32(threadIdx.x); k < count; k += 32) sum += output[k];
  for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
  if (threadIdx.x === 0) output[0] = sum;
});

/** Each of 8 blocks adds a part of its own, and leaves the sum at the part's first place. */
const addParts: Kernel = kernel("addParts", { output: ptr(i32), count: i32, part: i32 }, ({ output, count, part }) => {
  const sdata = shared(i32, 64);
  const tid = i32(threadIdx.x);
  const first = i32(blockIdx.x) * part;
  let sum = 0;
  for (let k = tid; k < part; k += 64) {
    if (first + k < count) sum += output[first + k];
  }
  sdata[tid] = sum;
  syncthreads();
  for (let s = 32; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  if (tid === 0 && first < count) output[first] = sdata[0];
});

const addFirsts: Kernel = kernel(
  "addFirsts",
  { output: ptr(i32), count: i32, part: i32 },
  ({ output, count, part }) => {
    const place = i32(threadIdx.x) * part;
    let sum = threadIdx.x < 8 && place < count ? output[place] : 0;
    for (let s = 4; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x === 0) output[0] = sum;
  },
);

const _addFirst256: Kernel = kernel("addFirst256", partials, ({ output, count }) => {
  const sdata = shared(i32, 256);
  const tid = i32(threadIdx.x);
  sdata[tid] = tid < count ? output[tid] : 0;
  syncthreads();
  for (let s = 128; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  if (tid === 0) output[0] = sdata[0];
});

const _addAlone: Kernel = kernel("addAlone", partials, ({ output, count }) => {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += output[k];
  output[0] = sum;
});

const _addByAtomics: Kernel = kernel("addByAtomics", partials, ({ output, count }) => {
  const sum = shared(i32, 1);
  const tid = i32(threadIdx.x);
  if (tid === 0) sum[0] = 0;
  syncthreads();
  for (let k = tid; k < count; k += 256) atomicAdd(sum, 0, output[k]);
  syncthreads();
  if (tid === 0) output[0] = sum[0];
});

const _addWithoutBarrier: Kernel = kernel("addWithoutBarrier", partials, ({ output, count }) => {
  const sdata = shared(i32, 256);
  const tid = i32(threadIdx.x);
  let sum = 0;
  for (let k = tid; k < count; k += 256) sum += output[k];
  sdata[tid] = sum;
  syncthreads();
  for (let s = 128; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
  }
  if (tid === 0) output[0] = sdata[0];
});

/** Halves the partial sums: a grid a level. */
const _halve: Kernel = kernel("halve", partials, ({ output, count }) => {
  const half = (count + 1) >> 1;
  const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
  if (i + half < count) output[i] += output[i + half];
  if (i === 0 && half > 1) {
    launch(self, { grid: (half + 255) >> 8, block: 256, stream: "tail" }, { output, count: half });
  }
});

/** Halves the partial sums within one block after the other, without a place between reading and writing. */
const addInPlace: Kernel = kernel("addInPlace", partials, ({ output, count }) => {
  const sdata = shared(i32, 64);
  const tid = i32(threadIdx.x);
  const i = i32(blockIdx.x) * 64 + tid;
  sdata[tid] = i < count ? output[i] : 0;
  syncthreads();
  for (let s = 32; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  if (tid === 0) output[blockIdx.x] = sdata[0];
});

const _sumInput: Kernel = kernel("sumInput", { input: ptr(i32), output: ptr(i32), n: i32 }, ({ input, output, n }) => {
  const sdata = shared(i32, 1024);
  const tid = i32(threadIdx.x);
  let sum = 0;
  for (let k = tid; k < n; k += 1024) sum += input[k];
  sdata[tid] = sum;
  syncthreads();
  for (let s = 512; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  if (tid === 0) output[0] = sdata[0];
});

const tailLaunch = kernel("answer", guardedSum, ({ input, output, n }) => {
  const sdata = externShared(i32);
  const tid = i32(threadIdx.x);
  const i = i32(blockIdx.x * blockDim.x) + tid;
  sdata[tid] = i < n ? input[i] : 0;
  syncthreads();
  for (let s = i32(blockDim.x) >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  if (tid === 0) output[blockIdx.x] = sdata[0];
  if (i === 0) launch(addAll, { grid: 1, block: 256, stream: "tail" }, { output, count: i32(gridDim.x) });
});

export const answers: Answers = {
  right: [
    {
      how: "one block of 256 threads after the whole grid, by a tail launch",
      answer: tailLaunch,
    },
    {
      how: "the kernel itself once more, over the partial sums",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const start = i32(blockIdx.x) * width + tid;
        let sum = 0;
        for (let i = start; i < n; i += i32(gridDim.x) * width) sum += input[i];
        sdata[tid] = sum;
        syncthreads();
        for (let s = width >> 1; s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
        if (start === 0 && gridDim.x > 1) {
          launch(
            self,
            { grid: 1, block: width, shared: 4 * width, stream: "tail" },
            { input: output, output, n: i32(gridDim.x) },
          );
        }
      }),
    },
    {
      how: "shuffles in the block, one warp for the partial sums",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sums = shared(i32, 32);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        let sum = i < n ? input[i] : 0;
        for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
        if ((tid & 31) === 0) sums[tid >> 5] = sum;
        syncthreads();
        if (tid < 32) {
          sum = tid < i32(blockDim.x) >> 5 ? sums[tid] : 0;
          for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
          if (tid === 0) output[blockIdx.x] = sum;
        }
        if (i === 0) launch(addByWarp, { grid: 1, block: 32, stream: "tail" }, { output, count: i32(gridDim.x) });
      }),
    },
    {
      how: "two grids in a row: eight blocks, each with a part of its own, then one warp",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let s = i32(blockDim.x) >> 1; s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
        if (i === 0) {
          const count = i32(gridDim.x);
          const part = (count + 7) >> 3;
          launch(addParts, { grid: 8, block: 64, stream: "tail" }, { output, count, part });
          launch(addFirsts, { grid: 1, block: 32, stream: "tail" }, { output, count, part });
        }
      }),
    },
    {
      how: "the last block's last thread launches, a block as wide as its own",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let s = width >> 1; s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
        if (blockIdx.x === gridDim.x - 1 && tid === width - 1) {
          launch(
            addAnyWidth,
            { grid: 1, block: width, shared: 4 * width, stream: "tail" },
            { output, count: i32(gridDim.x) },
          );
        }
      }),
    },
    {
      how: "launched before the block has added: a tail launch waits for it all the same",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        if (i === 0) launch(addAll, { grid: 1, block: 256, stream: "tail" }, { output, count: i32(gridDim.x) });
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let s = i32(blockDim.x) >> 1; s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
  ],
  wrong: [
    {
      what: "waits by device-side synchronisation, which the H200 refuses",
      caughtBy: "result",
      answer: changed(
        tailLaunch,
        ["if (i === 0) launch(addAll, {", "if (i === 0) { launch(addAll, {"],
        [', stream: "tail"', ""],
        ["output, count: i32(gridDim.x) }); }", "output, count: i32(gridDim.x) }); deviceSynchronize(); } }"],
      ),
    },
    {
      what: "launches into the block's own stream, which does not wait for other blocks",
      caughtBy: "hazards",
      answer: changed(tailLaunch, [', stream: "tail"', ""]),
    },
    {
      what: "launches to forget",
      caughtBy: "hazards",
      answer: changed(tailLaunch, [': "tail" }, {', ': "fireAndForget" }, {']),
    },
    {
      what: "lets every block launch: all but the first child add onto the sum",
      caughtBy: "child-grids",
      answer: changed(
        tailLaunch,
        ["if (tid === 0)", "if (tid === 0) {"],
        ["if (i === 0) launch(addAll, {", "launch(addAll, {"],
        ["}); }", "}); } }"],
      ),
    },
    {
      what: "lets every thread of the first block launch (a sum of one element comes out right)",
      caughtBy: "child-grids",
      answer: changed(tailLaunch, ["if (i === 0) launch(addAll, {", "if (blockIdx.x === 0)\n launch(addAll, {"]),
    },
    {
      what: "launches a grid a level",
      caughtBy: "child-grids",
      answer: changed(tailLaunch, [
        'if (i === 0) launch(addAll, { grid: 1, block: 256, stream: "tail" }',
        'if (i === 0 && gridDim.x > 1) launch(halve, { grid: gridDim.x + 255 >> 8, block: 256, stream: "tail" }',
      ]),
    },
    {
      what: "lets the child grid add the whole input over again",
      caughtBy: "child-grids",
      answer: changed(
        tailLaunch,
        ["if (i === 0) launch(addAll, {", "if (i === 0) launch(sumInput, {"],
        ['256, stream: "tail" }, { output, count: i32(gridDim.x)', '1024, stream: "tail" }, { input, output, n'],
      ),
    },
    {
      what: "adds the first 256 partial sums alone",
      caughtBy: "result",
      answer: changed(tailLaunch, ["if (i === 0) launch(addAll, {", "if (i === 0) launch(addFirst256, {"]),
    },
    {
      what: "lets one thread of the child grid add all partial sums",
      caughtBy: "child-grids",
      answer: changed(
        tailLaunch,
        ["if (i === 0) launch(addAll, {", "if (i === 0) launch(addAlone, {"],
        ["256, stream:", "1, stream:"],
      ),
    },
    {
      what: "adds by atomics in the child grid",
      caughtBy: "primitives",
      answer: changed(tailLaunch, ["if (i === 0) launch(addAll, {", "if (i === 0) launch(addByAtomics, {"]),
    },
    {
      what: "forgets the barrier in the child grid's tree",
      caughtBy: "hazards",
      answer: changed(tailLaunch, ["if (i === 0) launch(addAll, {", "if (i === 0) launch(addWithoutBarrier, {"]),
    },
    {
      what: "lets several blocks of one grid put their sums where others still read",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const i = i32(blockIdx.x * blockDim.x) + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let s = i32(blockDim.x) >> 1; s > 0; s >>= 1) {
          if (tid < s) sdata[tid] += sdata[tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
        if (i === 0) {
          const blocks = i32((gridDim.x + 63) >> 6);
          launch(
            addInPlace,
            { grid: (gridDim.x + 63) >> 6, block: 64, stream: "tail" },
            { output, count: i32(gridDim.x) },
          );
          launch(addAll, { grid: 1, block: 256, stream: "tail" }, { output, count: blocks });
        }
      }),
    },
    {
      what: "reads beyond the input's end",
      caughtBy: "result",
      answer: changed(
        tailLaunch,
        ["input, output, n }", "input, output }"],
        ["sdata[tid] = i < n ? input[i] : 0;", "sdata[tid] = input[i];"],
      ),
    },
    {
      what: "lets thread 0 add its block's elements",
      caughtBy: "additions",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const first = i32(blockIdx.x * blockDim.x);
        if (threadIdx.x > 0) return;
        let sum = 0;
        for (let k = 0; k < i32(blockDim.x); k++) {
          if (first + k < n) sum += input[first + k];
        }
        output[blockIdx.x] = sum;
        if (first === 0) launch(addAll, { grid: 1, block: 256, stream: "tail" }, { output, count: i32(gridDim.x) });
      }),
    },
    {
      what: "uses the input for its partial sums",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const tid = i32(threadIdx.x);
        const first = i32(blockIdx.x * blockDim.x);
        for (let s = i32(blockDim.x) >> 1; s > 0; s >>= 1) {
          if (tid < s && first + tid + s < n) input[first + tid] += input[first + tid + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = input[first];
        if (first + tid === 0) {
          launch(addAll, { grid: 1, block: 256, stream: "tail" }, { output, count: i32(gridDim.x) });
        }
      }),
    },
  ],
};
