/** A table as data: columns with titles, units and number formats; rows as records. Each written format has a file. */
import { InputError } from "../base/errors.js";
import {
  anything,
  checkArgument,
  type Fields,
  fieldsOf,
  listOf,
  objectWith,
  oneOf,
  optional,
  recordOf,
  type Shape,
  shape,
  string,
} from "../base/shape.js";
import { summarized } from "../base/summary.js";
import { formatNumber, formatShape, type NumberFormat } from "./number-format.js";

/** A cell's value; null (or undefined in the given row) is "not available". */
export type Cell = string | number | bigint | boolean | null;

export type Alignment = "left" | "right";

export interface Column {
  /** The record's field; the header of CSV and the key of JSON. */
  readonly key: string;
  /** The header for a reader. */
  readonly title: string;
  /** The unit, shown in parentheses after the title; empty for none. */
  readonly unit: string;
  readonly align: Alignment;
  readonly format: NumberFormat;
}

export interface Table {
  readonly kind: "table";
  readonly title: string;
  readonly columns: readonly Column[];
  /** Each row has every column's key. */
  readonly rows: readonly Readonly<Record<string, Cell>>[];
  /** A line under the table: sources, conditions. Empty for none. */
  readonly note: string;
}

/** The fields of R that a cell can hold. */
export type CellKey<R> = { [K in keyof R]-?: R[K] extends Cell | undefined ? K : never }[keyof R] & string;

export interface ColumnSpec<R> {
  readonly key: CellKey<R>;
  /** Default: the key. */
  readonly title?: string;
  readonly unit?: string;
  /** Default: right when every cell is a number, else left. */
  readonly align?: Alignment;
  readonly format?: NumberFormat;
}

export interface TableSpec<R> {
  readonly title?: string;
  readonly note?: string;
  readonly columns: readonly ColumnSpec<R>[];
  readonly rows: readonly R[];
}

const column: Fields<ColumnSpec<Record<string, Cell>>> = {
  key: string,
  title: optional(string),
  unit: optional(string),
  align: optional(oneOf("left", "right")),
  format: optional(formatShape),
};

const tableSpec: Shape = fieldsOf<TableSpec<object>>({
  title: optional(string),
  note: optional(string),
  columns: listOf(fieldsOf(column), 1),
  rows: listOf(recordOf(anything)),
});

const cell: Shape = shape(
  "a text, a number, true, false or null",
  (value) => value === null || ["string", "number", "bigint", "boolean"].includes(typeof value),
);

export const tableShape: Shape = objectWith(
  {
    kind: oneOf("table"),
    title: string,
    columns: listOf(
      objectWith({ key: string, title: string, unit: string, align: oneOf("left", "right"), format: formatShape }),
    ),
    rows: listOf(recordOf(cell)),
    note: string,
  },
  "what table(...) returns",
);

function isNumeric(cell: Cell): boolean {
  return typeof cell === "number" || typeof cell === "bigint";
}

function checkedCell(value: unknown, key: string, rowIndex: number): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new InputError({
      what: `Table row ${rowIndex + 1}, column "${key}" is ${value}.`,
      cure: "Give null for a number that is not available; check the division that made it.",
    });
  }
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "bigint") return value;
  throw new InputError({
    what: `Table row ${rowIndex + 1}, column "${key}" holds a value of type ${typeof value}.`,
    cure: "A cell is a string, a number, a bigint, a boolean or null.",
  });
}

/**
 * Makes a table of the named columns of `rows`; other fields of the rows are left out.
 * @throws InputError for no column, a repeated key, NaN, Infinity, or a value that is no cell.
 */
export function table<R extends object>(spec: TableSpec<R>): Table {
  checkArgument("table", "spec", spec, tableSpec);
  const keys = spec.columns.map((column): string => column.key);
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index);
  if (repeated !== undefined) {
    throw new InputError({ what: `Two table columns have the key "${repeated}".`, cure: "Give each key once." });
  }
  const rows = spec.rows.map((row, index) => {
    const fields = new Map<string, unknown>(Object.entries(row));
    return Object.freeze(Object.fromEntries(keys.map((key) => [key, checkedCell(fields.get(key), key, index)])));
  });
  const columns = spec.columns.map((column): Column => {
    const cells = rows.map((row) => row[column.key] ?? null).filter((cell) => cell !== null);
    const numeric = cells.length > 0 && cells.every(isNumeric);
    return Object.freeze({
      key: column.key,
      title: column.title ?? column.key,
      unit: column.unit ?? "",
      align: column.align ?? (numeric ? "right" : "left"),
      format: Object.freeze({ ...column.format }),
    });
  });
  return Object.freeze(
    summarized(
      {
        kind: "table" as const,
        title: spec.title ?? "",
        note: spec.note ?? "",
        columns: Object.freeze(columns),
        rows: Object.freeze(rows),
      },
      tableSummary,
    ),
  );
}

function tableSummary({ title, columns, rows }: Table): string {
  return `Table${title === "" ? "" : ` "${title}"`}: ${rows.length} x ${columns.length} cells; display(table) shows it`;
}

/** A column's header for a reader: "Kernel time (ms)". */
export function columnHeader(column: Column): string {
  return column.unit === "" ? column.title : `${column.title} (${column.unit})`;
}

/** A cell for a reader, unescaped; "–" for what is not available. */
export function cellText(column: Column, cell: Cell): string {
  if (cell === null) return "–";
  if (typeof cell === "number" || typeof cell === "bigint") return formatNumber(cell, column.format);
  return typeof cell === "boolean" ? (cell ? "yes" : "no") : cell;
}

/** All cells of the table for a reader, row by row, unescaped. */
export function cellTexts(shown: Table): readonly (readonly string[])[] {
  return shown.rows.map((row) => shown.columns.map((column) => cellText(column, row[column.key] ?? null)));
}
