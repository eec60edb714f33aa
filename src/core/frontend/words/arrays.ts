/** Arrays of the block and of the thread: CUDA's `__shared__`, `extern __shared__` and local arrays. */
import type { ValueOf, ValueType, Vector2, Vector4, VectorElement } from "../declare/element.js";
import type { DeviceArray } from "../declare/parameter.js";
import { word } from "./host.js";

export { volatile } from "../declare/parameter.js";

/** An array of the block by its type and its lengths, up to three. */
export interface SharedArrays {
  <E extends ValueType>(type: E, length: number): DeviceArray<ValueOf<E>>;
  <E extends ValueType>(type: E, lengths: readonly [number, number]): DeviceArray<DeviceArray<ValueOf<E>>>;
  <E extends ValueType>(
    type: E,
    lengths: readonly [number, number, number],
  ): DeviceArray<DeviceArray<DeviceArray<ValueOf<E>>>>;
}

/** An array of each thread's own by its type and its lengths, up to two. */
export interface LocalArrays {
  <E extends ValueType>(type: E, length: number): DeviceArray<ValueOf<E>>;
  <E extends ValueType>(type: E, lengths: readonly [number, number]): DeviceArray<DeviceArray<ValueOf<E>>>;
}

/**
 * CUDA's `__shared__ int sdata[256]`: `const sdata = shared(i32, 256)`, an array that all threads of the block share.
 * `shared(f32, [32, 33])` has two dimensions. The lengths are known when the kernel is compiled.
 */
export const shared: SharedArrays = word("shared");

/**
 * CUDA's `extern __shared__ int sdata[]`: the block's array whose size the launch gives, `{ grid, block, sharedBytes }`.
 * All such arrays of a kernel start at the same place.
 */
export const externShared: <E extends ValueType>(type: E) => DeviceArray<ValueOf<E>> = word("externShared");

/** An array of the thread's own, `float sums[4]` in CUDA: `const sums = local(f32, 4)`. */
export const local: LocalArrays = word("local");

/**
 * The same memory as vectors, for wide loads, CUDA's `reinterpret_cast<float4*>(input)`: `asVector(input, float4)[i]`.
 * Its address must be aligned for that.
 */
export const asVector: <L extends 2 | 4>(
  array: DeviceArray<number>,
  type: VectorElement<L>,
) => DeviceArray<L extends 4 ? Vector4 : Vector2> = word("asVector");
