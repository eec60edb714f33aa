/** Facts about a loop's parameters and results: invariant, equal, or non-negative. */

import { isInteger32 } from "../ssa/integer-types.js";
import { type LoopNode, replace, resolve, type Value } from "../ssa/ssa.js";
import { type Facts, shownNotNegative } from "../ssa/value-tracking.js";

/** Merges results that always have the same value. */
export function dropEqualResults(node: LoopNode): void {
  const first = new Map<Value, Value>();
  const kept = node.results
    .map((_, i) => i)
    .filter((i) => {
      const exit = node.exits[i]!;
      const same = first.get(exit);
      if (same === undefined) {
        first.set(exit, node.results[i]!);
        return true;
      }
      replace(node.results[i]!, same);
      return false;
    });
  node.results = kept.map((i) => node.results[i]!);
  node.exits = kept.map((i) => node.exits[i]!);
}

/** Replaces a parameter that keeps its initial value by that value. */
export function dropSteadyParams(node: LoopNode): void {
  const kept: number[] = [];
  node.params.forEach((param, i) => {
    const init = resolve(node.inits[i]!);
    const next = resolve(node.nexts[i]!);
    const same = kept.find((j) => resolve(node.inits[j]!) === init && resolve(node.nexts[j]!) === next);
    if (next === param || next === init) replace(param, init);
    else if (same !== undefined) replace(param, node.params[same]!);
    else kept.push(i);
  });
  if (kept.length === node.params.length) return;
  node.params = kept.map((i) => node.params[i]!);
  node.inits = kept.map((i) => node.inits[i]!);
  node.nexts = kept.map((i) => node.nexts[i]!);
}

/**
 * Parameters that are never negative. The initial value is known to be non-negative. The next value is non-negative
 * by induction, or because the loop continues only while it is.
 */
export function shownParams(node: LoopNode, facts: Facts): Value[] {
  const result: Value[] = [];
  node.params.forEach((param, i) => {
    if (param.type !== "i32" || !facts.notNegative(node.inits[i]!)) return;
    const next = resolve(node.nexts[i]!);
    const byTest = node.condition === null ? [] : shownNotNegative(node.condition, true);
    if (byTest.includes(next)) {
      result.push(param);
      return;
    }
    // NVVM follows sums and shifts around a loop, but not divisions.
    if (next.def?.op === "div") return;
    facts.assume(param);
    const stays = facts.notNegative(next);
    facts.retract(param);
    if (stays) result.push(param);
  });
  return result;
}

/** Parameters that are always a multiple of 2^exponent: they start at a multiple and step by multiples. */
export function shownMultiples(node: LoopNode, facts: Facts): (readonly [Value, number])[] {
  const result: (readonly [Value, number])[] = [];
  node.params.forEach((param, i) => {
    if (!isInteger32(param.type)) return;
    const step = stepOf(node.nexts[i]!, param, facts);
    if (step === null) return;
    const exponent = Math.min(facts.evenness(node.inits[i]!), step);
    if (exponent > 0) result.push([param, exponent]);
  });
  return result;
}

/** The number of low bits of `param`'s step that are 0. An unrolled iteration may still add step by step. */
function stepOf(next: Value, param: Value, facts: Facts): number | null {
  let constant = 0;
  let others = 32;
  for (let value = resolve(next); value !== param; ) {
    const { def } = value;
    if (def?.op !== "add") return null;
    const added = resolve(def.operands[1]!);
    if (typeof added.constant === "number") constant = (constant + added.constant) | 0;
    else others = Math.min(others, facts.evenness(added));
    value = resolve(def.operands[0]!);
  }
  const ofConstant = constant === 0 ? 32 : 31 - Math.clz32(constant & -constant);
  return Math.min(others, ofConstant);
}
