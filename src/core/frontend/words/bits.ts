/** Integer and type casting intrinsics, under CUDA's names and without the underscores. */
import type { Long } from "../declare/element.js";
import { word } from "./host.js";

/** Number of set bits. */
export const __popc: (x: number) => number = word("__popc");

/** Number of set bits. */
export const popc: (x: number) => number = word("popc");

/** Number of set bits of 64. */
export const __popcll: (x: number | bigint) => number = word("__popcll");

/** Number of set bits of 64. */
export const popcll: (x: number | bigint) => number = word("popcll");

/** Position of the lowest set bit, from 1; 0 if none. */
export const __ffs: (x: number) => number = word("__ffs");

/** Position of the lowest set bit, from 1; 0 if none. */
export const ffs: (x: number) => number = word("ffs");

/** Position of the lowest set bit of 64, from 1; 0 if none. */
export const __ffsll: (x: number | bigint) => number = word("__ffsll");

/** Position of the lowest set bit of 64, from 1; 0 if none. */
export const ffsll: (x: number | bigint) => number = word("ffsll");

/** Number of leading zero bits. */
export const __clz: (x: number) => number = word("__clz");

/** Number of leading zero bits. */
export const clz: (x: number) => number = word("clz");

/** Number of leading zero bits of 64. */
export const __clzll: (x: number | bigint) => number = word("__clzll");

/** Number of leading zero bits of 64. */
export const clzll: (x: number | bigint) => number = word("clzll");

/** The bits in reverse order. */
export const __brev: (x: number) => number = word("__brev");

/** The bits in reverse order. */
export const brev: (x: number) => number = word("brev");

/** The 64 bits in reverse order. */
export const __brevll: (x: number | bigint) => Long = word("__brevll");

/** The 64 bits in reverse order. */
export const brevll: (x: number | bigint) => Long = word("brevll");

/** Four of the eight bytes of x and y, chosen by the four lowest hex digits of the selector. */
export const __byte_perm: (x: number, y: number, selector: number) => number = word("__byte_perm");

/** Four of the eight bytes of x and y, chosen by the four lowest hex digits of the selector. */
export const byte_perm: (x: number, y: number, selector: number) => number = word("byte_perm");

/** The upper half of the product of two u32. */
export const __umulhi: (a: number, b: number) => number = word("__umulhi");

/** The upper half of the product of two u32. */
export const umulhi: (a: number, b: number) => number = word("umulhi");

/** The upper half of the product of two i64. */
export const __mul64hi: (a: number | bigint, b: number | bigint) => Long = word("__mul64hi");

/** The upper half of the product of two i64. */
export const mul64hi: (a: number | bigint, b: number | bigint) => Long = word("mul64hi");

/** The upper half of the product of two u64. */
export const __umul64hi: (a: number | bigint, b: number | bigint) => Long = word("__umul64hi");

/** The upper half of the product of two u64. */
export const umul64hi: (a: number | bigint, b: number | bigint) => Long = word("umul64hi");

/** The product of the low 24 bits of two i32. */
export const __mul24: (a: number, b: number) => number = word("__mul24");

/** The product of the low 24 bits of two i32. */
export const mul24: (a: number, b: number) => number = word("mul24");

/** The product of the low 24 bits of two u32. */
export const __umul24: (a: number, b: number) => number = word("__umul24");

/** The product of the low 24 bits of two u32. */
export const umul24: (a: number, b: number) => number = word("umul24");

/** The upper half of (high:low) << (count % 32). */
export const __funnelshift_l: (low: number, high: number, count: number) => number = word("__funnelshift_l");

/** The upper half of (high:low) << (count % 32). */
export const funnelshift_l: (low: number, high: number, count: number) => number = word("funnelshift_l");

/** The upper half of (high:low) << min(count, 32). */
export const __funnelshift_lc: (low: number, high: number, count: number) => number = word("__funnelshift_lc");

/** The upper half of (high:low) << min(count, 32). */
export const funnelshift_lc: (low: number, high: number, count: number) => number = word("funnelshift_lc");

/** The lower half of (high:low) >> (count % 32). */
export const __funnelshift_r: (low: number, high: number, count: number) => number = word("__funnelshift_r");

/** The lower half of (high:low) >> (count % 32). */
export const funnelshift_r: (low: number, high: number, count: number) => number = word("funnelshift_r");

/** The lower half of (high:low) >> min(count, 32). */
export const __funnelshift_rc: (low: number, high: number, count: number) => number = word("__funnelshift_rc");

/** The lower half of (high:low) >> min(count, 32). */
export const funnelshift_rc: (low: number, high: number, count: number) => number = word("funnelshift_rc");

/** The bits of an f32 as an i32. */
export const __float_as_int: (x: number) => number = word("__float_as_int");

/** The bits of an f32 as an i32. */
export const float_as_int: (x: number) => number = word("float_as_int");

/** The bits of an f32 as a u32. */
export const __float_as_uint: (x: number) => number = word("__float_as_uint");

/** The bits of an f32 as a u32. */
export const float_as_uint: (x: number) => number = word("float_as_uint");

/** The bits of an i32 as an f32. */
export const __int_as_float: (x: number) => number = word("__int_as_float");

/** The bits of an i32 as an f32. */
export const int_as_float: (x: number) => number = word("int_as_float");

/** The bits of a u32 as an f32. */
export const __uint_as_float: (x: number) => number = word("__uint_as_float");

/** The bits of a u32 as an f32. */
export const uint_as_float: (x: number) => number = word("uint_as_float");

/** The bits of an f64 as an i64. */
export const __double_as_longlong: (x: number) => Long = word("__double_as_longlong");

/** The bits of an f64 as an i64. */
export const double_as_longlong: (x: number) => Long = word("double_as_longlong");

/** The bits of an i64 as an f64. */
export const __longlong_as_double: (x: number | bigint) => number = word("__longlong_as_double");

/** The bits of an i64 as an f64. */
export const longlong_as_double: (x: number | bigint) => number = word("longlong_as_double");

/** The upper half of the product of two i32. */
export const __mulhi: (a: number, b: number) => number = word("__mulhi");

/** The upper half of the product of two integers, in their common type. */
export const mulhi: <T>(a: T, b: T) => T = word("mulhi");
