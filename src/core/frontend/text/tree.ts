/** Walks a syntax tree. */
import type { Node } from "acorn";

/** Calls `visit` for a node and everything under it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

/** The nodes right under a node. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
