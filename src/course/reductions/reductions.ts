/**
 * The ladders of reductions that the course is about, as data: Lab 25 to 28's five sums of int and Example 03's five
 * sums of float. Tables, notebooks, benchmarks and the validation all run these.
 */

import { InputError } from "../../core/base/errors.js";
import {
  boolean,
  callable,
  checkArgument,
  either,
  objectWith,
  oneOf,
  optional,
  type Shape,
  string,
  whole,
} from "../../core/base/shape.js";
import type { Kernel } from "../../core/frontend/index.js";
import { kernelShape } from "../../core/frontend/index.js";
import {
  floatFirstAdd,
  floatInterleaved,
  floatLastWarp,
  floatManyElements,
  floatSequential,
} from "./example03-kernels.js";
import { inPlaceReductions } from "./in-place-kernels.js";
import {
  firstAddDuringLoad,
  interleavedContiguous,
  interleavedDivergent,
  lastWarpSyncwarp,
  lastWarpUnrolled,
  sequential,
} from "./lab-kernels.js";
import { sharedMemorySum, warpShuffleSum } from "./warp-reduce-kernels.js";

/** One kernel that sums an array, block by block, and how it is launched. */
export interface ReductionVersion {
  readonly id: string;
  /** For a reader, and the name under which published numbers stand. */
  readonly title: string;
  /** For narrow columns. */
  readonly shortTitle: string;
  readonly element: "i32" | "f32";
  readonly kernel: Kernel;
  /** The same for a block of another size, where the text has the size as a constant. */
  readonly kernelFor?: (block: number) => Kernel;
  /** Elements that a thread reads; "grid" when it goes on in steps of the grid's width until the end. */
  readonly elementsPerThread: 1 | 2 | 4 | 8 | "grid";
  /**
   * Whether the kernel compares its index with the size (its parameter n). One that does not is given a whole number
   * of blocks: the host adds zeros to the end of the input.
   */
  readonly guarded: boolean;
  /** The kernel takes the size, and works with whole blocks only: it is given the padded one. */
  readonly takesPaddedSize?: boolean;
  /** The least threads a block that its text works with; the number is a power of two in any case. */
  readonly fewestThreads: number;
}

function labVersion(
  parts: Pick<ReductionVersion, "id" | "title" | "shortTitle" | "kernel" | "elementsPerThread"> & {
    readonly fewestThreads?: number;
  },
): ReductionVersion {
  return Object.freeze({ element: "i32", guarded: false, fewestThreads: 1, ...parts });
}

function exampleVersion(
  parts: Pick<ReductionVersion, "id" | "title" | "shortTitle" | "kernel" | "elementsPerThread"> & {
    readonly fewestThreads?: number;
  },
): ReductionVersion {
  return Object.freeze({ element: "f32", guarded: true, fewestThreads: 1, ...parts });
}

/** Labs 25 to 28, from the slowest to the fastest; the first is the baseline of Lab 28's speed-ups. */
export const labReductions: readonly ReductionVersion[] = Object.freeze([
  labVersion({
    id: "lab-25-divergent",
    title: "Divergent Interleaved (Lab 25)",
    shortTitle: "Lab 25 divergent",
    kernel: interleavedDivergent,
    elementsPerThread: 1,
  }),
  labVersion({
    id: "lab-25-non-divergent",
    title: "Non-Divergent Interleaved (Lab 25)",
    shortTitle: "Lab 25 contiguous",
    kernel: interleavedContiguous,
    elementsPerThread: 1,
  }),
  labVersion({
    id: "lab-26-sequential",
    title: "Sequential Addressing (Lab 26)",
    shortTitle: "Lab 26 sequential",
    kernel: sequential,
    elementsPerThread: 1,
  }),
  labVersion({
    id: "lab-27-first-add",
    title: "First Add During Load (Lab 27)",
    shortTitle: "Lab 27 first add",
    kernel: firstAddDuringLoad,
    elementsPerThread: 2,
  }),
  labVersion({
    id: "lab-28-last-warp",
    title: "Warp-Level Optimization (Lab 28)",
    shortTitle: "Lab 28 last warp",
    kernel: lastWarpUnrolled,
    elementsPerThread: 2,
    fewestThreads: 64,
  }),
]);

/** Lab 28's kernel with __syncwarp() between the steps of the last warp; in no published table. */
export const lastWarpWithSyncwarp: ReductionVersion = labVersion({
  id: "lab-28-syncwarp",
  title: "Last warp with __syncwarp()",
  shortTitle: "Lab 28 syncwarp",
  kernel: lastWarpSyncwarp,
  elementsPerThread: 2,
  fewestThreads: 64,
});

/** Example 03's V1 to V5. */
export const example03Reductions: readonly ReductionVersion[] = Object.freeze([
  exampleVersion({
    id: "example-03-v1",
    title: "V1: Interleaved",
    shortTitle: "V1 interleaved",
    kernel: floatInterleaved,
    elementsPerThread: 1,
  }),
  exampleVersion({
    id: "example-03-v2",
    title: "V2: Sequential",
    shortTitle: "V2 sequential",
    kernel: floatSequential,
    elementsPerThread: 1,
  }),
  exampleVersion({
    id: "example-03-v3",
    title: "V3: First Add",
    shortTitle: "V3 first add",
    kernel: floatFirstAdd,
    elementsPerThread: 2,
  }),
  exampleVersion({
    id: "example-03-v4",
    title: "V4: Unroll Warp",
    shortTitle: "V4 last warp",
    kernel: floatLastWarp,
    elementsPerThread: 2,
    fewestThreads: 64,
  }),
  exampleVersion({
    id: "example-03-v5",
    title: "V5: Multi-Element",
    shortTitle: "V5 many elements",
    kernel: floatManyElements,
    elementsPerThread: "grid",
    fewestThreads: 64,
  }),
]);

/** The notes' reductions in global memory, from neighbouring pairs to complete unrolling. */
export const noteReductions: readonly ReductionVersion[] = Object.freeze(
  inPlaceReductions.map(({ title, kernel, dataBlocks }): ReductionVersion => {
    const id = title.replace(" (template)", "");
    return Object.freeze({
      id,
      title,
      shortTitle: id.replace("reduce", ""),
      element: "i32",
      kernel,
      ...("BLOCK" in kernel.spec.constants ? { kernelFor: (block: number) => kernel.with({ BLOCK: block }) } : {}),
      elementsPerThread: dataBlocks,
      guarded: false,
      takesPaddedSize: true,
      fewestThreads: 64,
    });
  }),
);

/** The two kernels that the Warp Reduction Examples compare. */
export const warpReductions: readonly ReductionVersion[] = Object.freeze([
  {
    id: "warp-reduce-shared",
    title: "Shared memory",
    shortTitle: "Shared memory",
    element: "i32",
    kernel: sharedMemorySum,
    kernelFor: (block: number) => sharedMemorySum.with({ BLOCK: block }),
    elementsPerThread: 1,
    guarded: true,
    fewestThreads: 1,
  },
  {
    id: "warp-reduce-shuffle",
    title: "Warp shuffle",
    shortTitle: "Warp shuffle",
    element: "i32",
    kernel: warpShuffleSum,
    elementsPerThread: 1,
    guarded: true,
    fewestThreads: 32,
  },
] satisfies readonly ReductionVersion[]);

const everyReduction: readonly ReductionVersion[] = [
  ...labReductions,
  lastWarpWithSyncwarp,
  ...example03Reductions,
  ...noteReductions,
  ...warpReductions,
];

/** @throws InputError listing the ids there are. */
export const versionShape: Shape = objectWith(
  {
    id: string,
    title: string,
    element: oneOf("i32", "f32"),
    kernel: kernelShape,
    kernelFor: optional(callable),
    elementsPerThread: either(whole(1, 8), oneOf("grid")),
    guarded: boolean,
    fewestThreads: whole(1),
  },
  'a version, such as labReductions[0] or reductionById("lab-25-interleaved")',
);

export function reductionById(id: string): ReductionVersion {
  checkArgument("reductionById", "id", id, string);
  const found = everyReduction.find((version) => version.id === id);
  if (found !== undefined) return found;
  throw new InputError({
    what: `There is no reduction "${id}".`,
    cure: `Name one of: ${everyReduction.map((version) => version.id).join(", ")}.`,
  });
}

/** Blocks of a version whose threads go on in steps of the grid: Example 03's number. */
const GRID_STRIDE_BLOCKS = 1024;

export interface ReductionShape {
  readonly blocks: number;
  /** Elements that the kernel reads, the padding of an unguarded one included. */
  readonly paddedLength: number;
}

/**
 * Blocks of `block` threads that sum `n` elements.
 * @throws InputError for a size that is no positive integer, a block that is no power of two, or one too small.
 */
export function reductionShape(version: ReductionVersion, n: number, block: number): ReductionShape {
  if (!Number.isSafeInteger(n) || n < 1) {
    throw new InputError({ what: `A sum over ${n} elements.`, cure: "Give a whole number of elements, at least 1." });
  }
  const isPowerOfTwo = Number.isInteger(block) && block > 0 && (block & (block - 1)) === 0;
  if (!isPowerOfTwo || block < version.fewestThreads) {
    throw new InputError({
      what: `${version.title}: a block of ${block} threads; its steps halve the block${version.fewestThreads > 1 ? " down to 64 places" : ""}.`,
      cure: `Give a power of two, from ${version.fewestThreads} to 1024.`,
    });
  }
  const { elementsPerThread, guarded } = version;
  const perBlock = block * (elementsPerThread === "grid" ? 2 : elementsPerThread);
  const needed = Math.ceil(n / perBlock);
  const blocks = elementsPerThread === "grid" ? Math.min(GRID_STRIDE_BLOCKS, needed) : needed;
  return { blocks, paddedLength: guarded ? n : needed * perBlock };
}
