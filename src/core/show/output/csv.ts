/** A table as CSV (RFC 4180): CRLF, quotes where needed, the columns' keys as header, numbers in full precision. */
import { checkArgument } from "../../base/shape.js";
import { type Cell, type Table, tableShape } from "../table.js";

function field(cell: Cell): string {
  const text = cell === null ? "" : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The header holds the keys, which carry the units (`timeMs`); a cell that is not available is empty. */
export function toCsv(table: Table): string {
  checkArgument("toCsv", "table", table, tableShape);
  const lines = [
    table.columns.map((column) => field(column.key)),
    ...table.rows.map((row) => table.columns.map((column) => field(row[column.key] ?? null))),
  ];
  return lines.map((fields) => `${fields.join(",")}\r\n`).join("");
}
