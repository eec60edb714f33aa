/** Branches, of which constants may rule out a side, and lists of statements, of which they may rule out the rest. */
import type { Expression, IfStatement, Node, Statement } from "acorn";
import type { Span } from "../../base/errors.js";
import type { Stmt } from "../../ir/ir.js";
import { hasEffect } from "../../ir/walk.js";
import { decided, ends, ruleOut } from "./ruled-out.js";
import type { Translator } from "./translator.js";
import type { ScalarExpr } from "./values/convert.js";

/** One side of a branch: its text, null where it has none, and what makes its statements. */
interface Side {
  readonly node: Node | null;
  readonly make: () => void;
}

export function statements(t: Translator, nodes: readonly Statement[]): void {
  for (const [index, node] of nodes.entries()) {
    if (t.unreachable) {
      ruleOut(t, ...nodes.slice(index));
      return;
    }
    t.statement(node);
  }
}

/** Emits a condition and its two sides, of which one may be ruled out. */
export function branch(t: Translator, condition: ScalarExpr, sides: readonly [Side, Side], span: Span): void {
  const holds = decided(condition);
  const [then, otherwise] = sides;
  if (holds === null) {
    t.emit({ kind: "if", condition, then: t.collect(then.make), else: t.collect(otherwise.make), span });
    return;
  }
  if (hasEffect(condition)) t.emit({ kind: "expr", value: condition, span });
  const [taken, ruledOut] = holds ? [then, otherwise] : [otherwise, then];
  if (ruledOut.node !== null) ruleOut(t, ruledOut.node);
  emitCertain(t, t.collect(taken.make), span);
}

/** Statements that run whatever the launch is given, in a block where they declare names, and what they rule out. */
export function emitCertain(t: Translator, body: readonly Stmt[], span: Span): void {
  if (body.some(({ kind }) => kind === "declare")) t.emit({ kind: "block", body, span });
  else for (const stmt of body) t.emit(stmt);
  if (ends(body)) t.unreachable = true;
}

export function side(t: Translator, node: Statement | null | undefined): Side {
  return {
    node: node ?? null,
    make: () => {
      if (node?.type === "BlockStatement") statements(t, node.body);
      else if (node) t.statement(node);
    },
  };
}

/** The c of `a(), b(), c`, as minifiers join statements; a() and b() are read as statements before it. */
export function lastOf(t: Translator, node: Expression): Expression {
  if (node.type !== "SequenceExpression") return node;
  for (const part of node.expressions.slice(0, -1)) t.expressionStatement(part);
  return node.expressions.at(-1) ?? node;
}

export function ifStatement(t: Translator, node: IfStatement): void {
  const sides = [side(t, node.consequent), side(t, node.alternate)] as const;
  branch(t, t.condition(lastOf(t, node.test)), sides, t.span(node));
}
