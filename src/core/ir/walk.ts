/** The parts of expressions and statements, for everything that looks through a kernel. */
import type { Expr, IntrinsicName, Stmt } from "./ir.js";

/** The direct operands of an expression, in order of evaluation. */
export function operands(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "const":
    case "param":
    case "builtin":
    case "variable":
      return [];
    case "unary":
    case "convert":
      return [expr.operand];
    case "binary":
    case "compare":
    case "logical":
      return [expr.left, expr.right];
    case "select":
      return [expr.condition, expr.whenTrue, expr.whenFalse];
    case "intrinsic":
    case "call":
      return expr.args;
    case "load":
      return [expr.pointer, expr.index];
    case "atomic":
      return [expr.pointer, expr.index, ...expr.args];
    case "component":
      return [expr.vector];
    case "makeVector":
      return expr.components;
    case "pointer":
      return expr.offset === null ? [] : [expr.offset];
  }
}

/** The expressions that stand directly in a statement, without those of nested statements. */
export function expressionsOf(stmt: Stmt): readonly Expr[] {
  switch (stmt.kind) {
    case "declare":
    case "assign":
    case "expr":
      return [stmt.value];
    case "store":
      return [stmt.pointer, stmt.index, stmt.value];
    case "if":
      return [stmt.condition];
    case "loop":
      return stmt.condition === null ? [] : [stmt.condition];
    case "return":
      return stmt.value === null ? [] : [stmt.value];
    case "printf":
      return stmt.args;
    case "launch":
      return [...stmt.grid, ...stmt.block, stmt.sharedBytes, ...stmt.args];
    case "break":
    case "continue":
    case "block":
      return [];
  }
}

/** The lists of statements nested in a statement. */
export function nestedLists(stmt: Stmt): readonly (readonly Stmt[])[] {
  switch (stmt.kind) {
    case "if":
      return [stmt.then, stmt.else];
    case "loop":
      return [stmt.init, stmt.update, stmt.body];
    case "block":
      return [stmt.body];
    default:
      return [];
  }
}

/** True where evaluating twice differs from once, or other threads could notice. */
export function hasEffect(expr: Expr): boolean {
  if (expr.kind === "atomic" || expr.kind === "call") return true;
  if (expr.kind === "intrinsic" && (expr.type === "void" || CONVERGENT.has(expr.name))) return true;
  return operands(expr).some(hasEffect);
}

/** Intrinsics in which lanes exchange something or wait for each other, and the clock. */
export const CONVERGENT: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "shfl",
  "shflUp",
  "shflDown",
  "shflXor",
  "legacyShfl",
  "legacyShflUp",
  "legacyShflDown",
  "legacyShflXor",
  "legacyBallot",
  "legacyAny",
  "legacyAll",
  "ballot",
  "any",
  "all",
  "activemask",
  "matchAny",
  "matchAll",
  "matchAllPredicate",
  "reduceAdd",
  "reduceMin",
  "reduceMax",
  "reduceAnd",
  "reduceOr",
  "reduceXor",
  "syncwarp",
  "syncthreads",
  "syncthreadsCount",
  "syncthreadsAnd",
  "syncthreadsOr",
  "gridSync",
  "clock",
]);
