import { blockDim, blockIdx, externShared, i32, kernel, syncthreads, threadIdx } from "../../../src/index.js";
import { type Answers, changed, guardedSum } from "./answer.js";

const inShared = kernel("answer", guardedSum, ({ input, output, n }) => {
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
});

export const answers: Answers = {
  right: [
    {
      how: "as the improved kernel, in shared memory",
      answer: inShared,
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
      answer: changed(inShared, [
        "sdata[tid] = i < n ? input[i] : 0;",
        "sdata[tid] = 0; if (i >= n) return; sdata[tid] = input[i];",
      ]),
    },
    {
      what: "leaves places beyond the end unset",
      caughtBy: "hazards",
      answer: changed(inShared, ["sdata[tid] = i < n ? input[i] : 0;", "if (i < n) sdata[tid] = input[i];"]),
    },
    {
      what: "has no barrier after the copy",
      caughtBy: "hazards",
      answer: changed(inShared, ["0; syncthreads();", "0;"]),
    },
    {
      what: "has no barrier between the steps",
      caughtBy: "hazards",
      answer: changed(inShared, ["syncthreads(); }", "}"]),
    },
    {
      what: "has barriers for large offsets only",
      caughtBy: "hazards",
      answer: changed(inShared, ["syncthreads(); }", "if (offset > 16) syncthreads(); }"]),
    },
    {
      what: "lets the element's owner add",
      caughtBy: "order",
      answer: changed(inShared, [
        "const index = 2 * offset * tid; if (index < width) sdata[index] += sdata[index + offset];",
        "if (tid % (2 * offset) === 0) sdata[tid] += sdata[tid + offset];",
      ]),
    },
    {
      what: "adds by halves",
      caughtBy: "order",
      answer: changed(inShared, [
        "for (let offset = 1; offset < width; offset *= 2) { const index = 2 * offset * tid; if (index < width) sdata[index] += sdata[index + offset];",
        "for (let offset = width >> 1; offset > 0; offset >>= 1) { if (tid < offset) sdata[tid] += sdata[tid + offset];",
      ]),
    },
    {
      what: "takes the last element for those beyond the end",
      caughtBy: "result",
      answer: changed(inShared, ["sdata[tid] = i < n ? input[i] : 0;", "sdata[tid] = input[min(i, n - 1)];"]),
    },
    {
      what: "guards with <= and reads one element beyond",
      caughtBy: "result",
      answer: changed(inShared, ["i < n ? input", "i <= n ? input"]),
    },
    {
      what: "stops a step early",
      caughtBy: "result",
      answer: changed(inShared, ["; offset *= 2", ">> 1; offset *= 2"]),
    },
    {
      what: "adds onto what the output held",
      caughtBy: "result",
      answer: changed(inShared, ["= sdata[0]; }", "+= sdata[0]; }"]),
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
      answer: changed(
        inShared,
        ["const i = i32", "const place = (tid & 31) * (width >> 5) + (tid >> 5); const i = i32"],
        ["tid; sdata[tid]", "place; sdata[place]"],
      ),
    },
    {
      what: "waits twice a step",
      caughtBy: "barriers",
      answer: changed(inShared, ["syncthreads(); }", "syncthreads(); syncthreads(); }"]),
    },
  ],
};
