/** Returns: each gives a value or none, and all of a function have one type. */
import type { Expression, ReturnStatement as ReturnNode } from "acorn";
import type { Span } from "../../base/errors.js";
import type { ReturnStmt, Stmt } from "../../ir/ir.js";
import { cudaName, isScalar, type Scalar, type VectorType } from "../../ir/types.js";
import { aType } from "../text/type-name.js";
import { lastOf } from "./branch.js";
import type { PendingReturn, Translator } from "./translator.js";
import { assign, commonType, type ValueExpr } from "./values/convert.js";
import { isConst } from "./values/fold.js";

export function returnStatement(t: Translator, node: ReturnNode): void {
  returnValue(t, node.argument ?? null, t.span(node));
}

export function returnValue(t: Translator, argument: Expression | null, span: Span): void {
  if (t.isKernel && argument !== null) {
    t.report.fail(span, "A kernel returns no value.", "Write the result to an output array: output[i] = x; return;");
  }
  const value: ValueExpr | null = argument === null ? null : returned(t, argument);
  const pending: PendingReturn = { kind: "return", value, span };
  t.returns.push(pending);
  const statement: ReturnStmt = pending;
  t.emit(statement);
}

function returned(t: Translator, argument: Expression): ValueExpr {
  const node = lastOf(t, argument);
  const value = t.value(node);
  if (value.kind === "expr" && value.expr.type !== "void") return value.expr;
  if (value.kind !== "pointer") return t.expr(node);
  return t.report.fail(
    t.span(node),
    "A device function returns a number or a vector; this is an array.",
    "Return an index instead of an array.",
  );
}

/** The common type of all returns; each return is converted to it. */
export function returnType(t: Translator, body: readonly Stmt[]): Scalar | VectorType | "void" {
  const values = t.returns.filter(({ value }) => value !== null);
  const [first] = values;
  if (first === undefined || first.value === null || first.value.type === "void") return "void";
  const silent = t.returns.find(({ value }) => value === null);
  if (silent !== undefined)
    t.report.fail(silent.span, "This return gives no value; others of this function do.", "Return a value everywhere.");
  const type = values.reduce<Scalar | VectorType>(
    (common, { value, span }) =>
      unified(t, common, value?.type as Scalar | VectorType, value !== null && isConst(value), span),
    first.value.type as Scalar | VectorType,
  );
  for (const pending of values) {
    const { value } = pending;
    if (value === null || value.kind === "pointer") continue;
    pending.value = assign(value, { name: "the function's result", type }, pending.span, t.report);
  }
  if (!alwaysReturns(body)) {
    t.report.fail(
      t.span(t.source.tree),
      "This function can end without returning a value.",
      "Put a return at its end.",
    );
  }
  return type;
}

function unified(
  t: Translator,
  common: Scalar | VectorType,
  next: Scalar | VectorType,
  isConstant: boolean,
  span: Span,
): Scalar | VectorType {
  if (cudaName(common) === cudaName(next)) return common;
  const constants = isConstant || t.returns.some(({ value }) => value !== null && isConst(value));
  if (isScalar(common) && isScalar(next) && constants && common !== "bool" && next !== "bool")
    return commonType(common, next);
  return t.report.fail(
    span,
    `This returns ${aType(next)}; another return of this function gives ${aType(common)}.`,
    "Convert so that all returns have one type.",
  );
}

/** True where no path leaves the list at its end. */
function alwaysReturns(body: readonly Stmt[]): boolean {
  return body.some((stmt) => {
    if (stmt.kind === "return") return true;
    if (stmt.kind === "block") return alwaysReturns(stmt.body);
    if (stmt.kind === "if") return alwaysReturns(stmt.then) && alwaysReturns(stmt.else);
    return stmt.kind === "loop" && stmt.condition === null && !hasBreak(stmt.body);
  });
}

function hasBreak(body: readonly Stmt[]): boolean {
  return body.some((stmt) => {
    if (stmt.kind === "break") return true;
    if (stmt.kind === "block") return hasBreak(stmt.body);
    return stmt.kind === "if" && (hasBreak(stmt.then) || hasBreak(stmt.else));
  });
}
