/** Addresses: how pointers and places in memory become roots with offsets and indices of the IR. */
import type { Span } from "../../../base/errors.js";
import type { ArithmeticOp, ConstExpr, Expr, PointerExpr } from "../../../ir/ir.js";
import { byteSize, type ElementType, type Scalar } from "../../../ir/types.js";
import type { Node } from "../tree/node.js";
import type { CType } from "../tree/types.js";
import { integer, isZero } from "./constants.js";
import type { Translation } from "./translation.js";
import { type Address, irVector } from "./values.js";

/** The element that a type is read and written as; null for records and arrays, which have several. */
export function elementOf(type: CType): ElementType | null {
  if (type.kind === "scalar") {
    return type.scalar === "bool" ? "u8" : type.scalar;
  }
  if (type.kind === "record") return irVector(type.name);
  return null;
}

/** An element of the alignment's size, to count a record's memory in. */
function elementOfSize(bytes: number): ElementType {
  if (bytes < 4) return bytes === 1 ? "u8" : "u16";
  return bytes >= 16 ? { scalar: "i32", lanes: 4 } : bytes === 8 ? "i64" : "i32";
}

/** How memory that holds `type` is counted: the element, and how many of them one takes. */
export function strideOf(
  t: Translation,
  type: CType,
  node: Node,
): { readonly element: ElementType; readonly count: number } {
  if (type.kind === "array") {
    const inner = strideOf(t, type.of, node);
    return { element: inner.element, count: inner.count * (type.length ?? 1) };
  }
  refusePointer(t, type, node);
  const element = elementOf(type);
  if (element !== null) return { element, count: 1 };
  if (type.kind !== "record") return { element: "i32", count: 1 };
  const layout = t.unit.layout(type.name);
  if (layout === null) {
    return t.refuse(
      node,
      `The layout of ${type.name} is not known here.`,
      "Use a struct of plain numbers, without bit fields.",
    );
  }
  for (const field of layout.fields) refusePointer(t, field.type.kind === "array" ? field.type.of : field.type, node);
  const scalars = new Set(
    layout.fields.map((field) => elementOf(field.type.kind === "array" ? field.type.of : field.type)),
  );
  const [only] = scalars;
  const own = scalars.size === 1 && only !== null && only !== undefined ? only : elementOfSize(layout.align);
  return { element: own, count: layout.size / byteSize(own) };
}

function refusePointer(t: Translation, type: CType, node: Node): void {
  if (type.kind === "pointer") {
    t.refuse(
      node,
      "A pointer is stored in memory.",
      "Give the kernel each array as a parameter of its own, or keep indices.",
    );
  }
}

const typeOfIndex = (expr: Expr): Scalar => expr.type as Scalar;

function sameInteger(left: Expr, right: Expr): readonly [Expr, Expr, Scalar] {
  const [a, b] = [typeOfIndex(left), typeOfIndex(right)];
  if (a === b) return [left, right, a];
  if (left.kind === "const") return [integer(b, BigInt(left.value), left.span), right, b];
  if (right.kind === "const") return [left, integer(a, BigInt(right.value), right.span), a];
  const wide = (expr: Expr): Expr =>
    typeOfIndex(expr) === "i64" ? expr : { kind: "convert", type: "i64", operand: expr, span: expr.span };
  return [wide(left), wide(right), "i64"];
}

function folded(op: "add" | "sub" | "mul", left: ConstExpr, right: ConstExpr, type: Scalar, span: Span): Expr {
  const [a, b] = [BigInt(left.value), BigInt(right.value)];
  return integer(type, op === "add" ? a + b : op === "sub" ? a - b : a * b, span);
}

export function integerOp(op: ArithmeticOp & ("add" | "sub" | "mul"), one: Expr, other: Expr, span: Span): Expr {
  const [left, right, type] = sameInteger(one, other);
  if (left.kind === "const" && right.kind === "const") return folded(op, left, right, type, span);
  if (op !== "mul" && isZero(right)) return left;
  if (op === "add" && isZero(left)) return right;
  if (op === "mul" && right.kind === "const" && Number(right.value) === 1) return left;
  return { kind: "binary", op, type, left, right, span };
}

/** The sum of two indices that count from one pointer: each is widened by itself, as pointers have 64 bits. */
function sumOfIndices(one: Expr | null, other: Expr, space: Address["space"], span: Span): Expr {
  if (one === null) return other;
  if (space === "global" && one.kind !== "const" && other.kind !== "const") {
    const wide = (expr: Expr): Expr =>
      typeOfIndex(expr) === "i64" || typeOfIndex(expr) === "u64"
        ? expr
        : { kind: "convert", type: "i64", operand: expr, span: expr.span };
    return integerOp("add", wide(one), wide(other), span);
  }
  const mixed = (a: Expr, b: Expr): boolean =>
    a.kind !== "const" && typeOfIndex(a) === "i32" && typeOfIndex(b) === "u32";
  if (space !== "global" && (mixed(one, other) || mixed(other, one))) {
    // Addresses of shared and local memory wrap at 32 bits, so that the sign makes no difference.
    const unsigned = (expr: Expr): Expr =>
      typeOfIndex(expr) === "u32" ? expr : { kind: "convert", type: "u32", operand: expr, span: expr.span };
    return integerOp("add", unsigned(one), unsigned(other), span);
  }
  return integerOp("add", one, other, span);
}

/** Counts the address in smaller or larger elements. */
export function inElements(t: Translation, address: Address, element: ElementType, node: Node): Address {
  const [from, to] = [byteSize(address.element), byteSize(element)];
  if (from === to) return { ...address, element };
  if (address.offset === null && address.index === null) return { ...address, element };
  const span = t.span(node);
  if (from > to) {
    const times = integer("i32", from / to, span);
    const scaled = (expr: Expr | null): Expr | null => (expr === null ? null : integerOp("mul", expr, times, span));
    return { ...address, element, offset: scaled(address.offset), index: scaled(address.index) };
  }
  const ratio = to / from;
  const exact = (expr: Expr | null): boolean =>
    expr === null || (expr.kind === "const" && Number(expr.value) % ratio === 0);
  if (exact(address.offset) && exact(address.index)) {
    const divided = (expr: Expr | null): Expr | null =>
      expr === null || expr.kind !== "const"
        ? null
        : integer(typeOfIndex(expr), BigInt(Number(expr.value) / ratio), span);
    return { ...address, element, offset: divided(address.offset), index: divided(address.index) };
  }
  const pointer = pointerExpr(address, span);
  const variable = t.variable("moved", pointer.type, span);
  t.emit({ kind: "declare", variable, value: pointer, span });
  return { ...address, root: { kind: "variable", variable }, element, offset: null, index: null };
}

/** `address + count` in units of `type`. */
export function moved(t: Translation, address: Address, type: CType, count: Expr, node: Node): Address {
  const stride = strideOf(t, type, node);
  const own = inElements(t, address, stride.element, node);
  const span = t.span(node);
  const steps = stride.count === 1 ? count : integerOp("mul", count, integer("i32", stride.count, span), span);
  return { ...own, index: sumOfIndices(own.index, steps, own.space, span) };
}

/** The place `bytes` behind an address. */
export function movedBytes(t: Translation, address: Address, bytes: number, element: ElementType, node: Node): Address {
  const span = t.span(node);
  const smaller = byteSize(element) < byteSize(address.element) ? element : address.element;
  const size = byteSize(smaller);
  const own = inElements(t, address, smaller, node);
  if (bytes === 0) return own;
  return { ...own, index: sumOfIndices(own.index, integer("i32", bytes / size, span), "shared", span) };
}

/** The address as a pointer of the IR. */
export function pointerExpr(address: Address, span: Span): PointerExpr {
  const { element, space, volatile, root } = address;
  const offset =
    address.offset === null
      ? address.index
      : address.index === null
        ? address.offset
        : sumOfIndices(address.offset, address.index, space, span);
  const useful = offset !== null && isZero(offset) ? null : offset;
  return { kind: "pointer", type: { pointer: element, space, volatile }, root, offset: useful, span };
}

/** Pointer and index of an access to one element. */
export function accessOf(
  t: Translation,
  address: Address,
  element: ElementType,
  node: Node,
): { readonly pointer: PointerExpr; readonly index: Expr } {
  const own = inElements(t, address, element, node);
  const span = t.span(node);
  const type = { pointer: element, space: own.space, volatile: own.volatile };
  const offset = own.offset !== null && isZero(own.offset) ? null : own.offset;
  return {
    pointer: { kind: "pointer", type, root: own.root, offset, span },
    index: own.index ?? integer("i32", 0, span),
  };
}
