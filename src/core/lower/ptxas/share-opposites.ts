/**
 * A compare whose inverse precedes it in straight-line code reads that predicate negated (ptxas): t < n serves t >=
 * n, and (t & k) == 0 serves != 0. A body short enough for predication does not end the straight-line code. A loop
 * or longer body does.
 */

import { NONE } from "../analysis/instruction-matcher.js";
import { INVERTED } from "../ssa/constant-folding.js";
import { isIntegerType } from "../ssa/integer-types.js";
import { type Inst, NO_MODIFIERS, type Region, regionsOf, resolve, type SsaFunction, type Value } from "../ssa/ssa.js";
import { isLongerThan } from "../ssa/traversal.js";
import { pureKey } from "../ssa/value-key.js";

/** Longer than a predicated body. */
const LONG_BODY = 12;

export function shareOpposites(fn: SsaFunction): void {
  visit(fn.body);
}

function visit(region: Region): void {
  let known = new Map<string, Value>();
  for (const node of region.nodes) {
    if (node.kind === "inst") share(node, known);
    else {
      regionsOf(node).forEach(visit);
      if (node.kind === "loop" || isLongerThan(LONG_BODY, node)) known = new Map();
    }
  }
}

function share(inst: Inst, known: Map<string, Value>): void {
  const { compare, sourceType } = inst.mods;
  if (inst.op !== "setp" || compare === undefined || inst.operands.length !== 2) return;
  if (sourceType !== undefined && !isIntegerType(sourceType)) return;
  const { mods } = inst;
  inst.mods = { ...mods, compare: INVERTED[compare] };
  const opposite = known.get(pureKey(inst));
  inst.mods = mods;
  if (opposite === undefined) {
    known.set(pureKey(inst), inst.results[0]!);
    return;
  }
  inst.op = "pnot";
  inst.operands = [resolve(opposite)];
  inst.mods = NO_MODIFIERS;
  inst.slots = NONE;
}
