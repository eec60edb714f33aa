/** Simplifies selects, and the logic of conditions. After LLVM's InstCombine. */
import { isFloat, type Scalar } from "../../../ir/types.js";
import { INVERTED } from "../../ssa/constant-folding.js";
import type { Maker } from "../../ssa/inst-builder.js";
import { isInteger32 } from "../../ssa/integer-types.js";
import { type Inst, resolve, type Value } from "../../ssa/ssa.js";
import { joinedRanges } from "./inst-combine-ranges.js";

export function simplifySelect(inst: Inst, maker: Maker): Value | null {
  const [a, b, condition] = inst.operands.map(resolve) as [Value, Value, Value];
  if (condition.constant !== null) return condition.constant === 0 ? b : a;
  if (a === b) return a;
  if (condition.def?.op === "pnot") {
    inst.operands = [b, a, condition.def.operands[0]!];
    return null;
  }
  if (inst.type === "bool") {
    if (a.constant === 1 && b.constant === 0) return condition;
    if (a.constant === 0 && b.constant === 1) return maker.make("pnot", "bool", [condition]);
    if (b.constant === 0) return maker.make("pand", "bool", [condition, a]);
    if (a.constant === 1) return maker.make("por", "bool", [condition, b]);
  }
  const { def } = condition;
  if (def?.op === "setp" && def.operands.length === 2 && isInteger32(inst.type) && isInteger32(def.mods.sourceType!)) {
    const left = resolve(def.operands[0]!);
    const right = resolve(def.operands[1]!);
    const compare = def.mods.compare!;
    const straight = left === a && right === b;
    const crossed = left === b && right === a;
    if ((straight || crossed) && compare !== "eq" && compare !== "ne") {
      const less = compare === "lt" || compare === "le";
      return maker.make(less === straight ? "min" : "max", def.mods.sourceType!, [a, b]);
    }
  }
  if (def?.op === "setp" && inst.type === "f32" && isBoundedBy(def, a, b)) {
    const { compare } = def.mods;
    return maker.make(compare === "lt" || compare === "le" ? "min" : "max", "f32", [a, b]);
  }
  return null;
}

/**
 * Whether `comparison ? a : b` is fmin or fmax of a float and a constant, including NaN, which must give the
 * constant. NVVM ignores the sign of zeros if equal operands give the constant.
 */
function isBoundedBy({ operands, mods }: Inst, a: Value, b: Value): boolean {
  const [left, right] = operands.map(resolve);
  if (mods.sourceType !== "f32" || left !== a || right !== b || b.constant === null) return false;
  const { compare } = mods;
  if (Number(b.constant) === 0) return (compare === "gt" || compare === "lt") && Object.is(b.constant, 0);
  return compare === "gt" || compare === "ge" || compare === "lt" || compare === "le";
}

export function simplifyLogic(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  const { op } = inst;
  if (a === b) return a;
  if (b.constant !== null) {
    if (op === "pand") return b.constant === 0 ? maker.constant("bool", 0) : a;
    return b.constant === 0 ? a : maker.constant("bool", 1);
  }
  return joinedRanges(inst, a, b, maker);
}

export function simplifyNot(a: Value, maker: Maker): Value | null {
  const { def } = a;
  if (def === null) return null;
  if (def.op === "pnot") return resolve(def.operands[0]!);
  if (def.op === "setp" && def.operands.length === 2 && !isFloat(def.mods.sourceType as Scalar)) {
    return maker.make("setp", "bool", [...def.operands], { ...def.mods, compare: INVERTED[def.mods.compare!] });
  }
  return null;
}
