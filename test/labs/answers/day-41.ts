import { i32, kernel } from "../../../src/core/frontend/index.js";
import { blockDim, blockIdx, shared, syncthreads, threadIdx } from "../../../src/index.js";
import { type Answers, guardedSum, type WrongAnswer } from "./answer.js";
import { answers as day38 } from "./day-38.js";

/** Sums of 8 elements a thread, as on day 38; what divides warps is not looked at here. */
const SAME_CHECKS: ReadonlySet<WrongAnswer["caughtBy"]> = new Set([
  "result",
  "hazards",
  "additions",
  "loads",
  "primitives",
  "sectors-per-request",
]);

/** A sum of 8 elements a thread in a tile of so many ints; the rest of the tile is never touched. */
const tiled = kernel("answer", guardedSum, { TILE: 2048 }, ({ input, output, n }, { TILE }) => {
  const tile = shared(i32, TILE);
  const tid = threadIdx.x;
  const start = i32(blockIdx.x * blockDim.x * 8 + tid);
  let sum = 0;
  for (let k = 0; k < 8; k++) {
    const i = start + k * i32(blockDim.x);
    if (i < n) sum += input[i];
  }
  tile[tid] = sum;
  syncthreads();
  for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (tid < s) tile[tid] += tile[tid + s];
    syncthreads();
  }
  if (tid === 0) output[blockIdx.x] = tile[0];
});

export const answers: Answers = {
  right: day38.right,
  wrong: [
    ...day38.wrong.filter(({ caughtBy }) => SAME_CHECKS.has(caughtBy)),
    {
      what: "stages all elements in shared memory",
      caughtBy: "empty-warp-places",
      answer: kernel("answer", guardedSum, ({ input, output, n }) => {
        const tile = shared(i32, 8192);
        const tid = threadIdx.x;
        const start = i32(blockIdx.x * blockDim.x * 8 + tid);
        for (let k = 0; k < 8; k++) {
          const i = start + k * i32(blockDim.x);
          tile[tid + k * i32(blockDim.x)] = i < n ? input[i] : 0;
        }
        syncthreads();
        for (let s = blockDim.x * 4; s > 0; s >>= 1) {
          for (let j = tid; j < s; j += blockDim.x) tile[j] += tile[j + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = tile[0];
      }),
    },
    { what: "has a static tile of 43 KiB", caughtBy: "empty-warp-places", answer: tiled.with({ TILE: 11000 }) },
    {
      what: "has a static tile for 8 elements a thread",
      caughtBy: "empty-warp-places",
      answer: tiled.with({ TILE: 8192 }),
    },
    { what: "has a static tile for 2 elements a thread", caughtBy: "empty-warp-places", answer: tiled },
    {
      what: "has a static tile for the largest block",
      caughtBy: "empty-warp-places",
      answer: tiled.with({ TILE: 1024 }),
    },
  ],
};
