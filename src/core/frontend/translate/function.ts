/** One function's text as a whole: its arguments, its body, the type of its returns. */
import type { Expression, Pattern } from "acorn";
import type { DeviceFunction, Stmt } from "../../ir/ir.js";
import { statements } from "./branch.js";
import { bind, bindPattern, refuseDefault } from "./declaration.js";
import { condition, value } from "./expression.js";
import { Scope } from "./names/scope.js";
import { returnType, returnValue } from "./returns.js";
import { expressionStatement, statement } from "./statement.js";
import { type FunctionInput, type Readers, Translator } from "./translator.js";
import type { Value } from "./values/value.js";

const readers: Readers = { value, condition, statement, expressionStatement };

/** The statements of a kernel. */
export function kernelBody(input: FunctionInput): readonly Stmt[] {
  return bodyOf(new Translator(input, readers));
}

/** The statements of a device function, and the type of its returns. */
export function deviceBody(input: FunctionInput): Pick<DeviceFunction, "returns" | "body"> {
  const t = new Translator(input, readers);
  const body = bodyOf(t);
  return { returns: returnType(t, body), body };
}

/** Statements of the whole function. */
function bodyOf(t: Translator): readonly Stmt[] {
  const { tree } = t.source;
  const words = t.isKernel ? "A kernel" : "A device function";
  if (tree.async)
    t.report.fail(t.span(tree), `${words} cannot be async.`, "Remove async: threads wait with syncthreads().");
  if (tree.generator)
    t.report.fail(t.span(tree), `${words} cannot be a generator.`, "Remove the *: write results to an output array.");
  return t.collect(() => {
    tree.params.forEach((pattern, index) => {
      const name = t.form.arguments[index];
      if (name === undefined) {
        const { refusal, head } = t.form;
        t.report.fail(t.span(pattern), `${words} ${refusal}`, `Write ${head}.`);
      }
      bindArgument(t, pattern, { kind: "namespace", name });
    });
    const inner = t.scope;
    t.scope = new Scope(inner);
    const { body } = tree;
    if (body.type === "BlockStatement") statements(t, body.body);
    else arrowBody(t, body);
  });
}

function arrowBody(t: Translator, body: Expression): void {
  if (t.isKernel || isStatementLike(body)) t.expressionStatement(body);
  else returnValue(t, body, t.span(body));
}

function isStatementLike(body: Expression): boolean {
  return body.type === "AssignmentExpression" || body.type === "UpdateExpression" || body.type === "SequenceExpression";
}

function bindArgument(t: Translator, pattern: Pattern, value: Value): void {
  if (pattern.type === "Identifier") bind(t, pattern.name, value, pattern);
  else if (pattern.type === "ObjectPattern") bindPattern(t, pattern, value, false);
  else if (pattern.type === "RestElement")
    t.report.fail(t.span(pattern), "`...` needs a list of unknown length.", "Name the arguments one by one.");
  else refuseDefault(t, pattern);
}
