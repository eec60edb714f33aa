/**
 * Conversions between the scalar types. Float to integer rounds towards zero and saturates. NaN gives 0, but where
 * source or destination has 64 bits it gives the destination's top bit alone (PTX ISA, cvt; measured on an H200).
 * Integer to integer keeps the low bits; integer to float rounds once, to nearest even.
 */
import type { Scalar } from "../../ir/types.js";

export function floatToI32(a: number): number {
  if (Number.isNaN(a)) return 0;
  return a >= 2147483647 ? 2147483647 : a <= -2147483648 ? -2147483648 : Math.trunc(a) | 0;
}
export function floatToU32(a: number): number {
  if (Number.isNaN(a)) return 0;
  return a >= 4294967295 ? 4294967295 : a <= 0 ? 0 : Math.trunc(a);
}
export function floatToI64(a: number): bigint {
  if (Number.isNaN(a)) return -(1n << 63n);
  if (a >= 2 ** 63) return (1n << 63n) - 1n;
  return a <= -(2 ** 63) ? -(1n << 63n) : BigInt(Math.trunc(a));
}
export function floatToU64(a: number): bigint {
  if (Number.isNaN(a)) return 1n << 63n;
  if (a >= 2 ** 64) return (1n << 64n) - 1n;
  return a <= 0 ? 0n : BigInt(Math.trunc(a));
}

/** Rounds once: through a double with the lost bits kept in its last one ("sticky"). */
export function int64ToF32(a: bigint): number {
  const magnitude = a < 0n ? -a : a;
  if (magnitude < 1n << 53n) return Math.fround(Number(a));
  const sticky = (magnitude & 0xfffn) === 0n ? 0n : 1n;
  const rounded = Math.fround(Number((magnitude >> 12n) | sticky) * 4096);
  return a < 0n ? -rounded : rounded;
}

/** Converts a value of type `from` to type `to`. A bool is 0 or 1; everything but 0 converts to 1, NaN too. */
export function convert(value: number | bigint, from: Scalar, to: Scalar): number | bigint {
  // `from` decides whether the value is a number or a bigint, which the compiler cannot follow.
  return converter(from, to)(value as never);
}

/** The function that converts one value. Its argument is a bigint for i64 and u64, else a number; so is its result. */
export function converter(from: Scalar, to: Scalar): Converter {
  if (from === to) return (a: never) => a;
  const wide = from === "i64" || from === "u64";
  const float = from === "f32" || from === "f64";
  switch (to) {
    case "bool":
      return wide ? (a: bigint) => (a === 0n ? 0 : 1) : (a: number) => (a === 0 ? 0 : 1);
    case "i32":
      if (wide) return (a: bigint) => Number(BigInt.asIntN(32, a));
      if (from === "f64") return (a: number) => (Number.isNaN(a) ? -2147483648 : floatToI32(a));
      return float ? floatToI32 : (a: number) => a | 0;
    case "u32":
      if (wide) return (a: bigint) => Number(BigInt.asUintN(32, a));
      if (from === "f64") return (a: number) => (Number.isNaN(a) ? 2147483648 : floatToU32(a));
      return float ? floatToU32 : (a: number) => a >>> 0;
    case "i64":
      if (wide) return (a: bigint) => BigInt.asIntN(64, a);
      return float ? floatToI64 : (a: number) => BigInt(a);
    case "u64":
      if (wide) return (a: bigint) => BigInt.asUintN(64, a);
      return float ? floatToU64 : (a: number) => BigInt.asUintN(64, BigInt(a));
    case "f32":
      return wide ? int64ToF32 : (a: number) => Math.fround(a);
    case "f64":
      return wide ? (a: bigint) => Number(a) : (a: number) => a;
  }
}

export type Converter =
  | ((a: number) => number)
  | ((a: number) => bigint)
  | ((a: bigint) => number)
  | ((a: bigint) => bigint)
  | ((a: never) => never);
