/** Integer expressions as polynomials, which show whether two are always equal. */

import { isPure } from "../ssa/effects.js";
import { isInteger32 } from "../ssa/integer-types.js";
import { resolve, type Value } from "../ssa/ssa.js";
import { pureKey } from "../ssa/value-key.js";

/** Coefficients modulo 2^32, keyed by the sorted ids of the factors. */
export type Polynomial = ReadonlyMap<string, number>;

/** An expression with more terms, or nested deeper, counts as a factor. */
const MOST_TERMS = 32;
const DEEPEST = 10;

export function polynomialOf(value: Value, depth = 0): Polynomial {
  const now = resolve(value);
  if (typeof now.constant === "number") return new Map(now.constant === 0 ? [] : [["", now.constant | 0]]);
  const { def } = now;
  // Parameters and special registers may have several values each, so their key identifies them.
  const own: Polynomial = new Map([[def?.operands.length === 0 && isPure(def) ? pureKey(def) : String(now.id), 1]]);
  if (def === null || !isInteger32(def.type) || def.operands.length !== 2 || depth === DEEPEST) return own;
  const [a, b] = def.operands as [Value, Value];
  const right = polynomialOf(b, depth + 1);
  let result: Polynomial;
  if (def.op === "add") result = sum(polynomialOf(a, depth + 1), right, 1);
  else if (def.op === "sub") result = sum(polynomialOf(a, depth + 1), right, -1);
  else if (def.op === "mul") result = product(polynomialOf(a, depth + 1), right);
  else if (def.op === "shl" && typeof resolve(b).constant === "number") {
    result = scaled(polynomialOf(a, depth + 1), 2 ** (Number(resolve(b).constant) & 31));
  } else return own;
  return result.size > MOST_TERMS ? own : result;
}

export function scaled(polynomial: Polynomial, by: number): Polynomial {
  return product(polynomial, new Map([["", by]]));
}

export function isSame(a: Polynomial, b: Polynomial): boolean {
  return a.size === b.size && [...a].every(([term, coefficient]) => b.get(term) === coefficient);
}

function sum(a: Polynomial, b: Polynomial, sign: number): Polynomial {
  const result = new Map(a);
  for (const [term, coefficient] of b) addTerm(result, term, sign * coefficient);
  return result;
}

function product(a: Polynomial, b: Polynomial): Polynomial {
  const result = new Map<string, number>();
  for (const [one, c] of a) {
    for (const [other, d] of b) {
      const factors = [...one.split("*"), ...other.split("*")].filter((id) => id !== "").sort();
      addTerm(result, factors.join("*"), Math.imul(c, d));
    }
  }
  return result;
}

function addTerm(to: Map<string, number>, term: string, coefficient: number): void {
  const total = ((to.get(term) ?? 0) + coefficient) | 0;
  if (total === 0) to.delete(term);
  else to.set(term, total);
}
