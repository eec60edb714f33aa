/** A table as JSON: title, columns with their units, rows as records with numbers in full precision. */
import { checkArgument } from "../../base/shape.js";
import { type Cell, type Table, tableShape } from "../table.js";

/** A bigint is a JSON number where a double holds it exactly, else a string of its digits. */
function value(cell: Cell): string | number | boolean | null {
  if (typeof cell !== "bigint") return cell;
  return BigInt(Number(cell)) === cell && Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell);
}

export function toJson(table: Table): string {
  checkArgument("toJson", "table", table, tableShape);
  const { title, note, columns } = table;
  const rows = table.rows.map((row) => Object.fromEntries(columns.map(({ key }) => [key, value(row[key] ?? null)])));
  const heads = columns.map(({ key, title: head, unit }) => ({ key, title: head, unit }));
  return `${JSON.stringify({ title, note, columns: heads, rows }, null, 2)}\n`;
}
