/**
 * Compares that LLVM's InstCombine canonicalizes before block layout, which swaps the sides of the branch. A branch
 * keeps ==, < and >. Against a constant, <= and >= become < and > of the next constant instead.
 */
import { resolve, type Value } from "../ssa/ssa.js";

export function isTurned(condition: Value): boolean {
  const { def } = resolve(condition);
  if (def?.op !== "setp") return false;
  const { compare } = def.mods;
  return compare === "ne" || ((compare === "le" || compare === "ge") && resolve(def.operands[1]!).constant === null);
}
