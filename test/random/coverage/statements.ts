/** Which statements a kernel has in which surroundings, by a walk over its tree. */
import type { KernelTree, Stmt } from "../tree.js";

export const PLACES = ["kernel", "if", "switch", "loop", "device"] as const;
export type Place = (typeof PLACES)[number];

/** Rows: the kind of statement; the place is the innermost around it. */
export function statements(tree: KernelTree, hit: (statement: string, place: Place) => void): void {
  const list = (body: readonly Stmt[], place: Place): void => {
    for (const stmt of body) statement(stmt, place);
  };
  const statement = (s: Stmt, place: Place): void => {
    const name = nameOf(s);
    if (name !== null) hit(name, place);
    switch (s.k) {
      case "if":
        list([...s.then, ...s.else], "if");
        return;
      case "switch":
        for (const { body } of s.arms) list(body, "switch");
        list(s.otherwise, "switch");
        return;
      case "for":
      case "while":
        list(s.body, "loop");
        return;
      case "block":
      case "group":
        list(s.body, place);
        return;
      default:
    }
  };
  for (const { body } of tree.functions) list(body, "device");
  list(tree.body, "kernel");
}

function nameOf(s: Stmt): string | null {
  switch (s.k) {
    case "let":
      return s.mutable ? "let" : "const";
    case "set":
      return s.op === "" ? "x = y" : "x op= y";
    case "step":
      return "x++";
    case "list":
      return s.declares === null ? "[a, b] = " : `${s.declares} [a, b] =`;
    case "store":
      return s.op === "" ? "a[i] = x" : "a[i] op= x";
    case "store2":
      return "a[i][j] = x";
    case "if":
      return s.else.length > 0 ? "if else" : "if";
    case "while":
      return s.form;
    case "switch":
      return s.arms.some(({ falls }) => falls) ? "switch, falls" : "switch";
    case "component":
      return "v.x = y";
    case "vectorStore":
      return "vector store";
    case "warp":
      return s.op === "activemask" || s.op === "ballot_sync" ? s.op : (s.op.split("_")[0] ?? s.op);
    case "atomic":
      return s.result === null ? "atomic" : "x = atomic";
    case "group":
      return null;
    default:
      return s.k;
  }
}
