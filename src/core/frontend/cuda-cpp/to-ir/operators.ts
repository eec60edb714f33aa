/** Operators on scalars and pointers. clang has made all conversions explicit. */
import type { Span } from "../../../base/errors.js";
import type { ArithmeticOp, CompareOp, Expr } from "../../../ir/ir.js";
import { isFloat } from "../../../ir/types.js";
import { bitWidth, foldBinary, foldCompare } from "../../translate/values/fold.js";
import type { Node } from "../tree/node.js";
import type { CScalar } from "../tree/types.js";
import { integerOp, moved, pointerExpr, strideOf } from "./address.js";
import { converted, float, integer } from "./constants.js";
import type { Translation } from "./translation.js";
import { irScalar, rootKey, type Value } from "./values.js";

/** `left op right`, both of the type `type` (a shift's count is of any). */
export function arithmetic(op: ArithmeticOp, left: Expr, right: Expr, type: CScalar, span: Span): Expr {
  const scalar = irScalar(type);
  if (left.kind === "const" && right.kind === "const" && !left.unset && !right.unset) {
    // C++ defines no shift by the width or more: the machine decides.
    const isDefined = (op !== "shl" && op !== "shr") || Number(right.value) < bitWidth(scalar);
    const value = isDefined ? foldBinary(op, scalar, left.value, right.value) : null;
    if (value !== null) return { kind: "const", type: scalar, value, span };
  }
  return { kind: "binary", op, type: scalar, left, right, span };
}

/** A shift's count as the IR has it. */
export function shiftCount(value: Value & { kind: "scalar" }): Expr {
  return converted(value.expr, value.type, "u32");
}

export function compared(op: CompareOp, left: Expr, right: Expr, type: CScalar, span: Span): Expr {
  const operandType = irScalar(type);
  if (left.kind === "const" && right.kind === "const" && !isFloat(operandType) && !left.unset && !right.unset) {
    return integer("bool", foldCompare(op, BigInt(left.value), BigInt(right.value)) ? 1 : 0, span);
  }
  return { kind: "compare", op, type: "bool", operandType, left, right, span };
}

export function negated(expr: Expr, type: CScalar, span: Span): Expr {
  const scalar = irScalar(type);
  if (expr.kind === "const" && !expr.unset) {
    return isFloat(scalar)
      ? float(scalar as "f32", -Number(expr.value), span)
      : integer(scalar, -BigInt(expr.value), span);
  }
  return { kind: "unary", op: "neg", type: scalar, operand: expr, span };
}

export function complement(expr: Expr, type: CScalar, span: Span): Expr {
  const scalar = irScalar(type);
  if (expr.kind === "const" && !expr.unset) return integer(scalar, ~BigInt(expr.value), span);
  return { kind: "unary", op: "bitNot", type: scalar, operand: expr, span };
}

export function not(expr: Expr, span: Span): Expr {
  if (expr.kind === "const") return integer("bool", Number(expr.value) === 0 ? 1 : 0, span);
  return { kind: "unary", op: "not", type: "bool", operand: expr, span };
}

type Pointer = Value & { kind: "pointer" };

/** `pointer + count`, or `pointer - count`. */
export function shifted(t: Translation, pointer: Pointer, count: Expr, subtract: boolean, node: Node): Value {
  const span = t.span(node);
  const type = count.type as CScalar;
  const steps = subtract
    ? negated(type === "u32" ? converted(count, "u32", "i64") : count, type === "u32" ? "i64" : type, span)
    : count;
  return { ...pointer, address: moved(t, pointer.address, pointer.to, steps, node) };
}

function wideOffset(pointer: Pointer, span: Span): Expr {
  const { offset } = pointerExpr(pointer.address, span);
  if (offset === null) return integer("i64", 0, span);
  return converted(offset, offset.type as CScalar, "i64");
}

function sameArray(t: Translation, left: Pointer, right: Pointer, node: Node): void {
  if (rootKey(left.address.root) === rootKey(right.address.root)) return;
  t.refuse(
    node,
    "Two pointers are compared of which it is not known that they point into one array.",
    "Compare indices.",
  );
}

/**
 * A pointer of the IR always points somewhere, so its comparison with null is decided here. Its parameter is noted, since a
 * launch may give null for it. A variable that may be null is refused.
 */
export function comparedWithNull(t: Translation, pointer: Value, node: Node): void {
  if (pointer.kind === "pointer") {
    const { root } = pointer.address;
    if (root.kind === "param") t.tables.comparedWithNull.add(root.index);
    if (root.kind === "variable") t.tables.comparedWithNull.add("any");
  }
  if (!t.open.some((fn) => t.usageOf(fn).hasNull)) return;
  t.refuse(node, "A pointer that may be null is compared with null.", "Keep a bool beside the pointer, and ask that.");
}

/** The number of elements between two pointers. */
export function difference(t: Translation, left: Pointer, right: Pointer, node: Node): Expr {
  sameArray(t, left, right, node);
  const span = t.span(node);
  const stride = strideOf(t, left.to, node);
  const bytes = integerOp("sub", wideOffset(left, span), wideOffset(right, span), span);
  if (stride.count === 1) return bytes;
  return arithmetic("div", bytes, integer("i64", stride.count, span), "i64", span);
}

export function comparedPointers(t: Translation, op: CompareOp, left: Value, right: Value, node: Node): Expr {
  const span = t.span(node);
  if (left.kind === "pointer" && right.kind === "pointer") {
    sameArray(t, left, right, node);
    return compared(op, wideOffset(left, span), wideOffset(right, span), "i64", span);
  }
  comparedWithNull(t, left, node);
  comparedWithNull(t, right, node);
  // No array of the device lies at address 0.
  if (left.kind === "null" && right.kind === "null") return integer("bool", op === "eq" ? 1 : 0, span);
  return integer("bool", op === "ne" || (op === "gt" && right.kind === "null") ? 1 : 0, span);
}
