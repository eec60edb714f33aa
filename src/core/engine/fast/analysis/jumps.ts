/** Which jumps a part of the program tree holds, and how many instructions. */
import type { JumpNode, Region } from "../../../lower/program.js";

export function someJump(nodes: Region, test: (node: JumpNode) => boolean): boolean {
  return nodes.some((node) => {
    if (node.kind === "run") return false;
    if (node.kind === "if") return someJump(node.then, test) || someJump(node.else, test);
    if (node.kind === "loop") return someJump(node.body, test) || someJump(node.latch, test);
    return test(node);
  });
}

/** Some jump leaves the nodes: ends the thread, or goes to a loop that is not among them. */
export function isLeft(nodes: Region): boolean {
  const inner = new Set<number>();
  const collect = (list: Region): void => {
    for (const node of list) {
      if (node.kind === "if") {
        collect(node.then);
        collect(node.else);
      } else if (node.kind === "loop") {
        inner.add(node.id);
        collect(node.body);
        collect(node.latch);
      }
    }
  };
  collect(nodes);
  return someJump(nodes, (jump) => jump.kind === "exit" || !inner.has(jump.loop));
}

export function countInstructions(nodes: Region): number {
  let count = 0;
  for (const node of nodes) {
    if (node.kind === "run") count += node.count;
    else if (node.kind === "if") count += 1 + countInstructions(node.then);
    else if (node.kind === "loop") count += 1 + countInstructions(node.body) + countInstructions(node.latch);
    else count += 1;
  }
  return count;
}

export function hasExit(nodes: Region): boolean {
  return someJump(nodes, (jump) => jump.kind === "exit");
}
