/** What a loop's counters step by, computed in front of the loop: NVVM moves invariants there before it unrolls. */
import { type Inst, type LoopNode, resolve, type Value } from "../ssa.js";
import { definedIn } from "./counted-loop.js";
import { isSpeculatable } from "./effects.js";

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
  if (moved.size === 0) return [];
  const order: Inst[] = [];
  for (const region of [loop.body, loop.latch]) {
    region.nodes = region.nodes.filter((node) => {
      if (node.kind !== "inst" || !moved.has(node)) return true;
      order.push(node);
      return false;
    });
  }
  return order;
}
