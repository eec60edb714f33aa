/** Cooperative groups (namespace cooperative_groups in CUDA). */

import { operator, word } from "./host.js";
import type { BlockGroup, GridGroup, GroupOperatorWord, TileGroup } from "./types.js";

/** The threads of this block as a group: `sync()`, `size()`, `thread_rank()`. */
export const this_thread_block: () => BlockGroup = word("this_thread_block");

/** The threads of the grid as a group, in a cooperative launch: `sync()` waits for all blocks. */
export const this_grid: () => GridGroup = word("this_grid");

/**
 * Splits a block, or a tile, into tiles of 2, 4, 8, 16 or 32 neighbouring threads: CUDA's
 * `tiled_partition<32>(block)`.
 */
export const tiled_partition: (group: BlockGroup | TileGroup, size: number) => TileGroup = word("tiled_partition");

/** The threads of the warp that are here together, as a group. */
export const coalesced_threads: () => TileGroup = word("coalesced_threads");

/** The sum, for `reduce` and the scans. */
export const plus: GroupOperatorWord & (() => GroupOperatorWord) = operator("plus");

/** The least value, for `reduce` and the scans. */
export const less: GroupOperatorWord & (() => GroupOperatorWord) = operator("less");

/** The greatest value, for `reduce` and the scans. */
export const greater: GroupOperatorWord & (() => GroupOperatorWord) = operator("greater");

/** The bits set in all values, for `reduce` and the scans. */
export const bit_and: GroupOperatorWord & (() => GroupOperatorWord) = operator("bit_and");

/** The bits set in any value, for `reduce` and the scans. */
export const bit_or: GroupOperatorWord & (() => GroupOperatorWord) = operator("bit_or");

/** The exclusive or, for `reduce` and the scans. */
export const bit_xor: GroupOperatorWord & (() => GroupOperatorWord) = operator("bit_xor");

/**
 * The group's values combined, in every thread of the group: `reduce(tile, x, plus)`. The sum if no operator is given.
 */
export const reduce: <T>(group: TileGroup, value: T, operator?: GroupOperatorWord) => T = word("reduce");

/** The values of the ranks up to this one combined. */
export const inclusive_scan: <T>(group: TileGroup, value: T, operator?: GroupOperatorWord) => T =
  word("inclusive_scan");

/** The values of the ranks below this one combined; the operator's neutral value in rank 0. */
export const exclusive_scan: <T>(group: TileGroup, value: T, operator?: GroupOperatorWord) => T =
  word("exclusive_scan");
