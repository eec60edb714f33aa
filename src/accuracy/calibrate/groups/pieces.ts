/**
 * Launches that read, copy, sum and update pieces of an array, a block each, or go through it in a loop, of 1 to 64 Mi words: by Nsight
 * Compute, behind a dirty L2 and repeated (test/reference/h200/micro/ends.cu, h200/micro/streams.cu).
 */
import { f32, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import { type MicroLaunch, type MicroSimulator, predictedOnce } from "./benchmark-launch.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { input: ptr(f32), out: ptr(f32) };
const lengthParams = { ...params, n: i32 };
const constants = { LOADS: 8, STORES: 8 };
const SMS = 132;
/** Words from which the third array starts, in those that are read. */
const THIRD = 2 ** 27;

const readPiece: Kernel = kernel(
  "readPiece",
  { params, constants },
  ({ input, out }, { threadIdx, blockIdx, blockDim, unroll }, { LOADS }) => {
    const at = blockIdx.x * blockDim.x * LOADS + threadIdx.x;
    let sum = f32(0);
    for (let k = 0; k < LOADS; k++) {
      unroll();
      sum += input[at + k * blockDim.x]!;
    }
    if (sum === 12345) out[0] = sum;
  },
);

const treePiece: Kernel = kernel(
  "treePiece",
  { params, constants },
  ({ input, out }, { threadIdx, blockIdx, blockDim, shared, syncthreads, unroll }, { LOADS }) => {
    const sums = shared(f32, 1024);
    const t = threadIdx.x;
    const at = blockIdx.x * blockDim.x * LOADS + t;
    let sum = f32(0);
    for (let k = 0; k < LOADS; k++) {
      unroll();
      sum += input[at + k * blockDim.x]!;
    }
    sums[t] = sum;
    syncthreads();
    for (let d = blockDim.x >> 1; d > 0; d >>= 1) {
      if (t < d) sums[t]! += sums[t + d]!;
      syncthreads();
    }
    if (t === 0) out[blockIdx.x] = sums[0]!;
  },
);

const copyOne: Kernel = kernel("copyOne", { params }, ({ input, out }, { threadIdx, blockIdx, blockDim }) => {
  const at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = input[at]!;
});

const copyFour: Kernel = kernel("copyFour", { params }, ({ input, out }, { threadIdx, blockIdx, blockDim }) => {
  const step = blockDim.x;
  const at = blockIdx.x * step * 4 + threadIdx.x;
  const a = input[at]!;
  const b = input[at + step]!;
  const c = input[at + 2 * step]!;
  const d = input[at + 3 * step]!;
  out[at] = a;
  out[at + step] = b;
  out[at + 2 * step] = c;
  out[at + 3 * step] = d;
});

const foldPiece: Kernel = kernel(
  "foldPiece",
  { params, constants },
  ({ input, out }, { threadIdx, blockIdx, blockDim, unroll, f32 }, { STORES }) => {
    const at = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    const to = blockIdx.x * blockDim.x * STORES + threadIdx.x;
    let sum = f32(0);
    for (let k = 0; k < 8; k++) {
      unroll();
      sum += input[at + k * blockDim.x]!;
    }
    for (let k = 0; k < STORES; k++) {
      unroll();
      out[to + k * blockDim.x] = sum + f32(k);
    }
    if (sum === 12345) out[0] = sum;
  },
);

const updatePiece: Kernel = kernel(
  "updatePiece",
  { params, constants },
  ({ input, out }, { threadIdx, blockIdx, blockDim, unroll, f32 }, { STORES }) => {
    const at = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    let sum = f32(0);
    for (let k = 0; k < 8; k++) {
      unroll();
      sum += input[at + k * blockDim.x]!;
    }
    for (let k = 0; k < STORES; k++) {
      unroll();
      input[at + k * blockDim.x] = sum + f32(k);
    }
    if (sum === 12345) out[0] = sum;
  },
);

const readLoop: Kernel = kernel(
  "readLoop",
  { params: lengthParams },
  ({ input, out, n }, { threadIdx, blockIdx, blockDim, gridDim, i32 }) => {
    let sum = f32(0);
    const step = i32(gridDim.x * blockDim.x);
    for (let i = i32(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) sum += input[i]!;
    if (sum === 12345) out[0] = sum;
  },
);

const fmaChain: Kernel = kernel("fmaChain", { params: lengthParams }, ({ out, n }, { threadIdx, f32 }) => {
  let a = f32(threadIdx.x);
  for (let i = 0; i < n; i++) a = a * 1.0001 + 0.5;
  if (a === 12345) out[0] = a;
});

const saxpyEach: Kernel = kernel("saxpyEach", { params }, ({ input, out }, { threadIdx, blockIdx, blockDim }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * input[i]! + out[i]!;
});

const triadEach: Kernel = kernel(
  "triadEach",
  { params: { ...params, third: ptr(f32) } },
  ({ input, third, out }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * input[i]! + third[i]!;
  },
);

const scaleEach: Kernel = kernel("scaleEach", { params }, ({ out }, { threadIdx, blockIdx, blockDim }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * out[i]!;
});

interface EndsRow {
  readonly micro: string;
  readonly param: number;
  readonly words: number;
  readonly blocks: number;
  readonly threads: number;
  readonly ncuUs: number;
  readonly dirtyUs: number;
  readonly warmUs: number;
}

interface StreamsRow {
  readonly micro: string;
  readonly writes: number;
  readonly MB: number;
  readonly dirtyUs: number;
}

const reading = new Map([1, 4, 8].map((LOADS) => [LOADS, readPiece.with({ LOADS })]));
const trees = new Map([1, 8].map((LOADS) => [LOADS, treePiece.with({ LOADS })]));
const copies = new Map([
  [1, copyOne],
  [4, copyFour],
]);
const folds = new Map([0, 1, 2, 4, 8].map((STORES) => [STORES, foldPiece.with({ STORES })]));
const updates = new Map([0, 1, 2, 4, 8].map((STORES) => [STORES, updatePiece.with({ STORES })]));

/** Null for kernels that are not simulated: those that read the clock. */
function launchOfEnds({ micro, param, words, blocks, threads }: EndsRow, gpu: MicroSimulator): MicroLaunch | null {
  const arrays = [gpu.data, gpu.out];
  const of = (kernel: Kernel | undefined, ...more: number[]): MicroLaunch | null =>
    kernel === undefined ? null : { kernel, blocks, threads, args: [...arrays, ...more] };
  switch (micro) {
    case "readPiece":
      return of(reading.get(param));
    case "treePiece":
      return of(trees.get(param));
    case "copyPiece":
      return of(copies.get(param));
    case "readLoop":
      return of(readLoop, words);
    case "fmaChain":
      return of(fmaChain, param);
    default:
      return null;
  }
}

const LOOP_BLOCKS: Readonly<Record<string, number>> = { readLoopFull: 8, readLoopHalf: 4, readLoopQuarter: 2 };

/** Null for those of several arrays, which are longer than the simulator's memory. */
function launchOfStreams({ micro, writes, MB }: StreamsRow, gpu: MicroSimulator): MicroLaunch | null {
  const words = Math.round((MB * 1e6) / 4);
  const arrays = [gpu.data, gpu.out];
  const of = (kernel: Kernel | undefined, wordsOfThread: number, threads = 256): MicroLaunch | null =>
    kernel === undefined
      ? null
      : { kernel, blocks: Math.floor(words / wordsOfThread / threads), threads, args: arrays };
  const loopBlocks = LOOP_BLOCKS[micro];
  if (loopBlocks !== undefined)
    return { kernel: readLoop, blocks: SMS * loopBlocks, threads: 256, args: [...arrays, words] };
  switch (micro) {
    case "readPiece8":
    case "readPiece4":
      return of(reading.get(Number(micro.at(-1))), Number(micro.at(-1)));
    case "readPiece1":
      return of(reading.get(1), 1, 1024);
    case "copyPiece4":
    case "copyPiece1":
      return of(copies.get(Number(micro.at(-1))), Number(micro.at(-1)));
    case "updatePiece":
      return of(updates.get(writes), 8);
    case "foldPiece":
      return of(folds.get(writes), 8);
    case "saxpyEach":
    case "saxpyEach1024":
      return of(saxpyEach, 1, micro === "saxpyEach" ? 256 : 1024);
    case "scaleEach":
    case "scaleEach1024":
      return of(scaleEach, 1, micro === "scaleEach" ? 256 : 1024);
    case "triadEach": {
      const third = { address: gpu.data.address + THIRD * 4, byteLength: gpu.data.byteLength - THIRD * 4 };
      return { kernel: triadEach, blocks: words / 256, threads: 256, args: [...arrays, third] };
    }
    default:
      return null;
  }
}

function required(launch: MicroLaunch | null): MicroLaunch {
  if (launch === null) throw new Error("a row of a kernel that is not simulated");
  return launch;
}

function ofEnds(row: EndsRow): readonly MicroBenchmark[] {
  if (row.micro === "spinCycles") return [];
  const id = `${row.micro} ${row.param}, ${row.words / 2 ** 20} Mi words, ${row.blocks} blocks of ${row.threads}`;
  const cold = predictedOnce((gpu) => ({ ...required(launchOfEnds(row, gpu)), cache: "cold" }));
  return [
    {
      group: "pieces and loops, by Nsight Compute",
      id,
      unit: "us",
      measured: row.ncuUs,
      simulate: (gpu) => cold(gpu).durationMicroseconds,
    },
    {
      group: "pieces and loops, behind a dirty L2",
      id,
      unit: "us",
      measured: row.dirtyUs,
      simulate: (gpu) => cold(gpu).timeMs * 1000,
    },
    {
      group: "pieces and loops, repeated",
      id,
      unit: "us",
      measured: row.warmUs,
      simulate: (gpu) => gpu.predict({ ...required(launchOfEnds(row, gpu)), cache: "warm" }).timeMs * 1000,
    },
  ];
}

function ofStreams(row: StreamsRow): readonly MicroBenchmark[] {
  if (row.micro === "streams" || row.micro === "streamsLoop") return [];
  return [
    {
      group: "pieces and loops, behind a dirty L2",
      id: `${row.micro}, ${row.writes} written, ${row.MB} MB`,
      unit: "us",
      measured: row.dirtyUs,
      simulate: (gpu) => gpu.predict({ ...required(launchOfStreams(row, gpu)), cache: "cold" }).timeMs * 1000,
    },
  ];
}

export function pieceBenchmarks(): readonly MicroBenchmark[] {
  const ends = readReference("h200/micro/ends.json") as { readonly rows: readonly EndsRow[] };
  const streams = readReference("h200/micro/streams.json") as { readonly rows: readonly StreamsRow[] };
  return [...ends.rows.flatMap(ofEnds), ...streams.rows.flatMap(ofStreams)];
}
