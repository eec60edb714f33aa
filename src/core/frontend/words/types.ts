/** The TypeScript types that CUDA's words take and give. */
import type { Long } from "../declare/element.js";

/** A size or an index with up to three dimensions; unsigned. */
export interface Dimensions {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A condition: CUDA takes any integer that is not 0 for true. */
export type Flag = boolean | number;

/** The result of `match_all_sync`. */
export interface MatchResult {
  /** The mask if all its lanes have the same value, else 0. */
  readonly mask: number;
  readonly predicate: boolean;
}

/** An operator for `reduce` and the scans. */
export interface GroupOperatorWord {
  readonly operator: string;
}

/** The members of every cooperative group. */
export interface ThreadGroup<Count = number> {
  /** Waits for all threads of the group. */
  sync(): void;
  /** Number of threads in the group. */
  size(): Count;
  num_threads(): Count;
  /** This thread's number in the group, from 0. */
  thread_rank(): Count;
}

/** A tile of 2 to 32 neighbouring threads of a warp, or the coalesced threads of a branch. */
export interface TileGroup extends ThreadGroup {
  shfl<T>(value: T, rank: number): T;
  shfl_down<T>(value: T, delta: number): T;
  shfl_up<T>(value: T, delta: number): T;
  shfl_xor<T>(value: T, mask: number): T;
  /** Bit i is the condition of the thread with rank i. */
  ballot(condition: Flag): number;
  any(condition: Flag): boolean;
  all(condition: Flag): boolean;
  /** Number of this tile among those that its parent, the block or a larger tile, was split into. */
  meta_group_rank(): number;
  /** Number of tiles that its parent was split into. */
  meta_group_size(): number;
}

/** The block as a cooperative group. */
export interface BlockGroup extends ThreadGroup {
  readonly isBlock: true;
}

/** The grid of a cooperative launch. `size` and `thread_rank` are 64-bit unsigned. */
export interface GridGroup extends ThreadGroup<Long> {
  readonly isGrid: true;
  /** Number of blocks in the grid. */
  num_blocks(): Long;
  /** This block's number in the grid, from 0. */
  block_rank(): Long;
}

/** A kernel that can be launched from inside a kernel. */
export interface Launchable {
  readonly name: string;
}

type Extent = number | readonly number[];

/**
 * The sizes of a child grid; `shared`: bytes of its dynamic shared memory. `stream`: "tail" runs after the launching grid
 * and all that it has started (cudaStreamTailLaunch), "fireAndForget" beside them (cudaStreamFireAndForget).
 */
export interface LaunchSizes {
  readonly grid: Extent;
  readonly block: Extent;
  readonly shared?: number;
  readonly stream?: "block" | "fireAndForget" | "tail";
}
