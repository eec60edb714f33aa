/**
 * Lowers loops to SSA. A loop that tests first is rotated: `if (test) do { ... } while (test)`. A test with exchange
 * between lanes (a vote) must not be duplicated, so such a loop is not rotated.
 */
import type { Expr, LoopStmt, Stmt } from "../../ir/ir.js";
import { CONVERGENT } from "../../ir/walk.js";
import { emptyRegion, type LoopNode, type Value } from "../ssa/ssa.js";
import { buildBranches } from "./build-branch.js";
import { mayReturn } from "./build-call.js";
import type { BuildContext, LoopScope, Slot } from "./build-context.js";
import { buildScalar, harmless } from "./build-expression.js";

/** `while (a && b)` becomes `while (a)` with a `break` where `b` fails, if `b` must not be evaluated without `a`. */
function splitTest(stmt: LoopStmt): LoopStmt {
  const { condition, span } = stmt;
  if (!stmt.testFirst || condition?.kind !== "logical" || condition.op !== "and") return stmt;
  const { left, right } = condition;
  if (left.kind === "logical" && left.op === "and" && !harmless(left.right)) {
    // (a && b) && c is a && (b && c).
    return splitTest({
      ...stmt,
      condition: { ...condition, left: left.left, right: { ...condition, left: left.right, right } },
    });
  }
  if (harmless(right)) return stmt;
  const leave: Stmt = { kind: "if", condition: right, then: [], else: [{ kind: "break", span }], span };
  return splitTest({ ...stmt, condition: left, body: [leave, ...stmt.body] });
}

export function buildLoop(context: BuildContext, written: LoopStmt): void {
  const stmt = splitTest(written);
  context.statements(stmt.init);
  if (context.ended) return;
  const { condition } = stmt;
  if (stmt.testFirst && condition !== null && rotatable(context, condition)) {
    const first = buildScalar(context, condition);
    const run = (): readonly Value[] => {
      buildLoopNode(context, stmt, condition, false);
      return [];
    };
    buildBranches(context, first, run, () => [], [], stmt.span);
    return;
  }
  buildLoopNode(context, stmt, stmt.testFirst ? null : condition, stmt.testFirst && condition !== null);
}

/** The variables that the loop carries: those that its body or update assigns. */
function carriedBy(context: BuildContext, stmt: LoopStmt): readonly number[] {
  const assigned = new Set<number>();
  collectAssigned(stmt.body, assigned);
  collectAssigned(stmt.update, assigned);
  const call = context.calls.at(-1);
  if (call !== undefined && stmt.body.some(mayReturn)) {
    assigned.add(call.returned);
    assigned.add(call.result);
  }
  return [...context.environment.keys()].filter((variable) => assigned.has(variable));
}

/** New values for the carried variables, owned by the loop. */
function freshSlots(context: BuildContext, { loop, carried }: LoopScope): ReadonlyMap<number, Slot> {
  const slots = new Map<number, Slot>();
  for (const variable of carried) {
    const before = context.environment.get(variable)!;
    const values = before.values.map((value) => {
      const copy = context.fn.value(value.type, context.ir.variables[variable]?.name ?? null);
      copy.owner = loop;
      return copy;
    });
    slots.set(variable, { values, root: before.root });
  }
  return slots;
}

function valuesOf(slots: ReadonlyMap<number, Slot>): Value[] {
  return [...slots.values()].flatMap(({ values }) => [...values]);
}

/** The loop's test at the start of an iteration, as a break. */
function buildFirstTest(context: BuildContext, stmt: LoopStmt, condition: Expr, { loop, carried }: LoopScope): void {
  const { span } = stmt;
  const holds = buildScalar(context, condition);
  const leave = (): readonly Value[] => {
    const values = context.carriedValues(carried);
    context.region.end = { kind: "break", loop, values, span, source: context.source };
    context.ended = true;
    return [];
  };
  buildBranches(context, holds, () => [], leave, [], span);
}

/** `latchCondition` is tested at the end of each iteration; `breakFirst` tests at the start instead. */
function buildLoopNode(context: BuildContext, stmt: LoopStmt, latchCondition: Expr | null, breakFirst: boolean): void {
  const { fn } = context;
  const carried = carriedBy(context, stmt);
  const loop: LoopNode = {
    kind: "loop",
    id: fn.loopId(),
    params: [],
    inits: context.carriedValues(carried),
    body: emptyRegion(),
    latchParams: [],
    latch: emptyRegion(),
    condition: null,
    nexts: [],
    exits: [],
    results: [],
    unroll: stmt.unroll,
    tested: stmt.testFirst,
    holdsRounds: false,
    span: stmt.span,
    source: context.source,
  };
  const scope: LoopScope = { loop, carried };
  const enter = (slots: ReadonlyMap<number, Slot>): void => {
    for (const [variable, slot] of slots) context.environment.set(variable, slot);
  };
  const outer = { region: context.region, environment: context.environment };
  const results = freshSlots(context, scope);
  loop.results = valuesOf(results);
  const params = freshSlots(context, scope);
  loop.params = valuesOf(params);

  context.environment = new Map(outer.environment);
  enter(params);
  context.loops.push(scope);
  context.region = loop.body;
  if (breakFirst && stmt.condition !== null) buildFirstTest(context, stmt, stmt.condition, scope);
  context.statements(stmt.body);
  if (stmt.body.some(mayContinue)) {
    const atEnd = context.carriedValues(carried);
    if (!context.ended) loop.body.end = { kind: "yield", values: atEnd };
    const latchParams = freshSlots(context, scope);
    loop.latchParams = valuesOf(latchParams);
    enter(latchParams);
    context.ended = false;
  }
  context.region = loop.latch;
  if (!context.ended) {
    context.statements(stmt.update);
    loop.condition = latchCondition === null ? null : buildScalar(context, latchCondition);
    loop.nexts = context.carriedValues(carried);
    loop.exits = [...loop.nexts];
  } else {
    // The body always jumps out: no iteration reaches the latch.
    loop.nexts = [...loop.params];
    loop.exits = [...loop.params];
    loop.condition = fn.constant("bool", 0);
  }
  context.loops.pop();
  context.region = outer.region;
  context.environment = outer.environment;
  context.ended = false;
  enter(results);
  context.region.nodes.push(loop);
}

function rotatable(context: BuildContext, condition: Expr): boolean {
  switch (condition.kind) {
    case "intrinsic":
      return !CONVERGENT.has(condition.name) && condition.args.every((arg) => rotatable(context, arg));
    case "call":
      return false;
    case "atomic":
      return false;
    case "unary":
    case "convert":
      return rotatable(context, condition.operand);
    case "binary":
    case "compare":
    case "logical":
      return rotatable(context, condition.left) && rotatable(context, condition.right);
    case "select":
      return [condition.condition, condition.whenTrue, condition.whenFalse].every((part) => rotatable(context, part));
    case "load":
      return rotatable(context, condition.index);
    case "component":
      return rotatable(context, condition.vector);
    default:
      return true;
  }
}

function collectAssigned(statements: readonly Stmt[], into: Set<number>): void {
  for (const stmt of statements) {
    switch (stmt.kind) {
      case "declare":
      case "assign":
        into.add(stmt.variable);
        break;
      case "if":
        collectAssigned(stmt.then, into);
        collectAssigned(stmt.else, into);
        break;
      case "loop":
        collectAssigned(stmt.init, into);
        collectAssigned(stmt.update, into);
        collectAssigned(stmt.body, into);
        break;
      case "block":
        collectAssigned(stmt.body, into);
        break;
      default:
        break;
    }
  }
}

/** True if the statement contains a `continue` of this loop, not of a nested one. */
function mayContinue(stmt: Stmt): boolean {
  switch (stmt.kind) {
    case "continue":
      return true;
    case "if":
      return stmt.then.some(mayContinue) || stmt.else.some(mayContinue);
    case "block":
      return stmt.body.some(mayContinue);
    default:
      return false;
  }
}
