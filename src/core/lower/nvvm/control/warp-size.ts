/**
 * NVVM does not know the value of `warpSize` (PTX's WARP_SZ): it unrolls no loop by it, and divisions by it stay.
 * ptxas replaces it by 32, except in a division, which stays a division by a register.
 */

import { isInteger32 } from "../../ssa/integer-types.js";
import { Inst, NO_MODIFIERS, replace, resolve, type SsaFunction, type SsaNode } from "../../ssa/ssa.js";
import { walkInstructions } from "../../ssa/traversal.js";

export const WARP_SIZE = 32;

/** True if the kernel reads it. */
export function placeWarpSize(fn: SsaFunction): boolean {
  const reads: Inst[] = [];
  const divisions: Inst[] = [];
  walkInstructions(fn.body, (node) => {
    if (node.op === "warpSize") reads.push(node);
    if ((node.op === "div" || node.op === "rem") && isInteger32(node.type)) divisions.push(node);
  });
  const first = reads[0];
  if (first === undefined) return false;
  const divisor = fn.value("i32");
  const kept: SsaNode = new Inst("warpSize", "i32", [divisor], [], NO_MODIFIERS, first.span, first.source);
  for (const division of divisions) {
    if (resolve(division.operands[1]!).def?.op === "warpSize") division.operands[1] = divisor;
  }
  for (const read of reads) replace(read.results[0]!, fn.constant("i32", WARP_SIZE));
  fn.body.nodes.unshift(kept);
  return true;
}
