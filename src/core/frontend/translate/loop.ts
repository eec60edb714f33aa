/** Loops and the hints to unroll them. */
import type { CallExpression, DoWhileStatement, Expression, ForStatement, Statement, WhileStatement } from "acorn";
import type { Expr, LoopStmt, Stmt } from "../../ir/ir.js";
import { hasEffect } from "../../ir/walk.js";
import { emitCertain, statements } from "./branch.js";
import { plainArguments, wordOf } from "./call.js";
import { declaration } from "./declaration.js";
import { Scope } from "./names/scope.js";
import { decided, ruleOut } from "./ruled-out.js";
import type { Translator } from "./translator.js";
import { isConst } from "./values/fold.js";
import { plain } from "./values/value.js";

type Unroll = number | "full" | null;

export function forStatement(t: Translator, node: ForStatement): void {
  const hint = pragma(t, node);
  const outerScope = t.scope;
  t.scope = new Scope(outerScope);
  const scope = t.scope;
  const outer = t.output;
  const init: Stmt[] = [];
  t.output = init;
  if (node.init?.type === "VariableDeclaration") declaration(t, node.init);
  else if (node.init) t.expressionStatement(node.init);
  if (node.test && neverEntered(t, node.test, init)) {
    ruleOut(t, node.test, node.body, ...(node.update ? [node.update] : []));
    t.output = outer;
    t.scope = outerScope;
    emitCertain(t, init, t.span(node));
    return;
  }
  const condition = node.test ? loopCondition(t, node.test) : null;
  const { body, unroll } = loopBody(t, node.body);
  t.scope = scope;
  const update: Stmt[] = [];
  t.output = update;
  if (node.update) t.expressionStatement(node.update);
  t.output = outer;
  t.scope = outerScope;
  t.emit({
    kind: "loop",
    init,
    condition,
    testFirst: true,
    update,
    body,
    unroll: unroll ?? hint,
    span: t.span(node),
  });
}

export function whileStatement(t: Translator, node: WhileStatement | DoWhileStatement): void {
  const hint = pragma(t, node);
  if (node.type === "WhileStatement" && neverEntered(t, node.test, [])) {
    ruleOut(t, node.body);
    return;
  }
  const condition = loopCondition(t, node.test);
  const { body, unroll } = loopBody(t, node.body);
  const loop: LoopStmt = {
    kind: "loop",
    init: [],
    condition,
    testFirst: node.type === "WhileStatement",
    update: [],
    body,
    unroll: unroll ?? hint,
    span: t.span(node),
  };
  t.emit(loop);
}

function loopCondition(t: Translator, node: Expression): Expr | null {
  const condition = t.notOnce(() => t.condition(node));
  return isConst(condition) && condition.value !== 0 ? null : condition;
}

/** True where the first test of a for loop fails: its variables still have their first values. */
function neverEntered(t: Translator, test: Expression, init: readonly Stmt[]): boolean {
  const outer = t.scope;
  const first = new Scope(outer);
  for (const stmt of init) {
    if (stmt.kind !== "declare" || stmt.value.kind !== "const") continue;
    const name = t.tables.variables[stmt.variable]?.name ?? "";
    first.declare(name, { value: plain(stmt.value), variable: null, fixed: null, span: stmt.span });
  }
  t.scope = first;
  const condition = t.readForType(() => t.condition(test));
  t.scope = outer;
  return condition !== null && decided(condition) === false && !hasEffect(condition);
}

function loopBody(t: Translator, node: Statement): { readonly body: readonly Stmt[]; readonly unroll: Unroll } {
  let unroll: Unroll = null;
  const body = t.collect(() => {
    const [first, ...rest] = node.type === "BlockStatement" ? node.body : [node];
    if (first === undefined) return;
    // `unroll(), work();` is what a minifier makes of two statements.
    const expression = first.type === "ExpressionStatement" ? first.expression : null;
    const [hint, ...work] = expression?.type === "SequenceExpression" ? expression.expressions : [expression];
    if (hint?.type === "CallExpression" && wordOf(t, hint) === "unroll") {
      unroll = unrollFactor(t, hint);
      for (const part of work) if (part !== null) t.expressionStatement(part);
    } else t.statement(first);
    statements(t, rest);
  });
  return { body, unroll };
}

/** `unroll(4)`, or `unroll()` for the whole loop. */
function unrollFactor(t: Translator, call: CallExpression): Unroll {
  const [factor, more] = plainArguments(t, call);
  if (factor === undefined) return "full";
  const value = t.scalar(factor);
  const count = isConst(value) ? Number(value.value) : Number.NaN;
  if (more !== undefined || !Number.isInteger(count) || count < 1) {
    return t.report.fail(
      t.span(call),
      "unroll takes the number of copies of the body, known when the kernel is compiled.",
      "Write unroll(4), or unroll() for the whole loop.",
    );
  }
  return count;
}

/** A comment `#pragma unroll` or `#pragma unroll 4` right before a loop. */
function pragma(t: Translator, node: Statement): Unroll {
  const { comments } = t.source;
  const text = t.source.text.text;
  for (const comment of comments) {
    const found = /^\s*#?\s*pragma\s+unroll\b\s*\(?(\d*)/.exec(comment.value);
    if (found === null || comment.end > node.start) continue;
    const offset = node.start - comment.end;
    const from = textStart(t, comment.end);
    if (text.slice(from, from + offset).trim() === "") return found[1] ? Number(found[1]) : "full";
  }
  return null;
}

/** Position in the learner's text of a position in the wrapped text that was parsed. */
function textStart(t: Translator, position: number): number {
  return position - t.source.wrapped;
}
