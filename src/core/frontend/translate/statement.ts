/** Statements of the kernel's text: control flow, blocks, calls. */
import type { BlockStatement, CallExpression, Expression, Statement } from "acorn";
import type { Span } from "../../base/errors.js";
import { effect } from "./assignment.js";
import { branch, ifStatement, lastOf, side, statements } from "./branch.js";
import { plainArguments, wordOf } from "./call.js";
import { launchStatement } from "./calls/child-launch.js";
import { printfStatement } from "./calls/printf.js";
import { declaration } from "./declaration.js";
import { forStatement, whileStatement } from "./loop.js";
import { returnStatement } from "./returns.js";
import { switchStatement } from "./switch.js";
import type { CallSite, Translator } from "./translator.js";

export function statement(t: Translator, node: Statement): void {
  const span = t.span(node);
  switch (node.type) {
    case "EmptyStatement":
      return;
    case "ExpressionStatement":
      if (node.directive === undefined) t.expressionStatement(node.expression);
      return;
    case "VariableDeclaration":
      declaration(t, node);
      return;
    case "BlockStatement":
      block(t, node, span);
      return;
    case "IfStatement":
      ifStatement(t, node);
      return;
    case "ForStatement":
      forStatement(t, node);
      return;
    case "WhileStatement":
    case "DoWhileStatement":
      whileStatement(t, node);
      return;
    case "SwitchStatement":
      switchStatement(t, node);
      return;
    case "BreakStatement":
    case "ContinueStatement":
      // Labels are refused, and JavaScript has neither word outside of loops and switches.
      t.emit({ kind: node.type === "BreakStatement" ? "break" : "continue", span });
      return;
    case "ReturnStatement":
      returnStatement(t, node);
      return;
    default:
      t.refuseSyntax(node.type, span);
  }
}

export function expressionStatement(t: Translator, node: Expression): void {
  if (effect(t, node)) return;
  const span = t.span(node);
  switch (node.type) {
    case "ParenthesizedExpression":
      t.expressionStatement(node.expression);
      return;
    case "SequenceExpression":
      for (const part of node.expressions) t.expressionStatement(part);
      return;
    case "CallExpression":
      callOrWord(t, node);
      return;
    case "LogicalExpression": {
      // A minifier prints `if (c) f();` so.
      if (node.operator === "??") break;
      const work = { node: node.right, make: () => t.expressionStatement(node.right) };
      const nothing = side(t, null);
      const condition = t.condition(lastOf(t, node.left));
      branch(t, condition, node.operator === "&&" ? [work, nothing] : [nothing, work], span);
      return;
    }
    case "ConditionalExpression": {
      const [then, otherwise] = [node.consequent, node.alternate].map((part) => ({
        node: part,
        make: () => t.expressionStatement(part),
      }));
      if (then !== undefined && otherwise !== undefined)
        branch(t, t.condition(lastOf(t, node.test)), [then, otherwise], span);
      return;
    }
    case "YieldExpression":
    case "AwaitExpression":
    case "FunctionExpression":
    case "TemplateLiteral":
      t.value(node);
      return;
  }
  t.value(node);
  t.report.fail(span, "This statement has no effect.", "Assign its value, or leave it out.");
}

/** printf, launch and unroll are statements; other calls are expressions whose value may be dropped. */
function callOrWord(t: Translator, node: CallExpression): void {
  const word = wordOf(t, node);
  if (word === "printf" || word === "launch") {
    const site: CallSite = { name: word, args: plainArguments(t, node), span: t.span(node), node };
    t.emit(word === "printf" ? printfStatement(t, site) : launchStatement(t, site));
  } else if (word === "unroll") {
    t.report.fail(
      t.span(node),
      "unroll stands where no loop begins.",
      "Make it the first statement of the loop's body: for (...) { unroll(4); ... }.",
    );
  } else droppedCall(t, node);
}

function block(t: Translator, node: BlockStatement, span: Span): void {
  let certain = false;
  const body = t.collect(() => {
    statements(t, node.body);
    certain = t.unreachable;
  });
  t.emit({ kind: "block", body, span });
  t.unreachable = certain;
}

/** A call as a statement: its value, if any, is dropped. */
function droppedCall(t: Translator, node: CallExpression): void {
  const value = t.value(node);
  if (value.kind === "expr") t.emit({ kind: "expr", value: value.expr, span: t.span(node) });
}
