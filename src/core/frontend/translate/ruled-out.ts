/**
 * Text that constants rule out: a branch not taken, a loop never entered, the right side of `N === 0 && ...`. As in C++17's
 * `if constexpr` it is not compiled, so nothing in it depends on the constants' values. Its names and its syntax are read.
 */
import type { Identifier, MemberExpression, Node } from "acorn";
import type { Stmt } from "../../ir/ir.js";
import { declaredNames, forEachName } from "../text/names-in-text.js";
import { refusedOperators, refusedSyntax } from "../text/refused.js";
import { isIdentifier } from "./names/free-name.js";
import { memberOf } from "./names/member.js";
import { namedValue } from "./names/name.js";
import type { Translator } from "./translator.js";
import type { ScalarExpr } from "./values/convert.js";
import { isConst } from "./values/fold.js";

/** The value of a condition that is the same for every launch; null for any other. */
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

/** Lists and objects are parts of declarations and calls; a text in quotes may be printf's. */
const PARTS_OF_OTHERS: ReadonlySet<string> = new Set(["ArrayExpression", "ObjectExpression", "TemplateLiteral"]);

/** Reads the names and the syntax of statements or expressions that constants rule out together. */
export function ruleOut(t: Translator, ...roots: readonly Node[]): void {
  const declared = new Set(roots.flatMap((root) => [...declaredNames(root)]));
  const isFree = (name: string): boolean => !declared.has(name) && t.isFree(name);
  const isBound = (name: string): boolean => !declared.has(name) && !t.isFree(name);
  for (const root of roots) {
    forEachName(
      root,
      (node) => {
        if (node.type === "Identifier") {
          if (isFree(node.name)) namedValue(t, node.name, node);
          return true;
        }
        if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier") return false;
        if (!isBound(node.object.name)) return false;
        checkMember(t, node, node.object);
        return true;
      },
      (node) => checkSyntax(t, node),
    );
  }
}

/** Fails where an object that has names has none of this name. */
function checkMember(t: Translator, node: MemberExpression, object: Identifier): void {
  const value = t.scope.find(object.name)?.value;
  const hasMembers = value?.kind === "namespace" || value?.kind === "dim3" || value?.kind === "record";
  if (hasMembers && isIdentifier(node.property)) memberOf(t, value, node.property.name, node, t.span(node));
}

function checkSyntax(t: Translator, node: Node): void {
  if (!PARTS_OF_OTHERS.has(node.type) && refusedSyntax[node.type] !== undefined) {
    t.refuseSyntax(node.type, t.span(node));
  }
  const operator: unknown = Reflect.get(node, "operator");
  const refused = typeof operator === "string" ? refusedOperators[operator] : undefined;
  if (refused !== undefined) t.report.fail(t.span(node), refused.what, refused.cure);
}
