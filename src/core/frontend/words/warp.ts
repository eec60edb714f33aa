/** Warp shuffles, votes, matches and reductions. */

import { word } from "./host.js";
import type { Flag, MatchResult } from "./types.js";

/** Waits for the lanes of the mask (all, if left out) and makes their writes visible to each other. */
export const __syncwarp: (mask?: number) => void = word("__syncwarp");

/** Waits for the lanes of the mask (all, if left out) and makes their writes visible to each other. */
export const syncwarp: (mask?: number) => void = word("syncwarp");

/**
 * The value of lane `sourceLane`, within segments of `width` lanes. `mask` names the lanes that take part: each of
 * them, and no other, executes it.
 */
export const __shfl_sync: <T>(mask: number, value: T, sourceLane: number, width?: number) => T = word("__shfl_sync");

/**
 * The value of lane `sourceLane`, within segments of `width` lanes. `mask` names the lanes that take part: each of
 * them, and no other, executes it.
 */
export const shfl_sync: <T>(mask: number, value: T, sourceLane: number, width?: number) => T = word("shfl_sync");

/**
 * The value of the lane `delta` below; the lowest lanes of a segment keep their own. `mask` names the lanes that take
 * part: each of them, and no other, executes it.
 */
export const __shfl_up_sync: <T>(mask: number, value: T, delta: number, width?: number) => T = word("__shfl_up_sync");

/**
 * The value of the lane `delta` below; the lowest lanes of a segment keep their own. `mask` names the lanes that take
 * part: each of them, and no other, executes it.
 */
export const shfl_up_sync: <T>(mask: number, value: T, delta: number, width?: number) => T = word("shfl_up_sync");

/**
 * The value of the lane `delta` above; the highest lanes of a segment keep their own. `mask` names the lanes that take
 * part: each of them, and no other, executes it.
 */
export const __shfl_down_sync: <T>(mask: number, value: T, delta: number, width?: number) => T =
  word("__shfl_down_sync");

/**
 * The value of the lane `delta` above; the highest lanes of a segment keep their own. `mask` names the lanes that take
 * part: each of them, and no other, executes it.
 */
export const shfl_down_sync: <T>(mask: number, value: T, delta: number, width?: number) => T = word("shfl_down_sync");

/**
 * The value of lane `own ^ laneMask`: the butterfly. `mask` names the lanes that take part: each of them, and no
 * other, executes it.
 */
export const __shfl_xor_sync: <T>(mask: number, value: T, laneMask: number, width?: number) => T =
  word("__shfl_xor_sync");

/**
 * The value of lane `own ^ laneMask`: the butterfly. `mask` names the lanes that take part: each of them, and no
 * other, executes it.
 */
export const shfl_xor_sync: <T>(mask: number, value: T, laneMask: number, width?: number) => T = word("shfl_xor_sync");

/**
 * Bit i is set where the condition holds in lane i. `mask` names the lanes that take part: each of them, and no other,
 * executes it.
 */
export const __ballot_sync: (mask: number, condition: Flag) => number = word("__ballot_sync");

/**
 * Bit i is set where the condition holds in lane i. `mask` names the lanes that take part: each of them, and no other,
 * executes it.
 */
export const ballot_sync: (mask: number, condition: Flag) => number = word("ballot_sync");

/**
 * Whether the condition holds in any lane. `mask` names the lanes that take part: each of them, and no other, executes
 * it.
 */
export const __any_sync: (mask: number, condition: Flag) => boolean = word("__any_sync");

/**
 * Whether the condition holds in any lane. `mask` names the lanes that take part: each of them, and no other, executes
 * it.
 */
export const any_sync: (mask: number, condition: Flag) => boolean = word("any_sync");

/**
 * Whether the condition holds in all lanes. `mask` names the lanes that take part: each of them, and no other,
 * executes it.
 */
export const __all_sync: (mask: number, condition: Flag) => boolean = word("__all_sync");

/**
 * Whether the condition holds in all lanes. `mask` names the lanes that take part: each of them, and no other,
 * executes it.
 */
export const all_sync: (mask: number, condition: Flag) => boolean = word("all_sync");

/** The lanes that execute this together; no promise about others of the same branch. */
export const __activemask: () => number = word("__activemask");

/** The lanes that execute this together; no promise about others of the same branch. */
export const activemask: () => number = word("activemask");

/**
 * The lanes that have the same value. Needs compute capability 7.0. `mask` names the lanes that take part: each of
 * them, and no other, executes it.
 */
export const __match_any_sync: (mask: number, value: number | bigint) => number = word("__match_any_sync");

/**
 * The lanes that have the same value. Needs compute capability 7.0. `mask` names the lanes that take part: each of
 * them, and no other, executes it.
 */
export const match_any_sync: (mask: number, value: number | bigint) => number = word("match_any_sync");

/**
 * `{ mask, predicate }`: the mask if all lanes have the same value, else 0, and whether they have. Needs compute
 * capability 7.0.
 */
export const __match_all_sync: (mask: number, value: number | bigint) => MatchResult = word("__match_all_sync");

/**
 * `{ mask, predicate }`: the mask if all lanes have the same value, else 0, and whether they have. Needs compute
 * capability 7.0.
 */
export const match_all_sync: (mask: number, value: number | bigint) => MatchResult = word("match_all_sync");

/** The sum over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const __reduce_add_sync: (mask: number, value: number) => number = word("__reduce_add_sync");

/** The sum over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const reduce_add_sync: (mask: number, value: number) => number = word("reduce_add_sync");

/** The least value over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const __reduce_min_sync: (mask: number, value: number) => number = word("__reduce_min_sync");

/** The least value over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const reduce_min_sync: (mask: number, value: number) => number = word("reduce_min_sync");

/** The greatest value over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const __reduce_max_sync: (mask: number, value: number) => number = word("__reduce_max_sync");

/** The greatest value over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const reduce_max_sync: (mask: number, value: number) => number = word("reduce_max_sync");

/** The bits set in all values over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const __reduce_and_sync: (mask: number, value: number) => number = word("__reduce_and_sync");

/** The bits set in all values over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const reduce_and_sync: (mask: number, value: number) => number = word("reduce_and_sync");

/** The bits set in any value over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const __reduce_or_sync: (mask: number, value: number) => number = word("__reduce_or_sync");

/** The bits set in any value over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const reduce_or_sync: (mask: number, value: number) => number = word("reduce_or_sync");

/** The exclusive or over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const __reduce_xor_sync: (mask: number, value: number) => number = word("__reduce_xor_sync");

/** The exclusive or over the lanes of the mask, in every lane. Needs compute capability 8.0. */
export const reduce_xor_sync: (mask: number, value: number) => number = word("reduce_xor_sync");

/**
 * From before CUDA 9, over the lanes that are active: the value of lane `sourceLane`. Refused from compute capability
 * 7.0 on: use `shfl_sync`.
 */
export const __shfl: <T>(value: T, sourceLane: number, width?: number) => T = word("__shfl");

/**
 * From before CUDA 9, over the lanes that are active: the value of lane `sourceLane`. Refused from compute capability
 * 7.0 on: use `shfl_sync`.
 */
export const shfl: <T>(value: T, sourceLane: number, width?: number) => T = word("shfl");

/**
 * From before CUDA 9: the value of the lane `delta` below. Refused from compute capability 7.0 on: use `shfl_up_sync`.
 */
export const __shfl_up: <T>(value: T, delta: number, width?: number) => T = word("__shfl_up");

/**
 * From before CUDA 9: the value of the lane `delta` below. Refused from compute capability 7.0 on: use `shfl_up_sync`.
 */
export const shfl_up: <T>(value: T, delta: number, width?: number) => T = word("shfl_up");

/**
 * From before CUDA 9: the value of the lane `delta` above. Refused from compute capability 7.0 on: use
 * `shfl_down_sync`.
 */
export const __shfl_down: <T>(value: T, delta: number, width?: number) => T = word("__shfl_down");

/**
 * From before CUDA 9: the value of the lane `delta` above. Refused from compute capability 7.0 on: use
 * `shfl_down_sync`.
 */
export const shfl_down: <T>(value: T, delta: number, width?: number) => T = word("shfl_down");

/**
 * From before CUDA 9: the value of lane `own ^ laneMask`. Refused from compute capability 7.0 on: use `shfl_xor_sync`.
 */
export const __shfl_xor: <T>(value: T, laneMask: number, width?: number) => T = word("__shfl_xor");

/**
 * From before CUDA 9: the value of lane `own ^ laneMask`. Refused from compute capability 7.0 on: use `shfl_xor_sync`.
 */
export const shfl_xor: <T>(value: T, laneMask: number, width?: number) => T = word("shfl_xor");

/**
 * From before CUDA 9: bit i is set where the condition holds in lane i. Refused from compute capability 7.0 on: use
 * `ballot_sync`.
 */
export const __ballot: (condition: Flag) => number = word("__ballot");

/**
 * From before CUDA 9: bit i is set where the condition holds in lane i. Refused from compute capability 7.0 on: use
 * `ballot_sync`.
 */
export const ballot: (condition: Flag) => number = word("ballot");

/**
 * From before CUDA 9: whether the condition holds in any lane. Refused from compute capability 7.0 on: use `any_sync`.
 */
export const __any: (condition: Flag) => boolean = word("__any");

/**
 * From before CUDA 9: whether the condition holds in any lane. Refused from compute capability 7.0 on: use `any_sync`.
 */
export const any: (condition: Flag) => boolean = word("any");

/**
 * From before CUDA 9: whether the condition holds in all lanes. Refused from compute capability 7.0 on: use
 * `all_sync`.
 */
export const __all: (condition: Flag) => boolean = word("__all");

/**
 * From before CUDA 9: whether the condition holds in all lanes. Refused from compute capability 7.0 on: use
 * `all_sync`.
 */
export const all: (condition: Flag) => boolean = word("all");
