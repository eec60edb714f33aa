/**
 * Orders the tests of a switch as NVVM's switch lowering does (nvcc 13.0). It compares up to three arms one by one,
 * and more by binary search. Each leaf then repeats the default arm. A switch keeps source order if its default arm
 * is long, loops or waits.
 */
import type { CompareExpr, Expr, IfStmt, Stmt } from "../../ir/ir.js";
import { operands } from "../../ir/walk.js";

const LEAF = 3;
/** The most statements of a default arm that may be duplicated. */
const SHORT = 4;

interface Arm {
  readonly value: number;
  readonly test: CompareExpr;
  readonly stmt: IfStmt;
}

/** `stmt` is the first arm of a switch; its else side holds the others. */
export function switchTree(stmt: IfStmt): IfStmt {
  const arms: Arm[] = [];
  let rest: readonly Stmt[] = [stmt];
  for (;;) {
    const [next] = rest;
    if (rest.length !== 1 || next?.kind !== "if" || next.arm !== true) break;
    const arm = armOf(next);
    if (arm === null) return stmt;
    arms.push(arm);
    rest = next.else;
  }
  if (arms.length > LEAF && !(rest.length <= SHORT && rest.every(repeatable))) return stmt;
  arms.sort((a, b) => a.value - b.value);
  return tree(arms, rest);
}

function armOf(stmt: IfStmt): Arm | null {
  const { condition } = stmt;
  if (condition.kind !== "compare" || condition.op !== "eq" || condition.right.kind !== "const") return null;
  const { value } = condition.right;
  return typeof value === "number" ? { value, test: condition, stmt } : null;
}

function tree(arms: readonly Arm[], otherwise: readonly Stmt[]): IfStmt {
  const [first, ...others] = arms;
  if (first === undefined) throw new Error("a switch without a case");
  const { test, stmt } = first;
  if (arms.length <= LEAF) return { ...stmt, else: others.length === 0 ? otherwise : [tree(others, otherwise)] };
  const half = arms.length >>> 1;
  const last = arms[half - 1]!;
  const condition: CompareExpr = { ...test, op: "gt", right: last.test.right };
  const left = [tree(arms.slice(0, half), otherwise)];
  return { ...stmt, condition, then: [tree(arms.slice(half), otherwise)], else: left };
}

function repeatable(stmt: Stmt): boolean {
  if (stmt.kind === "declare" || stmt.kind === "assign") return plain(stmt.value);
  return stmt.kind === "store" && [stmt.pointer, stmt.index, stmt.value].every(plain);
}

function plain(expr: Expr): boolean {
  return expr.kind !== "intrinsic" && expr.kind !== "call" && expr.kind !== "atomic" && operands(expr).every(plain);
}
