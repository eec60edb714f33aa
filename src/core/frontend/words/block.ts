/** Barriers of the block, and fences. */

import { word } from "./host.js";
import type { Flag } from "./types.js";

/** Waits until all threads of the block are here, and makes their writes visible to each other. */
export const __syncthreads: () => void = word("__syncthreads");

/** Waits until all threads of the block are here, and makes their writes visible to each other. */
export const syncthreads: () => void = word("syncthreads");

/** syncthreads, and the number of threads whose condition holds. */
export const __syncthreads_count: (condition: Flag) => number = word("__syncthreads_count");

/** syncthreads, and the number of threads whose condition holds. */
export const syncthreads_count: (condition: Flag) => number = word("syncthreads_count");

/** syncthreads, and whether the condition holds in all threads of the block. */
export const __syncthreads_and: (condition: Flag) => boolean = word("__syncthreads_and");

/** syncthreads, and whether the condition holds in all threads of the block. */
export const syncthreads_and: (condition: Flag) => boolean = word("syncthreads_and");

/** syncthreads, and whether the condition holds in any thread of the block. */
export const __syncthreads_or: (condition: Flag) => boolean = word("__syncthreads_or");

/** syncthreads, and whether the condition holds in any thread of the block. */
export const syncthreads_or: (condition: Flag) => boolean = word("syncthreads_or");

/** CUDA's `__syncthreads_count`: syncthreads, and the number of threads whose condition holds. */
export const syncthreadsCount: (condition: Flag) => number = word("syncthreadsCount");

/** CUDA's `__syncthreads_and`: syncthreads, and whether the condition holds in all threads of the block. */
export const syncthreadsAnd: (condition: Flag) => boolean = word("syncthreadsAnd");

/** CUDA's `__syncthreads_or`: syncthreads, and whether the condition holds in any thread of the block. */
export const syncthreadsOr: (condition: Flag) => boolean = word("syncthreadsOr");

/**
 * This thread's writes before it are seen by all threads of the GPU before its writes after it. It waits for nobody.
 */
export const __threadfence: () => void = word("__threadfence");

/**
 * This thread's writes before it are seen by all threads of the GPU before its writes after it. It waits for nobody.
 */
export const threadfence: () => void = word("threadfence");

/** This thread's writes before it are seen by the block's threads before its writes after it. It waits for nobody. */
export const __threadfence_block: () => void = word("__threadfence_block");

/** This thread's writes before it are seen by the block's threads before its writes after it. It waits for nobody. */
export const threadfence_block: () => void = word("threadfence_block");
