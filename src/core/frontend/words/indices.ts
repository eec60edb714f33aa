/** Where a thread is: CUDA's built-in variables. */

import { dimensions, unreadable, word } from "./host.js";
import type { Dimensions } from "./types.js";

/** This thread's index in its block: `threadIdx.x`, `.y`, `.z`; unsigned, x fastest. */
export const threadIdx: Dimensions = dimensions("threadIdx");

/** This block's index in the grid: `blockIdx.x`, `.y`, `.z`; unsigned. */
export const blockIdx: Dimensions = dimensions("blockIdx");

/** Threads of a block: `blockDim.x`, `.y`, `.z`; unsigned. */
export const blockDim: Dimensions = dimensions("blockDim");

/** Blocks of the grid: `gridDim.x`, `.y`, `.z`; unsigned. */
export const gridDim: Dimensions = dimensions("gridDim");

// A number to TypeScript; on the host, an object that fails where it is read.
/** Threads of a warp: 32. */
export const warpSize: number = unreadable("warpSize") as unknown as number;

/** This thread's lane in its warp, 0 to 31 (PTX's `%laneid`). */
export const laneId: () => number = word("laneId");
