/** A key that two pure instructions share if and only if they compute the same value. */
import { isFloat, type Scalar } from "../../ir/types.js";
import { type Inst, NO_MODIFIERS, resolve, type SsaOp } from "./ssa.js";

/** Operations that do the same to the bits of an i32 and of a u32. */
export const SIGNLESS: ReadonlySet<string> = new Set([
  "add",
  "sub",
  "mul",
  "and",
  "or",
  "xor",
  "shl",
  "not",
  "neg",
  "selp",
  "mad",
  "add3",
  "lea",
]);

/** Commutative operations. */
export const COMMUTES: ReadonlySet<SsaOp> = new Set<SsaOp>([
  "add",
  "mul",
  "and",
  "or",
  "xor",
  "min",
  "max",
  "pand",
  "por",
  "pxor",
]);

/** The part of an instruction's key that does not depend on its operands, cached while it is valid. */
function keyPrefix(inst: Inst): string {
  const { mods } = inst;
  const { prefix } = inst;
  if (prefix !== null && prefix.mods === mods && prefix.op === inst.op && prefix.type === inst.type) return prefix.text;
  let { type } = inst as { type: string };
  if (SIGNLESS.has(inst.op)) type = type === "u32" ? "i32" : type === "u64" ? "i64" : type;
  let text = `${inst.op} ${type}`;
  if (mods !== NO_MODIFIERS) {
    if (mods.sourceType !== undefined) text += ` s${mods.sourceType}`;
    if (mods.compare !== undefined) text += ` ${mods.compare}`;
    if (mods.combine !== undefined) text += ` ${mods.combine}`;
    if (mods.scale !== undefined) text += ` x${mods.scale}`;
    if (mods.immediate !== undefined) text += ` i${mods.immediate}`;
    if (mods.exact === true) text += " e";
    if (mods.index !== undefined) text += ` p${mods.index}`;
    const { special, root } = mods;
    if (special !== undefined) text += ` ${special.name}${"axis" in special ? special.axis : ""}`;
    if (root !== undefined && inst.op === "base")
      text += ` ${root.kind}${root.kind === "param" ? root.index : root.array}`;
  }
  inst.prefix = { mods, op: inst.op, type: inst.type, text };
  return text;
}

export function pureKey(inst: Inst): string {
  let key = keyPrefix(inst);
  if (inst.operands.length === 2 && COMMUTES.has(inst.op) && !isFloat(inst.type as Scalar)) {
    const left = resolve(inst.operands[0]!).id;
    const right = resolve(inst.operands[1]!).id;
    return `${key} ${Math.min(left, right)} ${Math.max(left, right)}`;
  }
  for (const operand of inst.operands) key += ` ${resolve(operand).id}`;
  return key;
}
