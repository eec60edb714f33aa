/** Splits an index into the rows of an array and the elements of one row that it skips. */
import type { BinaryExpr, Expr } from "../../ir/ir.js";

/** The sum row * length + column, if that is the form of the index into an array of these dimensions; else null. */
export function rowAndColumn(index: Expr, dims: readonly number[] | null): BinaryExpr | null {
  const length = dims === null || dims.length < 2 ? undefined : dims.at(-1);
  if (length === undefined || index.kind !== "binary" || index.op !== "add") return null;
  const { left } = index;
  if (left.kind !== "binary") return null;
  const { op, right } = left;
  if (op === "add") return index;
  return op === "mul" && right.kind === "const" && Number(right.value) % length === 0 ? index : null;
}
