/** Which operations of which types a kernel has, by a walk over its tree. */
import { functionsNamed } from "../functions.js";
import { type Expr, type KernelTree, NUMERIC, type Stmt, type Type } from "../tree.js";
import { visit } from "./visit.js";

export const TYPE_COLUMNS: readonly Type[] = [...NUMERIC, "bool"];

/** Rows: the operation; the type is that of its first operand. */
export function operations(tree: KernelTree, hit: (operation: string, t: Type) => void): void {
  const shared = new Set(tree.shared.map(({ name }) => name));
  visit([tree.body, tree.functions.map(({ body }) => body)], (node) => {
    const found = "t" in node ? operationOf(node, shared) : null;
    if (found !== null) hit(...found);
  });
}

const isShift = (op: string): boolean => op === "<<" || op === ">>" || op === ">>>";

function operationOf(node: Expr | Stmt, shared: ReadonlySet<string>): readonly [string, Type] | null {
  switch (node.k) {
    case "unary":
      return [`${node.op}x`, node.t];
    case "binary":
      return [node.op, isShift(node.op) ? node.a.t : node.t];
    case "compare":
      return [node.op, node.a.t];
    case "logical":
      return [node.op, "bool"];
    case "select":
      return ["?:", node.t];
    case "cast":
      return [`to ${node.t}`, node.a.t];
    case "call":
      return [functionsNamed(node.name)[0]?.names[0] ?? node.name, node.args[0]?.t ?? node.t];
    case "set":
      return node.op === "" ? null : [`${node.op}=`, node.t];
    case "step":
      return [node.by > 0 ? "++" : "--", node.t];
    case "store":
      return [node.op === "" ? "a[i] = x" : "a[i] op= x", node.t];
    case "load":
      return [shared.has(node.array) ? "shared a[i]" : "a[i]", node.t];
    case "warp":
      return [node.op, node.args[0]?.t ?? node.t];
    case "tile":
      return [node.op, node.t];
    case "atomic":
      return [shared.has(node.array) ? `shared ${node.op}` : node.op, node.t];
    default:
      return null;
  }
}
