/**
 * Cases for a detective: a launch whose kernel is not shown. The learner reads its profile, names the cause, and looks at
 * the code last. Each kernel has one fault, and metrics that point elsewhere.
 * `!` is for the strictest TypeScript only, which takes any element of an array for possibly missing.
 */
import { checkArgument, whole } from "../../core/base/shape.js";
import { f32, type Kernel, kernel, ptr } from "../../core/frontend/index.js";
import type { Gpu } from "../../core/host/gpu.js";
import { gpuShape } from "../../core/host/gpu.js";
import type { LaunchResult } from "../../core/host/launch-result.js";
import type { RuleName } from "../../core/profiler/explain/finding.js";

export interface DetectiveCase {
  /** The launch of a kernel named "suspect", on cold caches. */
  readonly launch: LaunchResult;
  /** The rule of `explain` that names the cause. */
  readonly cause: RuleName;
  /** The line of the kernel's text that has it. */
  readonly line: number;
}

interface CaseSpec {
  readonly kernel: Kernel;
  readonly threadsPerBlock: number;
  readonly elementsPerBlock: number;
  readonly cause: RuleName;
  /** A part of the line's text. */
  readonly at: string;
}

const params = { input: ptr(f32), output: ptr(f32) };

/** One lane of each warp adds for all: branches are uniform, since the others have ended. */
const oneLane: Kernel = kernel(
  "suspect",
  { params },
  ({ input, output }, { threadIdx, blockIdx, blockDim, shared, syncthreads, unroll, f32, i32 }) => {
    const kept = shared(f32, 256);
    const tid = i32(threadIdx.x);
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    kept[tid] = input[i]! * input[i]!;
    syncthreads();
    if (tid % 32 === 0) {
      let sum = f32(0);
      for (let k = 0; k < 32; k++) {
        unroll(1);
        sum += kept[tid + k]!;
      }
      output[i >> 5] = sum;
    }
  },
);

/** A tile is read by columns: global memory is coalesced both ways, and 32 lanes meet in one bank. */
const columnOfTile: Kernel = kernel(
  "suspect",
  { params },
  ({ input, output }, { threadIdx, blockIdx, shared, syncthreads }) => {
    const tile = shared(f32, [32, 32]);
    const x = threadIdx.x & 31;
    const y = threadIdx.x >> 5;
    const start = blockIdx.x * 1024;
    for (let row = y; row < 32; row += 8) tile[row]![x] = input[start + row * 32 + x]!;
    syncthreads();
    for (let row = y; row < 32; row += 8) output[start + row * 32 + x] = tile[x]![row]!;
  },
);

/** Every thread adds onto one place. The waiting looks like that for any load. */
const oneCounter: Kernel = kernel(
  "suspect",
  { params },
  ({ input, output }, { threadIdx, blockIdx, blockDim, atomicAdd }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    const value = input[i]!;
    atomicAdd(output, value < 0.5 ? 0 : 1, value);
  },
);

const CASES: readonly CaseSpec[] = [
  { kernel: oneLane, threadsPerBlock: 256, elementsPerBlock: 256, cause: "idle lanes", at: "sum += kept[" },
  {
    kernel: columnOfTile,
    threadsPerBlock: 256,
    elementsPerBlock: 1024,
    cause: "bank conflicts",
    at: "= tile[x]",
  },
  {
    kernel: oneCounter,
    threadsPerBlock: 256,
    elementsPerBlock: 256,
    cause: "atomics on one address",
    at: "atomicAdd(",
  },
];

const ELEMENTS = 2 ** 19;
/** Prime: no warp has the values of the one before. */
const VALUES = 997;

/** The line's number in the kernel's text, from 1. */
function lineOf({ program }: LaunchResult, at: string): number {
  const lines = program.sources.flatMap(({ text }) => text.split("\n"));
  return lines.findIndex((line) => line.includes(at)) + 1;
}

/**
 * Launches the kernel of a case.
 * @throws InputError for a case that there is not.
 * @example
 * const { launch, cause, line } = detectiveCase(gpu, 1);
 */
export function detectiveCase(gpu: Gpu, number: number): DetectiveCase {
  checkArgument("detectiveCase", "gpu", gpu, gpuShape);
  checkArgument("detectiveCase", "number", number, whole(1, CASES.length));
  const chosen = CASES[number - 1]!;
  const { kernel: suspect, threadsPerBlock: block, elementsPerBlock, cause, at } = chosen;
  const input = gpu
    .alloc(f32, ELEMENTS)
    .write(Float32Array.from({ length: ELEMENTS }, (_, i) => (i % VALUES) / VALUES));
  const output = gpu.alloc(f32, ELEMENTS);
  try {
    const launch = gpu.launch(suspect, { grid: ELEMENTS / elementsPerBlock, block }, { input, output });
    return { launch, cause, line: lineOf(launch, at) };
  } finally {
    input.free();
    output.free();
  }
}
