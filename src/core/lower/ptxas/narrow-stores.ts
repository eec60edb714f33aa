/**
 * A store of 8 or 16 bits takes the low bits by itself: what only cut the value before goes (LLVM's SimplifyDemandedBits).
 * Elsewhere a number of 8 or 16 bits gets its sign by one PRMT, not by two shifts.
 */
import { byteSize, type Narrow } from "../../ir/types.js";
import { NONE, slot } from "../analysis/instruction-matcher.js";
import { isInteger32 } from "../ssa/integer-types.js";
import { countUses, type Inst, resolve, type SsaFunction, type Value } from "../ssa/ssa.js";
import { walkInstructions } from "../ssa/traversal.js";

const SIGN_EXTENSION = slot("PRMT", "alu");

/** True where a value lost a reader. */
export function narrowStores(fn: SsaFunction): boolean {
  let changed = false;
  walkInstructions(fn.body, (node) => {
    const { narrow } = node.mods;
    const stored = node.operands[1];
    if (node.op !== "st" || narrow === undefined || stored === undefined) return;
    node.operands[1] = uncut(stored, narrow);
    if (node.operands[1] !== stored) changed = true;
  });
  const uses = countUses(fn);
  walkInstructions(fn.body, (node) => {
    const count = shiftCount(node, "shr");
    if (node.type !== "i32" || node.slots !== null || (count !== 16 && count !== 24)) return;
    const inner = resolve(node.operands[0]!).def;
    if (
      inner === null ||
      shiftCount(inner, "shl") !== count ||
      inner.slots !== null ||
      uses[inner.results[0]!.id] !== 1
    )
      return;
    inner.slots = NONE;
    node.slots = SIGN_EXTENSION;
  });
  return changed;
}

/** The constant by which an instruction shifts 32 bits. */
function shiftCount({ op, type, operands }: Inst, wanted: "shl" | "shr"): number | null {
  if (op !== wanted || !isInteger32(type)) return null;
  const { constant } = resolve(operands[1]!);
  return typeof constant === "number" ? constant : null;
}

/** The value before its upper bits were cleared or made its sign. */
function uncut(value: Value, type: Narrow): Value {
  const bits = 8 * byteSize(type);
  const { def } = resolve(value);
  if (def === null) return value;
  if (def.op === "and" && isInteger32(def.type)) {
    const { constant } = resolve(def.operands[1]!);
    const keeps = typeof constant === "number" && ((constant >>> 0) & (2 ** bits - 1)) === 2 ** bits - 1;
    return keeps ? uncut(def.operands[0]!, type) : value;
  }
  const count = shiftCount(def, "shr");
  const inner = count === null ? null : resolve(def.operands[0]!).def;
  const cuts = inner !== null && count !== null && count <= 32 - bits && shiftCount(inner, "shl") === count;
  return cuts ? uncut(inner.operands[0]!, type) : value;
}
