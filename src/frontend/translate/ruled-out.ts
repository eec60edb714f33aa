/**
 * Text that constants rule out: a branch not taken, a loop never entered, what stands behind `N === 0 && ...`. As in C++17's
 * `if constexpr` it is not compiled, so nothing in it depends on the constants' values. Its names and its syntax are read.
 */
import type { Identifier, MemberExpression, Node } from "acorn";
import type { Stmt } from "../../ir/ir.js";
import { declaredNames, forEachName } from "../text/names-in-text.js";
import { type Refusal, refusedOperators, refusedSyntax } from "../text/refused.js";
import type { ScalarExpr } from "./convert.js";
import { isConst } from "./fold.js";

/** What a condition comes to whatever the launch is given; null where that decides. */
export function decided(condition: ScalarExpr): boolean | null {
  if (isConst(condition)) return condition.value !== 0;
  if (condition.kind === "unary" && condition.op === "not") {
    const operand = decided(condition.operand as ScalarExpr);
    return operand === null ? null : !operand;
  }
  if (condition.kind !== "logical") return null;
  const sides = [decided(condition.left as ScalarExpr), decided(condition.right as ScalarExpr)];
  const deciding = condition.op === "or";
  if (sides.includes(deciding)) return deciding;
  return sides.includes(null) ? null : !deciding;
}

/** True where control never comes to the end of the list. */
export function ends(body: readonly Stmt[]): boolean {
  return body.some(
    (stmt) =>
      stmt.kind === "return" ||
      stmt.kind === "break" ||
      stmt.kind === "continue" ||
      (stmt.kind === "block" && ends(stmt.body)) ||
      (stmt.kind === "if" && ends(stmt.then) && ends(stmt.else)),
  );
}

/** What the names of a text that is not compiled are looked up in. */
export interface NamesInScope {
  isFree(name: string): boolean;
  /** Fails where the language has no such name either. */
  freeName(name: string, node: Node): void;
  /** `object.name` where the object is a name in scope; fails where it has no such member. */
  member(node: MemberExpression & { readonly object: Identifier }): void;
  refuse(node: Node, refusal: Refusal): never;
}

/** Lists and objects are parts of declarations and calls; a text in quotes may be printf's. */
const PARTS_OF_OTHERS: ReadonlySet<string> = new Set(["ArrayExpression", "ObjectExpression", "TemplateLiteral"]);

/** Reads names and syntax of a text that is not compiled. */
export function readNames(roots: readonly Node[], scope: NamesInScope): void {
  const declared = new Set(roots.flatMap((root) => [...declaredNames(root)]));
  for (const root of roots) readNamesOf(root, declared, scope);
}

function readNamesOf(root: Node, declared: ReadonlySet<string>, scope: NamesInScope): void {
  forEachName(
    root,
    (node) => {
      if (node.type === "Identifier") {
        if (!declared.has(node.name) && scope.isFree(node.name)) scope.freeName(node.name, node);
        return true;
      }
      if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier") return false;
      const { name } = node.object;
      if (declared.has(name) || scope.isFree(name)) return false;
      scope.member(node as MemberExpression & { readonly object: Identifier });
      return true;
    },
    (node) => {
      const refusal = PARTS_OF_OTHERS.has(node.type) ? undefined : refusedSyntax[node.type];
      if (refusal !== undefined) scope.refuse(node, refusal);
      const operator: unknown = Reflect.get(node, "operator");
      const refused = typeof operator === "string" ? refusedOperators[operator] : undefined;
      if (refused !== undefined) scope.refuse(node, refused);
    },
  );
}
