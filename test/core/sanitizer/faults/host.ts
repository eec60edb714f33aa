/** Faults whose other side is the host: copies, page-locked memory, allocations. */
import { asVector, f32, float4, i32, i64, kernel, ptr, threadIdx, u32 } from "../../../../src/index.js";
import { type CellFault, program } from "./cell.js";

const N = 64;
const one = { grid: 1, block: N } as const;

const squares = kernel("squares", { data: ptr(f32) }, ({ data }) => {
  data[threadIdx.x] = data[threadIdx.x] * data[threadIdx.x];
});
const evens = kernel("evens", { data: ptr(i64) }, ({ data }) => {
  if (threadIdx.x % 2 === 0) data[threadIdx.x] = i64(threadIdx.x);
});
const prefix = kernel("prefix", { data: ptr(i32), n: u32 }, ({ data, n }) => {
  for (let i = threadIdx.x; i < n; i += 64) data[i] += 1;
});
const lasts = kernel("lasts", { data: ptr(f32), out: ptr(f32) }, ({ data, out }) => {
  const quads = asVector(data, float4);
  out[threadIdx.x] = quads[threadIdx.x & 3].w;
});

export const hostFaults: readonly CellFault[] = [
  program(
    ["a plain store that nothing orders", "global", "host"],
    "a page-locked array that the host changes under a copy",
    ["racecheck", "cudaMemcpyAsync"],
    (gpu, fixed) => {
      const stream = gpu.stream();
      const data = gpu.upload(new Float32Array(N));
      const pinned = gpu.hostAlloc(f32, N);
      stream.write(data, pinned);
      if (fixed) stream.synchronize();
      pinned[3] = 7;
      stream.launch(squares, one, { data });
      gpu.synchronize();
    },
  ),
  program(
    ["a barrier that is missing", "global", "host"],
    "a copy in the default stream beside a non-blocking one",
    ["racecheck", "data[threadIdx.x] = data[threadIdx.x] * data[threadIdx.x]"],
    (gpu, fixed) => {
      const stream = gpu.stream({ nonBlocking: true });
      const data = gpu.upload(new Float32Array(N).fill(2));
      stream.launch(squares, one, { data });
      if (fixed) stream.synchronize();
      data.read();
    },
  ),
  program(
    ["a read of what nobody has written", "global", "host"],
    "a copy to the host of what a kernel writes every second element of",
    ["initcheck", "copied to the host"],
    (gpu, fixed) => {
      const data = gpu.alloc(i64, N);
      if (fixed) data.fill(0n);
      gpu.launch(evens, one, { data });
      data.read();
    },
  ),
  program(
    ["an index out of bounds", "global", "host"],
    "the bytes of an array for the number of its elements",
    ["memcheck", "data[i] += 1"],
    (gpu, fixed) => {
      const data = gpu.upload(new Int32Array(N));
      gpu.launch(prefix, one, { data, n: fixed ? N : 4 * N });
    },
  ),
  program(
    ["a vector at half of one", "global", "host"],
    "a part of a buffer from element 1 on, given for float4",
    ["memcheck", "quads[threadIdx.x & 3].w"],
    (gpu, fixed) => {
      const [data, out] = [gpu.upload(new Float32Array(N)), gpu.upload(new Float32Array(N))];
      gpu.launch(lasts, one, { data: data.sub(fixed ? 4 : 1, 32), out });
    },
  ),
  program(
    ["memory that was freed", "global", "host"],
    "a copy from a part of what is freed",
    ["memcheck", "Use after free"],
    (gpu, fixed) => {
      const data = gpu.upload(new Float64Array(N));
      const part = data.sub(8, 8);
      if (!fixed) data.free();
      part.read();
      if (fixed) data.free();
    },
  ),
];
