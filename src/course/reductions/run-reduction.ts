/**
 * Runs a kernel that sums an array as a host program does. It copies the input to the GPU, launches once, adds up the
 * blocks' sums on the host, and compares with a plain sum.
 */

import { InputError } from "../../core/base/errors.js";
import { checkArgument, checkOptions, either, type Fields, oneOf, optional, whole } from "../../core/base/shape.js";
import { described } from "../../core/base/shown.js";
import { f32, i32, type Kernel, kernelShape } from "../../core/frontend/index.js";
import { hostArray, plainArray } from "../../core/host/buffer.js";
import type { Gpu } from "../../core/host/gpu.js";
import { gpuShape } from "../../core/host/gpu.js";
import { bandwidthGBps } from "../../core/host/launch-result.js";
import { scheduleShape } from "../../core/host/launch-schedule.js";
import type { Param } from "../../core/ir/ir.js";
import { type Reduction, runTable } from "./reduction.js";
import {
  elementCount,
  floatTolerance,
  ones,
  randomFloats,
  randomInts,
  sumInDouble,
  sumInt32,
} from "./reduction-run.js";

export interface RunReductionOptions {
  /** Threads a block; 256 unless given. */
  readonly block?: number;
  /** Elements that a thread reads; 1 unless given. The grid has as many blocks as that needs. */
  readonly perThread?: number;
  /** Blocks, for a kernel that goes on in steps of the grid's width; takes the place of `perThread`. */
  readonly grid?: number;
  /** The values: "random" (the same for the same n), "ones", or an array of n of the kernel's type. */
  readonly input?: "random" | "ones" | Int32Array | Float32Array;
  /** Elements of the output; one a block unless given. */
  readonly outputs?: number;
  /** Bytes of dynamic shared memory; a word a thread where the kernel asks for `externShared`. */
  readonly sharedBytes?: number;
  /** Whether the input is in L2 when the kernel starts: "cold" unless given. */
  readonly cache?: "cold" | "warm";
  /** `{ seed: 1 }` tries another legal order of lanes, warps and blocks. */
  readonly schedule?: "default" | { readonly seed: number };
}

export interface Slots {
  readonly input: string;
  readonly output: string;
  /** The parameter that takes n; null where the kernel does not know the size. */
  readonly size: string | null;
  readonly float: boolean;
}

const WORD_BYTES = 4;

/** Which parameter is which: the first pointer is read, the second written, a whole number is the size. */
export function slotsOf(kernel: Kernel): Slots {
  const { params } = kernel.ir;
  const pointers = params.filter((param) => param.kind === "pointer");
  const sizes = params.filter((param) => param.kind === "scalar");
  const [input, output] = pointers;
  const element = (param: Param | undefined): unknown => (param?.kind === "pointer" ? param.type.pointer : undefined);
  const types = [element(input), element(output)];
  const known = types[0] === types[1] && (types[0] === "i32" || types[0] === "f32");
  if (input === undefined || output === undefined || pointers.length > 2 || sizes.length > 1 || !known) {
    throw new InputError({
      what: `runReduction cannot run kernel ${kernel.name}: its parameters are ${params.map(({ name }) => name).join(", ") || "none"}.`,
      cure: "Give it an input and an output, both ptr(i32) or both ptr(f32), and at most one number, the size; launch any other kernel with gpu.launch.",
    });
  }
  return { input: input.name, output: output.name, size: sizes[0]?.name ?? null, float: types[0] === "f32" };
}

const RUN_REDUCTION: Fields<RunReductionOptions> = {
  block: optional(elementCount),
  perThread: optional(elementCount),
  grid: optional(elementCount),
  input: optional(either(oneOf("random", "ones"), hostArray)),
  outputs: optional(elementCount),
  sharedBytes: optional(whole(0)),
  cache: optional(oneOf("cold", "warm")),
  schedule: optional(scheduleShape),
};

function valuesOf(
  n: number,
  float: boolean,
  given: NonNullable<RunReductionOptions["input"]>,
): Int32Array | Float32Array {
  if (given === "ones") return float ? new Float32Array(n).fill(1) : ones(n);
  if (given === "random") return float ? randomFloats(n) : randomInts(n);
  const wanted = float ? Float32Array : Int32Array;
  const data = plainArray("runReduction", given);
  if (data instanceof wanted && data.length === n) return data;
  throw new InputError({
    what: `runReduction was given an input of ${data.length} elements in ${described(given)}, for n = ${n}.`,
    cure: `Give a ${wanted.name} of ${n} elements, "random" or "ones".`,
  });
}

/**
 * Sums n elements on a GPU and checks the sum. A kernel that does not know the size gets its input padded with zeros to
 * whole blocks.
 * @throws InputError for parameters or options that do not fit; LaunchError or KernelFault as `gpu.launch` does.
 * @example
 * const run = runReduction(gpu, sequential, 2 ** 20, { block: 1024 });
 * display(run); // right or wrong, time, bandwidth
 */
export function runReduction(gpu: Gpu, kernel: Kernel, n: number, options: RunReductionOptions = {}): Reduction {
  checkArgument("runReduction", "gpu", gpu, gpuShape);
  checkArgument("runReduction", "kernel", kernel, kernelShape);
  checkArgument("runReduction", "n", n, elementCount);
  checkOptions("runReduction", options, RUN_REDUCTION);
  const { block = 256, perThread = 1, cache = "cold", schedule = "default" } = options;
  const { input, output, size, float } = slotsOf(kernel);
  const grid = options.grid ?? Math.ceil(n / (block * perThread));
  const outputs = options.outputs ?? grid;
  const data = valuesOf(n, float, options.input ?? "random");
  const length = size === null ? Math.max(n, grid * block * perThread) : n;
  const source =
    data instanceof Int32Array
      ? gpu.alloc(i32, length).fill(0).write(data)
      : gpu.alloc(f32, length).fill(0).write(data);
  // For kernels that add to them by atomics.
  const sums = gpu.alloc(float ? f32 : i32, outputs).fill(0);
  try {
    const dynamic = kernel.ir.sharedArrays.some(({ dims }) => dims === null);
    const sharedBytes = options.sharedBytes ?? (dynamic ? block * WORD_BYTES : 0);
    const launch = gpu.launch(
      kernel,
      { grid, block, cache, schedule, ...(sharedBytes > 0 ? { sharedBytes } : {}) },
      { [input]: source, [output]: sums, ...(size === null ? {} : { [size]: n }) },
    );
    const partial = sums.read();
    const sum = partial instanceof Int32Array ? sumInt32(partial) : sumInDouble(partial as Float32Array);
    const expected = data instanceof Int32Array ? sumInt32(data) : sumInDouble(data);
    const tolerance = data instanceof Int32Array ? 0 : floatTolerance(data, grid * block, block);
    const run = {
      kind: "reduction" as const,
      kernel: kernel.name,
      launch,
      n,
      block,
      grid,
      cache,
      sum,
      expected,
      right: Math.abs(sum - expected) <= tolerance,
      timeMs: launch.timeMs,
      bandwidthGBps: bandwidthGBps(launch, n * WORD_BYTES),
    };
    return { ...run, views: [runTable(run)] };
  } finally {
    source.free();
    sums.free();
  }
}
