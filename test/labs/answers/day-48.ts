import {
  atomicAdd,
  ballot_sync,
  blockDim,
  blockIdx,
  ffs,
  gridDim,
  i32,
  kernel,
  local,
  match_any_sync,
  popc,
  reduce_add_sync,
  shared,
  shfl_xor_sync,
  syncthreads,
  threadIdx,
  u32,
} from "../../../src/index.js";
import { type Answers, changed, sum } from "./answer.js";

const params = { ...sum, n: u32 };

const countersOfBlock = kernel("answer", params, ({ input, output, n }) => {
  const counts = shared(i32, 16);
  const tid = threadIdx.x;
  if (tid < 16) counts[tid] = 0;
  syncthreads();
  for (let i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(counts, input[i] & 15, 1);
  }
  syncthreads();
  if (tid < 16) atomicAdd(output, tid, counts[tid]);
});

export const answers: Answers = {
  right: [
    {
      how: "sixteen counters a block in shared memory",
      answer: countersOfBlock,
    },
    {
      how: "sixteen counters a warp in shared memory",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const counts = shared(i32, [32, 16]);
        const tid = threadIdx.x;
        const warp = tid >> 5;
        if ((tid & 31) < 16) counts[warp][tid & 31] = 0;
        syncthreads();
        for (let i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) {
          atomicAdd(counts[warp], input[i] & 15, 1);
        }
        syncthreads();
        if (tid < 16) {
          let all = 0;
          for (let w = u32(0); w < blockDim.x >> 5; w++) all += counts[w][tid];
          if (all > 0) atomicAdd(output, tid, all);
        }
      }),
    },
    {
      how: "a vote for each bin; lane b keeps counter b in a register",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const lane = i32(threadIdx.x & 31);
        const step = blockDim.x * gridDim.x;
        let own = 0;
        for (let base = blockIdx.x * blockDim.x; base < n; base += step) {
          const i = base + threadIdx.x;
          const bin = i < n ? input[i] & 15 : -1;
          for (let b = 0; b < 16; b++) {
            const votes = popc(ballot_sync(0xffffffff, bin === b));
            if (lane === b) own += i32(votes);
          }
        }
        if (lane < 16) atomicAdd(output, lane, own);
      }),
    },
    {
      how: "bits of the bin by four votes; each lane counts its own bin",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const counts = shared(i32, 16);
        const lane = threadIdx.x & 31;
        if (threadIdx.x < 16) counts[threadIdx.x] = 0;
        syncthreads();
        let own = 0;
        for (let base = blockIdx.x * blockDim.x; base < n; base += blockDim.x * gridDim.x) {
          const i = base + threadIdx.x;
          const bin = i < n ? input[i] & 15 : 0;
          let votes = ballot_sync(0xffffffff, i < n);
          for (let bit = 0; bit < 4; bit++) {
            const ones = ballot_sync(0xffffffff, ((bin >> bit) & 1) === 1);
            votes &= ((lane >> bit) & 1) === 1 ? ones : ~ones;
          }
          own += i32(popc(votes));
        }
        if (lane < 16) atomicAdd(counts, lane, own);
        syncthreads();
        if (threadIdx.x < 16) atomicAdd(output, threadIdx.x, counts[threadIdx.x]);
      }),
    },
    {
      how: "the lanes of one bin by match_any_sync, and one atomic for them",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const counts = shared(i32, 17);
        const lane = i32(threadIdx.x & 31);
        if (threadIdx.x < 17) counts[threadIdx.x] = 0;
        syncthreads();
        for (let base = blockIdx.x * blockDim.x; base < n; base += blockDim.x * gridDim.x) {
          const i = base + threadIdx.x;
          const bin = i < n ? input[i] & 15 : 16;
          const same = match_any_sync(0xffffffff, bin);
          if (lane === i32(ffs(i32(same))) - 1) atomicAdd(counts, bin, i32(popc(same)));
        }
        syncthreads();
        if (threadIdx.x < 16) atomicAdd(output, threadIdx.x, counts[threadIdx.x]);
      }),
    },
  ],
  wrong: [
    {
      what: "counts in an array of the thread (the starter)",
      caughtBy: "local-memory",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const counts = local(i32, 16);
        for (let b = 0; b < 16; b++) counts[b] = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
          counts[input[i] & 15] += 1;
        }
        for (let b = 0; b < 16; b++) atomicAdd(output, b, counts[b]);
      }),
    },
    {
      what: "counts in an array of the thread, and adds the threads' counters by shuffles",
      caughtBy: "local-memory",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const counts = local(i32, 16);
        for (let b = 0; b < 16; b++) counts[b] = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
          counts[input[i] & 15] += 1;
        }
        for (let b = 0; b < 16; b++) {
          let all = counts[b];
          for (let s = 16; s > 0; s >>= 1) all += shfl_xor_sync(0xffffffff, all, s);
          if ((threadIdx.x & 31) === 0) atomicAdd(output, b, all);
        }
      }),
    },
    {
      what: "keeps pairs of counters in an array of the thread",
      caughtBy: "local-memory",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const pairs = local(i32, 8);
        for (let b = 0; b < 8; b++) pairs[b] = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
          pairs[(input[i] & 15) >> 1] += (input[i] & 1) === 0 ? 1 : 65536;
        }
        for (let b = 0; b < 8; b++) {
          let low = pairs[b] & 65535;
          let high = pairs[b] >> 16;
          for (let s = 16; s > 0; s >>= 1) {
            low += shfl_xor_sync(0xffffffff, low, s);
            high += shfl_xor_sync(0xffffffff, high, s);
          }
          if ((threadIdx.x & 31) === 0) {
            atomicAdd(output, 2 * b, low);
            atomicAdd(output, 2 * b + 1, high);
          }
        }
      }),
    },
    {
      what: "reads its shared counters through an array of the thread",
      caughtBy: "local-memory",
      answer: changed(
        countersOfBlock,
        ["const tid = threadIdx.x;", "const copy = local(i32, 16); const tid = threadIdx.x;"],
        ["(); if", "(); for (let b = 0; b < 16; b++) copy[b] = counts[b]; if"],
        [", counts[tid]", ", copy[tid]"],
      ),
    },
    {
      what: "adds each element to the output by an atomic",
      caughtBy: "speed-up",
      answer: kernel("answer", params, ({ input, output, n }) => {
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
          atomicAdd(output, input[i] & 15, 1);
        }
      }),
    },
    {
      what: "makes an atomic on the output for each bin of a warp's 32 elements",
      caughtBy: "speed-up",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const lane = i32(threadIdx.x & 31);
        for (let base = blockIdx.x * blockDim.x; base < n; base += blockDim.x * gridDim.x) {
          const i = base + threadIdx.x;
          const bin = i < n ? input[i] & 15 : 16;
          const same = match_any_sync(0xffffffff, bin);
          if (bin < 16 && lane === i32(ffs(i32(same))) - 1) atomicAdd(output, bin, i32(popc(same)));
        }
      }),
    },
    {
      what: "adds each element to the output, and counts the odd ones besides",
      caughtBy: "speed-up",
      answer: kernel("answer", params, ({ input, output, n }) => {
        let even = u32(0);
        let odd = u32(0);
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
          if (input[i] & 1) odd += u32(1);
          else even += u32(1);
          atomicAdd(output, input[i] & 15, 1);
        }
        if (even + odd > n) atomicAdd(output, 0, 1);
      }),
    },
    {
      what: "does not set its shared counters to zero",
      caughtBy: "hazards",
      answer: changed(countersOfBlock, ["if (tid < 16) counts[tid] = 0; syncthreads();", ""]),
    },
    {
      what: "has no barrier behind the zeros",
      caughtBy: "hazards",
      answer: changed(countersOfBlock, ["0; syncthreads();", "0;"]),
    },
    {
      what: "has no barrier before it adds the block's counters",
      caughtBy: "hazards",
      answer: changed(countersOfBlock, ["syncthreads(); if", "if"]),
    },
    {
      what: "counts in shared memory without atomics",
      caughtBy: "hazards",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const counts = shared(i32, 16);
        const tid = threadIdx.x;
        if (tid < 16) counts[tid] = 0;
        syncthreads();
        for (let i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) counts[input[i] & 15] += 1;
        syncthreads();
        if (tid < 16) atomicAdd(output, tid, counts[tid]);
      }),
    },
    {
      what: "adds to the output without atomics",
      caughtBy: "result",
      answer: changed(countersOfBlock, [
        "if (tid < 16) atomicAdd(output, tid, counts[tid]);",
        "if (tid < 16) output[tid] = counts[tid];",
      ]),
    },
    {
      what: "takes a remainder, which is negative for negative elements",
      caughtBy: "result",
      answer: changed(countersOfBlock, [
        "atomicAdd(counts, input[i] & 15, 1);",
        "const bin = input[i] % 16; if (bin >= 0) atomicAdd(counts, bin, 1);",
      ]),
    },
    {
      what: "counts the missing elements of the last step as zeros",
      caughtBy: "result",
      answer: changed(
        countersOfBlock,
        ["x + tid; i <", "x; i <"],
        [
          "atomicAdd(counts, input[i] & 15, 1);",
          "const value = i + tid < n ? input[i + tid] : 0; atomicAdd(counts, value & 15, 1);",
        ],
      ),
    },
    {
      what: "does not go on in steps of the grid",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const counts = shared(i32, 16);
        const tid = threadIdx.x;
        if (tid < 16) counts[tid] = 0;
        syncthreads();
        const i = blockIdx.x * blockDim.x + tid;
        if (i < n) atomicAdd(counts, input[i] & 15, 1);
        syncthreads();
        if (tid < 16) atomicAdd(output, tid, counts[tid]);
      }),
    },
    {
      what: "votes with lanes that have left the loop",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        const lane = i32(threadIdx.x & 31);
        let own = 0;
        for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
          const bin = input[i] & 15;
          for (let b = 0; b < 16; b++) {
            const votes = popc(ballot_sync(0xffffffff, bin === b));
            if (lane === b) own += i32(votes);
          }
        }
        if (lane < 16) atomicAdd(output, lane, own);
      }),
    },
    {
      what: "uses an instruction that the Tesla V100 lacks",
      caughtBy: "result",
      answer: kernel("answer", params, ({ input, output, n }) => {
        for (let b = 0; b < 16; b++) {
          let own = 0;
          for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
            own += (input[i] & 15) === b ? 1 : 0;
          }
          own = reduce_add_sync(0xffffffff, own);
          if ((threadIdx.x & 31) === 0) atomicAdd(output, b, own);
        }
      }),
    },
  ],
};
