/**
 * A branch around a lone jump becomes the jump with the branch's condition. Coalescing leaves such branches when it
 * removes the moves before a jump.
 */
import { type DraftNode, type DraftRegion, innerRegions } from "./draft.js";

export function collapseJumps(region: DraftRegion): void {
  region.forEach((node, i) => {
    innerRegions(node).forEach(collapseJumps);
    if (node.kind === "if") region[i] = collapsed(node);
  });
}

function collapsed(node: Extract<DraftNode, { kind: "if" }>): DraftNode {
  const [only] = node.then;
  if (node.then.length !== 1 || only?.kind !== "jump" || only.condition !== null) return node;
  if (node.else.length > 0 || node.jumpOver !== null) return node;
  only.inst.guard = node.condition;
  only.condition = node.condition;
  return only;
}
