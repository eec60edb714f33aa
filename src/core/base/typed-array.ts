/**
 * Typed arrays by what they are, whatever their fields say. A subclass, or an array with properties of its own, can tell
 * a wrong name or length.
 */

/** Arrays whose elements device memory can hold. */
export type HostArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

type Getter<T> = (this: unknown) => T;

const prototype = Object.getPrototypeOf(Int8Array.prototype) as object;

function getter<T>(name: PropertyKey): Getter<T> {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get as Getter<T>;
}

const nameOf = getter<string | undefined>(Symbol.toStringTag);
const lengthOf = getter<number>("length");
const offsetOf = getter<number>("byteOffset");
const bufferOf = getter<ArrayBufferLike>("buffer");
const at = Int8Array.prototype.at as (this: unknown, index: number) => unknown;

/** "Int32Array" and so on; undefined for what is no typed array. */
export function typedArrayName(value: unknown): string | undefined {
  return nameOf.call(value);
}

/** True where its memory was transferred, or shrank to less than it spans. */
export function isWithoutMemory(array: unknown): boolean {
  try {
    at.call(array, 0);
    return false;
  } catch {
    return true;
  }
}

/** Where a typed array stands in its memory, and how many values it has. */
export function extentOf(array: unknown): {
  readonly buffer: ArrayBufferLike;
  readonly offset: number;
  readonly length: number;
} {
  return { buffer: bufferOf.call(array), offset: offsetOf.call(array), length: lengthOf.call(array) };
}
