/** Lowers IR statements to SSA regions. */
import type { AssignStmt, DeclareStmt, Expr, IfStmt, ReturnStmt, Stmt } from "../../ir/ir.js";
import type { Value } from "../ssa/ssa.js";
import { buildBranches } from "./build-branch.js";
import { mayReturn, surelyReturns } from "./build-call.js";
import type { BuildContext, Slot } from "./build-context.js";
import { buildPointer, buildScalar, buildStore, buildValues, harmless } from "./build-expression.js";
import { buildLaunch } from "./build-launch.js";
import { buildLoop } from "./build-loop.js";
import { switchTree } from "./build-switch.js";

const NOTHING: readonly Value[] = [];

export function buildStatements(context: BuildContext, statements: readonly Stmt[]): void {
  for (let i = 0; i < statements.length && !context.ended; i++) {
    const stmt = statements[i]!;
    const call = context.calls.at(-1);
    if (call === undefined || stmt.kind === "return" || !mayReturn(stmt)) {
      buildStatement(context, stmt);
      if (call !== undefined && stmt.kind === "return") return;
      continue;
    }
    const rest = statements.slice(i + 1);
    if (stmt.kind === "block") {
      buildStatements(context, [...stmt.body, ...rest]);
      return;
    }
    if (stmt.kind === "if" && (surelyReturns(stmt.then) || surelyReturns(stmt.else))) {
      const then = surelyReturns(stmt.then) ? stmt.then : [...stmt.then, ...rest];
      const otherwise = surelyReturns(stmt.then) ? [...stmt.else, ...rest] : stmt.else;
      buildIf(context, { ...stmt, then, else: otherwise });
      return;
    }
    buildStatement(context, stmt);
    if (context.ended) return;
    const returned = context.environment.get(call.returned)!.values[0]!;
    if (context.loops.length > call.loops) {
      const leave = (): readonly Value[] => {
        jumpOut(context, "break", stmt);
        return NOTHING;
      };
      buildBranches(context, returned, leave, () => NOTHING, [], stmt.span);
      continue;
    }
    const goOn = (): readonly Value[] => {
      buildStatements(context, rest);
      return NOTHING;
    };
    buildBranches(context, returned, () => NOTHING, goOn, [], stmt.span);
    return;
  }
}

function buildStatement(context: BuildContext, stmt: Stmt): void {
  switch (stmt.kind) {
    case "declare":
    case "assign":
      buildAssign(context, stmt);
      return;
    case "store":
      buildStore(context, stmt.pointer, stmt.index, stmt.value, stmt.compound, stmt.span);
      return;
    case "expr":
      buildValues(context, stmt.value);
      return;
    case "if":
      buildIf(context, stmt);
      return;
    case "loop":
      buildLoop(context, stmt);
      return;
    case "break":
    case "continue":
      jumpOut(context, stmt.kind, stmt);
      return;
    case "return":
      buildReturn(context, stmt);
      return;
    case "printf": {
      const args = stmt.args.map((arg) => buildScalar(context, arg));
      const argTypes = stmt.args.map((arg, i) =>
        "type" in arg && typeof arg.type === "string" ? arg.type : args[i]!.type,
      );
      context.emitMany("printf", "u32", [], args, stmt.span, {
        format: stmt.format,
        ...(stmt.asserts === true ? { asserts: true } : {}),
        argTypes: argTypes.filter((type) => type !== "addr" && type !== "void"),
      });
      return;
    }
    case "launch":
      buildLaunch(context, stmt);
      return;
    case "block":
      buildStatements(context, stmt.body);
  }
}

function buildAssign(context: BuildContext, stmt: DeclareStmt | AssignStmt): void {
  const name = context.ir.variables[stmt.variable]?.name ?? null;
  const set = (slot: Slot): void => {
    for (const value of slot.values) if (value.constant === null && value.name === null) value.name = name;
    context.environment.set(stmt.variable, slot);
  };
  if (stmt.value.kind === "pointer") {
    const pointer = buildPointer(context, stmt.value);
    set({ values: [pointer.address], root: pointer.root });
    return;
  }
  const values = buildValues(context, stmt.value);
  if (stmt.kind === "assign" && stmt.component !== null) {
    const whole = [...context.slot(stmt.variable, stmt.span).values];
    whole[stmt.component] = values[0]!;
    set({ values: whole, root: null });
    return;
  }
  set({ values, root: null });
}

/** `if (a && b)` without else becomes two ifs where not all lanes may evaluate `b`. */
function buildIf(context: BuildContext, written: IfStmt): void {
  // The first arm of a switch. The other arms follow as nodes of the tree.
  const stmt = written.arm === true && !context.ordered.has(written) ? context.order(switchTree(written)) : written;
  const { condition } = stmt;
  if (condition.kind === "logical" && condition.op === "and" && stmt.else.length === 0 && !harmless(condition.right)) {
    const inner: IfStmt = { ...stmt, condition: condition.right };
    buildIf(context, { ...stmt, condition: condition.left, then: [inner] });
    return;
  }
  branch(context, condition, stmt.then, stmt.else, stmt);
}

function branch(
  context: BuildContext,
  condition: Expr,
  then: readonly Stmt[],
  otherwise: readonly Stmt[],
  stmt: IfStmt,
): void {
  const value = buildScalar(context, condition);
  const side = (statements: readonly Stmt[]) => (): readonly Value[] => {
    buildStatements(context, statements);
    return NOTHING;
  };
  buildBranches(context, value, side(then), side(otherwise), [], stmt.span, stmt.arm);
}

function jumpOut(context: BuildContext, kind: "break" | "continue", stmt: Stmt): void {
  const scope = context.loops.at(-1);
  if (scope === undefined) throw context.error(`${kind} outside of a loop`, stmt.span);
  const values = context.carriedValues(scope.carried);
  context.region.end = { kind, loop: scope.loop, values, span: stmt.span, source: context.source };
  context.ended = true;
}

function buildReturn(context: BuildContext, stmt: ReturnStmt): void {
  const call = context.calls.at(-1);
  if (call === undefined) {
    context.region.end = { kind: "exit", values: [], span: stmt.span, source: context.source };
    context.ended = true;
    return;
  }
  if (stmt.value !== null) {
    const values = buildValues(context, stmt.value);
    if (context.environment.has(call.result)) context.environment.set(call.result, { values, root: null });
  }
  context.environment.set(call.returned, { values: [context.fn.constant("bool", 1)], root: null });
  if (context.loops.length > call.loops) jumpOut(context, "break", stmt);
}
