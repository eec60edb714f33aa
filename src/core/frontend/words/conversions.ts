/** Conversions of floats to integers with a rounding of their own (CUDA Math API, Type Casting Intrinsics). */
import type { Long } from "../declare/element.js";
import { word } from "./host.js";

/** An f32 as an i32, rounded to the nearest, halves to even. */
export const __float2int_rn: (x: number) => number = word("__float2int_rn");

/** An f32 as an i32, rounded towards zero. */
export const __float2int_rz: (x: number) => number = word("__float2int_rz");

/** An f32 as an i32, rounded down. */
export const __float2int_rd: (x: number) => number = word("__float2int_rd");

/** An f32 as an i32, rounded up. */
export const __float2int_ru: (x: number) => number = word("__float2int_ru");

/** An f32 as a u32, rounded to the nearest, halves to even. */
export const __float2uint_rn: (x: number) => number = word("__float2uint_rn");

/** An f32 as a u32, rounded towards zero. */
export const __float2uint_rz: (x: number) => number = word("__float2uint_rz");

/** An f32 as a u32, rounded down. */
export const __float2uint_rd: (x: number) => number = word("__float2uint_rd");

/** An f32 as a u32, rounded up. */
export const __float2uint_ru: (x: number) => number = word("__float2uint_ru");

/** An f32 as an i64, rounded to the nearest, halves to even. */
export const __float2ll_rn: (x: number) => Long = word("__float2ll_rn");

/** An f32 as an i64, rounded towards zero. */
export const __float2ll_rz: (x: number) => Long = word("__float2ll_rz");

/** An f32 as an i64, rounded down. */
export const __float2ll_rd: (x: number) => Long = word("__float2ll_rd");

/** An f32 as an i64, rounded up. */
export const __float2ll_ru: (x: number) => Long = word("__float2ll_ru");

/** An f32 as a u64, rounded to the nearest, halves to even. */
export const __float2ull_rn: (x: number) => Long = word("__float2ull_rn");

/** An f32 as a u64, rounded towards zero. */
export const __float2ull_rz: (x: number) => Long = word("__float2ull_rz");

/** An f32 as a u64, rounded down. */
export const __float2ull_rd: (x: number) => Long = word("__float2ull_rd");

/** An f32 as a u64, rounded up. */
export const __float2ull_ru: (x: number) => Long = word("__float2ull_ru");

/** An f64 as an i32, rounded to the nearest, halves to even. */
export const __double2int_rn: (x: number) => number = word("__double2int_rn");

/** An f64 as an i32, rounded towards zero. */
export const __double2int_rz: (x: number) => number = word("__double2int_rz");

/** An f64 as an i32, rounded down. */
export const __double2int_rd: (x: number) => number = word("__double2int_rd");

/** An f64 as an i32, rounded up. */
export const __double2int_ru: (x: number) => number = word("__double2int_ru");

/** An f64 as a u32, rounded to the nearest, halves to even. */
export const __double2uint_rn: (x: number) => number = word("__double2uint_rn");

/** An f64 as a u32, rounded towards zero. */
export const __double2uint_rz: (x: number) => number = word("__double2uint_rz");

/** An f64 as a u32, rounded down. */
export const __double2uint_rd: (x: number) => number = word("__double2uint_rd");

/** An f64 as a u32, rounded up. */
export const __double2uint_ru: (x: number) => number = word("__double2uint_ru");

/** An f64 as an i64, rounded to the nearest, halves to even. */
export const __double2ll_rn: (x: number) => Long = word("__double2ll_rn");

/** An f64 as an i64, rounded towards zero. */
export const __double2ll_rz: (x: number) => Long = word("__double2ll_rz");

/** An f64 as an i64, rounded down. */
export const __double2ll_rd: (x: number) => Long = word("__double2ll_rd");

/** An f64 as an i64, rounded up. */
export const __double2ll_ru: (x: number) => Long = word("__double2ll_ru");

/** An f64 as a u64, rounded to the nearest, halves to even. */
export const __double2ull_rn: (x: number) => Long = word("__double2ull_rn");

/** An f64 as a u64, rounded towards zero. */
export const __double2ull_rz: (x: number) => Long = word("__double2ull_rz");

/** An f64 as a u64, rounded down. */
export const __double2ull_rd: (x: number) => Long = word("__double2ull_rd");

/** An f64 as a u64, rounded up. */
export const __double2ull_ru: (x: number) => Long = word("__double2ull_ru");
