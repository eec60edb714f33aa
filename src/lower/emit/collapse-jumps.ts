/** A branch around nothing but a jump, as is left where the moves before the jump went, is the jump under the condition. */
import type { DraftNode, DraftRegion } from "./draft.js";

export function collapseJumps(region: DraftRegion): void {
  region.forEach((node, i) => {
    if (node.kind === "if") {
      collapseJumps(node.then);
      collapseJumps(node.else);
      region[i] = collapsed(node);
    } else if (node.kind === "loop") {
      collapseJumps(node.body);
      collapseJumps(node.latch);
    }
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
