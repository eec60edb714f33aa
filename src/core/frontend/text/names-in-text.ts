/** The names that a text uses and declares, as its syntax tree has them. */
import type { Identifier, MemberExpression, Node, SequenceExpression } from "acorn";
import { walk } from "./tree.js";

export type NameNode = Identifier | MemberExpression | SequenceExpression;

/** Keys that name a part of something and nothing by themselves, unless they are computed. */
const PART_KEYS: ReadonlySet<string> = new Set(["property", "key", "label"]);

/**
 * Calls `visit` for the nodes that can be a name: identifiers that stand for a value, member accesses, lists with commas.
 * Nodes inside one that `visit` answers with true are skipped. `other` sees all other nodes.
 */
export function forEachName(
  root: Node,
  visit: (node: NameNode, parent: Node | null) => boolean,
  other: (node: Node) => void = () => {},
): void {
  const enter = (node: Node, parent: Node | null): void => {
    if (node.type === "Identifier" || node.type === "MemberExpression" || node.type === "SequenceExpression") {
      if (visit(node as NameNode, parent)) return;
    } else other(node);
    for (const [key, child] of Object.entries(node)) {
      if (PART_KEYS.has(key) && Reflect.get(node, "computed") !== true) continue;
      for (const item of Array.isArray(child) ? child : [child]) {
        if (typeof item === "object" && item !== null && typeof item.type === "string") enter(item as Node, node);
      }
    }
  };
  enter(root, null);
}

function namesOf(pattern: unknown, into: Set<string>): void {
  if (typeof pattern !== "object" || pattern === null || !("type" in pattern)) return;
  forEachName(pattern as Node, (node) => {
    if (node.type === "Identifier") into.add(node.name);
    return false;
  });
}

/** Names that are declared anywhere in the text. */
export function declaredNames(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  walk(root, (node) => {
    if (node.type === "VariableDeclarator") namesOf(Reflect.get(node, "id"), names);
    if (node.type === "FunctionDeclaration" || node.type === "FunctionExpression")
      namesOf(Reflect.get(node, "id"), names);
    const params: unknown = Reflect.get(node, "params");
    if (Array.isArray(params)) for (const param of params) namesOf(param, names);
  });
  return names;
}
