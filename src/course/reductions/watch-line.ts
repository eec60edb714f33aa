/** One block of a reduction, watched at a line of its text: which lanes touch which elements, each time a warp comes there. */

import { InputError } from "../../core/base/errors.js";
import { checkArgument, checkOptions, type Fields, optional } from "../../core/base/shape.js";
import { i32, type Kernel, kernelShape } from "../../core/frontend/index.js";
import type { Gpu } from "../../core/host/gpu.js";
import { gpuShape } from "../../core/host/gpu.js";
import { type LineVisit, WATCHED_LINE, type WatchedLine, watchAccesses } from "../../core/profiler/watch-accesses.js";
import { elementCount, randomInts } from "./reduction-run.js";
import { slotsOf } from "./run-reduction.js";

export type { LineAccess } from "../../core/profiler/line-access.js";
export type { LineVisit } from "../../core/profiler/watch-accesses.js";

const WORD_BYTES = 4;

export interface WatchOptions extends WatchedLine {
  /** Threads a block; 256 unless given. */
  readonly block?: number;
  /** Elements that a thread reads; 1 unless given. */
  readonly perThread?: number;
  /** Blocks of the grid, for a kernel that goes on in steps of its width; up to the watched one unless given. */
  readonly grid?: number;
  /** Elements; `perThread` for each thread of the grid unless given. */
  readonly n?: number;
}

const WATCH_LINE: Fields<WatchOptions> = {
  ...WATCHED_LINE,
  block: optional(elementCount),
  perThread: optional(elementCount),
  grid: optional(elementCount),
  n: optional(elementCount),
};

/**
 * Runs one block of a kernel that sums an array. For each execution of a line it tells which lanes work and what they touch.
 * All of it is exact.
 * @throws InputError for a kernel whose parameters do not fit, or a line that it does not have.
 * @example
 * const steps = watchLine(gpu, sequential, { line: "+=", by: "s", block: 1024 });
 * display(workFigure(steps), bankFigure(steps));
 */
export function watchLine(gpu: Gpu, kernel: Kernel, options: WatchOptions): readonly LineVisit[] {
  checkArgument("watchLine", "gpu", gpu, gpuShape);
  checkArgument("watchLine", "kernel", kernel, kernelShape);
  checkOptions("watchLine", options, WATCH_LINE);
  const { block = 256, perThread = 1, n: _n, grid: _grid, ...line } = options;
  const { blockIndex = 0 } = options;
  const { input, output, size, float } = slotsOf(kernel);
  if (float) {
    throw new InputError({
      what: `watchLine: kernel ${kernel.name} sums floats.`,
      cure: "Watch a kernel that sums ints.",
    });
  }
  const { grid = blockIndex + 1 } = options;
  const whole = grid * block * perThread;
  const { n = whole } = options;
  const source = gpu.upload(randomInts(size === null ? Math.max(n, whole) : n));
  const sums = gpu.alloc(i32, grid);
  try {
    const dynamic = kernel.ir.sharedArrays.some(({ dims }) => dims === null);
    return watchAccesses(
      gpu,
      kernel,
      { grid, block, ...(dynamic ? { sharedBytes: block * WORD_BYTES } : {}) },
      { [input]: source, [output]: sums, ...(size === null ? {} : { [size]: n }) },
      line,
    );
  } finally {
    source.free();
    sums.free();
  }
}
