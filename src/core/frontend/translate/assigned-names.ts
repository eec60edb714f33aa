/** The names that a function's text assigns, found before it is translated. */
import type { Node } from "acorn";
import { walk } from "../text/tree.js";

/** A parameter among `all` becomes a variable. Those of `neverNegative` stay at 0 or above once they start there. */
export interface AssignedNames {
  readonly all: ReadonlySet<string>;
  readonly neverNegative: ReadonlySet<string>;
}

/** Operators that keep a variable from 0 upwards when the other side is a literal (a wrap past 2^31 apart). */
const growing: ReadonlySet<string> = new Set(["++", "+=", "*=", "<<=", ">>=", ">>>=", "%=", "&="]);

export function assignedNames(tree: Node): AssignedNames {
  const all = new Set<string>();
  const suspect = new Set<string>();
  walk(tree, (node) => {
    const target = childNode(node, node.type === "AssignmentExpression" ? "left" : "argument");
    if (node.type === "AssignmentExpression" && target?.type === "ArrayPattern") {
      for (const part of elementsOf(target)) {
        if (!("name" in part)) continue;
        all.add(String(part.name));
        suspect.add(String(part.name));
      }
      return;
    }
    if ((node.type !== "AssignmentExpression" && node.type !== "UpdateExpression") || !target || !("name" in target))
      return;
    const name = String(target.name);
    all.add(name);
    const right = childNode(node, "right");
    const plainNumber =
      right === null || (right.type === "Literal" && "value" in right && typeof right.value === "number");
    if (!("operator" in node && growing.has(String(node.operator)) && plainNumber)) suspect.add(name);
  });
  return { all, neverNegative: new Set([...all].filter((name) => !suspect.has(name))) };
}

/** The parts of `[a, b]`. */
function elementsOf(pattern: Node): readonly Node[] {
  const elements: unknown = Reflect.get(pattern, "elements");
  return Array.isArray(elements) ? elements.filter((part): part is Node => part !== null) : [];
}

function childNode(node: Node, key: string): Node | null {
  const child: unknown = Reflect.get(node, key);
  return typeof child === "object" && child !== null && "type" in child ? (child as Node) : null;
}
