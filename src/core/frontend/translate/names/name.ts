/** A name in an expression: a variable, a parameter, or a word of the language. */
import type { Expression } from "acorn";
import type { Translator } from "../translator.js";
import { exactValue, literal } from "../values/fold.js";
import { plain, type Value } from "../values/value.js";
import { freeName } from "./free-name.js";

export function namedValue(t: Translator, name: string, node: Expression): Value {
  const binding = t.scope.find(name);
  if (binding !== undefined) return placed(t, binding.value, node);
  if (name === "Math") return { kind: "namespace", name: "Math" };
  if (name === "NaN" || name === "Infinity") {
    return plain(literal("f32", name === "NaN" ? Number.NaN : Number.POSITIVE_INFINITY, t.span(node)));
  }
  return freeName(t, name, node);
}

/** A name's value at the place where it is used. */
export function placed(t: Translator, value: Value, node: { readonly start: number; readonly end: number }): Value {
  const span = t.span(node);
  if (value.kind === "pointer") return { ...value, expr: { ...value.expr, span } };
  if (value.kind !== "expr") return value;
  const exact = exactValue(value.expr);
  if (exact === undefined || value.expr.kind !== "const") return plain({ ...value.expr, span });
  return plain(literal(value.expr.type === "f32" ? "f32" : value.expr.type === "u32" ? "u32" : "i32", exact, span));
}
