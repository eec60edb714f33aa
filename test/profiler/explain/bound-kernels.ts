/** Kernels whose bound is known by construction, each with a twin that lacks the cause. */
import {
  __cosf,
  atomicAdd,
  blockDim,
  blockIdx,
  externShared,
  f32,
  f64,
  type Gpu,
  i32,
  kernel,
  type LaunchResult,
  ptr,
  type RuleName,
  shared,
  syncthreads,
  threadIdx,
  unroll,
} from "../../../src/index.js";

const fp32 = kernel("fp32", { to: ptr(f32), rounds: i32, x: f32 }, ({ to, rounds, x }) => {
  let a = f32(threadIdx.x);
  let b = a + x;
  let c = b + x;
  let d = c + x;
  for (let k = 0; k < rounds; k++) {
    unroll(16);
    a = a * x + b;
    b = b * x + c;
    c = c * x + d;
    d = d * x + a;
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
});

const integer = kernel("integer", { to: ptr(i32), rounds: i32, x: i32 }, ({ to, rounds, x }) => {
  let a = i32(threadIdx.x);
  let b = a + x;
  let c = b + x;
  let d = c + x;
  for (let k = 0; k < rounds; k++) {
    unroll(16);
    a = a * x + b;
    b = b * x + c;
    c = c * x + d;
    d = d * x + a;
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
});

const special = kernel("special", { to: ptr(f32), rounds: i32 }, ({ to, rounds }) => {
  let a = f32(threadIdx.x);
  let b = a + f32(1);
  for (let k = 0; k < rounds; k++) {
    unroll(16);
    a = __cosf(a);
    b = __cosf(b);
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
});

const fp64 = kernel("fp64", { to: ptr(f32), rounds: i32, x: f64 }, ({ to, rounds, x }) => {
  let a = f64(threadIdx.x);
  let b = a + x;
  let c = b + x;
  let d = c + x;
  for (let k = 0; k < rounds; k++) {
    unroll(16);
    a = a * x + b;
    b = b * x + c;
    c = c * x + d;
    d = d * x + a;
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = f32(a + b + c + d);
});

const sharedReads = kernel("sharedReads", { to: ptr(i32), rounds: i32, step: i32 }, ({ to, rounds, step }) => {
  const part = shared(i32, 10000);
  for (let k = 0; k < 10000; k += 256) if (threadIdx.x + k < 10000) part[threadIdx.x + k] = k;
  syncthreads();
  const at = i32(threadIdx.x) * step;
  let sum = 0;
  for (let r = 0; r < rounds; r++) {
    unroll(1);
    for (let k = 0; k < 32; k++) sum += part[at + r + k * 32];
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
});

const copy = kernel("copy", { to: ptr(f32), from: ptr(f32), mask: i32 }, ({ to, from, mask }) => {
  const i = (blockIdx.x * blockDim.x + threadIdx.x) & mask;
  to[i] = from[i] + f32(1);
});

const reads = kernel("reads", { to: ptr(f32), from: ptr(f32), mask: i32 }, ({ to, from, mask }) => {
  const first = i32(blockIdx.x * 2081 * 32 + threadIdx.x);
  let sum = f32(0);
  for (let r = 0; r < 64; r++) {
    unroll(16);
    sum += from[(first + r * 256) & mask];
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
});

const noReads = kernel("noReads", { to: ptr(f32), from: ptr(f32), mask: i32 }, ({ to, mask }) => {
  const first = i32(blockIdx.x * 2081 * 32 + threadIdx.x);
  let sum = f32(0);
  for (let r = 0; r < 64; r++) {
    unroll(16);
    sum += f32(1) * i32((first + r * 256) & mask);
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
});

const strided = kernel("strided", { to: ptr(f32), from: ptr(f32), stride: i32 }, ({ to, from, stride }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i * stride];
});

const chase = kernel("chase", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const kept = externShared(i32);
  let j = i32(blockIdx.x * blockDim.x + threadIdx.x) & 32767;
  for (let k = 0; k < 16; k++) {
    unroll(1);
    j = (from[j] + j + 4096) & 32767;
  }
  kept[threadIdx.x] = j;
  to[blockIdx.x * blockDim.x + threadIdx.x] = kept[threadIdx.x];
});

const barriers = kernel("barriers", { to: ptr(i32), rounds: i32 }, ({ to, rounds }) => {
  let v = i32(threadIdx.x);
  for (let k = 0; k < rounds; k++) {
    unroll(1);
    v = (v ^ k) + 1;
    syncthreads();
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = v;
});

const noBarriers = kernel("noBarriers", { to: ptr(i32), rounds: i32 }, ({ to, rounds }) => {
  let v = i32(threadIdx.x);
  for (let k = 0; k < rounds; k++) {
    unroll(1);
    v = (v ^ k) + 1;
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = v;
});

const add = kernel("add", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  atomicAdd(to, 0, from[blockIdx.x * blockDim.x + threadIdx.x]);
});

const noAdd = kernel("noAdd", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  if (from[blockIdx.x * blockDim.x + threadIdx.x] === 77) to[0] = 1;
});

const sides = kernel("sides", { to: ptr(f32), shift: i32, x: f32 }, ({ to, shift, x }) => {
  let v = f32(threadIdx.x);
  const side = (threadIdx.x >> shift) & 3;
  if (side === 0) {
    for (let k = 0; k < 200; k++) v = v * x + f32(1);
  } else if (side === 1) {
    for (let k = 0; k < 200; k++) v = v * x - f32(3);
  } else if (side === 2) {
    for (let k = 0; k < 200; k++) v = v * x + x;
  } else {
    for (let k = 0; k < 200; k++) v = v * x - x;
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = v;
});

const one = kernel("one", { to: ptr(f32) }, ({ to }) => {
  to[blockIdx.x * blockDim.x + threadIdx.x] = f32(1);
});

export interface BoundKernel {
  readonly name: string;
  readonly first: RuleName;
  /** Words that the finding's sentence has. */
  readonly says: RegExp;
  readonly launch: (gpu: Gpu) => LaunchResult;
  readonly twin: (gpu: Gpu) => LaunchResult;
  /** By how much the share of time that is left may differ from the twin's. */
  readonly margin: number;
}

const BLOCK = 256;
const data = new WeakMap<Gpu, ReturnType<typeof arrays>>();
const LENGTH = 2 ** 24;

function arrays(gpu: Gpu) {
  return {
    ints: gpu.alloc(i32, 2 ** 22),
    toInts: gpu.alloc(i32, 2 ** 22),
    floats: gpu.alloc(f32, LENGTH),
    toFloats: gpu.alloc(f32, LENGTH),
  };
}

function arraysOf(gpu: Gpu): ReturnType<typeof arrays> {
  const known = data.get(gpu) ?? arrays(gpu);
  data.set(gpu, known);
  return known;
}

/** Blocks of 256 threads that fill every SM so many times. */
function filled(gpu: Gpu, times = 2): number {
  const { smCount, limits } = gpu.device;
  return times * smCount * Math.min(limits.maxBlocksPerSm, Math.floor(limits.maxThreadsPerSm / BLOCK));
}

const compute =
  (which: typeof fp32 | typeof integer | typeof special | typeof fp64, rounds: number) =>
  (gpu: Gpu): LaunchResult => {
    const { toFloats, toInts } = arraysOf(gpu);
    const config = { grid: filled(gpu), block: BLOCK };
    if (which === fp32) return gpu.launch(fp32, config, { to: toFloats, rounds, x: 0.5 });
    if (which === integer) return gpu.launch(integer, config, { to: toInts, rounds, x: 3 });
    if (which === special) return gpu.launch(special, config, { to: toFloats, rounds });
    return gpu.launch(fp64, config, { to: toFloats, rounds, x: 0.5 });
  };

const readsShared =
  (rounds: number, step: number) =>
  (gpu: Gpu): LaunchResult =>
    gpu.launch(sharedReads, { grid: filled(gpu, 1), block: BLOCK }, { to: arraysOf(gpu).toInts, rounds, step });

const copies =
  (mask: number) =>
  (gpu: Gpu): LaunchResult => {
    const { toFloats: to, floats: from } = arraysOf(gpu);
    return gpu.launch(copy, { grid: LENGTH / BLOCK, block: BLOCK }, { to, from, mask });
  };

const readsGlobal =
  (mask: number, which = reads) =>
  (gpu: Gpu): LaunchResult => {
    const { toFloats: to, floats: from } = arraysOf(gpu);
    return gpu.launch(which, { grid: filled(gpu, 4), block: BLOCK, cache: "warm" }, { to, from, mask });
  };

const strides =
  (stride: number) =>
  (gpu: Gpu): LaunchResult => {
    const { toFloats: to, floats: from } = arraysOf(gpu);
    return gpu.launch(strided, { grid: LENGTH / 8 / BLOCK, block: BLOCK }, { to, from, stride });
  };

const chases =
  (sharedBytes: number) =>
  (gpu: Gpu): LaunchResult => {
    const { toInts: to, ints: from } = arraysOf(gpu);
    return gpu.launch(chase, { grid: 32 * gpu.device.smCount, block: 64, sharedBytes, cache: "warm" }, { to, from });
  };

const rounds =
  (count: number, extra: number) =>
  (gpu: Gpu): LaunchResult => {
    const full = filled(gpu, 1);
    const blocks = full + extra * gpu.device.smCount;
    const scaled = extra === 0 ? Math.round((count * (full + gpu.device.smCount)) / full) : count;
    return gpu.launch(fp32, { grid: blocks, block: BLOCK }, { to: arraysOf(gpu).toFloats, rounds: scaled, x: 0.5 });
  };

export const BOUND_KERNELS: readonly BoundKernel[] = [
  {
    name: "fp32 arithmetic",
    first: "compute bound",
    says: /fp32|schedulers issue/,
    launch: compute(fp32, 256),
    twin: compute(fp32, 0),
    margin: 0.1,
  },
  {
    name: "integer arithmetic",
    first: "compute bound",
    says: /integer/,
    launch: compute(integer, 256),
    twin: compute(integer, 0),
    margin: 0.1,
  },
  {
    name: "special functions",
    first: "compute bound",
    says: /special functions/,
    launch: compute(special, 128),
    twin: compute(special, 0),
    margin: 0.1,
  },
  {
    name: "fp64 arithmetic",
    first: "compute bound",
    says: /fp64/,
    launch: compute(fp64, 128),
    twin: compute(fp64, 0),
    margin: 0.1,
  },
  {
    name: "shared memory's pipe",
    first: "shared memory bound",
    says: /Shared memory's pipe/,
    launch: readsShared(32, 1),
    twin: readsShared(0, 1),
    margin: 0.1,
  },
  {
    name: "DRAM's bandwidth",
    first: "memory bound",
    says: /DRAM/,
    launch: copies(LENGTH - 1),
    twin: copies(2 ** 16 - 1),
    margin: 0.1,
  },
  {
    name: "L2's bandwidth",
    first: "memory bound",
    says: /L2/,
    launch: readsGlobal(2 ** 17 - 1),
    twin: readsGlobal(2 ** 10 - 1),
    margin: 0.1,
  },
  {
    name: "L1's pipe",
    first: "L1 bound",
    says: /L1/,
    launch: readsGlobal(2 ** 10 - 1),
    twin: readsGlobal(2 ** 10 - 1, noReads),
    margin: 0.1,
  },
  {
    name: "bank conflicts",
    first: "bank conflicts",
    says: /one bank/,
    launch: readsShared(8, 32),
    twin: readsShared(8, 1),
    margin: 0.1,
  },
  {
    name: "uncoalesced sectors",
    first: "uncoalesced access",
    says: /not coalesced/,
    launch: strides(8),
    twin: strides(1),
    margin: 0.1,
  },
  {
    name: "latency at low occupancy",
    first: "low occupancy",
    says: /holds only/,
    launch: chases(32768),
    twin: chases(256),
    margin: 0.1,
  },
  {
    name: "barriers",
    first: "barrier stalls",
    says: /barriers/,
    launch: (gpu) =>
      gpu.launch(barriers, { grid: 2 * gpu.device.smCount, block: 1024 }, { to: arraysOf(gpu).toInts, rounds: 200 }),
    twin: (gpu) =>
      gpu.launch(noBarriers, { grid: 2 * gpu.device.smCount, block: 1024 }, { to: arraysOf(gpu).toInts, rounds: 200 }),
    margin: 0.1,
  },
  {
    name: "atomics on one address",
    first: "atomics on one address",
    says: /atomics meet/,
    launch: (gpu) => gpu.launch(add, { grid: 2 ** 12, block: BLOCK }, { to: arraysOf(gpu).toInts, from: arraysOf(gpu).ints }),
    twin: (gpu) => gpu.launch(noAdd, { grid: 2 ** 12, block: BLOCK }, { to: arraysOf(gpu).toInts, from: arraysOf(gpu).ints }),
    margin: 0.1,
  },
  {
    name: "divergence",
    first: "divergence",
    says: /different branches/,
    launch: (gpu) =>
      gpu.launch(sides, { grid: filled(gpu), block: BLOCK }, { to: arraysOf(gpu).toFloats, shift: 0, x: 0.5 }),
    twin: (gpu) =>
      gpu.launch(sides, { grid: filled(gpu), block: BLOCK }, { to: arraysOf(gpu).toFloats, shift: 5, x: 0.5 }),
    margin: 0.1,
  },
  {
    name: "tiny blocks",
    first: "short blocks",
    says: /giving them out/,
    launch: (gpu) => gpu.launch(one, { grid: 2 ** 15, block: 32 }, { to: arraysOf(gpu).toFloats }),
    twin: (gpu) => gpu.launch(one, { grid: 2 ** 10, block: 1024 }, { to: arraysOf(gpu).toFloats }),
    margin: 0.1,
  },
  {
    name: "the tail of a grid",
    first: "tail effect",
    says: /waves/,
    launch: rounds(256, 1),
    twin: rounds(256, 0),
    margin: 0.1,
  },
];
