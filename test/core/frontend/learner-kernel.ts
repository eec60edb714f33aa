// biome-ignore-all lint/correctness/noUnusedFunctionParameters: wrong names are what is tested here.
// biome-ignore-all lint/correctness/noUnusedVariables: only the types matter here.
/**
 * Kernels as learners write them, for the type checkers: the project's own and tslab's 5.0.4, which knows neither strictness nor
 * newer syntax. Each `@ts-expect-error` marks a mistake that the types must catch. Nothing here is run.
 */
import { device, f32, float4, i32, kernel, ptr, sharedPtr, u32, volatile } from "../../../src/core/frontend/index.js";
import * as words from "../../../src/core/frontend/words/index.js";

const warpReduce = device("warpReduce", { params: { sdata: volatile(sharedPtr(i32)), tid: u32 } }, ({ sdata, tid }) => {
  sdata[tid] += sdata[tid + 32];
});

const twice = device("twice", { params: { x: f32 } }, ({ x }) => {
  return x * 2;
});

const everything = kernel(
  "everything",
  {
    params: { input: ptr(i32), out: ptr(f32), v: ptr(float4), n: i32 },
    constants: { BLOCK: 256, FLAG: true, S: f32(2) },
    functions: { warpReduce, twice },
  },
  (
    { input, out, v, n },
    {
      threadIdx,
      externShared,
      shared,
      syncthreads,
      laneId,
      this_thread_block,
      tiled_partition,
      reduce,
      plus,
      atomicAdd,
      match_all_sync,
      printf,
      launch,
      self,
    },
    { BLOCK, FLAG, S, warpReduce, twice },
  ) => {
    const sdata = externShared(i32);
    const tile = shared(f32, [32, 33]);
    tile[1][2] = 3;
    let tid = threadIdx.x;
    if (FLAG && BLOCK > 128) tid += 1;
    warpReduce(sdata, tid);
    warpReduce({ sdata, tid });
    const y: number = twice(1.5) * S;
    const q = v[0];
    out[0] = q.x + q.w + y;
    v[1] = q;
    const g = tiled_partition(this_thread_block(), 32);
    let s = reduce(g, input[tid], plus);
    s += g.shfl_down(s, 1) + laneId();
    atomicAdd(tile[0], 1, 2);
    const { mask, predicate } = match_all_sync(0xffffffff, n);
    if (predicate) printf("%d %u", s, mask);
    launch(self, { grid: 1, block: [1, 2] }, [input]);
    syncthreads();
  },
);

const another = everything.with({ BLOCK: 512 });

const thrice = device("thrice", { x: f32 }, ({ x }) => x * 3);

const short = kernel(
  "short",
  { input: ptr(i32), v: ptr(float4), n: i32 },
  { BLOCK: 256, FLAG: true, S: f32(2), T: f32, thrice },
  ({ input, v, n }, { BLOCK, FLAG, S, T, thrice }) => {
    const sdata = words.externShared(i32);
    const sums = words.local(T, BLOCK >> 5);
    if (FLAG && words.threadIdx.x < n) sdata[words.threadIdx.x] = input[words.blockIdx.x * BLOCK + words.threadIdx.x];
    words.syncthreads();
    sums[0] = thrice(1.5) * S + v[0].x;
    sums[0] += words.shfl_down_sync(0xffffffff, sums[0], 16);
    words.printf("%f\n", sums[0]);
  },
);
const instance = short.with({ BLOCK: 512 });

kernel("hello", {}, () => {
  words.printf("hello\n");
});

// @ts-expect-error a parameter that is not declared
kernel("x", { params: { a: ptr(i32) } }, ({ b }) => {});
// @ts-expect-error a word that CUDA does not have
kernel("x", { params: { a: i32 } }, ({ a }, { syncthread }) => {});
// @ts-expect-error a constant that is not given
kernel("x", { params: { a: i32 } }, ({ a }, _, { BLOCK }) => {});
// @ts-expect-error a parameter that is not declared, in the short form
kernel("x", { a: ptr(i32) }, ({ b }) => {});
// @ts-expect-error a constant that is not given, in the short form
kernel("x", { a: i32 }, { N: 1 }, ({ a }, { BLOCK }) => {});
// @ts-expect-error a word without the value that it takes
const lane: number = words.shfl_sync(0xffffffff);
// @ts-expect-error a number as text
const text: string = twice(1.5);
