/** switch with all that C++ allows but jumps into blocks: falling through, `default` anywhere, breaks inside of ifs. */
import type { Expr, Stmt } from "../../../ir/ir.js";
import { children, type Node } from "../tree/node.js";
import { constantIn } from "../tree/unit.js";
import { integer } from "./constants.js";
import { compared } from "./operators.js";
import { refuseKind, scalar, statement } from "./reading.js";
import type { Translation } from "./translation.js";
import { irScalar } from "./values.js";

interface Arm {
  /** Null for `default`. */
  readonly labels: (bigint | null)[];
  readonly body: Node[];
}

/** The arms in the order of the text; statements before the first label are never run. */
function armsOf(t: Translation, body: Node): Arm[] {
  const arms: Arm[] = [];
  const add = (node: Node): void => {
    if (node.kind !== "CaseStmt" && node.kind !== "DefaultStmt") {
      arms.at(-1)?.body.push(node);
      return;
    }
    const last = arms.at(-1);
    const arm = last !== undefined && last.body.length === 0 ? last : { labels: [], body: [] };
    if (arm !== last) arms.push(arm);
    const inside = children(node);
    if (node.kind === "DefaultStmt") arm.labels.push(null);
    else {
      if (inside.length > 2) t.refuse(node, "A range of case labels.", "Write each label.");
      const value =
        inside[0]?.value !== undefined && inside[0].kind === "ConstantExpr"
          ? BigInt(String(inside[0].value))
          : constantIn(node);
      if (value === null) refuseKind(t, node);
      else arm.labels.push(value);
    }
    const rest = inside.at(-1);
    if (rest !== undefined && (node.kind === "DefaultStmt" || inside.length > 1)) add(rest);
  };
  for (const child of children(body)) add(child);
  return arms;
}

/** True where nothing behind the node is reached. */
function ends(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (["BreakStmt", "ReturnStmt", "ContinueStmt"].includes(node.kind)) return true;
  return node.kind === "CompoundStmt" && children(node).some(ends);
}

const LOOPS = new Set(["ForStmt", "CXXForRangeStmt", "WhileStmt", "DoStmt"]);

function contains(node: Node, kind: "BreakStmt" | "ContinueStmt"): boolean {
  if (node.kind === kind) return true;
  if (LOOPS.has(node.kind) || (node.kind === "SwitchStmt" && kind === "BreakStmt")) return false;
  return children(node).some((child) => contains(child, kind));
}

/** The statements from an arm's label on, to the break that ends them. */
function reached(arms: readonly Arm[], from: number): readonly Node[] {
  const nodes: Node[] = [];
  for (const arm of arms.slice(from)) {
    for (const node of arm.body) {
      if (node.kind === "BreakStmt") return nodes;
      if (node.kind === "CompoundStmt") {
        const inside = children(node);
        const at = inside.findIndex((child) => child.kind === "BreakStmt");
        if (at >= 0) {
          nodes.push(...inside.slice(0, at));
          return nodes;
        }
      }
      nodes.push(node);
      if (ends(node)) return nodes;
    }
  }
  return nodes;
}

export function switchStatement(t: Translation, node: Node): void {
  const inside = [...children(node)];
  for (const declares of [node.hasInit, node.hasVar]) {
    const declaration = declares ? inside.shift() : undefined;
    if (declaration !== undefined) statement(t, declaration);
  }
  const body = inside.pop();
  const subject = inside.pop();
  if (subject === undefined || body === undefined) return;
  const span = t.span(node);
  const found = scalar(t, subject);
  const type = irScalar(found.type);
  const arms = armsOf(t, body);
  let statements = 0;
  const reachedBy = arms.map((_, index) => {
    const nodes = reached(arms, index);
    statements += nodes.length;
    t.refuseMany(statements);
    return nodes;
  });
  const inner = reachedBy.some((nodes) => nodes.some((each) => contains(each, "BreakStmt")));
  const goesOn = inner && reachedBy.some((nodes) => nodes.some((each) => contains(each, "ContinueStmt")));
  const read = t.hold("switch", found.expr, type === "bool" ? "i32" : type);
  const bodies = reachedBy.map((nodes) =>
    t.collect(() => {
      for (const each of nodes) statement(t, each);
    }),
  );
  const byDefault = arms.findIndex((arm) => arm.labels.includes(null));
  let chain: readonly Stmt[] = byDefault < 0 ? [] : (bodies[byDefault] ?? []);
  for (let i = arms.length - 1; i >= 0; i--) {
    const arm = arms[i];
    const labels = arm?.labels.filter((label) => label !== null) ?? [];
    if (i === byDefault || labels.length === 0) continue;
    const tests = labels.map((label) => compared("eq", read, integer(type, label, span), found.type, span));
    const any = tests.reduce((left, right): Expr => ({ kind: "logical", op: "or", type: "bool", left, right, span }));
    chain = [{ kind: "if", condition: any, then: bodies[i] ?? [], else: chain, arm: true, span }];
  }
  if (!inner) {
    t.output.push(...chain);
    return;
  }
  // Breaks inside of the arms leave a loop of one round.
  let flag: number | null = null;
  if (goesOn) {
    flag = t.variable("goes_on", "bool", span);
    t.emit({ kind: "declare", variable: flag, value: integer("bool", 0, span), span });
  }
  const round = flag === null ? chain : chain.map((stmt) => replaceContinue(stmt, flag ?? 0));
  t.emit({
    kind: "loop",
    init: [],
    condition: null,
    testFirst: true,
    update: [],
    body: [...round, { kind: "break", span }],
    unroll: null,
    span,
  });
  if (flag !== null) {
    const condition: Expr = { kind: "variable", type: "bool", variable: flag, span };
    t.emit({ kind: "if", condition, then: [{ kind: "continue", span }], else: [], span });
  }
}

function replaceContinue(stmt: Stmt, flag: number): Stmt {
  const replaced = (list: readonly Stmt[]): Stmt[] =>
    list.flatMap((each): Stmt[] =>
      each.kind === "continue"
        ? [
            { kind: "assign", variable: flag, component: null, value: integer("bool", 1, each.span), span: each.span },
            { kind: "break", span: each.span },
          ]
        : [replaceContinue(each, flag)],
    );
  if (stmt.kind === "if") return { ...stmt, then: replaced(stmt.then), else: replaced(stmt.else) };
  return stmt.kind === "block" ? { ...stmt, body: replaced(stmt.body) } : stmt;
}
