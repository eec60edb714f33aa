/**
 * Inlines device functions. An early `return` sets a flag and the value, and the flag guards the statements after
 * it. Where one branch always returns, the rest of the callee moves into the other branch.
 */
import type { Span } from "../../base/errors.js";
import type { Expr, Stmt } from "../../ir/ir.js";
import type { PointerType, Type } from "../../ir/types.js";
import type { Value } from "../ssa/ssa.js";
import type { BuildContext, CallScope, Slot } from "./build-context.js";
import { buildPointer, buildValues, scalarOf } from "./build-expression.js";

export function buildCall(context: BuildContext, callee: number, args: readonly Expr[], span: Span): readonly Value[] {
  const target = context.ir.functions[callee];
  if (target === undefined) throw context.error(`there is no device function ${callee}`, span);
  const slots = args.map((arg) => argumentSlot(context, arg));
  const outer = { source: context.source, loops: context.loops };
  const scope: CallScope = {
    returned: context.nextPseudo--,
    result: context.nextPseudo--,
    loops: context.loops.length,
  };
  target.params.forEach((variable, i) => {
    context.environment.set(variable, named(slots[i]!, context.ir.variables[variable]?.name ?? null));
  });
  context.environment.set(scope.returned, constantSlot(context, "bool", 0));
  if (target.returns !== "void") context.environment.set(scope.result, zeroSlot(context, target.returns));
  if (target.library !== true) context.source = callee + 1;
  context.calls.push(scope);
  context.statements(target.library === true ? placedAt(target.body, span) : target.body);
  context.calls.pop();
  context.source = outer.source;
  const result = target.returns === "void" ? [] : (context.environment.get(scope.result)?.values ?? []);
  context.environment.delete(scope.returned);
  context.environment.delete(scope.result);
  return result;
}

/** A part of the IR with all that is in it at one place of the text. */
function placedAt<T>(part: T, span: Span): T {
  if (Array.isArray(part)) return part.map((each: unknown) => placedAt(each, span)) as T;
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).map(([key, value]): [string, unknown] => [
    key,
    key === "span" ? span : placedAt<unknown>(value, span),
  ]);
  return Object.fromEntries(entries) as T;
}

function argumentSlot(context: BuildContext, arg: Expr): Slot {
  if (arg.kind === "pointer") {
    const pointer = buildPointer(context, arg);
    return { values: [pointer.address], root: pointer.root };
  }
  return { values: buildValues(context, arg), root: null };
}

function named(slot: Slot, name: string | null): Slot {
  for (const value of slot.values) if (value.constant === null && value.name === null) value.name = name;
  return slot;
}

function constantSlot(context: BuildContext, type: "bool", value: number): Slot {
  return { values: [context.fn.constant(type, value)], root: null };
}

/** An arbitrary value for an unassigned variable. */
function zeroSlot(context: BuildContext, type: Exclude<Type, PointerType>): Slot {
  const scalar = scalarOf(type);
  const wide = scalar === "i64" || scalar === "u64";
  const zero = context.fn.constant(scalar, wide ? 0n : 0);
  const lanes = typeof type === "object" ? type.lanes : 1;
  return { values: new Array<Value>(lanes).fill(zero), root: null };
}

export function surelyReturns(statements: readonly Stmt[]): boolean {
  return statements.some(
    (stmt) =>
      stmt.kind === "return" ||
      (stmt.kind === "block" && surelyReturns(stmt.body)) ||
      (stmt.kind === "if" && surelyReturns(stmt.then) && surelyReturns(stmt.else)),
  );
}

export function mayReturn(stmt: Stmt): boolean {
  switch (stmt.kind) {
    case "return":
      return true;
    case "if":
      return stmt.then.some(mayReturn) || stmt.else.some(mayReturn);
    case "loop":
      return stmt.body.some(mayReturn);
    case "block":
      return stmt.body.some(mayReturn);
    default:
      return false;
  }
}
