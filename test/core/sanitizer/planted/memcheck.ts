/** Planted faults that memcheck has to find. */
import {
  asVector,
  atomicAdd,
  externShared,
  f32,
  float4,
  type Gpu,
  i32,
  kernel,
  launch,
  local,
  ptr,
  shared,
  syncthreads,
  threadIdx,
} from "../../../../src/index.js";
import { error, type Planted, planted } from "./planted.js";

const ints = { input: ptr(i32), out: ptr(i32) };

const readBeyond = kernel("readBeyond", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = i32(threadIdx.x);
  const next = t + 1;
  const last = FIXED ? 63 : 64;
  const beside = next > last ? last : next;
  out[t] = input[beside];
});

const writeBeyond = kernel("writeBeyond", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = threadIdx.x;
  const value = input[t];
  if (FIXED) out[t] = value;
  else out[t + 1] = value;
});

const atomicBeyond = kernel("atomicBeyond", { sums: ptr(i32) }, { FIXED: false }, ({ sums }, { FIXED }) => {
  const bin = (threadIdx.x & 3) + (FIXED ? 0 : 1);
  atomicAdd(sums, bin, 1);
});

const beforeStart = kernel("beforeStart", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const t = i32(threadIdx.x);
  let value = input[t];
  if (!FIXED || t > 0) value += input[t - 1];
  out[t] = value;
});

const nextAllocation = kernel("nextAllocation", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const stride = FIXED ? 0 : 64;
  out[threadIdx.x] = input[threadIdx.x + stride];
});

const padding = kernel("padding", { ...ints, n: i32 }, { FIXED: false }, ({ input, out, n }, { FIXED }) => {
  const t = i32(threadIdx.x);
  if (!FIXED || t < n) out[t] = input[t];
});

const misaligned = kernel(
  "misaligned",
  { input: ptr(f32), out: ptr(f32) },
  { FIXED: false },
  ({ input, out }, { FIXED }) => {
    const part = input.subarray(FIXED ? 4 : 2);
    const quads = asVector(part, float4);
    const { x, y, z, w } = quads[threadIdx.x];
    out[threadIdx.x] = x + y + z + w;
  },
);

const vectorTail = kernel(
  "vectorTail",
  { input: ptr(f32), out: ptr(f32), n: i32 },
  { FIXED: false },
  ({ input, out, n }, { FIXED }) => {
    const t = i32(threadIdx.x);
    const quads = asVector(input, float4);
    let sum = f32(0);
    if (4 * t + (FIXED ? 3 : 0) < n) {
      const { x, y, z, w } = quads[t];
      sum = x + y + z + w;
    } else if (FIXED) {
      for (let i = 4 * t; i < n; i++) sum += input[i];
    }
    out[t] = sum;
  },
);

const sharedBeyond = kernel("sharedBeyond", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const sums = shared(i32, 64);
  const t = i32(threadIdx.x);
  sums[t] = input[t];
  syncthreads();
  if (t < (FIXED ? 63 : 64)) out[t] = sums[t + 1];
});

const sharedBefore = kernel("sharedBefore", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const first = shared(i32, 64);
  const second = shared(i32, 64);
  const t = i32(threadIdx.x);
  first[t] = input[t];
  second[t] = 2;
  syncthreads();
  const left = FIXED && t === 0 ? 0 : t - 1;
  out[t] = second[left] + first[t];
});

const dynamicShared = kernel("dynamicShared", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const sums = externShared(i32);
  const t = threadIdx.x;
  const place = FIXED ? t : t + 4;
  sums[place] = input[t];
  syncthreads();
  out[t] = FIXED ? sums[63 - t] : 1;
});

const localBeyond = kernel("localBeyond", ints, { FIXED: false }, ({ input, out }, { FIXED }) => {
  const ring = local(i32, 8);
  for (let k = 0; k < 8; k++) ring[k] = k;
  const place = input[threadIdx.x] & (FIXED ? 7 : 15);
  out[threadIdx.x] = ring[place];
});

const child = kernel("child", { out: ptr(i32) }, ({ out }) => {
  out[threadIdx.x] = 1;
});
const childBeyond = kernel("childBeyond", { out: ptr(i32) }, { FIXED: false }, ({ out }, { FIXED }) => {
  if (threadIdx.x === 0) launch(child, { grid: 1, block: FIXED ? 64 : 96 }, { out });
});

const plain = kernel("plain", { out: ptr(i32) }, ({ out }) => {
  out[threadIdx.x] = 7;
});

function memoryOfHost(name: string, title: string, run: Planted["run"]): Planted {
  return { name, devices: ["m2070", "v100", "h200"], finds: [error("memcheck", title)], run };
}

const doubled = (gpu: Gpu): void => {
  const out = gpu.upload(new Int32Array(64));
  gpu.launch(plain, { grid: 1, block: 64 }, { out });
  out.free();
};

export const memcheckFaults: readonly Planted[] = [
  planted("a read one element beyond the end", readBeyond, {}, [
    error("memcheck", "Invalid __global__ read of size 4 bytes", "out[t] = input[beside]"),
  ]),
  planted("a write one element beyond the end", writeBeyond, {}, [
    error("memcheck", "Invalid __global__ write of size 4 bytes", "else out[t + 1] = value"),
  ]),
  planted("an atomic one element beyond the end", atomicBeyond, { length: 4, zeros: ["sums"] }, [
    error("memcheck", "Invalid __global__ atomic of size 4 bytes", "atomicAdd(sums, bin, 1)"),
  ]),
  planted("a read before the start", beforeStart, {}, [
    error("memcheck", "Invalid __global__ read of size 4 bytes", "value += input[t - 1]"),
  ]),
  planted("a read that lands in the next allocation", nextAllocation, {}, [
    error("memcheck", "Invalid __global__ read of size 4 bytes", "input[threadIdx.x + stride]"),
  ]),
  planted("accesses that land in the padding of an allocation", padding, { length: 60, values: { n: 60 } }, [
    error("memcheck", "Invalid __global__ read of size 4 bytes", "out[t] = input[t]"),
  ]),
  planted("a float4 that begins at half of one", misaligned, { sizes: { input: 260 } }, [
    error("memcheck", "Misaligned __global__ read of size 16 bytes", "quads[threadIdx.x]"),
  ]),
  planted("a float4 whose tail lies beyond the end", vectorTail, { sizes: { input: 250 }, values: { n: 250 } }, [
    error("memcheck", "Invalid __global__ read of size 16 bytes", "= quads[t]"),
  ]),
  planted("static shared memory, beyond the end", sharedBeyond, {}, [
    error("memcheck", "Invalid __shared__ read of size 4 bytes", "out[t] = sums[t + 1]"),
  ]),
  planted("static shared memory, before the start: in another array", sharedBefore, {}, [
    error("memcheck", "Invalid __shared__ read of size 4 bytes", "out[t] = second[left]"),
  ]),
  planted("dynamic shared memory, beyond what the launch gives", dynamicShared, { sharedBytes: 256 }, [
    error("memcheck", "Invalid __shared__ write of size 4 bytes", "sums[place] = input[t]"),
  ]),
  planted("a local array, beyond the end", localBeyond, {}, [
    error("memcheck", "Invalid __local__ read of size 4 bytes", "out[threadIdx.x] = ring[place]"),
  ]),
  planted(
    "a child grid with more threads than elements",
    childBeyond,
    {},
    [error("memcheck", "Invalid __global__ write of size 4 bytes", "out[threadIdx.x] = 1")],
    ["v100", "h200"],
  ),
  memoryOfHost("a launch with memory that was freed", "Use after free: a launch", (gpu, fixed) => {
    const out = gpu.upload(new Int32Array(64));
    if (!fixed) out.free();
    gpu.launch(plain, { grid: 1, block: 64 }, { out });
    out.free();
  }),
  memoryOfHost("a copy from memory that was freed", "Use after free: a copy", (gpu, fixed) => {
    const out = gpu.upload(new Int32Array(64));
    gpu.launch(plain, { grid: 1, block: 64 }, { out });
    if (fixed) out.read();
    out.free();
    if (!fixed) out.read();
  }),
  memoryOfHost("a copy to memory that was freed", "Use after free: a copy", (gpu, fixed) => {
    const out = gpu.upload(new Int32Array(64));
    gpu.launch(plain, { grid: 1, block: 64 }, { out });
    out.free();
    if (!fixed) out.fill(0);
  }),
  memoryOfHost("memory freed twice", "Double free", (gpu, fixed) => {
    const out = gpu.upload(new Int32Array(64));
    out.free();
    if (!fixed) out.free();
  }),
  memoryOfHost("memory that is not freed when the device is reset", "Leaked 256 bytes", (gpu, fixed) => {
    doubled(gpu);
    const out = gpu.upload(new Int32Array(64));
    if (fixed) out.free();
    gpu.reset();
  }),
  memoryOfHost("memory that is not freed when the program ends", "Leaked 256 bytes", (gpu, fixed) => {
    doubled(gpu);
    const out = gpu.upload(new Int32Array(64));
    if (fixed) out.free();
  }),
];
