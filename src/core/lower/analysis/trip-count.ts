/**
 * Constant trip counts: by running the induction variable on constants, or from the difference of its start and
 * bound.
 */

import { foldConstants } from "../ssa/constant-folding.js";
import { type LoopNode, resolve, type Value } from "../ssa/ssa.js";
import { lineOf } from "./constant-difference.js";
import { countedLoop } from "./counted-loop.js";

type Constant = number | bigint;

/** The most iterations that are simulated. */
const LONGEST = 4096;

/**
 * The trip count of a loop that leaves by its latch only, or null. Its induction variables start at constants and
 * step by operations on constants.
 */
export function tripCount(loop: LoopNode): number | null {
  if (loop.condition === null) return null;
  const condition = resolve(loop.condition);
  let params = new Map<Value, Constant>();
  loop.params.forEach((param, i) => {
    const { constant } = resolve(loop.inits[i]!);
    if (constant !== null) params.set(param, constant);
  });
  if (params.size === 0 && condition.constant === null) return null;
  for (let round = 1; round <= LONGEST; round++) {
    const known = new Map(params);
    const holds = evaluate(condition, known);
    if (holds === null) return null;
    if (holds === 0) return round;
    const next = new Map<Value, Constant>();
    loop.params.forEach((param, i) => {
      if (!params.has(param)) return;
      const value = evaluate(resolve(loop.nexts[i]!), known);
      if (value !== null) next.set(param, value);
    });
    params = next;
  }
  return null;
}

function evaluate(value: Value, known: Map<Value, Constant>): Constant | null {
  if (value.constant !== null) return value.constant;
  const seen = known.get(value);
  if (seen !== undefined) return seen;
  const { def } = value;
  if (def === null || def.results.length !== 1 || def.operands.length === 0) return null;
  const operands: Constant[] = [];
  for (const operand of def.operands) {
    const constant = evaluate(resolve(operand), known);
    if (constant === null) return null;
    operands.push(constant);
  }
  const result = foldConstants(def, operands);
  if (result !== null) known.set(value, result);
  return result;
}

/**
 * An upper bound of the trip count of a loop from x + a to x + b, as NVVM has it. It is `exact` where the zero bits
 * of x show that no sum wraps.
 */
export interface RoundsApart {
  readonly rounds: number;
  readonly exact: boolean;
  /** Its test becomes a `<=` of x itself, which might always hold. */
  readonly endless: boolean;
}

export function roundsApart(loop: LoopNode): RoundsApart | null {
  const counted = countedLoop(loop);
  const step = counted === null ? null : counted.step.constant;
  if (counted === null || counted.also !== null || counted.type !== "i32" || typeof step !== "number" || step <= 0)
    return null;
  if (counted.compare !== "lt" && counted.compare !== "le") return null;
  const [start, end] = [lineOf(counted.init), lineOf(counted.bound)];
  if (start.root !== end.root || start.factor !== end.factor || start.root.constant !== null) return null;
  const past = end.offset + (counted.compare === "le" ? 1 : 0);
  const zeros = start.factor & -start.factor;
  const added = resolve(counted.bound).def?.op === "add";
  const exact = added && start.offset >= 0 && past > start.offset && past <= zeros;
  const endless = added && !exact && past - step === 1;
  return { rounds: Math.max(1, Math.ceil((past - start.offset) / step)), exact, endless };
}
