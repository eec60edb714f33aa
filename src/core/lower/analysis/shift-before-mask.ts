/**
 * Moves a left shift in front of an `and`, `or` or `xor` with a constant (LLVM's InstCombine): (x & 31) << 3 becomes
 * (x << 3) & 248. `(t & 31) * 8 + y` is then SHF, LOP3, IADD3 instead of LOP3, LEA. Another use of x & 31 still
 * computes it. A right shift that only a left shift reads becomes a mask: (x >> 2) << 3 is (x << 1) & ~7 (30
 * variants).
 */

import { isInteger32 } from "../ssa/integer-types.js";
import { countUses, Inst, NO_MODIFIERS, resolve, type SsaFunction, type Value } from "../ssa/ssa.js";
import { rewriteNodes } from "../ssa/traversal.js";

type Logic = "and" | "or" | "xor";

const LOGIC: ReadonlySet<string> = new Set<Logic>(["and", "or", "xor"]);

export function shiftBeforeMask(fn: SsaFunction): void {
  const uses = countUses(fn);
  rewriteNodes(fn.body, (node) => {
    const shifted = node.kind === "inst" ? shiftedFirst(fn, node, uses) : null;
    return shifted === null ? [node] : [shifted, node];
  });
}

/**
 * Turns the shift `inst` into the logic operation and returns the shift in front of it. Null where nothing changes
 * or no shift is left.
 */
function shiftedFirst(fn: SsaFunction, inst: Inst, uses: Int32Array): Inst | null {
  if (inst.op !== "shl" || !isInteger32(inst.type) || inst.slots !== null) return null;
  const count = constantOf(inst.operands[1]!);
  const { def, id } = resolve(inst.operands[0]!);
  if (count === null || count > 31 || def === null || def.slots !== null || !isInteger32(def.type)) return null;
  const constant = constantOf(def.operands[1] ?? inst.operands[0]!);
  if (constant === null) return null;
  const from = resolve(def.operands[0]!);
  if (LOGIC.has(def.op)) return become(fn, inst, def.op as Logic, from, count, constant << count);
  if (def.op !== "shr" || uses[id] !== 1 || constant > 31) return null;
  if (def.type === "i32" && constant > count) return null;
  return become(fn, inst, "and", from, count - constant, (-1 >>> constant) << count);
}

function become(fn: SsaFunction, inst: Inst, op: Logic, from: Value, count: number, constant: number): Inst | null {
  const { type, span, source } = inst;
  let shifted: Inst | null = null;
  if (count !== 0) {
    const by = fn.constant("u32", Math.abs(count));
    const direction = count > 0 ? "shl" : "shr";
    const shiftType = count > 0 ? type : "u32";
    shifted = new Inst(direction, shiftType, [fn.value(type)], [from, by], NO_MODIFIERS, span, source);
  }
  inst.op = op;
  inst.operands = [
    shifted === null ? from : shifted.results[0]!,
    fn.constant(type, type === "u32" ? constant >>> 0 : constant | 0),
  ];
  return shifted;
}

function constantOf(value: Value): number | null {
  const { constant } = resolve(value);
  return typeof constant === "number" ? constant : null;
}
