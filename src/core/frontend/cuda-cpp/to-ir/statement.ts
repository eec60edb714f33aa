/** Statements: branches, loops, jumps, returns. */
import type { Expr, Stmt } from "../../../ir/ir.js";
import { ABSENT, children, type Node } from "../tree/node.js";
import { constantIn } from "../tree/unit.js";
import { integer } from "./constants.js";
import { declare } from "./declaration.js";
import { not } from "./operators.js";
import { condition, effect, locate, refuseKind, value } from "./reading.js";
import { initialize, isRecord } from "./records.js";
import { switchStatement } from "./switch.js";
import type { Translation } from "./translation.js";

export function list(t: Translation, nodes: readonly Node[]): void {
  for (const node of nodes) statement(t, node);
}

/** The statements that a body makes, in the order of the text. */
export function bodyOf(t: Translation, node: Node | undefined): Stmt[] {
  return t.collect(() => {
    if (node !== undefined) statement(t, node);
  });
}

export function statement(t: Translation, node: Node): void {
  const span = t.span(node);
  const inside = children(node);
  switch (node.kind) {
    case "CompoundStmt":
      list(t, inside);
      return;
    case "DeclStmt":
      declare(t, node);
      return;
    case "NullStmt":
    case ABSENT:
      return;
    case "IfStmt":
      branch(t, node);
      return;
    case "ForStmt":
    case "CXXForRangeStmt":
    case "WhileStmt":
    case "DoStmt":
      loop(t, node, null);
      return;
    case "AttributedStmt":
      attributed(t, node);
      return;
    case "SwitchStmt":
      switchStatement(t, node);
      return;
    case "BreakStmt":
      t.emit({ kind: "break", span });
      return;
    case "ContinueStmt":
      t.emit({ kind: "continue", span });
      return;
    case "ReturnStmt":
      returned(t, node);
      return;
    case "GotoStmt":
    case "LabelStmt":
    case "GCCAsmStmt":
    case "CXXTryStmt":
    case "MSAsmStmt":
      if (node.kind === "LabelStmt")
        t.refuse(node, "A label for goto is not there in kernels.", "Use a loop and break.");
      refuseKind(t, node);
      return;
    default:
      effect(t, node);
  }
}

function branch(t: Translation, node: Node): void {
  const inside = [...children(node)];
  const span = t.span(node);
  if (node.hasInit) {
    const init = inside.shift();
    if (init !== undefined) statement(t, init);
  }
  if (node.hasVar) {
    const declaration = inside.shift();
    if (declaration !== undefined) statement(t, declaration);
  }
  const [test, then, otherwise] = inside;
  if (test === undefined) return;
  if (node.isConstexpr) {
    const known =
      test.kind === "ConstantExpr" && test.value !== undefined
        ? String(test.value)
        : String(constantIn({ ...test, inner: [test] }) ?? "");
    const chosen = known === "true" || known === "1" ? then : known === "false" || known === "0" ? otherwise : null;
    if (chosen !== null) {
      if (chosen !== undefined) statement(t, chosen);
      return;
    }
  }
  const chosen = condition(t, test);
  if (chosen.kind === "const") {
    const live = Number(chosen.value) !== 0 ? then : otherwise;
    if (live !== undefined) t.output.push(...bodyOf(t, live));
    return;
  }
  t.emit({ kind: "if", condition: chosen, then: bodyOf(t, then), else: bodyOf(t, otherwise), span });
}

/** `#pragma unroll` and its like stand before a loop. */
function attributed(t: Translation, node: Node): void {
  const inside = children(node);
  const body = inside.at(-1);
  if (body === undefined) return;
  const hint = inside.find((child) => child.kind === "LoopHintAttr");
  const isLoop = ["ForStmt", "CXXForRangeStmt", "WhileStmt", "DoStmt"].includes(body.kind);
  if (hint === undefined || !isLoop) {
    statement(t, body);
    return;
  }
  const count = constantIn(hint);
  loop(t, body, count === null ? "full" : Number(count));
}

function loop(t: Translation, node: Node, unroll: number | "full" | null): void {
  const inside = children(node);
  if (node.kind === "ForStmt") {
    const [init, variable, test, update, body] = inside;
    const first = t.collect(() => {
      if (init !== undefined && init.kind !== ABSENT) statement(t, init);
      if (variable !== undefined && variable.kind !== ABSENT) statement(t, variable);
    });
    made(t, node, first, test, update, body, unroll);
  } else if (node.kind === "CXXForRangeStmt") {
    // clang has written out what C++ says: the range, its begin and end, the test, the step, the variable, the body.
    const [init, range, begin, end, test, update, variable, body] = inside;
    const first = t.collect(() => {
      for (const each of [init, range, begin, end]) if (each !== undefined) statement(t, each);
    });
    const whole = [variable, body].filter((each) => each !== undefined);
    made(t, node, first, test, update, { ...node, kind: "CompoundStmt", inner: whole }, unroll);
  } else if (node.kind === "WhileStmt") {
    const rest = node.hasVar ? inside.slice(1) : inside;
    if (node.hasVar) t.refuse(node, "A variable is declared in a loop's condition.", "Declare it before the loop.");
    const [test, body] = rest;
    made(t, node, [], test, undefined, body, unroll);
  } else {
    const [body, test] = inside;
    doLoop(t, node, test, body, unroll);
  }
}

function made(
  t: Translation,
  node: Node,
  init: readonly Stmt[],
  test: Node | undefined,
  update: Node | undefined,
  body: Node | undefined,
  unroll: number | "full" | null,
): void {
  const span = t.span(node);
  let found: Expr | null = null;
  const before = t.collect(() => {
    if (test !== undefined && test.kind !== ABSENT) found = condition(t, test);
  });
  const statements = bodyOf(t, body);
  const next = t.collect(() => {
    if (update !== undefined && update.kind !== ABSENT) effect(t, update);
  });
  const tested = found as Expr | null;
  if (before.length === 0) {
    const constant = tested !== null && tested.kind === "const" && Number(tested.value) !== 0 ? null : tested;
    t.emit({ kind: "loop", init, condition: constant, testFirst: true, update: next, body: statements, unroll, span });
    return;
  }
  // The condition has effects: it is found anew at the head of each round.
  const leave: Stmt[] =
    tested === null
      ? []
      : [{ kind: "if", condition: not(tested, span), then: [{ kind: "break", span }], else: [], span }];
  t.emit({
    kind: "loop",
    init,
    condition: null,
    testFirst: true,
    update: next,
    body: [...before, ...leave, ...statements],
    unroll,
    span,
  });
}

function doLoop(
  t: Translation,
  node: Node,
  test: Node | undefined,
  body: Node | undefined,
  unroll: number | "full" | null,
): void {
  const span = t.span(node);
  let found: Expr | null = null;
  const statements = bodyOf(t, body);
  const before = t.collect(() => {
    if (test !== undefined) found = condition(t, test);
  });
  const tested = (found as Expr | null) ?? integer("bool", 1, span);
  if (before.length === 0) {
    if (tested.kind === "const" && Number(tested.value) === 0 && !statements.some(jumps)) {
      t.output.push(...statements);
      return;
    }
    t.emit({ kind: "loop", init: [], condition: tested, testFirst: false, update: [], body: statements, unroll, span });
    return;
  }
  const variable = t.variable("again", "bool", span);
  const again: Expr = { kind: "variable", type: "bool", variable, span };
  const check: Stmt[] = [
    ...before,
    { kind: "if", condition: not(tested, span), then: [{ kind: "break", span }], else: [], span },
  ];
  t.emit({
    kind: "loop",
    init: [{ kind: "declare", variable, value: integer("bool", 0, span), span }],
    condition: null,
    testFirst: true,
    update: [],
    body: [
      { kind: "if", condition: again, then: check, else: [], span },
      { kind: "assign", variable, component: null, value: integer("bool", 1, span), span },
      ...statements,
    ],
    unroll,
    span,
  });
}

/** A jump that leaves this list for its own loop. */
export function jumps(stmt: Stmt): boolean {
  if (stmt.kind === "break" || stmt.kind === "continue") return true;
  if (stmt.kind === "if") return stmt.then.some(jumps) || stmt.else.some(jumps);
  return stmt.kind === "block" && stmt.body.some(jumps);
}

function returned(t: Translation, node: Node): void {
  const span = t.span(node);
  const [result] = children(node);
  const { returns } = t;
  if (returns.kind === "kernel") {
    t.emit({ kind: "return", value: null, span });
    return;
  }
  if (returns.kind === "inline") {
    if (result === undefined) return;
    if (returns.type.kind === "void") effect(t, result);
    else returns.result = returns.type.kind === "reference" ? locate(t, result) : value(t, result);
    return;
  }
  if (result === undefined || returns.type.kind === "void") {
    if (result !== undefined) effect(t, result);
    t.emit({ kind: "return", value: null, span });
    return;
  }
  if (returns.result !== null && isRecord(returns.type)) {
    initialize(t, { kind: "memory", address: returns.result, type: returns.type }, result);
    t.emit({ kind: "return", value: null, span });
    return;
  }
  const found = value(t, result);
  if (found.kind === "scalar" || found.kind === "vector") {
    t.emit({ kind: "return", value: found.expr, span });
    return;
  }
  t.refuse(node, "This value cannot be returned.", "Return a number, or write it to memory.");
}
