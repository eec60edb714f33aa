/**
 * Jupyter's notebook file format, version 4: the part that a TypeScript notebook uses.
 * Field names are the format's own. Source: nbformat 4.5 (https://nbformat.readthedocs.io).
 */
import { InputError } from "../../core/base/errors.js";

/** One piece of data in several forms, by MIME type; a front end shows the richest it knows. */
export type MimeBundle = Readonly<Record<string, unknown>>;

export interface StreamOutput {
  readonly output_type: "stream";
  readonly name: "stdout" | "stderr";
  readonly text: string;
}

export interface DisplayOutput {
  readonly output_type: "display_data";
  readonly data: MimeBundle;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ResultOutput {
  readonly output_type: "execute_result";
  readonly execution_count: number;
  readonly data: MimeBundle;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ErrorOutput {
  readonly output_type: "error";
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}

export type Output = StreamOutput | DisplayOutput | ResultOutput | ErrorOutput;

export interface TextCell {
  readonly cell_type: "markdown" | "raw";
  readonly id?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly source: string;
}

export interface CodeCell {
  readonly cell_type: "code";
  readonly id?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly source: string;
  readonly execution_count: number | null;
  readonly outputs: readonly Output[];
}

export type Cell = TextCell | CodeCell;

export interface Notebook {
  readonly nbformat: 4;
  readonly nbformat_minor: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly cells: readonly Cell[];
}

/** Whether Jupyter's tag says that this cell is meant to fail, so that a run goes on after it. */
export function expectsError(cell: Cell): boolean {
  const tags = cell.metadata.tags;
  return Array.isArray(tags) && tags.includes("raises-exception");
}

/** The file may hold a text as one string or as a list of lines; here it is one string. */
function joined(text: unknown): string {
  return Array.isArray(text) ? text.join("") : String(text ?? "");
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Other programs than Jupyter leave fields out, or write null: an empty one stands for them. */
function parseOutput(output: Fields): Output {
  if (output.output_type === "stream") {
    const name = output.name === "stderr" ? "stderr" : "stdout";
    return { ...output, output_type: "stream", name, text: joined(output.text) } satisfies StreamOutput;
  }
  if (output.output_type === "error") {
    const traceback = Array.isArray(output.traceback) ? output.traceback.map(String) : [];
    const [ename, evalue] = [joined(output.ename), joined(output.evalue)];
    return { ...output, output_type: "error", ename, evalue, traceback } satisfies ErrorOutput;
  }
  const data = Object.fromEntries(
    Object.entries(fieldsOf(output.data)).map(([mime, value]) =>
      // JSON types may be arrays themselves; all others are text.
      /[/+]json$/.test(mime) ? [mime, value] : [mime, joined(value)],
    ),
  );
  // Two kinds of output are left, and both have these fields.
  return { ...output, metadata: fieldsOf(output.metadata), data } as unknown as DisplayOutput;
}

function parseCell(path: string, cell: unknown, index: number): Cell {
  if (!isFields(cell) || (cell.cell_type !== "code" && cell.cell_type !== "markdown" && cell.cell_type !== "raw")) {
    throw new InputError({
      what: `${path}: cell ${index + 1} is no code, markdown or raw cell.`,
      cure: "Open the notebook in Jupyter, and delete or mend that cell.",
    });
  }
  const { id, ...others } = cell;
  // The order of the file's fields stays.
  const known = typeof id === "string" ? { ...cell, id } : others;
  const common = { ...known, metadata: fieldsOf(cell.metadata), source: joined(cell.source) };
  if (cell.cell_type !== "code") return { ...common, cell_type: cell.cell_type };
  const outputs = (Array.isArray(cell.outputs) ? cell.outputs : []).filter(isFields).map(parseOutput);
  const execution_count = typeof cell.execution_count === "number" ? cell.execution_count : null;
  return { ...common, cell_type: "code", execution_count, outputs };
}

/**
 * The notebook that a file's text holds.
 * @param path names the file in errors
 * @throws {InputError} if the file is no notebook of version 4.
 */
export function parseNotebook(path: string, file: unknown): Notebook {
  const notebook = file as Partial<Notebook> | null;
  if (notebook?.nbformat !== 4 || !Array.isArray(notebook.cells)) {
    throw new InputError({
      what: `${path} is not a notebook of nbformat 4.`,
      cure: "Open it in Jupyter and save it again: it converts older formats.",
    });
  }
  const cells = notebook.cells.map((cell, index) => parseCell(path, cell, index));
  const nbformat_minor = typeof notebook.nbformat_minor === "number" ? notebook.nbformat_minor : 5;
  return { ...notebook, nbformat: 4, nbformat_minor, metadata: fieldsOf(notebook.metadata), cells };
}

/** A text as the list of lines that Jupyter writes, so that a diff shows the line that changed. */
function asLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/** The notebook as the text of an .ipynb file, laid out as Jupyter does. */
export function notebookText(notebook: Notebook): string {
  const cells = notebook.cells.map((cell) =>
    cell.cell_type === "code"
      ? {
          ...cell,
          source: asLines(cell.source),
          outputs: cell.outputs.map((output) =>
            output.output_type === "stream" ? { ...output, text: asLines(output.text) } : output,
          ),
        }
      : { ...cell, source: asLines(cell.source) },
  );
  return `${JSON.stringify({ ...notebook, cells }, null, 1)}\n`;
}
