/** Constants and conversions of scalars, folded where both sides are known. */
import type { Span } from "../../../base/errors.js";
import type { ConstExpr, Expr } from "../../../ir/ir.js";
import { narrowed } from "../../../ir/narrowed.js";
import { isNarrow, type Scalar } from "../../../ir/types.js";
import { constant } from "../../translate/values/fold.js";
import type { CScalar } from "../tree/types.js";
import { irScalar } from "./values.js";

/** An integer as a constant of a type, wrapped as C++ does. */
export function integer(type: Scalar, value: bigint | number, span: Span): ConstExpr {
  return constant(type, BigInt(value), span);
}

export function float(type: "f32" | "f64", value: number, span: Span): ConstExpr {
  return constant(type, value, span, type);
}

/** Brings an i32 into the range of a type: C++ keeps the low bits. */
export function inRange(expr: Expr, type: CScalar): Expr {
  return type !== "bool" && isNarrow(type) ? narrowed(expr, type) : expr;
}

/** Converts a scalar of C++ to another. */
export function converted(expr: Expr, from: CScalar, to: CScalar): Expr {
  if (from === to) return expr;
  const [source, target] = [irScalar(from), irScalar(to)];
  const narrow = isNarrow(to);
  if (source === target) return inRange(expr, to);
  if (
    narrow &&
    to !== from &&
    (source === "f32" || source === "f64" || source === "i64" || source === "u64" || source === "u32")
  ) {
    return narrowed(plain(expr, source, "i32"), to);
  }
  return plain(expr, source, target);
}

function plain(expr: Expr, source: Scalar, target: Scalar): Expr {
  if (source === target) return expr;
  if (expr.kind === "const") {
    const folded = folding(expr, source, target);
    if (folded !== null) return folded;
  }
  return { kind: "convert", type: target, operand: expr, span: expr.span };
}

function folding(expr: ConstExpr, source: Scalar, target: Scalar): Expr | null {
  const { value, span } = expr;
  if (expr.unset) return null;
  if (target === "f32" || target === "f64") return float(target, Number(value), span);
  if (source === "f32" || source === "f64") {
    const whole = Math.trunc(Number(value));
    if (!Number.isFinite(whole) || Math.abs(whole) >= 2 ** 31) return null;
    if (target === "bool") return integer("bool", Number(value) === 0 ? 0 : 1, span);
    return target === "u32" && whole < 0 ? null : integer(target, whole, span);
  }
  return integer(target, BigInt(value), span);
}

export function isZero(expr: Expr): boolean {
  return expr.kind === "const" && Number(expr.value) === 0;
}
