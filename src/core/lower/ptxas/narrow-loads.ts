/**
 * Narrows the load of a word whose only use is a mask or shift that keeps one byte or half (LDG.E.U8 at the byte's
 * address). The mask and shift then take no instructions (LLVM's DAGCombiner; 20 kernels, nvcc 13.0). Vector loads
 * stay. So does a mask that an address folds into its own shift (`bins[x & 255]` in shared memory).
 */

import { NONE } from "../analysis/instruction-matcher.js";
import { isInteger32 } from "../ssa/integer-types.js";
import { countUses, type Inst, resolve, type SsaFunction, type Value } from "../ssa/ssa.js";
import { walkInstructions } from "../ssa/traversal.js";

const MASKS: ReadonlySet<number | bigint | null> = new Set([0xff, 0xffff]);

/** `taken`: masks that addresses compute themselves. */
export function narrowLoads(fn: SsaFunction, taken: ReadonlySet<Inst>): void {
  const uses = countUses(fn);
  const loaded = (value: Value): boolean => {
    const { def, id } = resolve(value);
    return def?.op === "ld" && uses[id] === 1 && isInteger32(def.type) && isWhole(def);
  };
  walkInstructions(fn.body, (node) => {
    if ((node.op !== "and" && node.op !== "shr") || !isInteger32(node.type)) return;
    if (node.slots !== null || taken.has(node)) return;
    const part = resolve(node.operands[0]!);
    const count = resolve(node.operands[1]!).constant;
    if (node.op === "shr" && node.type === "u32" && (count === 16 || count === 24) && loaded(part)) node.slots = NONE;
    if (node.op !== "and" || !MASKS.has(count)) return;
    if (loaded(part)) node.slots = NONE;
    const shift = part.def?.op === "shr" && uses[part.id] === 1 ? part.def : null;
    if (shift === null || !loaded(shift.operands[0]!)) return;
    const bits = resolve(shift.operands[1]!).constant;
    if (bits !== 8 && bits !== 16) return;
    if (count === 0xffff && bits === 8) return;
    shift.slots = NONE;
    node.slots = NONE;
  });
}

function isWhole({ results, mods }: Inst): boolean {
  return results.length === 1 && mods.volatile !== true && mods.narrow === undefined && mods.space !== "local";
}
