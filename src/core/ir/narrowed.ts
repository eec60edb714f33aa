/** A value brought into the range of a type of 8 or 16 bits, which keeps its low bits. */
import type { ConstExpr, Expr } from "./ir.js";
import { byteSize, type Narrow } from "./types.js";

/** `expr` is an i32. */
export function narrowed<E extends Expr>(expr: E, type: Narrow): E | (Expr & { readonly kind: "const" | "binary" }) {
  const bits = 8 * byteSize(type);
  const signed = type === "i8" || type === "i16";
  const { span } = expr;
  const constant = (of: "i32" | "u32", value: number): ConstExpr => ({ kind: "const", type: of, value, span });
  if (expr.kind === "const") {
    const value = BigInt(Math.trunc(Number(expr.value)));
    return { ...expr, value: Number(signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) };
  }
  if (!signed) {
    return { kind: "binary", op: "and", type: "i32", left: expr, right: constant("i32", 2 ** bits - 1), span };
  }
  const count = constant("u32", 32 - bits);
  return {
    kind: "binary",
    op: "shr",
    type: "i32",
    left: { kind: "binary", op: "shl", type: "i32", left: expr, right: count, span },
    right: count,
    span,
  };
}
