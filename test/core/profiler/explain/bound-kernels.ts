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
} from "../../../../src/index.js";

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

/** What stays of a kernel of special functions without them. */
const multiplied = kernel("multiplied", { to: ptr(f32), rounds: i32, x: f32 }, ({ to, rounds, x }) => {
  let a = f32(threadIdx.x);
  let b = a + f32(1);
  for (let k = 0; k < rounds; k++) {
    unroll(16);
    a = a * x;
    b = b * x;
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
});

const sharedReads = kernel("sharedReads", { to: ptr(f32), rounds: i32, step: i32 }, ({ to, rounds, step }) => {
  const part = shared(f32, 2048);
  for (let k = 0; k < 2048; k += 256) part[threadIdx.x + k] = f32(k);
  syncthreads();
  const at = (i32(threadIdx.x) * step) & 1023;
  let sum = f32(0);
  for (let r = 0; r < rounds; r++) {
    unroll(1);
    for (let k = 0; k < 32; k++) sum += part[at + r + k * 30];
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
});

const cachedReads = kernel("cachedReads", { to: ptr(f32), from: ptr(f32), rounds: i32 }, ({ to, from, rounds }) => {
  const at = i32(threadIdx.x);
  let sum = f32(0);
  for (let r = 0; r < rounds; r++) {
    unroll(1);
    for (let k = 0; k < 32; k++) sum += from[at + 32 * r + k * 32];
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
});

/** What stays of both without their reads. */
const sums = kernel("sums", { to: ptr(f32), rounds: i32, x: f32 }, ({ to, rounds, x }) => {
  let sum = f32(0);
  for (let r = 0; r < rounds; r++) {
    unroll(1);
    for (let k = 0; k < 32; k++) sum += x;
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
});

const copy = kernel("copy", { to: ptr(f32), from: ptr(f32), mask: i32 }, ({ to, from, mask }) => {
  const first = blockIdx.x * 2048 + threadIdx.x;
  for (let k = 0; k < 8; k++) {
    const i = (first + k * 256) & mask;
    to[i] = from[i] + f32(1);
  }
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
  /** Where another rule names the same cause on a GPU. */
  readonly on?: Readonly<Record<string, RuleName>>;
  /** Words that the finding's sentence has. */
  readonly says: RegExp;
  readonly launch: (gpu: Gpu) => LaunchResult;
  readonly twin: (gpu: Gpu) => LaunchResult;
  /** By how much the share of time that is left may differ from the twin's, where it is more than the usual tenth. */
  readonly margin?: number;
}

const BLOCK = 256;
const data = new WeakMap<Gpu, ReturnType<typeof arrays>>();
/** More floats than L2 holds, for several waves of blocks. */
const lengthOn = ({ device }: Gpu): number =>
  device.l2.sizeBytes > 2 ** 25 ? 2 ** 24 : device.smCount > 14 ? 2 ** 23 : 2 ** 22;

function arrays(gpu: Gpu) {
  return {
    ints: gpu.alloc(i32, 2 ** 22),
    toInts: gpu.alloc(i32, 2 ** 22),
    floats: gpu.alloc(f32, lengthOn(gpu)),
    toFloats: gpu.alloc(f32, lengthOn(gpu)),
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
    gpu.launch(sharedReads, { grid: filled(gpu, 1), block: BLOCK }, { to: arraysOf(gpu).toFloats, rounds, step });

const copies =
  (inL2: boolean) =>
  (gpu: Gpu): LaunchResult => {
    const { toFloats: to, floats: from } = arraysOf(gpu);
    const mask = (inL2 ? 2 ** 16 : lengthOn(gpu)) - 1;
    return gpu.launch(copy, { grid: lengthOn(gpu) / 2048, block: BLOCK }, { to, from, mask });
  };

const readsGlobal =
  (mask: number) =>
  (gpu: Gpu): LaunchResult => {
    const { toFloats: to, floats: from } = arraysOf(gpu);
    return gpu.launch(reads, { grid: filled(gpu, 4), block: BLOCK, cache: "warm" }, { to, from, mask });
  };

const readsCached = (gpu: Gpu): LaunchResult => {
  const { toFloats: to, floats: from } = arraysOf(gpu);
  return gpu.launch(cachedReads, { grid: filled(gpu, 1), block: BLOCK, cache: "warm" }, { to, from, rounds: 32 });
};

const addsOnly =
  (cache: "cold" | "warm") =>
  (gpu: Gpu): LaunchResult =>
    gpu.launch(sums, { grid: filled(gpu, 1), block: BLOCK, cache }, { to: arraysOf(gpu).toFloats, rounds: 32, x: 0.5 });

const strides =
  (stride: number) =>
  (gpu: Gpu): LaunchResult => {
    const { toFloats: to, floats: from } = arraysOf(gpu);
    return gpu.launch(strided, { grid: lengthOn(gpu) / 8 / BLOCK, block: BLOCK }, { to, from, stride });
  };

const chases =
  (sharedBytes: number) =>
  (gpu: Gpu): LaunchResult => {
    const { toInts: to, ints: from } = arraysOf(gpu);
    return gpu.launch(chase, { grid: 32 * gpu.device.smCount, block: 64, sharedBytes, cache: "warm" }, { to, from });
  };

/** One SM has a block more than the others; the twin shares its work out. */
const tail =
  (extra: 0 | 1) =>
  (gpu: Gpu): LaunchResult => {
    const { smCount, limits } = gpu.device;
    const places = smCount * Math.floor(limits.maxThreadsPerSm / 1024);
    const rounds = extra === 1 ? 256 : Math.round((256 * (places + 1)) / places);
    return gpu.launch(fp32, { grid: places + extra, block: 1024 }, { to: arraysOf(gpu).toFloats, rounds, x: 0.5 });
  };

export const BOUND_KERNELS: readonly BoundKernel[] = [
  {
    name: "fp32 arithmetic",
    first: "compute bound",
    says: /fp32|schedulers issue/,
    launch: compute(fp32, 128),
    twin: compute(fp32, 0),
    // The loop stays.
    margin: 0.15,
  },
  {
    name: "integer arithmetic",
    first: "compute bound",
    says: /integer/,
    launch: compute(integer, 128),
    twin: compute(integer, 0),
  },
  {
    name: "special functions",
    first: "compute bound",
    says: /special functions/,
    launch: compute(special, 64),
    twin: (gpu) =>
      gpu.launch(multiplied, { grid: filled(gpu), block: BLOCK }, { to: arraysOf(gpu).toFloats, rounds: 64, x: 0.5 }),
  },
  {
    name: "fp64 arithmetic",
    first: "compute bound",
    says: /fp64/,
    launch: compute(fp64, 32),
    twin: compute(fp64, 0),
  },
  {
    name: "shared memory's pipe",
    first: "shared memory bound",
    says: /Shared memory's pipe/,
    launch: readsShared(32, 1),
    twin: addsOnly("cold"),
  },
  {
    name: "DRAM's bandwidth",
    first: "memory bound",
    says: /DRAM/,
    launch: copies(false),
    twin: copies(true),
    // The twin's blocks also write the same lines, which L2 merges.
    margin: 0.2,
  },
  {
    name: "L2's bandwidth",
    first: "memory bound",
    says: /L2/,
    launch: readsGlobal(2 ** 17 - 1),
    twin: readsGlobal(2 ** 10 - 1),
    // The latency of L2 stays.
    margin: 0.15,
  },
  {
    name: "L1's pipe",
    first: "L1 bound",
    says: /L1/,
    launch: readsCached,
    twin: addsOnly("warm"),
  },
  {
    name: "bank conflicts",
    first: "bank conflicts",
    says: /one bank/,
    launch: readsShared(8, 32),
    twin: readsShared(8, 1),
  },
  {
    name: "uncoalesced sectors",
    first: "uncoalesced access",
    says: /not coalesced/,
    launch: strides(8),
    twin: strides(1),
  },
  {
    name: "latency at low occupancy",
    first: "low occupancy",
    says: /holds only/,
    launch: chases(32768),
    twin: chases(256),
  },
  {
    name: "barriers",
    first: "barrier stalls",
    says: /barriers/,
    launch: (gpu) =>
      gpu.launch(barriers, { grid: 2 * gpu.device.smCount, block: 1024 }, { to: arraysOf(gpu).toInts, rounds: 200 }),
    twin: (gpu) =>
      gpu.launch(noBarriers, { grid: 2 * gpu.device.smCount, block: 1024 }, { to: arraysOf(gpu).toInts, rounds: 200 }),
  },
  {
    name: "atomics on one address",
    first: "atomics on one address",
    says: /atomics meet/,
    launch: (gpu) =>
      gpu.launch(add, { grid: 2 ** 12, block: BLOCK }, { to: arraysOf(gpu).toInts, from: arraysOf(gpu).ints }),
    twin: (gpu) =>
      gpu.launch(noAdd, { grid: 2 ** 12, block: BLOCK }, { to: arraysOf(gpu).toInts, from: arraysOf(gpu).ints }),
  },
  {
    name: "divergence",
    first: "divergence",
    says: /different branches/,
    launch: (gpu) =>
      gpu.launch(sides, { grid: filled(gpu), block: BLOCK }, { to: arraysOf(gpu).toFloats, shift: 0, x: 0.5 }),
    twin: (gpu) =>
      gpu.launch(sides, { grid: filled(gpu), block: BLOCK }, { to: arraysOf(gpu).toFloats, shift: 5, x: 0.5 }),
  },
  {
    name: "tiny blocks",
    first: "short blocks",
    // An M2070 holds 8 of 48 warps then, which is too few before its dispatcher is busy all the time.
    on: { m2070: "low occupancy" },
    says: /the dispatcher bounds the kernel|the blocks that an SM holds, of 32 threads each/,
    launch: (gpu) => gpu.launch(one, { grid: 2 ** 15, block: 32 }, { to: arraysOf(gpu).toFloats }),
    twin: (gpu) => gpu.launch(one, { grid: 2 ** 10, block: 1024 }, { to: arraysOf(gpu).toFloats }),
  },
  {
    name: "the tail of a grid",
    first: "tail effect",
    says: /waves/,
    launch: tail(1),
    twin: tail(0),
  },
];
