/** The meaning of a piece of kernel text while it is translated: a value of the machine, or a word of the language. */
import type { BuiltinName, PointerExpr, VariableExpr } from "../../../ir/ir.js";
import { cudaName, type ElementType, isVector } from "../../../ir/types.js";
import type { ChildKernel, DeviceDefinition } from "../../declare/definition.js";
import type { ScalarExpr, ValueExpr } from "./convert.js";

export interface PlainValue {
  readonly kind: "expr";
  readonly expr: ValueExpr;
}

/**
 * A pointer. `root` names the array it goes back to, for the check that a pointer variable stays in one array. `dims`
 * are the lengths of the dimensions after the first (`[33]` for a [32, 33] tile). `row` counts the elements that the indices
 * given so far skip.
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

/** Values by name: parameters, or constants and functions. */
export type Members = ReadonlyMap<string, Value>;

export function plain(expr: ValueExpr): PlainValue {
  return { kind: "expr", expr };
}

/** The name of a value in a message. */
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

/** The text to write instead of the value itself. */
export function cureFor(value: Exclude<Value, PlainValue>): string {
  switch (value.kind) {
    case "pointer":
      return "Index it: input[i].";
    case "type":
      return `Convert with it, ${isVector(value.type) ? `make_${cudaName(value.type)}` : value.type}(...), or name it where an array is made: shared(i32, 256).`;
    case "device":
      return `Call it: ${value.device.name}(...).`;
    case "child":
      return "Launch it: launch(child, { grid: 1, block: 128 }, { ...arguments }).";
    case "math":
      return `Call it: Math.${value.name}(...).`;
    case "group":
      return "Ask it for what is needed: .thread_rank(), .size(), .sync().";
    case "operator":
      return `Give it to a group's function: reduce(tile, x, ${value.operator.name}).`;
    case "namespace":
      return "Take one of its names: params.input, cuda.threadIdx, Math.PI.";
    case "dim3":
      return `Take one dimension: ${value.name}.x.`;
    case "builtin":
      return `Call it: ${value.name}(...).`;
    case "record":
      return `Take one of its parts: ${[...value.fields.keys()].map((name) => `.${name}`).join(" or ")}.`;
  }
}
