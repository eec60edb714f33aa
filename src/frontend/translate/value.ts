/** What a piece of kernel text can stand for while it is translated: a value of the machine, or a word of the language. */
import type { BuiltinName, PointerExpr, VariableExpr } from "../../ir/ir.js";
import type { ElementType } from "../../ir/types.js";
import type { ChildKernel, DeviceDefinition } from "../declare/definition.js";
import type { ScalarExpr, ValueExpr } from "./convert.js";

export interface PlainValue {
  readonly kind: "expr";
  readonly expr: ValueExpr;
}

/**
 * A pointer. `root` names the array it goes back to, for the check that a pointer variable stays in one array. `dims`
 * are the lengths of the dimensions behind the first (`[33]` for a [32, 33] tile), `row` the elements skipped by the
 * indices given so far.
 */
export interface PointerValue {
  readonly kind: "pointer";
  readonly expr: PointerExpr;
  readonly root: string;
  readonly dims: readonly number[];
  readonly row: ScalarExpr | null;
}

/** Cooperative groups exist at compile time only. */
export type Group =
  | { readonly kind: "block" }
  | { readonly kind: "grid" }
  /** `parentSize`: threads of the tile that it was split from; null where that was the block. */
  | { readonly kind: "tile"; readonly size: number; readonly parentSize: number | null }
  | { readonly kind: "coalesced"; readonly mask: VariableExpr & { readonly type: "u32" } };

/** An operator of a group's reduce or scan. */
export interface GroupOperator {
  readonly name: "plus" | "less" | "greater" | "bit_and" | "bit_or" | "bit_xor";
}

export type NamespaceName = "params" | "cuda" | "constants" | "Math";

export type Value =
  | PlainValue
  | PointerValue
  | { readonly kind: "dim3"; readonly name: BuiltinName }
  | { readonly kind: "builtin"; readonly name: string }
  | { readonly kind: "math"; readonly name: string }
  | { readonly kind: "type"; readonly type: ElementType }
  | { readonly kind: "namespace"; readonly name: NamespaceName }
  | { readonly kind: "device"; readonly device: DeviceDefinition }
  | { readonly kind: "child"; readonly kernel: ChildKernel | "self" }
  | { readonly kind: "group"; readonly group: Group }
  | { readonly kind: "operator"; readonly operator: GroupOperator }
  | { readonly kind: "record"; readonly fields: ReadonlyMap<string, Value> };

export function plain(expr: ValueExpr): PlainValue {
  return { kind: "expr", expr };
}

/** What a value is called in a message. */
export function describe(value: Value): string {
  switch (value.kind) {
    case "expr":
      return value.expr.type === "void" ? "a call without a value" : "a value";
    case "pointer":
      return "an array";
    case "dim3":
      return `${value.name} (it has .x, .y and .z)`;
    case "builtin":
      return `the function ${value.name}`;
    case "math":
      return `Math.${value.name}`;
    case "type":
      return "a type";
    case "namespace":
      return `the whole of the kernel's ${value.name}`;
    case "device":
      return `the device function ${value.device.name}`;
    case "child":
      return "a kernel";
    case "group":
      return `a cooperative group (${value.group.kind})`;
    case "operator":
      return `the operator ${value.operator.name}`;
    case "record":
      return `a result with ${[...value.fields.keys()].join(" and ")}`;
  }
}
