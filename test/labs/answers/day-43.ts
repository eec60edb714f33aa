import { blockDim, blockIdx, externShared, i32, kernel, min, syncthreads, threadIdx } from "../../../src/index.js";
import { type Answers, guardedSum } from "./answer.js";

export const answers: Answers = {
  right: [
    {
      how: "as the improved kernel, in shared memory",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      how: "with the other condition",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset <= width >> 1; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      how: "threads without an element with a zero of their own",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        let own = 0;
        if (i < n) own = input[i];
        sdata[tid] = own;
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      how: "the barrier before each step, and at the end",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        for (let offset = 1; offset < width; offset *= 2) {
          syncthreads();
          const index = 2 * offset * tid;
          if (index + offset < width) sdata[index] += sdata[index + offset];
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      how: "steps counted by threads that work",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        let working = width >> 1;
        for (let offset = 1; working > 0; offset *= 2) {
          if (tid < working) {
            const index = 2 * offset * tid;
            const sum = sdata[index] + sdata[index + offset];
            sdata[index] = sum;
          }
          working >>= 1;
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      how: "zeros first, then elements over them",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = 0;
        if (i < n) sdata[tid] = input[i];
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
  ],
  wrong: [
    {
      what: "reads past the end, in place (the starter)",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const tid = i32(threadIdx.x);
        const data = input.subarray(blockDim.x * blockIdx.x);
        if (i32(blockDim.x * blockIdx.x) + tid >= n) return;
        for (let offset = 1; offset < i32(blockDim.x); offset *= 2) {
          const index = 2 * offset * tid;
          if (index < blockDim.x) data[index] += data[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = data[0];
      }),
    },
    {
      what: "works in the input, with the right guard",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const tid = i32(threadIdx.x);
        const start = i32(blockDim.x * blockIdx.x);
        for (let offset = 1; offset < i32(blockDim.x); offset *= 2) {
          const index = start + 2 * offset * tid;
          if (2 * offset * tid < i32(blockDim.x) && index + offset < n) input[index] += input[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = input[start];
      }),
    },
    {
      what: "lets threads beyond the end return before the barriers",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = 0;
        if (i >= n) return;
        sdata[tid] = input[i];
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "leaves places beyond the end unset",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        if (i < n) sdata[tid] = input[i];
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "has no barrier after the copy",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "has no barrier between the steps",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "has barriers for large offsets only",
      caughtBy: "hazards",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          if (offset > 16) syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "lets the element's owner add",
      caughtBy: "order",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          if (tid % (2 * offset) === 0) sdata[tid] += sdata[tid + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "adds by halves",
      caughtBy: "order",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = width >> 1; offset > 0; offset >>= 1) {
          if (tid < offset) sdata[tid] += sdata[tid + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "takes the last element for those beyond the end",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = input[min(i, n - 1)];
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "guards with <= and reads one element beyond",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i <= n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "stops a step early",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset < width >> 1; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "adds onto what the output held",
      caughtBy: "result",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] += sdata[0];
      }),
    },
    {
      what: "lets thread 0 add all",
      caughtBy: "order",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        if (tid === 0) {
          let total = 0;
          for (let k = 0; k < width; k++) total += sdata[k];
          output[blockIdx.x] = total;
        }
      }),
    },
    {
      what: "copies with gaps, each element from another warp's sector",
      caughtBy: "sectors-per-request",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const place = (tid & 31) * (width >> 5) + (tid >> 5);
        const i = i32(blockIdx.x) * width + place;
        sdata[place] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
    {
      what: "waits twice a step",
      caughtBy: "barriers",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const sdata = externShared(i32);
        const tid = i32(threadIdx.x);
        const width = i32(blockDim.x);
        const i = i32(blockIdx.x) * width + tid;
        sdata[tid] = i < n ? input[i] : 0;
        syncthreads();
        for (let offset = 1; offset < width; offset *= 2) {
          const index = 2 * offset * tid;
          if (index < width) sdata[index] += sdata[index + offset];
          syncthreads();
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      }),
    },
  ],
};
