/**
 * A compare whose opposite stands before it in the same straight code is that one's predicate, read negated (ptxas): of t < n and t >= n,
 * or of (t & k) == 0 and != 0, one is computed. Bodies that may become guards do not end straight code, loops and longer bodies do.
 */

import { NONE } from "../analysis/instruction-matcher.js";
import { INVERTED } from "../ssa/constant-folding.js";
import { isIntegerType } from "../ssa/integer-types.js";
import {
  type IfNode,
  type Inst,
  NO_MODIFIERS,
  type Region,
  resolve,
  type SsaFunction,
  type Value,
  walk,
} from "../ssa/ssa.js";
import { pureKey } from "../ssa/value-key.js";

/** More than a body that becomes guards has. */
const LONG_BODY = 12;

export function shareOpposites(fn: SsaFunction): void {
  visit(fn.body);
}

function visit(region: Region): void {
  let known = new Map<string, Value>();
  for (const node of region.nodes) {
    if (node.kind === "inst") share(node, known);
    else if (node.kind === "loop") {
      visit(node.body);
      visit(node.latch);
      known = new Map();
    } else {
      visit(node.then);
      visit(node.else);
      if (isLong(node)) known = new Map();
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

function isLong(node: IfNode): boolean {
  let count = 0;
  for (const side of [node.then, node.else]) {
    walk(side, (inner) => {
      count += inner.kind === "loop" ? LONG_BODY : 1;
    });
  }
  return count > LONG_BODY;
}
