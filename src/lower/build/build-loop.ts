/**
 * Loops to SSA. A test that comes first is rotated: `if (test) do { ... } while (test)`, as compilers do; not where the
 * test lets lanes talk to each other (a vote), which must not be copied.
 */
import type { Expr, LoopStmt, Stmt } from "../../ir/ir.js";
import { CONVERGENT } from "../../ir/walk.js";
import { emptyRegion, type LoopNode, type Value } from "../ssa/ssa.js";
import { buildBranches } from "./build-branch.js";
import { mayReturn } from "./build-call.js";
import type { BuildContext, LoopScope, Slot } from "./build-context.js";
import { buildScalar, harmless } from "./build-expression.js";

/** `while (a && b)` tests `a`, and leaves from within where `b` must not be evaluated without `a` and fails. */
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

/** `latchCondition` is tested at the end of each round; `breakFirst` puts the loop's test at the start, as a break. */
function buildLoopNode(context: BuildContext, stmt: LoopStmt, latchCondition: Expr | null, breakFirst: boolean): void {
  const { fn } = context;
  const assigned = new Set<number>();
  collectAssigned(stmt.body, assigned);
  collectAssigned(stmt.update, assigned);
  const call = context.calls.at(-1);
  if (call !== undefined && stmt.body.some(mayReturn)) {
    assigned.add(call.returned);
    assigned.add(call.result);
  }
  const carried = [...context.environment.keys()].filter((variable) => assigned.has(variable));
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
  const fresh = (): { slots: Map<number, Slot>; values: Value[] } => {
    const slots = new Map<number, Slot>();
    const values: Value[] = [];
    for (const variable of carried) {
      const before = context.environment.get(variable)!;
      const mine = before.values.map((value) => {
        const copy = fn.value(value.type, context.ir.variables[variable]?.name ?? null);
        copy.owner = loop;
        return copy;
      });
      values.push(...mine);
      slots.set(variable, { values: mine, root: before.root });
    }
    return { slots, values };
  };
  const enter = (slots: Map<number, Slot>): void => {
    for (const [variable, slot] of slots) context.environment.set(variable, slot);
  };
  const outer = { region: context.region, environment: context.environment };
  const results = fresh();
  loop.results = results.values;
  const params = fresh();
  loop.params = params.values;
  const hasContinue = stmt.body.some(mayContinue);

  context.environment = new Map(outer.environment);
  enter(params.slots);
  const scope: LoopScope = { loop, carried };
  context.loops.push(scope);
  context.region = loop.body;
  if (breakFirst && stmt.condition !== null) {
    const holds = buildScalar(context, stmt.condition);
    const leave = (): readonly Value[] => {
      context.region.end = {
        kind: "break",
        loop,
        values: context.carriedValues(carried),
        span: stmt.span,
        source: context.source,
      };
      context.ended = true;
      return [];
    };
    buildBranches(context, holds, () => [], leave, [], stmt.span);
  }
  context.statements(stmt.body);
  if (hasContinue) {
    const atEnd = context.carriedValues(carried);
    if (!context.ended) loop.body.end = { kind: "yield", values: atEnd };
    const latchParams = fresh();
    loop.latchParams = latchParams.values;
    enter(latchParams.slots);
    context.ended = false;
  }
  context.region = loop.latch;
  if (!context.ended) {
    context.statements(stmt.update);
    loop.condition = latchCondition === null ? null : buildScalar(context, latchCondition);
    loop.nexts = context.carriedValues(carried);
    loop.exits = [...loop.nexts];
  } else {
    // The body always jumps out: the latch is never reached.
    loop.nexts = [...loop.params];
    loop.exits = [...loop.params];
    loop.condition = fn.constant("bool", 0);
  }
  context.loops.pop();
  context.region = outer.region;
  context.environment = outer.environment;
  context.ended = false;
  enter(results.slots);
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

/** True if a `continue` of this loop (not of one inside) stands in the statement. */
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
