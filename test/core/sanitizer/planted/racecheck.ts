/** Planted faults that racecheck has to find in one grid's shared memory and within its blocks. */
import {
  all_sync,
  asVector,
  atomicAdd,
  f32,
  float4,
  i32,
  kernel,
  ptr,
  shared,
  syncthreads,
  syncwarp,
  threadIdx,
  u32,
  volatile,
} from "../../../../src/index.js";
import { NEW, type Planted, planted, plantedInWarp, raw, war, warning, waw } from "./planted.js";

const ints = { input: ptr(i32), out: ptr(i32) };

const readAfterWrite = kernel("readAfterWrite", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 64);
  const t = threadIdx.x;
  values[t] = input[t];
  if (FIXED) syncthreads();
  out[t] = values[t ^ 32];
});

const writeAfterRead = kernel("writeAfterRead", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 64);
  const t = threadIdx.x;
  values[t] = input[t];
  syncthreads();
  const other = values[t ^ 32];
  if (FIXED) syncthreads();
  values[t] = other + 1;
  out[t] = values[t];
});

const writeAfterWrite = kernel("writeAfterWrite", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 64);
  const t = threadIdx.x;
  const place = FIXED ? t : t & 31;
  values[place] = input[t];
  syncthreads();
  out[t] = values[t & 31];
});

const sameValue = kernel("sameValue", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const negative = shared(i32, 1);
  const t = threadIdx.x;
  if (t === 0) negative[0] = 0;
  syncthreads();
  if (input[t] > 100 && (!FIXED || t === 40)) negative[0] = 1;
  syncthreads();
  out[t] = negative[0];
});

const oneWord = kernel("oneWord", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  if (input[t] > 10 && (!FIXED || t === 5)) out[0] = input[t];
});

const lanesOfWarp = kernel("lanesOfWarp", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 32);
  const t = threadIdx.x;
  values[t] = input[t];
  if (FIXED) syncwarp();
  out[t] = values[31 - t];
});

const voteForSyncwarp = kernel("voteForSyncwarp", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 32);
  const t = threadIdx.x;
  values[t] = input[t];
  const everybody = all_sync(0xffffffff, t < 32);
  if (FIXED) syncwarp();
  out[t] = everybody ? values[31 - t] : 0;
});

const leavesLanesOut = kernel("leavesLanesOut", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 32);
  const t = threadIdx.x;
  values[t] = input[t];
  if (FIXED) syncwarp();
  else if (t < 16) syncwarp(0xffff);
  else syncwarp(0xffff0000);
  out[t] = values[31 - t];
});

const oneLaneLeftOut = kernel("oneLaneLeftOut", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 32);
  const t = threadIdx.x;
  values[t] = input[t];
  if (FIXED) syncwarp();
  else if (t < 31) syncwarp(0x7fffffff);
  out[t] = values[31 - t];
});

const neighbour = kernel("neighbour", { data: ptr(i32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  const t = threadIdx.x;
  const right = data[(t + 1) & 63];
  if (FIXED) syncthreads();
  data[t] = right;
});

const neighbourSum = kernel("neighbourSum", { data: ptr(i32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  const t = threadIdx.x;
  const step = FIXED ? 2 : 1;
  if (t % step === 0 && t < 63) data[t] += data[t + 1];
});

const plainAndAtomic = kernel("plainAndAtomic", { sum: ptr(i32) }, { FIXED: false }, ({ sum }, { FIXED }) => {
  if (threadIdx.x === 0) {
    if (FIXED) atomicAdd(sum, 0, 5);
    else sum[0] = 5;
  } else atomicAdd(sum, 0, i32(threadIdx.x));
});

const setTooLate = kernel("setTooLate", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const count = shared(i32, 1);
  const t = threadIdx.x;
  if (t === 0) count[0] = 0;
  if (FIXED) syncthreads();
  if (input[t] % 2 === 1) atomicAdd(count, 0, 1);
  syncthreads();
  if (t === 0) out[0] = count[0];
});

const readOfAtomic = kernel("readOfAtomic", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const count = shared(i32, 1);
  const t = threadIdx.x;
  if (t === 0) count[0] = 0;
  syncthreads();
  if (input[t] % 2 === 0) atomicAdd(count, 0, 1);
  if (FIXED) syncthreads();
  if (t === 63) out[0] = count[0];
});

const countsWithoutAtomic = kernel(
  "countsWithoutAtomic",
  { input: ptr(u32), out: ptr(u32) },
  { FIXED: false },
  ({ input, out }, { FIXED }) => {
    const bins = shared(u32, 8);
    const t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    syncthreads();
    const bin = FIXED ? input[t] & 7 : t & 7;
    if (FIXED) atomicAdd(bins, bin, 1);
    else bins[bin] += 1;
    syncthreads();
    if (t < 8) out[t] = bins[t];
  },
);

const oneBuffer = kernel("oneBuffer", { ...ints, n: i32 }, { FIXED: false }, ({ input, out, n }, { FIXED }) => {
  const halves = shared(i32, 128);
  const t = i32(threadIdx.x);
  let sum = 0;
  for (let step = 0; step < n; step++) {
    const half = FIXED ? 64 * (step & 1) : 0;
    halves[half + t] = input[step * 64 + t];
    syncthreads();
    sum += halves[half + (t ^ 32)];
  }
  out[t] = sum;
});

const barrierTooLate = kernel("barrierTooLate", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = shared(i32, 64);
  const t = threadIdx.x;
  values[t] = input[t];
  syncthreads();
  for (let s = 32; s > 0; s >>= 1) {
    if (FIXED && t < s) values[t] += values[t + s];
    if (!FIXED && t < 2 * s) values[t] += values[t ^ s];
    syncthreads();
  }
  out[t] = values[0];
});

const volatileWarp = kernel("volatileWarp", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const values = volatile(shared(i32, 32));
  const t = threadIdx.x;
  values[t] = input[t];
  if (FIXED) syncwarp();
  const left = values[t ^ 16];
  if (FIXED) syncwarp();
  values[t] = left + 1;
  out[t] = values[t];
});

const vectorsOverlap = kernel(
  "vectorsOverlap",
  { input: ptr(f32), out: ptr(f32) },
  { FIXED: false },
  ({ input, out }, { FIXED }) => {
    const values = shared(f32, 64);
    const quads = asVector(values, float4);
    const t = threadIdx.x;
    values[t] = input[t];
    if (FIXED) syncthreads();
    if (t < 16) {
      const { x, y, z, w } = quads[15 - t];
      out[t] = x + y + z + w;
    }
  },
);

const warp = { block: 32, length: 32 };
const ownAdd = "else bins[bin] += 1";
const exchanged = "values[t] += values[t ^ s]";

export const blockRaces: readonly Planted[] = [
  planted("no barrier between a write to shared memory and another warp's read", readAfterWrite, {}, [
    raw("shared", "values[t] = input[t]", "out[t] = values[t ^ 32]"),
    war("shared", "out[t] = values[t ^ 32]", "values[t] = input[t]"),
  ]),
  planted("no barrier between a read of shared memory and another warp's write", writeAfterRead, {}, [
    war("shared", "const other = values[t ^ 32]", "values[t] = other + 1"),
    raw("shared", "values[t] = other + 1", "const other = values[t ^ 32]"),
  ]),
  planted("two warps that write different values to one word", writeAfterWrite, {}, [
    waw("shared", "values[place] = input[t]", "values[place] = input[t]"),
  ]),
  planted("threads that write the same value to one word", sameValue, {}, [
    warning("racecheck", "memory (WAW)", "negative[0] = 1", "negative[0] = 1"),
  ]),
  planted("lanes of one warp that write different values to one word", oneWord, { block: 32 }, [
    waw("global", "out[0] = input[t]", "out[0] = input[t]"),
  ]),
  ...plantedInWarp("lanes of one warp without syncwarp", lanesOfWarp, warp, [
    raw("shared", "values[t] = input[t]", "out[t] = values[31 - t]"),
  ]),
  ...plantedInWarp("syncwarp by halves, between lanes of both", leavesLanesOut, warp, [
    raw("shared", "values[t] = input[t]", "out[t] = values[31 - t]"),
  ]),
  ...plantedInWarp("syncwarp with a mask that leaves a lane out", oneLaneLeftOut, warp, [
    raw("shared", "values[t] = input[t]", "out[t] = values[31 - t]"),
  ]),
  ...plantedInWarp("a vote in the place of syncwarp", voteForSyncwarp, warp, [
    raw("shared", "values[t] = input[t]", "out[t] = everybody ? values[31 - t]"),
  ]),
  planted("an element that its neighbour reads", neighbour, {}, [
    war("global", "const right = data[", "data[t] = right"),
    raw("global", "data[t] = right", "const right = data["),
  ]),
  planted("elements that a neighbour adds to its own", neighbourSum, {}, [
    war("global", "data[t] += data[t + 1]", "data[t] += data[t + 1]"),
  ]),
  planted("a plain store beside atomics", plainAndAtomic, { zeros: ["sum"], length: 1 }, [
    waw("global", "else sum[0] = 5", "} else atomicAdd(sum", "Atomic"),
  ]),
  planted("a shared counter that is set to 0 while others add to it", setTooLate, {}, [
    waw("shared", "count[0] = 0", "atomicAdd(count, 0, 1)", "Atomic"),
  ]),
  planted("a plain load beside atomics", readOfAtomic, {}, [
    raw("shared", "atomicAdd(count, 0, 1)", "out[0] = count[0]", "Atomic"),
  ]),
  planted("a histogram without atomics", countsWithoutAtomic, {}, [raw("shared", ownAdd, ownAdd)], NEW),
  planted("one buffer, where two would need one barrier", oneBuffer, { sizes: { input: 256 }, values: { n: 4 } }, [
    raw("shared", "halves[half + t] = input", "sum += halves[half + (t ^ 32)]"),
    war("shared", "sum += halves[half + (t ^ 32)]", "halves[half + t] = input"),
  ]),
  planted("threads that add what others add to in the same step", barrierTooLate, {}, [
    raw("shared", exchanged, exchanged),
    war("shared", exchanged, exchanged),
  ]),
  ...plantedInWarp("a last warp that trusts volatile", volatileWarp, warp, [
    raw("shared", "values[t] = input[t]", "const left = values[t ^ 16]"),
    war("shared", "const left = values[t ^ 16]", "values[t] = left + 1"),
  ]),
  planted(
    "vectors over what another warp has written",
    vectorsOverlap,
    {},
    [raw("shared", "values[t] = input[t]", "quads[15 - t]"), war("shared", "quads[15 - t]", "values[t] = input[t]")],
    NEW,
  ),
];
