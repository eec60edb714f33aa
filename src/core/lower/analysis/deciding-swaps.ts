/** Locks and compare-and-swap loops: the atomics that they wait for. */
import { type Inst, isJump, type LoopNode, type Region, resolve, type Value } from "../ssa/ssa.js";

/** Compare-and-swaps and exchanges that decide whether a loop ends: nvcc 13.0 puts a YIELD before each. */
export function decidingSwaps(loop: LoopNode): ReadonlySet<Inst> {
  const deciding = new Set<Value>(loop.condition === null ? [] : [resolve(loop.condition)]);
  const swaps = new Set<Inst>();
  const visit = (region: Region): void => {
    for (const node of [...region.nodes].reverse()) {
      if (node.kind === "if") {
        if (isJump(node.then.end) || isJump(node.else.end)) deciding.add(resolve(node.condition));
        visit(node.then);
        visit(node.else);
      } else if (node.kind === "inst" && node.results.some((result) => deciding.has(result))) {
        if (node.op === "atom") {
          if (node.mods.atomic === "cas" || node.mods.atomic === "exch") swaps.add(node);
        } else if (node.op !== "ld") for (const operand of node.operands) deciding.add(resolve(operand));
      }
    }
  };
  visit(loop.latch);
  visit(loop.body);
  return swaps;
}
