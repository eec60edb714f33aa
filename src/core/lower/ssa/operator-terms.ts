/** The terms of a tree of one operator, and the instructions of the tree below its root. */
import { type Inst, resolve, type Value } from "./ssa.js";

export interface Term {
  readonly value: Value;
  /** The term is subtracted from the total. */
  readonly negative: boolean;
}

export interface OperatorTree {
  /** From left to right. */
  readonly terms: readonly Term[];
  readonly inner: readonly Inst[];
}

/** `partOf` returns the tree's instruction that defines an operand, or null where the operand is a term. */
export function operatorTree(root: Inst, partOf: (operand: Value) => Inst | null): OperatorTree {
  const terms: Term[] = [];
  const inner: Inst[] = [];
  const collect = (inst: Inst, negative: boolean): void => {
    inst.operands.forEach((operand, i) => {
      const minus = negative !== (inst.op === "sub" && i === 1);
      const part = partOf(operand);
      if (part === null) terms.push({ value: resolve(operand), negative: minus });
      else {
        inner.push(part);
        collect(part, minus);
      }
    });
  };
  collect(root, false);
  return { terms, inner };
}
