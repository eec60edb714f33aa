/**
 * Text that constants rule out: a branch not taken, a loop never entered, what stands behind `N === 0 && ...`. As in C++17's
 * `if constexpr` it is not compiled, so nothing in it depends on the constants' values. Its names and its syntax are read.
 */
import type { Identifier, MemberExpression, Node } from "acorn";
import type { Stmt } from "../ir/ir.js";
import type { ScalarExpr } from "./convert.js";
import { isConst } from "./fold.js";
import { mangledName } from "./free-name.js";
import { type Refusal, refusedOperators, refusedSyntax } from "./refused.js";
import { walk } from "./source.js";

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
  freeName(name: string, node: Node, mangled: boolean): void;
  /** `object.name` where the object is a name in scope; fails where it has no such member. */
  member(node: MemberExpression & { readonly object: Identifier }): void;
  refuse(node: Node, refusal: Refusal): never;
}

/** Lists and objects are parts of declarations and calls; a text in quotes may be printf's. */
const PARTS_OF_OTHERS: ReadonlySet<string> = new Set(["ArrayExpression", "ObjectExpression", "TemplateLiteral"]);

function declaredIn(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  walk(root, (node) => {
    if (node.type !== "VariableDeclarator") return;
    const id: unknown = Reflect.get(node, "id");
    walk(id as Node, (part) => {
      if (part.type === "Identifier") names.add((part as Identifier).name);
    });
  });
  return names;
}

/** Reads names and syntax of a text that is not compiled. */
export function readNames(root: Node, scope: NamesInScope): void {
  const declared = declaredIn(root);
  const isFree = (name: string): boolean => !declared.has(name) && scope.isFree(name);
  const visit = (node: Node): void => {
    const refusal = PARTS_OF_OTHERS.has(node.type) ? undefined : refusedSyntax[node.type];
    if (refusal !== undefined) scope.refuse(node, refusal);
    const operator: unknown = Reflect.get(node, "operator");
    if (typeof operator === "string" && Object.hasOwn(refusedOperators, operator))
      scope.refuse(node, refusedOperators[operator]!);
    const mangled = mangledName(node as MemberExpression, (name) => name !== "Math" && isFree(name));
    if (mangled !== null) {
      scope.freeName(mangled, node, true);
      return;
    }
    if (node.type === "Identifier") {
      const { name } = node as Identifier;
      if (isFree(name)) scope.freeName(name, node, false);
      return;
    }
    if (node.type === "MemberExpression") {
      const member = node as MemberExpression;
      if (member.object.type === "Identifier" && !member.computed && !declared.has(member.object.name)) {
        if (isFree(member.object.name)) visit(member.object);
        else scope.member(member as MemberExpression & { readonly object: Identifier });
        return;
      }
    }
    for (const [key, child] of Object.entries(node)) {
      const isKey = key === "property" || key === "key" || key === "label";
      if (isKey && Reflect.get(node, "computed") !== true) continue;
      for (const item of Array.isArray(child) ? child : [child]) {
        if (typeof item === "object" && item !== null && typeof item.type === "string") visit(item as Node);
      }
    }
  };
  visit(root);
}
