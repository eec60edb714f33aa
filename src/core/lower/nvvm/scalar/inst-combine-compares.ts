/** Simplifies integer compares: with constants, and of selects, quotients and shifts. After LLVM's InstCombine. */
import type { CompareOp } from "../../../ir/ir.js";
import { isFloat, type Scalar } from "../../../ir/types.js";
import { apart } from "../../analysis/constant-difference.js";
import type { RegisterType } from "../../program.js";
import { compareConstants, readAs } from "../../ssa/constant-folding.js";
import type { Maker } from "../../ssa/inst-builder.js";
import { isInteger32 } from "../../ssa/integer-types.js";
import { type Inst, resolve, type Value } from "../../ssa/ssa.js";
import { stepsLoop } from "./reassociate.js";

/** The compare that holds with the operands exchanged. */
export const SWAPPED: Record<CompareOp, CompareOp> = { eq: "eq", ne: "ne", lt: "gt", le: "ge", gt: "lt", ge: "le" };

export function simplifyCompare(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  if (inst.operands.length > 2) return null;
  const source = inst.mods.sourceType ?? "i32";
  const compare = inst.mods.compare!;
  if (a === b && !isFloat(source as Scalar)) {
    return maker.constant("bool", compare === "eq" || compare === "le" || compare === "ge" ? 1 : 0);
  }
  if (source === "i32" && b.def?.op === "add" && maker.compares) {
    const by = apart(a, b);
    if (by !== null) return maker.constant("bool", compareConstants(compare, 0, by));
  }
  const truths = compareOfTruths(inst, a, b, maker);
  if (truths !== null) return truths;
  const bound = b.constant;
  if (bound === null && source === "i32") compareOfNext(inst, a, b, maker);
  if (typeof bound !== "number" || !isInteger32(source)) return null;
  const value = Number(readAs(source, bound));
  const chosen = compareOfChoice(inst, a, value, source, maker);
  if (chosen !== null) return chosen;
  const masked = compareOfShiftedBits(inst, a, value, maker);
  if (masked !== null) return masked;
  const divided = compareOfQuotient(inst, a, value, maker);
  if (divided !== null) return divided;
  const operand =
    maker.compares && a.def !== null && a.def.operands.length === 2 ? boundOfOperand(a.def, compare, value) : null;
  if (operand !== null && a.def!.type === source && Number(readAs(source, operand[1])) === operand[1]) {
    inst.mods = { ...inst.mods, compare: operand[0] };
    inst.operands = [a.def!.operands[0]!, maker.constant(source, operand[1])];
    return simplifyCompare(inst, resolve(a.def!.operands[0]!), resolve(inst.operands[1]!), maker);
  }
  const range = rangeOf(a);
  if (range !== null && (source === "i32" || range[0] >= 0) && (source === "u32" || range[1] <= 0x7fffffff)) {
    const ends = range.map((end) => compareConstants(compare, end, value));
    if (compare !== "eq" && compare !== "ne" && ends[0] === ends[1]) return maker.constant("bool", ends[0]!);
  }
  if (source === "i32" && value >= 0 && maker.facts.notNegative(a)) {
    inst.mods = { ...inst.mods, sourceType: "u32" };
    return simplifyCompare(inst, a, b, maker);
  }
  const set = (op: CompareOp, constant: number): null => {
    inst.mods = { ...inst.mods, compare: op };
    inst.operands = [inst.operands[0]!, maker.constant(source, constant)];
    return null;
  };
  if (source === "u32") {
    if (compare === "lt" && value === 0) return maker.constant("bool", 0);
    if (compare === "ge" && value === 0) return maker.constant("bool", 1);
    if (compare === "gt" && value === 0) set("ne", 0);
    if (compare === "le" && value === 0) set("eq", 0);
    if (compare === "lt" && value === 1) set("eq", 0);
    if (compare === "ge" && value === 1) set("ne", 0);
  }
  return compareOfShift(inst, a, maker);
}

/**
 * The value range that a mask, remainder, quotient or shift by a constant leaves (InstSimplify), in the compare's
 * signedness.
 */
function rangeOf(value: Value): readonly [number, number] | null {
  const { def } = value;
  const by = def === null || def.operands[1] === undefined ? null : resolve(def.operands[1]).constant;
  if (def === null || typeof by !== "number" || by <= 0 || (def.type !== "i32" && def.type !== "u32")) return null;
  const signed = def.type === "i32";
  switch (def.op) {
    case "and":
      return [0, by];
    case "rem":
      return [signed ? 1 - by : 0, by - 1];
    case "div":
      return [signed ? Math.trunc(-(2 ** 31) / by) : 0, Math.floor((signed ? 2 ** 31 : 0xffffffff) / by)];
    case "shr":
      return by > 31 ? null : [signed ? -(2 ** (31 - by)) : 0, 2 ** ((signed ? 31 : 32) - by) - 1];
    default:
      return null;
  }
}

/** (x >> k & mask) == 0 is x & (mask << k) == 0; a single bit compared with 1 becomes a compare with 0. */
function compareOfShiftedBits(inst: Inst, a: Value, value: number, maker: Maker): Value | null {
  const compare = inst.mods.compare!;
  const { def } = a;
  // A shift whose count is only constant after unrolling is not simplified this way.
  if (!maker.compares || (compare !== "eq" && compare !== "ne") || def?.op !== "and" || !maker.readOnce(a)) return null;
  const shift = resolve(def.operands[0]!);
  const mask = resolve(def.operands[1]!).constant;
  const count = shift.def?.op === "shr" && maker.readOnce(shift) ? resolve(shift.def.operands[1]!).constant : null;
  if (typeof mask !== "number" || typeof count !== "number" || mask * 2 ** count >= 2 ** 32 || mask < 0) return null;
  if (value !== 0 && !(value === 1 && mask === 1)) return null;
  const { type } = def;
  const bits = maker.make("and", type, [resolve(shift.def!.operands[0]!), maker.constant(type, mask * 2 ** count)]);
  const none = (compare === "eq") === (value === 0);
  return maker.make("setp", "bool", [bits, maker.constant(type, 0)], { ...inst.mods, compare: none ? "eq" : "ne" });
}

/** An equality compare of two bools as integers becomes one of bools. */
function compareOfTruths(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  const compare = inst.mods.compare;
  if (compare !== "eq" && compare !== "ne") return null;
  const truth = (value: Value): Value | null => {
    const { def } = value;
    if (def?.op !== "selp") return null;
    const [one, zero, condition] = def.operands.map(resolve) as [Value, Value, Value];
    return one.constant === 1 && zero.constant === 0 ? condition : null;
  };
  const first = truth(a);
  const second = truth(b);
  if (first === null || second === null) return null;
  const differ = maker.make("pxor", "bool", [first, second]);
  return compare === "ne" ? differ : maker.make("pnot", "bool", [differ]);
}

/** A compare of a select between constants is the select's condition, its inverse, or a constant. */
function compareOfChoice(inst: Inst, a: Value, bound: number, source: RegisterType, maker: Maker): Value | null {
  const { def } = a;
  if (def?.op !== "selp") return null;
  const [first, second, condition] = def.operands.map(resolve) as [Value, Value, Value];
  if (typeof first.constant !== "number" || typeof second.constant !== "number") return null;
  const holds = (value: number): number => compareConstants(inst.mods.compare!, Number(readAs(source, value)), bound);
  const one = holds(first.constant);
  const two = holds(second.constant);
  if (one === two) return maker.constant("bool", one);
  return one === 1 ? condition : maker.make("pnot", "bool", [condition]);
}

/**
 * x - 1 < y is x <= y, and x + 1 > y is x >= y, where a signed sum does not overflow; so is x < y + 1. The test of a
 * loop still reads the loop's own step.
 */
function compareOfNext(inst: Inst, a: Value, b: Value, maker: Maker): void {
  const compare = inst.mods.compare!;
  const [left, right] = inst.operands as [Value, Value];
  const first = relaxed(a, compare);
  if (first !== null && (maker.compares || maker.readOnce(a))) {
    inst.mods = { ...inst.mods, compare: first };
    inst.operands = [a.def!.operands[0]!, right];
    return;
  }
  const second = relaxed(b, SWAPPED[compare]);
  if (second === null || maker.compares || !maker.readOnce(b)) return;
  inst.mods = { ...inst.mods, compare: SWAPPED[second] };
  inst.operands = [left, b.def!.operands[0]!];
}

/** The compare of x that replaces that of x + 1 or x - 1. */
function relaxed({ def }: Value, compare: CompareOp): CompareOp | null {
  if (def?.op !== "add" || def.type !== "i32" || stepsLoop(def)) return null;
  const added = Number(resolve(def.operands[1]!).constant ?? 0) | 0;
  const compares: Partial<Record<CompareOp, CompareOp>> =
    added === -1 ? { lt: "le", ge: "gt" } : added === 1 ? { le: "lt", gt: "ge" } : {};
  return compares[compare] ?? null;
}

/**
 * A compare of x + c or x / c with a constant becomes one of x, even if the operand has other uses. Null where the
 * new constant is out of range.
 */
function boundOfOperand(def: Inst, compare: CompareOp, bound: number): readonly [CompareOp, number] | null {
  const by = Number(resolve(def.operands[1]!).constant ?? 0) | 0;
  if (by === 0) return null;
  if (def.op === "add") return def.type !== "i32" || stepsLoop(def) ? null : [compare, bound - by];
  if (def.op !== "div" || by < 0 || compare === "eq" || compare === "ne") return null;
  // x / c >= least is x >= c * least; for negative `least` the bound is the smallest x whose quotient truncates to
  // it.
  const above = compare === "gt" || compare === "ge";
  const least = compare === "gt" || compare === "le" ? bound + 1 : bound;
  return [above ? "ge" : "lt", least > 0 ? least * by : least * by - (by - 1)];
}

/** x / c == 0, signed, is -c < x < c: one unsigned compare. */
function compareOfQuotient(inst: Inst, a: Value, bound: number, maker: Maker): Value | null {
  const { def } = a;
  const compare = inst.mods.compare;
  if (def?.op !== "div" || def.type !== "i32" || bound !== 0 || (compare !== "eq" && compare !== "ne")) return null;
  const divisor = resolve(def.operands[1]!).constant;
  if (typeof divisor !== "number" || divisor < 2) return null;
  const moved = maker.make("add", "u32", [resolve(def.operands[0]!), maker.constant("u32", divisor - 1)]);
  return maker.make("setp", "bool", [moved, maker.constant("u32", 2 * divisor - 1)], {
    compare: compare === "eq" ? "lt" : "ge",
    sourceType: "u32",
  });
}

/** (x >> k) > c is x > (c << k | ones), unsigned; LLVM folds it even if the shift has other uses. */
function compareOfShift(inst: Inst, a: Value, maker: Maker): Value | null {
  const compare = inst.mods.compare!;
  const { def } = a;
  const source = inst.mods.sourceType!;
  if (def?.op !== "shr" || def.type !== source) return null;
  const count = resolve(def.operands[1]!).constant;
  const bound = resolve(inst.operands[1]!).constant;
  if (typeof count !== "number" || count > 31 || typeof bound !== "number") return null;
  const scale = 2 ** count;
  const largest = source === "u32" ? 0xffffffff : 0x7fffffff;
  const remake = (op: CompareOp, constant: number): Value | null => {
    if (constant > largest || constant < largest - 0xffffffff) return null;
    return maker.make("setp", "bool", [resolve(def.operands[0]!), maker.constant(source, constant)], {
      ...inst.mods,
      compare: op,
    });
  };
  // x >> k compared with 0, if the shift has no other use.
  if ((compare === "eq" || compare === "ne") && bound === 0 && source === "u32" && maker.readOnce(a)) {
    return remake(compare === "ne" ? "gt" : "lt", compare === "ne" ? scale - 1 : scale);
  }
  switch (compare) {
    case "gt":
      return remake("gt", bound * scale + scale - 1);
    case "le":
      return remake("le", bound * scale + scale - 1);
    case "ge":
      return remake("ge", bound * scale);
    case "lt":
      return remake("lt", bound * scale);
    default:
      return null;
  }
}
