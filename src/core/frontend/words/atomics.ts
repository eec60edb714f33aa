/** Atomic functions: on an element of a global or shared array, in one step; each gives the value before. */
import type { DeviceArray } from "../declare/parameter.js";
import { word } from "./host.js";

/**
 * Adds `value` to `array[index]` in one step and gives the value before: CUDA's `atomicAdd(&array[index], value)`. On
 * i32, u32, u64, f32, and f64 from compute capability 6.0 on.
 */
export const atomicAdd: <T extends number>(array: DeviceArray<T>, index: number, value: T) => T = word("atomicAdd");

/** Subtracts `value` from `array[index]` in one step and gives the value before. */
export const atomicSub: <T extends number>(array: DeviceArray<T>, index: number, value: T) => T = word("atomicSub");

/**
 * Stores the smaller of `array[index]` and `value` and gives the value before. On integers; of 64 bits from compute
 * capability 3.5 on.
 */
export const atomicMin: <T extends number>(array: DeviceArray<T>, index: number, value: T) => T = word("atomicMin");

/**
 * Stores the larger of `array[index]` and `value` and gives the value before. On integers; of 64 bits from compute
 * capability 3.5 on.
 */
export const atomicMax: <T extends number>(array: DeviceArray<T>, index: number, value: T) => T = word("atomicMax");

/** Stores `array[index] & value` and gives the value before. */
export const atomicAnd: <T extends number>(array: DeviceArray<T>, index: number, value: T) => T = word("atomicAnd");

/** Stores `array[index] | value` and gives the value before. */
export const atomicOr: <T extends number>(array: DeviceArray<T>, index: number, value: T) => T = word("atomicOr");

/** Stores `array[index] ^ value` and gives the value before. */
export const atomicXor: <T extends number>(array: DeviceArray<T>, index: number, value: T) => T = word("atomicXor");

/** Stores `value` into `array[index]` and gives the value before. */
export const atomicExch: <T extends number>(array: DeviceArray<T>, index: number, value: T) => T = word("atomicExch");

/**
 * Stores `value` if `array[index]` equals `compare`, and gives the value before: any atomic function is a loop of it.
 */
export const atomicCAS: <T extends number>(array: DeviceArray<T>, index: number, compare: T, value: T) => T =
  word("atomicCAS");

/** Counts `array[index]` up to `limit`, then starts at 0; gives the value before. On u32. */
export const atomicInc: (array: DeviceArray<number>, index: number, limit: number) => number = word("atomicInc");

/** Counts `array[index]` down to 0, then starts at `limit`; gives the value before. On u32. */
export const atomicDec: (array: DeviceArray<number>, index: number, limit: number) => number = word("atomicDec");
