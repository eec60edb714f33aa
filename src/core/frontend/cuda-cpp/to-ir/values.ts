/** An expression of C++ while it is translated: a value, or a place that holds one. */
import type { Span } from "../../../base/errors.js";
import type { BuiltinName, Expr, PointerRoot } from "../../../ir/ir.js";
import type { ElementType, Scalar, Space, VectorType } from "../../../ir/types.js";
import { vectorOf } from "../tree/layout.js";
import type { CScalar, CType } from "../tree/types.js";

/** A place in memory: the root, how far it is moved (`offset`) and an index from there, both in elements of `element`. */
export interface Address {
  readonly root: PointerRoot;
  readonly space: Space;
  readonly volatile: boolean;
  readonly element: ElementType;
  readonly offset: Expr | null;
  readonly index: Expr | null;
}

export type Value =
  | { readonly kind: "scalar"; readonly expr: Expr; readonly type: CScalar }
  | { readonly kind: "vector"; readonly expr: Expr; readonly type: VectorType }
  | { readonly kind: "pointer"; readonly address: Address; readonly to: CType }
  | { readonly kind: "record"; readonly address: Address; readonly name: string }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "null" }
  | { readonly kind: "void" };

export type Location =
  /** A variable of the IR, or one component of it. */
  | {
      readonly kind: "slot";
      readonly variable: number;
      readonly type: Scalar | VectorType;
      readonly scalar: CScalar;
      readonly component: 0 | 1 | 2 | 3 | null;
    }
  | { readonly kind: "memory"; readonly address: Address; readonly type: CType }
  | { readonly kind: "pointer"; readonly holder: PointerHolder }
  /** A value that never changes: a parameter that is only read, a temporary. */
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "builtin"; readonly name: BuiltinName }
  /** A struct of which each field has a place of its own: a parameter that holds pointers. */
  | { readonly kind: "fields"; readonly record: string; readonly fields: ReadonlyMap<string, Location> }
  /** One of two places, by a condition that is found already. */
  | { readonly kind: "choice"; readonly condition: Expr; readonly yes: Location; readonly no: Location };

/** A pointer variable. Its root is known once it is first given a value. */
export interface PointerHolder {
  readonly name: string;
  readonly to: CType;
  readonly span: Span;
  /** The IR's variable: a pointer, or the index from the root (`asIndex`). */
  variable: number | null;
  asIndex: boolean;
  address: Address | null;
  /** Adds the declaration where the variable was declared without a value. */
  declareLater: ((pointer: Expr) => void) | null;
}

export function irScalar(type: CScalar): Scalar {
  switch (type) {
    case "i8":
    case "u8":
    case "i16":
    case "u16":
      return "i32";
    default:
      return type;
  }
}

/** The IR's vector type of a record of CUDA, such as float4; null for records that are none. */
export function irVector(name: string): VectorType | null {
  const vector = vectorOf(name);
  if (vector === null || (vector.lanes !== 2 && vector.lanes !== 4)) return null;
  const scalar = vector.scalar;
  const wide = scalar === "f64" || scalar === "i64" || scalar === "u64";
  if (scalar === "i8" || scalar === "u8" || scalar === "i16" || scalar === "u16" || scalar === "bool") return null;
  return wide && vector.lanes === 4 ? null : { scalar, lanes: vector.lanes };
}

export function rootKey(root: PointerRoot): string {
  return root.kind === "param"
    ? `param ${root.index}`
    : root.kind === "variable"
      ? `variable ${root.variable}`
      : `${root.kind} ${root.array}`;
}

export type CallResult =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "location"; readonly location: Location };
