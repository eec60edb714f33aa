/**
 * A kernel's text as hashes that renaming, formatting and reordering leave as they are. It is read from the intermediate
 * representation: names, comments and registers are not in it.
 *
 * Each statement becomes signs, such as "set add load const 1". Every run of RUN signs is hashed, and of WINDOW hashes in a row the least
 * one is kept (winnowing: Schleimer, Wilkerson, Aiken, SIGMOD 2003). Each common run of RUN + WINDOW - 1 signs is found so.
 */
import { createHash } from "node:crypto";
import type { Expr, KernelIr, PointerRoot, Stmt } from "../../../core/ir/ir.js";
import { expressionsOf, hasEffect, operands } from "../../../core/ir/walk.js";

/** Signs that are hashed together: about a short statement's. */
const RUN = 9;
const WINDOW = 4;

/** Both sides may be exchanged. */
const COMMUTATIVE: ReadonlySet<string> = new Set(["add", "mul", "and", "or", "xor", "eq", "ne", "min", "max"]);
/** `a > b` is `b < a`. */
const TURNED: ReadonlyMap<string, string> = new Map([
  ["gt", "lt"],
  ["ge", "le"],
]);

function rootSigns(root: PointerRoot): string {
  // Parameters are asked for by name, so that their order says nothing, either.
  return root.kind === "param" ? "global" : root.kind;
}

function ordered(parts: readonly (readonly string[])[]): readonly string[] {
  const texts = parts.map((part) => part.join(" "));
  return [...parts.keys()]
    .sort((a, b) => ((texts[a] ?? "") < (texts[b] ?? "") ? -1 : 1))
    .flatMap((i) => parts[i] ?? []);
}

/** Signs of an expression, in an order that exchanged operands do not change. */
function exprSigns(expr: Expr): readonly string[] {
  const parts = operands(expr).map(exprSigns);
  switch (expr.kind) {
    case "const":
      return [`#${expr.value}`];
    case "param":
    case "variable":
      return ["v"];
    case "builtin":
      return [`${expr.name}.${expr.axis}`];
    // A type that was written out, and one that was not, are alike.
    case "convert":
      return exprSigns(expr.operand);
    case "unary":
      return [expr.op, ...parts.flat()];
    case "binary":
    case "logical":
      return [expr.op, ...(COMMUTATIVE.has(expr.op) ? ordered(parts) : parts.flat())];
    case "compare": {
      const turned = TURNED.get(expr.op);
      if (turned !== undefined) return [turned, ...parts.reverse().flat()];
      return [expr.op, ...(COMMUTATIVE.has(expr.op) ? ordered(parts) : parts.flat())];
    }
    case "intrinsic":
      return [expr.name, ...(COMMUTATIVE.has(expr.name) ? ordered(parts) : parts.flat())];
    case "atomic":
      return [`atomic-${expr.op}`, ...parts.flat()];
    case "pointer":
      return [rootSigns(expr.root), ...parts.flat()];
    default:
      return [expr.kind, ...parts.flat()];
  }
}

const signsOf = (stmt: Stmt): readonly string[] => expressionsOf(stmt).flatMap(exprSigns);

function stmtSigns(stmt: Stmt): readonly string[] {
  switch (stmt.kind) {
    case "declare":
      return stmt.value.kind === "const" && stmt.value.unset === true ? [] : ["set", ...signsOf(stmt)];
    case "assign":
      return ["set", ...signsOf(stmt)];
    case "if":
      return [
        "if",
        ...signsOf(stmt),
        ...listSigns(stmt.then),
        ...(stmt.else.length > 0 ? ["else"] : []),
        ...listSigns(stmt.else),
        "end",
      ];
    // for and while are alike.
    case "loop":
      return [
        ...listSigns(stmt.init),
        "loop",
        ...signsOf(stmt),
        ...listSigns(stmt.body),
        ...listSigns(stmt.update),
        "end",
      ];
    case "block":
      return listSigns(stmt.body);
    case "expr":
      return signsOf(stmt);
    default:
      return [stmt.kind, ...signsOf(stmt)];
  }
}

/** Statements whose order is a matter of taste where they follow each other. */
function isSet(stmt: Stmt): boolean {
  return (stmt.kind === "declare" || stmt.kind === "assign") && !hasEffect(stmt.value);
}

function listSigns(stmts: readonly Stmt[]): readonly string[] {
  const signs: string[] = [];
  let sets: (readonly string[])[] = [];
  for (const stmt of stmts) {
    if (isSet(stmt)) {
      sets.push(stmtSigns(stmt));
      continue;
    }
    signs.push(...ordered(sets), ...stmtSigns(stmt));
    sets = [];
  }
  return [...signs, ...ordered(sets)];
}

/** One list of signs for the kernel, each device function and each child grid's kernel. */
function textsOf({ body, functions, children = [] }: KernelIr): readonly (readonly string[])[] {
  return [listSigns(body), ...functions.map((each) => listSigns(each.body)), ...children.flatMap(textsOf)];
}

function hashOf(signs: readonly string[]): string {
  return createHash("sha256").update(signs.join(" ")).digest("hex").slice(0, 10);
}

function winnowed(signs: readonly string[]): readonly string[] {
  const hashes = Array.from({ length: Math.max(0, signs.length - RUN + 1) }, (_, at) =>
    hashOf(signs.slice(at, at + RUN)),
  );
  const windows = Math.max(hashes.length > 0 ? 1 : 0, hashes.length - WINDOW + 1);
  return Array.from({ length: windows }, (_, at) =>
    hashes.slice(at, at + WINDOW).reduce((least, hash) => (hash < least ? hash : least)),
  );
}

/** The kernel's hashes, sorted, each once. */
export function fingerprintOf(ir: KernelIr): readonly string[] {
  return [...new Set(textsOf(ir).flatMap(winnowed))].sort();
}
