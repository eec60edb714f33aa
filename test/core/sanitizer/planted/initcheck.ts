/** Planted faults that initcheck has to find. */
import {
  atomicAdd,
  f32,
  i32,
  kernel,
  launch,
  local,
  ptr,
  shared,
  syncthreads,
  threadIdx,
} from "../../../../src/index.js";
import { error, NEW, type Planted, planted, warning } from "./planted.js";

const ints = { input: ptr(i32), out: ptr(i32) };

const global = kernel("global", { sum: ptr(i32) }, { FIXED: false }, ({ sum }, { FIXED }) => {
  if (FIXED) sum[threadIdx.x] = 0;
  sum[threadIdx.x] += 2;
});

const part = kernel("part", { temp: ptr(i32), out: ptr(i32) }, { FIXED: false }, ({ temp, out }, { FIXED }) => {
  const t = threadIdx.x;
  if (FIXED || t < 60) temp[t] = 4;
  syncthreads();
  out[t] = temp[63 - t];
});

const atomics = kernel("atomics", { bins: ptr(i32) }, { FIXED: false }, ({ bins }, { FIXED }) => {
  const t = threadIdx.x;
  if (FIXED && t < 4) bins[t] = 0;
  syncthreads();
  atomicAdd(bins, t & 3, 1);
});

const wholeShared = kernel("wholeShared", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const sums = shared(i32, 64);
  const t = threadIdx.x;
  if (FIXED) sums[t] = 0;
  sums[t] += input[t];
  syncthreads();
  out[t] = sums[63 - t];
});

const tailOfShared = kernel(
  "tailOfShared",
  { input: ptr(f32), out: ptr(f32), n: i32 },
  { FIXED: false },
  ({ input, out, n }, { FIXED }) => {
    const sums = shared(f32, 64);
    const t = i32(threadIdx.x);
    if (t < n) sums[t] = input[t];
    else if (FIXED) sums[t] = 0;
    syncthreads();
    for (let s = 32; s > 0; s >>= 1) {
      if (t < s) sums[t] += sums[t + s];
      syncthreads();
    }
    if (t === 0) out[0] = sums[0];
  },
);

const sharedBins = kernel("sharedBins", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const bins = shared(i32, 8);
  const t = threadIdx.x;
  if (t < 8 && FIXED) bins[t] = 0;
  syncthreads();
  atomicAdd(bins, input[t] & 7, 1);
  syncthreads();
  if (t === 0) out[t] = bins[1];
});

const localArray = kernel("localArray", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const ring = local(i32, 4);
  for (let k = FIXED ? 0 : 1; k < 4; k++) ring[k] = k;
  out[threadIdx.x] = ring[input[threadIdx.x] & 3];
});

const indexed = kernel("indexed", { temp: ptr(i32), out: ptr(i32) }, { FIXED: false }, ({ temp, out }, { FIXED }) => {
  if (FIXED) temp[threadIdx.x] = i32(threadIdx.x);
  const place = temp[threadIdx.x];
  atomicAdd(out, place, 1);
});

const doubles = kernel("doubles", { data: ptr(i32) }, ({ data }) => {
  data[threadIdx.x] *= 2;
});
const inChild = kernel("inChild", { data: ptr(i32) }, { FIXED: false }, ({ data }, { FIXED }) => {
  if (FIXED) data[threadIdx.x] = 1;
  syncthreads();
  if (threadIdx.x === 0) launch(doubles, { grid: 1, block: 64 }, { data });
});

const half = kernel("half", ints, ({ input, out }) => {
  out[threadIdx.x] = input[threadIdx.x];
});

const guarded = kernel("guarded", { ...ints, n: i32 }, ({ input, out, n }) => {
  const t = i32(threadIdx.x);
  if (t < n) out[t] = input[t];
});

export const initcheckFaults: readonly Planted[] = [
  planted("allocated memory that is read", global, { unwritten: ["sum"] }, [
    error("initcheck", "Uninitialized __global__ memory read of size 4 bytes", "sum[threadIdx.x] += 2"),
  ]),
  planted("memory of which a part is written, and all is read", part, { unwritten: ["temp"] }, [
    error("initcheck", "Uninitialized __global__ memory read of size 4 bytes", "out[t] = temp[63 - t]"),
  ]),
  planted("atomics on memory that nobody has set to 0", atomics, { length: 4, unwritten: ["bins"] }, [
    error("initcheck", "Uninitialized __global__ memory atomic of size 4 bytes", "atomicAdd(bins, t & 3, 1)"),
  ]),
  planted("shared memory that is added to before it is set", wholeShared, {}, [
    error("initcheck", "Uninitialized __shared__ memory read", "sums[t] += input[t]"),
  ]),
  planted("shared memory that is not set beyond the data", tailOfShared, { values: { n: 50 } }, [
    error("initcheck", "Uninitialized __shared__ memory read", "sums[t] += sums[t + s]"),
  ]),
  planted("bins in shared memory that are not set to 0", sharedBins, {}, [
    error("initcheck", "Uninitialized __shared__ memory read", "atomicAdd(bins, input[t]"),
  ]),
  planted("a local array of which one element is not set", localArray, {}, [
    error("initcheck", "Uninitialized __local__ memory read", "= ring[input[threadIdx.x] & 3]"),
  ]),
  planted("an index from memory that nobody has written", indexed, { unwritten: ["temp"] }, [
    error("initcheck", "Uninitialized __global__ memory read of size 4 bytes", "const place = temp[threadIdx.x]"),
  ]),
  planted(
    "memory that a child grid reads, unwritten",
    inChild,
    { unwritten: ["data"] },
    [error("initcheck", "Uninitialized __global__ memory read of size 4 bytes", "data[threadIdx.x] *= 2")],
    NEW,
  ),
  {
    name: "memory to which the host copies one half",
    devices: ["m2070", "v100", "h200"],
    finds: [
      error(
        "initcheck",
        "Uninitialized __global__ memory read of size 4 bytes",
        "out[threadIdx.x] = input[threadIdx.x]",
      ),
    ],
    run: (gpu, fixed) => {
      const [input, out] = [gpu.alloc(i32, 64), gpu.alloc(i32, 64)];
      input.write(new Int32Array(fixed ? 64 : 32), 0);
      gpu.launch(half, { grid: 1, block: 64 }, { input, out });
      for (const each of [input, out]) each.free();
    },
  },
  {
    name: "an allocation that nothing uses",
    devices: ["m2070", "v100", "h200"],
    finds: [warning("initcheck", "of size 256 bytes")],
    run: (gpu, fixed) => {
      const [input, out, spare] = [gpu.upload(new Int32Array(64)), gpu.alloc(i32, 64), gpu.alloc(i32, 64)];
      gpu.launch(half, { grid: 1, block: 64 }, { input, out });
      if (fixed) gpu.launch(half, { grid: 1, block: 64 }, { input: out, out: spare });
      for (const each of [input, out, spare]) each.free();
    },
  },
  {
    name: "an allocation that a kernel is given and does not access",
    devices: ["m2070", "v100", "h200"],
    finds: [warning("initcheck", "of size 256 bytes")],
    run: (gpu, fixed) => {
      const [input, out] = [gpu.upload(new Int32Array(64)), gpu.alloc(i32, 64)];
      gpu.launch(guarded, { grid: 1, block: 64 }, { input, out, n: fixed ? 64 : 0 });
      for (const each of [input, out]) each.free();
    },
  },
];
