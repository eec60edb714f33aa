/** Faults whose other side is work in another stream. */
import {
  asVector,
  atomicAdd,
  f32,
  f64,
  float2,
  type Gpu,
  i32,
  i64,
  kernel,
  make_float2,
  ptr,
  threadfence,
  threadfence_block,
  threadIdx,
  u32,
  volatile,
} from "../../../../src/index.js";
import { type CellFault, program } from "./cell.js";

const N = 64;
const one = { grid: 1, block: N } as const;

const fillLongs = kernel("fillLongs", { data: ptr(i64), n: u32 }, ({ data, n }) => {
  for (let i = threadIdx.x; i < n; i += 64) data[i] = i64(i);
});
const addFloats = kernel("addFloats", { sum: ptr(f32), data: ptr(f32) }, ({ sum, data }) => {
  sum[threadIdx.x] += data[threadIdx.x];
});
const addVolatile = kernel("addVolatile", { total: ptr(f64) }, ({ total }) => {
  const sum = volatile(total);
  if (threadIdx.x === 0) sum[0] += 1.0;
});
const addAtomic = kernel("addAtomic", { total: ptr(i32) }, ({ total }) => {
  atomicAdd(total, 0, 1);
});
const readTotal = kernel("readTotal", { total: ptr(i32), out: ptr(i32) }, ({ total, out }) => {
  out[threadIdx.x] = total[0];
});
const tell = kernel("tell", { data: ptr(f32), ready: ptr(i32), HOW: i32 }, ({ data, ready, HOW }) => {
  const state = volatile(ready);
  if (threadIdx.x === 0) {
    if (HOW === 3) threadfence();
    data[7] = 2.5;
    if (HOW === 1) threadfence();
    if (HOW === 2) threadfence_block();
    state[0] = 1;
  }
});
const hear = kernel("hear", { data: ptr(f32), ready: ptr(i32), out: ptr(f32) }, ({ data, ready, out }) => {
  const state = volatile(ready);
  if (threadIdx.x === 0) {
    while (state[0] === 0) {}
    threadfence();
    out[0] = data[7];
  }
});
const swapPairs = kernel("swapPairs", { data: ptr(f32), out: ptr(f32) }, ({ data, out }) => {
  const [from, to] = [asVector(data, float2), asVector(out, float2)];
  const pair = from[threadIdx.x];
  to[threadIdx.x] = make_float2(pair.y, pair.x);
});
const twice = kernel("twice", { temp: ptr(f64), out: ptr(f64) }, ({ temp, out }) => {
  out[threadIdx.x] = temp[threadIdx.x] + temp[threadIdx.x];
});

function handOver(how: number): CellFault["run"] {
  return (gpu, fixed) => {
    const [a, b] = [gpu.stream(), gpu.stream()];
    const [data, out] = [gpu.upload(new Float32Array(N)), gpu.upload(new Float32Array(N))];
    const ready = gpu.upload(new Int32Array(1));
    a.launch(tell, one, { data, ready, HOW: fixed ? 1 : how });
    b.launch(hear, one, { data, ready, out });
    gpu.synchronize();
  };
}

function two(gpu: Gpu) {
  return [gpu.stream(), gpu.stream()] as const;
}

const half = kernel("half", { data: ptr(f32), part: ptr(f32) }, ({ data, part }) => {
  const pairs = asVector(part, float2);
  data[threadIdx.x] = pairs[threadIdx.x & 7].x;
});

export const streamFaults: readonly CellFault[] = [
  program(
    ["a plain store that nothing orders", "global", "stream"],
    "i64 parts that overlap by eight",
    ["racecheck", "data[i] = i64(i)"],
    (gpu, fixed) => {
      const [a, b] = two(gpu);
      const data = gpu.upload(new BigInt64Array(2 * N));
      a.launch(fillLongs, one, { data: data.sub(0, N), n: N });
      b.launch(fillLongs, one, { data: data.sub(fixed ? N : N - 8, N), n: N });
    },
  ),
  program(
    ["a plain update, x += 1", "global", "stream"],
    "two streams add to the same sums",
    ["racecheck", "sum[threadIdx.x] +="],
    (gpu, fixed) => {
      const [a, b] = two(gpu);
      const [sum, data] = [gpu.upload(new Float32Array(N)), gpu.upload(new Float32Array(N).fill(1.5))];
      a.launch(addFloats, one, { sum, data });
      if (fixed) b.wait(gpu.event().record(a));
      b.launch(addFloats, one, { sum, data });
    },
  ),
  program(
    ["an update through volatile", "global", "stream"],
    "an f64 total of two streams through volatile",
    ["racecheck", "sum[0] +="],
    (gpu, fixed) => {
      const [a, b] = two(gpu);
      const total = gpu.upload(new Float64Array(1));
      a.launch(addVolatile, one, { total });
      if (fixed) a.synchronize();
      b.launch(addVolatile, one, { total });
    },
  ),
  program(
    ["a plain access beside atomics", "global", "stream"],
    "a total that another stream reads",
    ["racecheck", "out[threadIdx.x] = total[0]"],
    (gpu, fixed) => {
      const [a, b] = two(gpu);
      const [total, out] = [gpu.upload(new Int32Array(1)), gpu.upload(new Int32Array(N))];
      a.launch(addAtomic, one, { total });
      (fixed ? a : b).launch(readTotal, one, { total, out });
    },
  ),
  program(
    ["a hand-over without its fence", "global", "stream"],
    "a flag between streams",
    ["racecheck", "out[0] = data[7]"],
    handOver(0),
  ),
  program(
    ["a hand-over with a fence of the block", "global", "stream"],
    "a flag between streams with threadfence_block",
    ["racecheck", "out[0] = data[7]"],
    handOver(2),
  ),
  program(
    ["a hand-over with its fence in the wrong place", "global", "stream"],
    "a flag between streams with the fence before the value",
    ["racecheck", "out[0] = data[7]"],
    handOver(3),
  ),
  program(
    ["a barrier that is missing", "global", "stream"],
    "float2 that a copy overwrites while they are read",
    ["racecheck", "const pair = from[threadIdx.x]"],
    (gpu, fixed) => {
      const [a, b] = two(gpu);
      const [data, out] = [gpu.upload(new Float32Array(2 * N)), gpu.upload(new Float32Array(2 * N))];
      const pinned = gpu.hostAlloc(f32, 2 * N);
      a.launch(swapPairs, one, { data, out });
      if (fixed) b.wait(gpu.event().record(a));
      b.write(data, pinned);
    },
  ),
  program(
    ["a read of what nobody has written", "global", "stream"],
    "a stream's copy fills half of what another reads",
    ["initcheck", "temp[threadIdx.x]"],
    (gpu, fixed) => {
      const [a, b] = two(gpu);
      const [temp, out] = [gpu.alloc(f64, N), gpu.upload(new Float64Array(N))];
      const pinned = gpu.hostAlloc(f64, N);
      a.write(fixed ? temp : temp.sub(0, 32), fixed ? pinned : pinned.subarray(0, 32));
      b.wait(gpu.event().record(a));
      b.launch(twice, one, { temp, out });
    },
  ),
  program(
    ["an index out of bounds", "global", "stream"],
    "a stream's part with the count of the whole",
    ["memcheck", "data[i] = i64(i)"],
    (gpu, fixed) => {
      const [a, b] = two(gpu);
      const data = gpu.upload(new BigInt64Array(2 * N));
      a.launch(fillLongs, one, { data: data.sub(0, N), n: N });
      b.launch(fillLongs, one, { data: data.sub(N, N), n: fixed ? N : N + 1 });
    },
  ),
  program(
    ["a vector at half of one", "global", "stream"],
    "a stream's part from an odd element on",
    ["memcheck", "= pairs[threadIdx.x & 7].x"],
    (gpu, fixed) => {
      const [a] = two(gpu);
      const [data, part] = [gpu.upload(new Float32Array(N)), gpu.upload(new Float32Array(N))];
      a.launch(half, one, { data, part: part.sub(fixed ? 2 : 3, 16) });
    },
  ),
  program(
    ["memory that was freed", "global", "stream"],
    "a stream's second launch with what is freed between",
    ["memcheck", "Use after free"],
    (gpu, fixed) => {
      const [a] = two(gpu);
      const [sum, data] = [gpu.upload(new Float32Array(N)), gpu.upload(new Float32Array(N))];
      a.launch(addFloats, one, { sum, data });
      if (!fixed) data.free();
      a.launch(addFloats, one, { sum, data });
      if (fixed) data.free();
    },
  ),
];
