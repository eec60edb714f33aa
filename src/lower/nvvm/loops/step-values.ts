/** What a loop's counters step by and go up to, computed in front of the loop: NVVM moves invariants there before it unrolls. */

import { definedIn } from "../../analysis/counted-loop.js";
import { isSpeculatable } from "../../ssa/effects.js";
import { type Inst, type LoopNode, regionsOf, resolve, type Value } from "../../ssa/ssa.js";

/** Takes the operations out of the loop and returns them in order. */
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
  // A loop that tests first has its bound in front of it already.
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
