/** A table that an instructor gives as CSV: a header with known columns, and the line of each row for refusals. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { InputError } from "../../../core/base/errors.js";

export interface CsvRow {
  /** The number of its first line, from 1. */
  readonly line: number;
  /** By column, without blanks around; empty where the file has no such column. */
  readonly cells: Readonly<Record<string, string>>;
}

export interface CsvColumns {
  readonly needed: readonly string[];
  readonly optional: readonly string[];
}

interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Refuses a line of a file. */
export function refuseLine(path: string, line: number, what: string, cure: string): never {
  throw new InputError({ what: `Line ${line} of ${basename(path)}: ${what}`, cure });
}

function textOf(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (problem) {
    if (!(problem instanceof Error && "code" in problem)) throw problem;
    throw new InputError({ what: `${path} cannot be read (${String(problem.code)}).`, cure: "Name a CSV file." });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new InputError({ what: `${path} is no text in UTF-8.`, cure: "Save it as CSV in UTF-8." });
  }
}

/** Fields of RFC 4180: in quotes they may hold separators and line breaks, and a quote twice. */
function recordsOf(path: string, text: string): readonly CsvRecord[] {
  const [head = ""] = text.split(/\r?\n/, 1);
  const separator = head.includes(";") && !head.includes(",") ? ";" : ",";
  const records: CsvRecord[] = [];
  let [fields, field, line, begin]: [string[], string, number, number] = [[], "", 1, 1];
  let quoted: number | null = null;
  const endRecord = (): void => {
    fields.push(field);
    if (fields.length > 1 || field.trim() !== "") records.push({ line: begin, fields });
    [fields, field] = [[], ""];
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === "\n") line += 1;
    if (quoted !== null) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') field += text[++at] ?? "";
      else quoted = null;
    } else if (sign === '"' && field.trim() === "") [quoted, field] = [line, ""];
    else if (sign === separator) {
      fields.push(field);
      field = "";
    } else if (sign === "\n") {
      endRecord();
      begin = line;
    } else if (sign !== "\r") field += sign;
  }
  if (quoted !== null) refuseLine(path, quoted, "a quote is not closed.", 'Write a quote in a text twice: "".');
  endRecord();
  return records;
}

function checkHeader(path: string, header: readonly string[], { needed, optional }: CsvColumns): void {
  const known = [...needed, ...optional];
  const cure = `The columns are ${known.join(", ")}; ${needed.join(", ")} must be there.`;
  for (const [index, column] of header.entries()) {
    if (!known.includes(column)) refuseLine(path, 1, `there is no column ${JSON.stringify(column)}.`, cure);
    if (header.indexOf(column) < index) refuseLine(path, 1, `the column ${column} is there twice.`, cure);
  }
  for (const column of needed) {
    if (!header.includes(column)) refuseLine(path, 1, `the column ${column} is missing.`, cure);
  }
}

/**
 * The rows of a file whose first line names its columns, in any order. Empty lines are passed over.
 * @throws InputError with the line, for unknown columns and rows of another length
 */
export function readCsv(path: string, columns: CsvColumns): readonly CsvRow[] {
  const [head, ...records] = recordsOf(path, textOf(path));
  const header = (head?.fields ?? []).map((field) => field.trim().toLowerCase());
  checkHeader(path, header, columns);
  return records.map(({ line, fields }) => {
    if (fields.length !== header.length) {
      const what = `it has ${fields.length} fields, the first line has ${header.length}.`;
      refuseLine(path, line, what, "Put a text with a comma in quotes.");
    }
    const given = Object.fromEntries(header.map((column, index) => [column, (fields[index] ?? "").trim()]));
    const none = Object.fromEntries(columns.optional.map((column) => [column, ""]));
    return { line, cells: { ...none, ...given } };
  });
}
