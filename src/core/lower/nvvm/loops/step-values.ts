/** Hoists the steps and bounds of a loop's induction variables to the preheader: NVVM runs LICM before it unrolls. */

import { definedIn } from "../../analysis/counted-loop.js";
import { isSpeculatable } from "../../ssa/effects.js";
import { type Inst, type LoopNode, regionsOf, resolve, type Value } from "../../ssa/ssa.js";

/** Removes the instructions from the loop and returns them in order. */
export function takeStepValues(loop: LoopNode): Inst[] {
  const inside = definedIn(loop);
  const moved = new Set<Inst>();
  const take = (value: Value): boolean => {
    const now = resolve(value);
    if (!inside.has(now)) return true;
    const { def } = now;
    if (def === null || !isSpeculatable(def) || !def.operands.every(take)) return false;
    moved.add(def);
    return true;
  };
  loop.params.forEach((param, i) => {
    const { def } = resolve(loop.nexts[i]!);
    if (def?.op === "add" && resolve(def.operands[0]!) === param) take(def.operands[1]!);
  });
  // A loop that tests first already has its bound in the preheader.
  if (!loop.tested && loop.condition !== null) boundsOf(loop.condition).forEach(take);
  if (moved.size === 0) return [];
  const order: Inst[] = [];
  for (const region of regionsOf(loop)) {
    region.nodes = region.nodes.filter((node) => {
      if (node.kind !== "inst" || !moved.has(node)) return true;
      order.push(node);
      return false;
    });
  }
  return order;
}

function boundsOf(condition: Value): readonly Value[] {
  const { def } = resolve(condition);
  if (def?.op === "pand") return def.operands.flatMap(boundsOf);
  return def?.op === "setp" ? def.operands.slice(1) : [];
}
