/** Short vectors of 8 and 16 bits, such as uchar4: nvcc loads and stores them as one word. */
import type { Expr } from "../../../ir/ir.js";
import { narrowed } from "../../../ir/narrowed.js";
import { byteSize, isNarrow, type Narrow } from "../../../ir/types.js";
import { vectorOf } from "../tree/layout.js";
import type { Node } from "../tree/node.js";
import type { CType } from "../tree/types.js";
import { accessOf } from "./address.js";
import { integer } from "./constants.js";
import type { Translation } from "./translation.js";
import type { Address } from "./values.js";

interface Packed {
  readonly scalar: Narrow;
  readonly lanes: number;
  /** The word that holds the vector. */
  readonly word: "u16" | "u32";
}

/** A vector of 2 or 4 bytes, and its word; null for other types. */
export function packedVector(type: CType): Packed | null {
  const vector = type.kind === "record" ? vectorOf(type.name) : null;
  if (vector === null || (vector.lanes !== 2 && vector.lanes !== 4)) return null;
  const { scalar, lanes } = vector;
  if (scalar === "bool" || !isNarrow(scalar)) return null;
  const bytes = byteSize(scalar) * lanes;
  return bytes > 4 ? null : { scalar, lanes, word: bytes === 2 ? "u16" : "u32" };
}

const asInt = (expr: Expr): Expr =>
  expr.type === "i32" ? expr : { kind: "convert", type: "i32", operand: expr, span: expr.span };

/** The components of the vector at an address; each is an i32. */
export function unpacked(t: Translation, from: Address, { scalar, lanes, word }: Packed, node: Node): readonly Expr[] {
  const span = t.span(node);
  const { pointer, index } = accessOf(t, from, word, node);
  const type = word === "u16" ? "i32" : "u32";
  const held = asInt(t.hold("word", { kind: "load", type, pointer, index, span }, type));
  return Array.from({ length: lanes }, (_, lane) => {
    const count = integer("u32", 8 * byteSize(scalar) * lane, span);
    const part: Expr = lane === 0 ? held : { kind: "binary", op: "shr", type: "i32", left: held, right: count, span };
    return t.hold("part", narrowed(part, scalar), "i32");
  });
}

/** Stores the vector of components, each an i32 that is in its range. */
export function storePacked(
  t: Translation,
  to: Address,
  { scalar, word }: Packed,
  parts: readonly Expr[],
  node: Node,
): void {
  const span = t.span(node);
  const unsigned = scalar === "i8" ? "u8" : scalar === "i16" ? "u16" : scalar;
  const joined = parts
    .map((part, lane): Expr => {
      const bits = narrowed(part, unsigned);
      const count = integer("u32", 8 * byteSize(scalar) * lane, span);
      return lane === 0 ? bits : { kind: "binary", op: "shl", type: "i32", left: bits, right: count, span };
    })
    .reduce((left, right): Expr => ({ kind: "binary", op: "or", type: "i32", left, right, span }));
  const { pointer, index } = accessOf(t, to, word, node);
  const value: Expr =
    word === "u16" ? narrowed(joined, "u16") : { kind: "convert", type: "u32", operand: joined, span };
  t.emit({ kind: "store", pointer, index, value, compound: false, span });
}
