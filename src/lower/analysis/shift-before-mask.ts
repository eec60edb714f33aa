/**
 * A shift to the left of what a constant masks, sets or flips comes first, (x & 31) << 3 is (x << 3) & 248 (LLVM's InstCombine), so that a sum
 * does not shift: SHF, LOP3, IADD3 for `(t & 31) * 8 + y`, not LOP3, LEA. Where x & 31 is read elsewhere as well, it is made besides. So is a shift to the
 * right that a shift to the left alone reads a mask: (x >> 2) << 3 is (x << 1) & ~7, (x >> 5) << 3 of an unsigned x (x >> 2) & .. (30 variants).
 */

import { isInteger32 } from "../ssa/integer-types.js";
import {
  countUses,
  Inst,
  NO_MODIFIERS,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa/ssa.js";

type Logic = "and" | "or" | "xor";

const LOGIC: ReadonlySet<string> = new Set<Logic>(["and", "or", "xor"]);

export function shiftBeforeMask(fn: SsaFunction): void {
  const uses = countUses(fn);
  const visit = (region: Region): void => {
    const nodes: SsaNode[] = [];
    for (const node of region.nodes) {
      for (const inner of regionsOf(node)) visit(inner);
      if (node.kind === "inst") {
        const shifted = shiftedFirst(fn, node, uses);
        if (shifted !== null) nodes.push(shifted);
      }
      nodes.push(node);
    }
    region.nodes = nodes;
  };
  visit(fn.body);
}

/** Makes the shift `inst` the logic with a shift in front, which it gives; null where it stays or needs none. */
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
