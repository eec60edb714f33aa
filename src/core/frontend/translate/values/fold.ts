/**
 * Arithmetic on constants at compile time, with CUDA's meaning: int32 wraps, and float32 rounds at each step. A conversion
 * from float to integer truncates, saturates and makes 0 of NaN (CUDA C++ Programming Guide; PTX ISA, cvt).
 */
import type { Span } from "../../../base/errors.js";
import type { ArithmeticOp, CompareOp, ConstExpr, Expr } from "../../../ir/ir.js";
import { isFloat, type Scalar } from "../../../ir/types.js";

export type ConstantValue = number | bigint;

/** The exact value of a literal without a fixed type: `0.1` is an f32, but next to an f64 it is the double 0.1. */
const exactLiterals = new WeakMap<ConstExpr, number>();

/** A constant of `type`; `from` is the type of `value` where that was a float. */
export function constant(type: Scalar, value: ConstantValue, span: Span, from: Scalar = "i64"): ConstExpr {
  return { kind: "const", type, value: convertConstant(value, type, from), span };
}

/** A constant written without a type: it takes the precision of what it meets. */
export function literal(type: "i32" | "u32" | "f32", value: number, span: Span): ConstExpr {
  const made = constant(type, value, span);
  exactLiterals.set(made, value);
  return made;
}

export function exactValue(expr: Expr): number | undefined {
  return expr.kind === "const" ? exactLiterals.get(expr) : undefined;
}

export function isConst(expr: Expr): expr is ConstExpr {
  return expr.kind === "const";
}

function saturate(value: number, low: number, high: number): number {
  if (Number.isNaN(value)) return 0;
  // An integer has no -0.
  return Math.min(high, Math.max(low, Math.trunc(value))) + 0;
}

function saturateBig(value: number, low: bigint, high: bigint): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= Number(high)) return high;
  if (value <= Number(low)) return low;
  return BigInt(Math.trunc(value));
}

/** `value` of type `from` as `type`. Integers wrap; floats truncate, saturate, and NaN gives 0 (PTX ISA, cvt). */
export function convertConstant(value: ConstantValue, type: Scalar, from: Scalar = "i64"): ConstantValue {
  const integral = typeof value === "bigint" || (!isFloat(from) && Number.isSafeInteger(value));
  switch (type) {
    case "bool":
      return value === 0 || value === 0n ? 0 : 1;
    case "i32":
      if (integral) return Number(BigInt.asIntN(32, BigInt(value)));
      return saturate(Number(value), -(2 ** 31), 2 ** 31 - 1);
    case "u32":
      if (integral) return Number(BigInt.asUintN(32, BigInt(value)));
      return saturate(Number(value), 0, 2 ** 32 - 1);
    case "i64":
      if (integral) return BigInt.asIntN(64, BigInt(value));
      return saturateBig(Number(value), -(2n ** 63n), 2n ** 63n - 1n);
    case "u64":
      if (integral) return BigInt.asUintN(64, BigInt(value));
      return saturateBig(Number(value), 0n, 2n ** 64n - 1n);
    case "f32":
      return Math.fround(Number(value));
    case "f64":
      return Number(value);
  }
}

function foldBig(op: ArithmeticOp, a: bigint, b: bigint): bigint | null {
  switch (op) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "div":
      return b === 0n ? null : a / b;
    case "rem":
      return b === 0n ? null : a % b;
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    default:
      return null;
  }
}

function foldFloat(op: ArithmeticOp, a: number, b: number): number | null {
  switch (op) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "div":
      return a / b;
    default:
      return null;
  }
}

/** Width of an integer type in bits. */
export function bitWidth(type: Scalar): number {
  return type === "i64" || type === "u64" ? 64 : 32;
}

/** Null where the operation has no value at compile time (a division by zero). Operands are of `type`. */
export function foldBinary(op: ArithmeticOp, type: Scalar, a: ConstantValue, b: ConstantValue): ConstantValue | null {
  if (isFloat(type)) {
    const result = foldFloat(op, Number(a), Number(b));
    return result === null ? null : convertConstant(result, type);
  }
  if (op === "shl" || op === "shr") {
    const count = BigInt(b);
    const width = BigInt(bitWidth(type));
    const moved =
      op === "shl" ? (count >= width ? 0n : BigInt(a) << count) : BigInt(a) >> (count >= width ? width : count);
    return convertConstant(moved, type);
  }
  const result = foldBig(op, BigInt(a), BigInt(b));
  return result === null ? null : convertConstant(result, type);
}

export function foldCompare(op: CompareOp, a: ConstantValue, b: ConstantValue): boolean {
  switch (op) {
    case "eq":
      return a === b;
    case "ne":
      return a !== b;
    case "lt":
      return a < b;
    case "le":
      return a <= b;
    case "gt":
      return a > b;
    case "ge":
      return a >= b;
  }
}
