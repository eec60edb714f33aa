/** Predicates on integer types and constants. */
import type { RegisterType } from "../program.js";

export function isInteger32(type: RegisterType): type is "i32" | "u32" {
  return type === "i32" || type === "u32";
}

export function isInteger64(type: RegisterType): type is "i64" | "u64" {
  return type === "i64" || type === "u64";
}

export function isIntegerType(type: RegisterType): type is "i32" | "u32" | "i64" | "u64" {
  return isInteger32(type) || isInteger64(type);
}

/** k where `constant` is 2^k, else -1. */
export function powerOfTwo(constant: number | bigint): number {
  const value = BigInt(constant);
  if (value <= 0n || (value & (value - 1n)) !== 0n) return -1;
  return value.toString(2).length - 1;
}
