/** Jumps out of and within a loop's body. */
import type { LoopNode, Region } from "../ssa.js";

/** True if the loop has a `break`. */
export function breaksOut(loop: LoopNode): boolean {
  const search = (region: Region): boolean => {
    if (region.end.kind === "break" && region.end.loop === loop) return true;
    return region.nodes.some((node) => {
      if (node.kind === "if") return search(node.then) || search(node.else);
      return node.kind === "loop" && (search(node.body) || search(node.latch));
    });
  };
  return search(loop.body) || search(loop.latch);
}

/** True if the loop has a `continue` that skips part of its body. */
export function continues(loop: LoopNode): boolean {
  const search = (region: Region): boolean => {
    if (region.end.kind === "continue" && region.end.loop === loop) return true;
    return region.nodes.some((node) => {
      if (node.kind === "if") return search(node.then) || search(node.else);
      return node.kind === "loop" && (search(node.body) || search(node.latch));
    });
  };
  return search(loop.body);
}
