/** A walk over any part of a kernel's tree. */
import type { Expr, Stmt } from "../tree.js";

/** Calls `see` for all expressions and statements, outer ones first. */
export function visit(node: unknown, see: (node: Expr | Stmt) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, see);
  else if (typeof node === "object" && node !== null) {
    if ("k" in node) see(node as Expr | Stmt);
    for (const value of Object.values(node)) visit(value, see);
  }
}
