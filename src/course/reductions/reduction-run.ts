/**
 * Runs a version of the ladders as its lab's host program does. It copies the input to the GPU, launches once, and adds
 * up the blocks' sums on the host. Then it compares with a plain sum of the input.
 */

import { InputError } from "../../core/base/errors.js";
import { mulberry32, unitFloat } from "../../core/base/random-values.js";
import {
  checkArgument,
  checkOptions,
  type Fields,
  oneOf,
  optional,
  type Shape,
  shape,
  whole,
  seed as wholeSeed,
} from "../../core/base/shape.js";
import { described } from "../../core/base/shown.js";
import { f32, i32 } from "../../core/frontend/index.js";
import { plainArray, scalarOfArray } from "../../core/host/buffer.js";
import type { Gpu } from "../../core/host/gpu.js";
import { gpuShape } from "../../core/host/gpu.js";
import { bandwidthGBps, type LaunchResult } from "../../core/host/launch-result.js";
import { type ReductionVersion, reductionShape, versionShape } from "./reductions.js";

/** A GPU has 4 GiB at most: so many words of 32 bits. */
const MOST_ELEMENTS = 2 ** 30;
const arrayLength: Shape = whole(0, MOST_ELEMENTS);
/** A number of elements, threads or blocks. */
export const elementCount: Shape = whole(1, MOST_ELEMENTS);
const intArray: Shape = shape("an Int32Array", (value) => scalarOfArray(value) === "i32");

export interface ReductionRun {
  readonly version: ReductionVersion;
  readonly launch: LaunchResult;
  /** Elements summed, without padding. */
  readonly n: number;
  readonly block: number;
  /** Predicted kernel time, as the lab's two events measure it. */
  readonly timeMs: number;
  /** Bytes of the n elements: what the labs divide by the time. */
  readonly bytes: number;
  /** `bytes` over the time, in 10^9 bytes a second. */
  readonly bandwidthGBps: number;
  /** The blocks' sums added up on the host; int wraps to 32 bits as the kernel's additions do. */
  readonly result: number;
  /** A plain sum of the input in JavaScript: for int modulo 2^32, for float in double precision. */
  readonly expected: number;
  /** How far `result` may lie from `expected`: 0 for int, the bound of float32's rounding for float. */
  readonly tolerance: number;
  /** Whether `result` is within `tolerance` of `expected`. */
  readonly correct: boolean;
}

export interface ReductionOptions {
  /** Threads a block; default 1024 for the labs' versions and 256 for Example 03's, as there. */
  readonly block?: number;
  /** Whether the input is in L2 at the start; default "cold". */
  readonly cache?: "cold" | "warm";
}

const RUN_VERSION: Fields<ReductionOptions> = {
  block: optional(elementCount),
  cache: optional(oneOf("cold", "warm")),
};

/** Threads a block in the document that the version comes from. */
export function publishedBlock(version: ReductionVersion): number {
  return version.element === "i32" ? 1024 : 256;
}

/** The sum of int modulo 2^32, as a GPU's `int` gives it. */
export function sumInt32(values: Int32Array): number {
  checkArgument("sumInt32", "values", values, intArray);
  const plain = plainArray("sumInt32", values) as Int32Array;
  let sum = 0;
  for (let i = 0; i < plain.length; i++) sum = (sum + (plain[i] ?? 0)) | 0;
  return sum;
}

/** The sum of float, added up in double precision. */
export function sumInDouble(values: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ?? 0;
  return sum;
}

/** Half the distance between 1 and the next float. */
const FLOAT_ROUNDING = 2 ** -24;

/**
 * Additions that the longest path of an element goes through bound the error: Higham, Accuracy and Stability of
 * Numerical Algorithms, 2nd edition, section 4.2.
 */
export function floatTolerance(input: Float32Array, threads: number, block: number): number {
  const path = Math.ceil(input.length / threads) + Math.log2(block);
  return path * FLOAT_ROUNDING * sumInDouble(input.map(Math.abs));
}

/**
 * Sums `input` on the simulated GPU. The buffers are freed again.
 * @throws InputError for an input of another type than the version's, or a block that its text does not work with;
 * LaunchError where the GPU refuses the launch.
 */
export function runVersion(
  gpu: Gpu,
  version: ReductionVersion,
  given: Int32Array | Float32Array,
  options: ReductionOptions = {},
): ReductionRun {
  checkArgument("runVersion", "gpu", gpu, gpuShape);
  checkArgument("runVersion", "version", version, versionShape);
  checkOptions("runVersion", options, RUN_VERSION);
  if (scalarOfArray(given) !== version.element) {
    throw new InputError({
      what: `${version.title} sums ${version.element === "i32" ? "int" : "float"}, but was given ${described(given)}.`,
      cure: `Give it ${version.element === "i32" ? "an Int32Array" : "a Float32Array"}.`,
    });
  }
  const input = plainArray("runVersion", given) as typeof given;
  const n = input.length;
  const block = options.block ?? publishedBlock(version);
  const { blocks, paddedLength } = reductionShape(version, n, block);
  // Zeros add nothing: the padding.
  const source =
    input instanceof Int32Array
      ? gpu.alloc(i32, paddedLength).fill(0).write(input)
      : gpu.alloc(f32, paddedLength).fill(0).write(input);
  const sums = gpu.alloc(version.element === "i32" ? i32 : f32, blocks);
  try {
    const launch = gpu.launch(
      version.kernelFor?.(block) ?? version.kernel,
      { grid: blocks, block, sharedBytes: block * 4, ...(options.cache === undefined ? {} : { cache: options.cache }) },
      {
        input: source,
        output: sums,
        ...(version.guarded ? { n } : version.takesPaddedSize === true ? { n: paddedLength } : {}),
      },
    );
    const partial = sums.read();
    const bytes = n * input.BYTES_PER_ELEMENT;
    const result = partial instanceof Int32Array ? sumInt32(partial) : sumInDouble(partial);
    const expected = input instanceof Int32Array ? sumInt32(input) : sumInDouble(input);
    const tolerance = input instanceof Int32Array ? 0 : floatTolerance(input, blocks * block, block);
    return {
      version,
      launch,
      n,
      block,
      timeMs: launch.timeMs,
      bytes,
      bandwidthGBps: bandwidthGBps(launch, bytes),
      result,
      expected,
      tolerance,
      correct: Math.abs(result - expected) <= tolerance,
    };
  } finally {
    source.free();
    sums.free();
  }
}

/** `n` ones: what Lab 28's host program fills its input with. */
export function ones(n: number): Int32Array {
  checkArgument("ones", "n", n, arrayLength);
  return new Int32Array(n).fill(1);
}

/** `n` pseudo-random ints over the whole range, so that the sum overflows; the same for the same seed (mulberry32). */
export function randomInts(n: number, seed: number = 1): Int32Array {
  checkArgument("randomInts", "n", n, arrayLength);
  checkArgument("randomInts", "seed", seed, wholeSeed);
  return mulberry32(n, seed);
}

/** `n` pseudo-random floats from 0 to 1, as Example 03's input; the same for the same seed. */
export function randomFloats(n: number, seed: number = 1): Float32Array {
  checkArgument("randomFloats", "n", n, arrayLength);
  checkArgument("randomFloats", "seed", seed, wholeSeed);
  const values = new Float32Array(n);
  const bits = randomInts(n, seed);
  for (let i = 0; i < n; i++) values[i] = unitFloat(bits[i] ?? 0);
  return values;
}
