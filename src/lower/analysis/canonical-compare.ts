/**
 * Compares that LLVM turns round before it lays out blocks (InstCombine: a branch is left with ==, <, > and their like), which
 * exchanges the branch's sides; against a constant <= and >= become < and > of the next one instead.
 */
import { resolve, type Value } from "../ssa/ssa.js";

export function isTurned(condition: Value): boolean {
  const { def } = resolve(condition);
  if (def?.op !== "setp") return false;
  const { compare } = def.mods;
  return compare === "ne" || ((compare === "le" || compare === "ge") && resolve(def.operands[1]!).constant === null);
}
