/**
 * The words of CUDA that a kernel takes from its second argument, as TypeScript sees them. These are declarations for
 * the editor and the type checker: a kernel is compiled, and its meaning is CUDA's (CUDA C++ Programming Guide).
 */
import type { Conversions, MathWords } from "./cuda-math.js";
import type { Long, ScalarType, ValueOf, ValueType, Vector2, Vector4, VectorElement } from "./element.js";
import type { DeviceArray } from "./parameter.js";

/** A size or an index with up to three dimensions; unsigned. */
export interface Dimensions {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

type Flag = boolean | number;
type Predicate = (mask: number, condition: Flag) => boolean;
type Reduction = (mask: number, value: number) => number;
/** As CUDA's overloads: all values are of the array's type. */
type Atomic = <T extends number>(array: DeviceArray<T>, index: number, value: T) => T;

/** An operator for `reduce` and the scans. */
export interface GroupOperatorWord {
  readonly operator: string;
}

/** What every cooperative group has. */
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
type ScalarArguments = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Words that CUDA spells with two underscores in front; a kernel may take them under both names. */
type UnderscoredWord =
  | "shfl_sync"
  | "shfl_up_sync"
  | "shfl_down_sync"
  | "shfl_xor_sync"
  | "shfl"
  | "shfl_up"
  | "shfl_down"
  | "shfl_xor"
  | "ballot"
  | "any"
  | "all"
  | "ballot_sync"
  | "any_sync"
  | "all_sync"
  | "activemask"
  | "match_any_sync"
  | "match_all_sync"
  | "reduce_add_sync"
  | "reduce_min_sync"
  | "reduce_max_sync"
  | "reduce_and_sync"
  | "reduce_or_sync"
  | "reduce_xor_sync"
  | "syncwarp"
  | "syncthreads"
  | "syncthreads_count"
  | "syncthreads_and"
  | "syncthreads_or"
  | "threadfence"
  | "threadfence_block"
  | "popc"
  | "popcll"
  | "ffs"
  | "ffsll"
  | "clz"
  | "clzll"
  | "brev"
  | "brevll"
  | "byte_perm"
  | "mulhi"
  | "umulhi"
  | "mul64hi"
  | "umul64hi"
  | "mul24"
  | "umul24"
  | "funnelshift_l"
  | "funnelshift_r"
  | "funnelshift_lc"
  | "funnelshift_rc"
  | "float_as_int"
  | "float_as_uint"
  | "int_as_float"
  | "uint_as_float"
  | "double_as_longlong"
  | "longlong_as_double";

type Underscored = { readonly [Word in UnderscoredWord as `__${Word}`]: CudaWords[Word] };

/** The second argument of a kernel. */
export interface Cuda extends CudaWords, Underscored, Conversions {}

/** The words under the names of the language. */
interface CudaWords extends MathWords {
  /** This thread's index in its block. */
  readonly threadIdx: Dimensions;
  /** This block's index in the grid. */
  readonly blockIdx: Dimensions;
  /** Threads of a block. */
  readonly blockDim: Dimensions;
  /** Blocks of the grid. */
  readonly gridDim: Dimensions;
  /** 32. */
  readonly warpSize: number;

  /** An array of the block, `__shared__`: `shared(i32, 256)`, `shared(f32, [32, 33])`. The size is known at compile time. */
  shared<E extends ValueType>(type: E, length: number): DeviceArray<ValueOf<E>>;
  shared<E extends ValueType>(type: E, lengths: readonly [number, number]): DeviceArray<DeviceArray<ValueOf<E>>>;
  shared<E extends ValueType>(
    type: E,
    lengths: readonly [number, number, number],
  ): DeviceArray<DeviceArray<DeviceArray<ValueOf<E>>>>;
  /** The block's array whose size the launch gives, `extern __shared__`. All such arrays start at the same place. */
  externShared<E extends ValueType>(type: E): DeviceArray<ValueOf<E>>;
  /** An array of the thread's own. */
  local<E extends ValueType>(type: E, length: number): DeviceArray<ValueOf<E>>;
  local<E extends ValueType>(type: E, lengths: readonly [number, number]): DeviceArray<DeviceArray<ValueOf<E>>>;
  /** The same array, where every access goes to memory. */
  volatile<T>(array: DeviceArray<T>): DeviceArray<T>;
  /** The same memory as vectors, for wide loads: `asVector(input, float4)[i]`. Its address must be aligned for that. */
  asVector<L extends 2 | 4>(
    array: DeviceArray<number>,
    type: VectorElement<L>,
  ): DeviceArray<L extends 4 ? Vector4 : Vector2>;

  /** Waits until all threads of the block are here, and makes their writes visible to each other. */
  syncthreads(): void;
  /** syncthreads, and the number of threads whose condition holds. */
  syncthreadsCount(condition: Flag): number;
  /** syncthreads, and whether the condition holds in all threads. */
  syncthreadsAnd(condition: Flag): boolean;
  /** syncthreads, and whether the condition holds in any thread. */
  syncthreadsOr(condition: Flag): boolean;
  syncthreads_count(condition: Flag): number;
  syncthreads_and(condition: Flag): boolean;
  syncthreads_or(condition: Flag): boolean;
  /** Waits for the lanes of the mask (all, if left out) and makes their writes visible to each other. */
  syncwarp(mask?: number): void;
  threadfence(): void;
  threadfence_block(): void;

  /** The value of lane `sourceLane` (within segments of `width` lanes). */
  shfl_sync<T>(mask: number, value: T, sourceLane: number, width?: number): T;
  /** The value of the lane `delta` below; the lowest lanes keep their own. */
  shfl_up_sync<T>(mask: number, value: T, delta: number, width?: number): T;
  /** The value of the lane `delta` above; the highest lanes keep their own. */
  shfl_down_sync<T>(mask: number, value: T, delta: number, width?: number): T;
  /** The value of lane `own ^ laneMask`. */
  shfl_xor_sync<T>(mask: number, value: T, laneMask: number, width?: number): T;
  /** The forms from before CUDA 9, over the lanes that are active; refused from compute capability 7.0 on. */
  shfl<T>(value: T, sourceLane: number, width?: number): T;
  shfl_up<T>(value: T, delta: number, width?: number): T;
  shfl_down<T>(value: T, delta: number, width?: number): T;
  shfl_xor<T>(value: T, laneMask: number, width?: number): T;
  ballot(condition: Flag): number;
  any(condition: Flag): boolean;
  all(condition: Flag): boolean;
  /** Bit i is set where the condition holds in lane i. */
  ballot_sync(mask: number, condition: Flag): number;
  any_sync: Predicate;
  all_sync: Predicate;
  /** The lanes that execute this together; no promise about others of the same branch. */
  activemask(): number;
  /** The lanes with the same value. Needs compute capability 7.0. */
  match_any_sync(mask: number, value: number | bigint): number;
  /** `mask` if all lanes have the same value, else 0; and whether they have. Needs compute capability 7.0. */
  match_all_sync(mask: number, value: number | bigint): { readonly mask: number; readonly predicate: boolean };
  /** Sum over the lanes of the mask. The reduce family needs compute capability 8.0. */
  reduce_add_sync: Reduction;
  reduce_min_sync: Reduction;
  reduce_max_sync: Reduction;
  reduce_and_sync: Reduction;
  reduce_or_sync: Reduction;
  reduce_xor_sync: Reduction;
  /** This thread's lane in its warp, 0 to 31. */
  laneId(): number;

  /** Adds to `array[index]` in one step and gives the value before. */
  atomicAdd: Atomic;
  atomicSub: Atomic;
  atomicMin: Atomic;
  atomicMax: Atomic;
  atomicAnd: Atomic;
  atomicOr: Atomic;
  atomicXor: Atomic;
  /** Stores and gives the value before. */
  atomicExch: Atomic;
  /** Stores `value` if `array[index]` equals `compare`; gives the value before. */
  atomicCAS<T extends number>(array: DeviceArray<T>, index: number, compare: T, value: T): T;
  /** Counts up to `limit`, then starts at 0; u32. */
  atomicInc: Atomic;
  /** Counts down to 0, then starts at `limit`; u32. */
  atomicDec: Atomic;

  readonly bool: ScalarType<"bool">;
  readonly i32: ScalarType<"i32">;
  readonly u32: ScalarType<"u32">;
  readonly i64: ScalarType<"i64">;
  readonly u64: ScalarType<"u64">;
  readonly f32: ScalarType<"f32">;
  readonly f64: ScalarType<"f64">;
  readonly int2: VectorElement<2, "i32">;
  readonly int4: VectorElement<4, "i32">;
  readonly uint2: VectorElement<2, "u32">;
  readonly uint4: VectorElement<4, "u32">;
  readonly float2: VectorElement<2, "f32">;
  readonly float4: VectorElement<4, "f32">;
  readonly double2: VectorElement<2, "f64">;
  make_int2(x: number, y: number): Vector2;
  make_int4(x: number, y: number, z: number, w: number): Vector4;
  make_uint2(x: number, y: number): Vector2;
  make_uint4(x: number, y: number, z: number, w: number): Vector4;
  make_float2(x: number, y: number): Vector2;
  make_float4(x: number, y: number, z: number, w: number): Vector4;
  make_double2(x: number, y: number): Vector2;

  /** Device printf: %d %u %x %lld %llu %f %e %g %c, %s of a text in quotes. Printed in order of execution when the launch ends. */
  printf(format: string, ...values: readonly (number | bigint | boolean | string)[]): void;
  /** As the first statement of a loop: copies its body so many times (all iterations, if left out). */
  unroll(copies?: number): void;
  /** The SM's cycle counter, the low 32 bits. */
  clock(): number;

  /** This kernel, for `launch`. */
  readonly self: Launchable;
  /** Dynamic parallelism: launches a child grid from this thread. */
  launch(
    kernel: Launchable,
    configuration: { readonly grid: Extent; readonly block: Extent; readonly shared?: number },
    args?: ScalarArguments,
  ): void;
  /** Waits for this thread's child grids (before CUDA 12 only). */
  deviceSynchronize(): void;

  this_thread_block(): BlockGroup;
  this_grid(): GridGroup;
  /** Splits a block (or a tile) into tiles of 2, 4, 8, 16 or 32 threads. */
  tiled_partition(group: BlockGroup | TileGroup, size: number): TileGroup;
  /** The threads of the warp that are here together. */
  coalesced_threads(): TileGroup;
  readonly plus: GroupOperatorWord & (() => GroupOperatorWord);
  readonly less: GroupOperatorWord & (() => GroupOperatorWord);
  readonly greater: GroupOperatorWord & (() => GroupOperatorWord);
  readonly bit_and: GroupOperatorWord & (() => GroupOperatorWord);
  readonly bit_or: GroupOperatorWord & (() => GroupOperatorWord);
  readonly bit_xor: GroupOperatorWord & (() => GroupOperatorWord);
  /** The group's values combined, in every thread of the group. `plus` if no operator is given. */
  reduce<T>(group: TileGroup, value: T, operator?: GroupOperatorWord): T;
  /** The values of the ranks up to this one combined. */
  inclusive_scan<T>(group: TileGroup, value: T, operator?: GroupOperatorWord): T;
  /** The values of the ranks below this one combined; the operator's neutral value in rank 0. */
  exclusive_scan<T>(group: TileGroup, value: T, operator?: GroupOperatorWord): T;
}
