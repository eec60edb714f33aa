/** Kernels whose blocks wait for other blocks of their grid, and what each computes in plain JavaScript. */
import { i32, type ScalarType } from "../../src/core/frontend/declare/element.js";
import { type PointerParameter, ptr } from "../../src/core/frontend/declare/parameter.js";
import { type Kernel, kernel } from "../../src/core/frontend/kernel.js";

type Ints = PointerParameter<ScalarType<"i32">>;

const parameters: { readonly data: Ints; readonly flags: Ints; readonly out: Ints } = {
  data: ptr(i32),
  flags: ptr(i32),
  out: ptr(i32),
};

export interface WaitingKernel {
  readonly kernel: Kernel<typeof parameters>;
  /** `out` after a launch of `grid` blocks of `block` threads on this data, zeros elsewhere. */
  readonly expected: (data: Int32Array, grid: number, block: number) => Int32Array;
}

/** One word for each block, from what the blocks' sums are. */
function ofBlocks(value: (sums: readonly number[], block: number) => number): WaitingKernel["expected"] {
  return (data, grid, block) => {
    const sums = Array.from({ length: grid }, (_, b) =>
      data.subarray(b * block, (b + 1) * block).reduce((sum, each) => sum + each, 0),
    );
    return filled(data.length, (i) => (i < grid ? value(sums, i) : 0));
  };
}

function filled(length: number, value: (index: number) => number): Int32Array {
  return Int32Array.from({ length }, (_, i) => value(i));
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);

/** Block 0 waits for a flag of the last block; all others write it or end. */
export const flagOfLast: WaitingKernel = {
  kernel: kernel(
    "flagOfLast",
    parameters,
    ({ data, flags, out }, { threadIdx, blockIdx, gridDim, atomicExch, threadfence, volatile, syncthreads }) => {
      const flag = volatile(flags);
      if (blockIdx.x === 0) {
        if (threadIdx.x === 0) while (flag[0] === 0) {}
        syncthreads();
        out[threadIdx.x] = volatile(data)[threadIdx.x];
      } else if (blockIdx.x === gridDim.x - 1 && threadIdx.x === 0) {
        data[0] = 77;
        threadfence();
        atomicExch(flags, 0, 1);
      }
    },
  ),
  expected: (data, _, block) => filled(data.length, (i) => (i === 0 ? 77 : i < block ? data[i]! : 0)),
};

/** A barrier of the whole grid by hand, behind which each block reads its successor's element. */
export const gridBarrier: WaitingKernel = {
  kernel: kernel(
    "gridBarrier",
    parameters,
    (
      { data, flags, out },
      { threadIdx, blockIdx, blockDim, gridDim, atomicAdd, threadfence, volatile, syncthreads },
    ) => {
      const i = blockIdx.x * blockDim.x + threadIdx.x;
      const n = gridDim.x * blockDim.x;
      data[i] *= 3;
      threadfence();
      syncthreads();
      if (threadIdx.x === 0) {
        atomicAdd(flags, 0, 1);
        const arrived = volatile(flags);
        while (arrived[0] < gridDim.x) {}
      }
      syncthreads();
      out[i] = volatile(data)[(i + blockDim.x) % n];
    },
  ),
  expected: (data, _, block) => filled(data.length, (i) => 3 * data[(i + block) % data.length]!),
};

/** Four rounds of a barrier: in each, every block adds what its predecessor has had before. */
export const barrierRounds: WaitingKernel = {
  kernel: kernel(
    "barrierRounds",
    parameters,
    (
      { data, flags, out },
      { threadIdx, blockIdx, blockDim, gridDim, atomicAdd, threadfence, volatile, syncthreads },
    ) => {
      const i = blockIdx.x * blockDim.x + threadIdx.x;
      const n = gridDim.x * blockDim.x;
      const values = volatile(data);
      const arrived = volatile(flags);
      for (let round = 0; round < 4; round++) {
        const before = values[(i + n - blockDim.x) % n];
        for (let half = 1; half <= 2; half++) {
          threadfence();
          syncthreads();
          if (threadIdx.x === 0) {
            atomicAdd(flags, 0, 1);
            while (arrived[0] < gridDim.x * (2 * round + half)) {}
          }
          syncthreads();
          if (half === 1) values[i] += before;
        }
      }
      out[i] = values[i];
    },
  ),
  expected: (data, _, block) => {
    let values = data.slice();
    for (let round = 0; round < 4; round++) {
      values = values.map((each, i) => each + values[(i + values.length - block) % values.length]!);
    }
    return values;
  },
};

/** Decoupled look-back: a block's status is 1 with its own sum, 2 with the sum of all up to it. */
export const lookBack: WaitingKernel = {
  kernel: kernel(
    "lookBack",
    parameters,
    (
      { data, flags, out },
      { threadIdx, blockIdx, blockDim, gridDim, shared, threadfence, volatile, syncthreads, atomicAdd },
    ) => {
      const total = shared(i32, 1);
      const b = blockIdx.x;
      const status = volatile(flags);
      const sums = volatile(flags.subarray(gridDim.x));
      if (threadIdx.x === 0) total[0] = 0;
      syncthreads();
      atomicAdd(total, 0, data[b * blockDim.x + threadIdx.x]);
      syncthreads();
      if (threadIdx.x === 0) {
        const own = total[0];
        sums[2 * b] = own;
        threadfence();
        status[b] = 1;
        let before = 0;
        let at = i32(b) - 1;
        while (at >= 0) {
          const seen = status[at];
          if (seen === 0) continue;
          threadfence();
          if (seen === 2) {
            before += sums[2 * at + 1];
            break;
          }
          before += sums[2 * at];
          at -= 1;
        }
        sums[2 * b + 1] = before + own;
        threadfence();
        status[b] = 2;
        out[b] = before + own;
      }
    },
  ),
  expected: ofBlocks((sums, b) => sumOf(sums.slice(0, b + 1))),
};

/** The suffix sums of the blocks: each waits for the one behind it. */
export const suffixSums: WaitingKernel = {
  kernel: kernel(
    "suffixSums",
    parameters,
    (
      { data, flags, out },
      { threadIdx, blockIdx, blockDim, gridDim, shared, threadfence, volatile, syncthreads, atomicAdd },
    ) => {
      const total = shared(i32, 1);
      const b = blockIdx.x;
      if (threadIdx.x === 0) total[0] = 0;
      syncthreads();
      atomicAdd(total, 0, data[b * blockDim.x + threadIdx.x]);
      syncthreads();
      if (threadIdx.x === 0) {
        let behind = 0;
        if (b + 1 < gridDim.x) {
          while (volatile(flags)[b + 1] === 0) {}
          threadfence();
          behind = volatile(out)[b + 1];
        }
        out[b] = total[0] + behind;
        threadfence();
        volatile(flags)[b] = 1;
      }
    },
  ),
  expected: ofBlocks((sums, b) => sumOf(sums.slice(b))),
};

/** Blocks take numbers as they start, and those of small numbers wait for those of large ones. */
export const ticketOrder: WaitingKernel = {
  kernel: kernel(
    "ticketOrder",
    parameters,
    ({ data, flags, out }, { threadIdx, blockDim, gridDim, shared, threadfence, volatile, syncthreads, atomicAdd }) => {
      const number = shared(i32, 1);
      const total = shared(i32, 1);
      if (threadIdx.x === 0) {
        number[0] = atomicAdd(flags, 0, 1);
        total[0] = 0;
      }
      syncthreads();
      const b = i32(gridDim.x) - 1 - number[0];
      atomicAdd(total, 0, data[b * blockDim.x + threadIdx.x]);
      syncthreads();
      if (threadIdx.x === 0) {
        const done = volatile(flags);
        while (b > 0 && done[b] === 0) {}
        threadfence();
        out[b] = total[0] + (b > 0 ? volatile(out)[b - 1] : 0);
        threadfence();
        done[b + 1] = 1;
      }
    },
  ),
  expected: ofBlocks((sums, b) => sumOf(sums.slice(0, b + 1))),
};

/** A lock by compare-and-swap, around a plain addition of each block's sum. */
export const casLock: WaitingKernel = {
  kernel: kernel(
    "casLock",
    parameters,
    ({ data, flags, out }, { threadIdx, blockIdx, blockDim, threadfence, volatile, atomicCAS, atomicExch }) => {
      if (threadIdx.x === 0) {
        const sum = volatile(out);
        for (let k = 0; k < blockDim.x; k++) {
          while (atomicCAS(flags, 0, 0, 1) !== 0) {}
          sum[0] = sum[0] + data[blockIdx.x * blockDim.x + k];
          threadfence();
          atomicExch(flags, 0, 0);
        }
      }
    },
  ),
  expected: (data) => filled(data.length, (i) => (i === 0 ? sumOf([...data]) : 0)),
};

/** A lock that hands out numbers and serves them in turn; each warp's first lane takes it. */
export const ticketLock: WaitingKernel = {
  kernel: kernel(
    "ticketLock",
    parameters,
    ({ data, flags, out }, { threadIdx, blockIdx, blockDim, threadfence, volatile, atomicAdd }) => {
      if (threadIdx.x % 32 === 0) {
        const serving = volatile(flags.subarray(1));
        const mine = atomicAdd(flags, 0, 1);
        while (serving[0] !== mine) {}
        const sum = volatile(out);
        for (let k = 0; k < 32; k++) sum[0] = sum[0] + data[blockIdx.x * blockDim.x + threadIdx.x + k];
        threadfence();
        serving[0] = mine + 1;
      }
    },
  ),
  expected: (data) => filled(data.length, (i) => (i === 0 ? sumOf([...data]) : 0)),
};

/** The last block produces; all threads of the others wait for their element, and count how often they have looked. */
export const producer: WaitingKernel = {
  kernel: kernel(
    "producer",
    parameters,
    ({ data, flags, out }, { threadIdx, blockIdx, blockDim, gridDim, threadfence, volatile }) => {
      const ready = volatile(flags);
      const t = threadIdx.x;
      if (blockIdx.x === gridDim.x - 1) {
        volatile(data)[t] = data[t] * 5;
        threadfence();
        ready[t] = 1;
        out[blockIdx.x * blockDim.x + t] = 1;
      } else {
        let looks = 0;
        while (ready[t] === 0) looks++;
        threadfence();
        out[blockIdx.x * blockDim.x + t] = volatile(data)[t] + (looks < 0 ? 1 : 0);
      }
    },
  ),
  expected: (data, grid, block) => filled(data.length, (i) => (i >= (grid - 1) * block ? 1 : 5 * data[i % block]!)),
};

/** Block 1 fills two buffers in turn, block 0 adds up what is in them; both wait for each other. */
export const doubleBuffer: WaitingKernel = {
  kernel: kernel(
    "doubleBuffer",
    parameters,
    ({ data, flags, out }, { threadIdx, blockIdx, blockDim, threadfence, volatile, syncthreads }) => {
      const t = threadIdx.x;
      const full = volatile(flags);
      const buffers = volatile(flags.subarray(2));
      if (blockIdx.x > 1) return;
      let sum = 0;
      for (let k = 0; k < 6; k++) {
        const which = k & 1;
        if (t === 0) while (full[which] !== (blockIdx.x === 0 ? 1 : 0)) {}
        syncthreads();
        threadfence();
        if (blockIdx.x === 1) buffers[which * blockDim.x + t] = data[t] * (k + 1);
        else sum += buffers[which * blockDim.x + t];
        threadfence();
        syncthreads();
        if (t === 0) full[which] = blockIdx.x === 1 ? 1 : 0;
      }
      if (blockIdx.x === 0) out[t] = sum;
    },
  ),
  expected: (data, _, block) => filled(data.length, (i) => (i < block ? 21 * data[i]! : 0)),
};

/** A token goes round three times, from each block to the one before it. */
export const ring: WaitingKernel = {
  kernel: kernel(
    "ring",
    parameters,
    ({ data, flags, out }, { threadIdx, blockIdx, gridDim, threadfence, volatile }) => {
      if (threadIdx.x !== 0) return;
      const token = volatile(flags);
      const b = i32(gridDim.x - 1 - blockIdx.x);
      for (let round = 0; round < 3; round++) {
        const turn = round * i32(gridDim.x) + b;
        while (token[0] !== turn) {}
        token[1] = token[1] * 3 + data[b];
        threadfence();
        token[0] = turn + 1;
      }
      out[b] = token[0] > 0 ? 1 : 0;
      if (b === i32(gridDim.x) - 1) out[b] = token[1];
    },
  ),
  expected: (data, grid) => {
    let value = 0;
    for (let turn = 0; turn < 3 * grid; turn++) value = (Math.imul(value, 3) + data[turn % grid]!) | 0;
    return filled(data.length, (i) => (i === grid - 1 ? value : i < grid - 1 ? 1 : 0));
  },
};

/** Block 0 waits for all, by an atomic that adds nothing, and takes the largest sum. */
export const collector: WaitingKernel = {
  kernel: kernel(
    "collector",
    parameters,
    (
      { data, flags, out },
      { threadIdx, blockIdx, blockDim, gridDim, threadfence, atomicAdd, atomicMax, syncthreads, volatile },
    ) => {
      atomicAdd(out, i32(blockIdx.x) + 1, data[blockIdx.x * blockDim.x + threadIdx.x]);
      threadfence();
      syncthreads();
      if (threadIdx.x === 0) {
        atomicAdd(flags, 0, 1);
        if (blockIdx.x === 0) {
          while (atomicAdd(flags, 0, 0) < gridDim.x) {}
          for (let b = 1; b <= gridDim.x; b++) atomicMax(out, 0, volatile(out)[b]);
        }
      }
    },
  ),
  expected: (data, grid, block) => {
    const sums = ofBlocks((each, b) => each[b]!)(data, grid, block);
    return filled(data.length, (i) => (i === 0 ? Math.max(...sums.subarray(0, grid)) : i <= grid ? sums[i - 1]! : 0));
  },
};

/** A lock by exchange whose waiting thread also reads how many have had it. */
export const exchangeLock: WaitingKernel = {
  kernel: kernel(
    "exchangeLock",
    parameters,
    ({ data, flags, out }, { threadIdx, blockIdx, threadfence, volatile, atomicExch }) => {
      if (threadIdx.x === 0) {
        const had = volatile(flags);
        let seen = 0;
        while (atomicExch(flags, 0, 1) !== 0) seen = had[1];
        had[1] = had[1] + 1;
        volatile(out)[0] = volatile(out)[0] + data[blockIdx.x] + (seen > had[1] ? 1 : 0);
        threadfence();
        atomicExch(flags, 0, 0);
      }
    },
  ),
  expected: (data, grid) => filled(data.length, (i) => (i === 0 ? sumOf([...data.subarray(0, grid)]) : 0)),
};

export const WAITING: readonly WaitingKernel[] = [
  flagOfLast,
  gridBarrier,
  barrierRounds,
  lookBack,
  suffixSums,
  ticketOrder,
  casLock,
  ticketLock,
  producer,
  doubleBuffer,
  ring,
  collector,
  exchangeLock,
];
