/** x < low ? low : min(x, high) becomes max(low, min(x, high)) where low <= high (LLVM's InstCombine). */

import { INVERTED } from "../../ssa/constant-folding.js";
import { isInteger32 } from "../../ssa/integer-types.js";
import { type IfNode, resolve, type Value } from "../../ssa/ssa.js";

const MOST_SIGNED = 0x7fffffff;

export interface Clamp {
  readonly value: Value;
  readonly inner: "min" | "max";
  readonly outer: "min" | "max";
  /** The constants of both bounds. */
  readonly limit: number;
  readonly bound: number;
}

export function clampOf(node: IfNode): Clamp | null {
  const test = resolve(node.condition).def;
  if (node.results.length !== 1 || test?.op !== "setp" || test.mods.sourceType !== "i32") return null;
  const first = node.then.nodes.length === 0;
  const [fixed, other] = first ? [node.then, node.else] : [node.else, node.then];
  const [inner] = other.nodes;
  if (fixed.nodes.length > 0 || other.nodes.length !== 1 || inner?.kind !== "inst") return null;
  if ((inner.op !== "min" && inner.op !== "max") || resolve(other.end.values[0]!) !== inner.results[0]) return null;
  const [value, limit] = inner.operands.map(resolve) as [Value, Value];
  const [tested, by] = test.operands.map(resolve) as [Value, Value];
  const bound = resolve(fixed.end.values[0]!).constant;
  // If the value is known to be non-negative, the bound may be unsigned.
  if (tested !== value || typeof bound !== "number" || typeof limit.constant !== "number") return null;
  if (by.constant !== bound || !isInteger32(inner.type) || limit.constant > MOST_SIGNED) return null;
  const compare = first ? test.mods.compare! : INVERTED[test.mods.compare!];
  const below = compare === "lt" || compare === "le";
  const above = compare === "gt" || compare === "ge";
  const clamps = inner.op === "min" ? below && bound <= limit.constant : above && bound >= limit.constant;
  if (!clamps) return null;
  return { value, inner: inner.op, outer: inner.op === "min" ? "max" : "min", limit: limit.constant, bound };
}
