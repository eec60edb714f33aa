/** A table for a terminal: fits the width by wrapping headers and texts, and as a last resort by listing records. */
import { boolean, checkArgument, checkOptions, optional, whole } from "../../base/shape.js";
import { cellTexts, columnHeader, type Table, tableShape } from "../table.js";

export interface TextStyle {
  /** Columns of the terminal; a word longer than that is broken. Default 80. */
  readonly width?: number;
  /** Bold headers by ANSI codes. Default false. */
  readonly color?: boolean;
}

/** The style that suits an output stream: its width, and colour only on a terminal without CI and NO_COLOR. */
export function terminalStyle(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  environment: Readonly<Record<string, string | undefined>>,
): Required<TextStyle> {
  const set = (name: string): boolean => (environment[name] ?? "") !== "";
  const color = stream.isTTY === true && !set("NO_COLOR") && !set("CI") && environment.TERM !== "dumb";
  return { width: Math.max(20, stream.columns ?? 80), color };
}

const GAP = 2;
/** A text column is not made narrower than this while records in columns are still possible. */
const NARROWEST_TEXT = 12;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]/u;

/** Text in one line that cannot steer the terminal. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(CONTROL, "\ufffd").trim();
}

/** Columns that `text` takes in a terminal. */
export function terminalWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

function broken(word: string, width: number): readonly string[] {
  const parts: string[] = [""];
  for (const character of word) {
    const last = parts.at(-1) ?? "";
    if (last !== "" && terminalWidth(last + character) > width) parts.push(character);
    else parts[parts.length - 1] = last + character;
  }
  return parts;
}

/** Breaks a line at spaces, else after hyphens, else anywhere, so that each part fits. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const parts = terminalWidth(word) <= width ? [word] : word.split(/(?<=-)(?=\p{L})/u);
    for (const [index, part] of parts.flatMap((each) => broken(each, width)).entries()) {
      const last = lines.at(-1);
      const glued = `${last}${index === 0 ? " " : ""}${part}`;
      if (last !== undefined && terminalWidth(glued) <= width) lines[lines.length - 1] = glued;
      else lines.push(part);
    }
  }
  return lines;
}

function longestWord(texts: readonly string[]): number {
  return Math.max(0, ...texts.flatMap((text) => text.split(" ").map(terminalWidth)));
}

/** Column widths that fit, or undefined when even the narrowest do not. */
function fittedWidths(shown: Table, heads: readonly string[], body: readonly (readonly string[])[], width: number) {
  const cells = shown.columns.map((_, index) => body.map((row) => row[index] ?? ""));
  const natural = heads.map((head, index) => Math.max(...[head, ...(cells[index] ?? [])].map(terminalWidth)));
  const narrow = heads.map((head, index) => {
    const column = cells[index] ?? [];
    // A number is never broken; a text may be.
    if (shown.columns[index]?.align === "right") return Math.max(longestWord([head]), ...column.map(terminalWidth));
    return Math.min(natural[index] ?? 0, Math.max(NARROWEST_TEXT, longestWord([head])));
  });
  let spare = width - GAP * (heads.length - 1) - narrow.reduce((sum, each) => sum + each, 0);
  if (spare < 0) return undefined;
  return narrow.map((least, index) => {
    const more = Math.min(spare, (natural[index] ?? least) - least);
    spare -= more;
    return least + more;
  });
}

function asColumns(
  shown: Table,
  heads: readonly string[],
  body: readonly (readonly string[])[],
  widths: readonly number[],
  bold: (text: string) => string,
): readonly string[] {
  const lineOf = (texts: readonly string[]): string =>
    texts
      .map((text, index) => {
        const blank = " ".repeat(Math.max(0, (widths[index] ?? 0) - terminalWidth(text)));
        return shown.columns[index]?.align === "right" ? blank + text : text + blank;
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  const linesOf = (texts: readonly string[], atBottom: boolean): readonly string[] => {
    const parts = texts.map((text, index) => wrap(text, widths[index] ?? 1));
    const height = Math.max(...parts.map((part) => part.length));
    return Array.from({ length: height }, (_, line) =>
      lineOf(parts.map((part) => part[atBottom ? line - (height - part.length) : line] ?? "")),
    );
  };
  const rule = widths.map((each) => "─".repeat(each)).join(" ".repeat(GAP));
  return [...linesOf(heads, true).map(bold), rule, ...body.flatMap((row) => linesOf(row, false))];
}

function asRecords(
  heads: readonly string[],
  body: readonly (readonly string[])[],
  width: number,
  bold: (text: string) => string,
): readonly string[] {
  return body.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...row.flatMap((text, column) => {
      const [first = "", ...rest] = wrap(`${heads[column] ?? ""}: ${text}`, width);
      return [column === 0 ? bold(first) : first, ...rest];
    }),
  ]);
}

/** Lines end with "\n"; no line is wider than the width. */
export function toText(table: Table, style: TextStyle = {}): string {
  checkArgument("toText", "table", table, tableShape);
  checkOptions<TextStyle>("toText", style, { width: optional(whole(1, 10_000)), color: optional(boolean) });
  const width = Math.max(1, style.width ?? 80);
  const bold = (text: string): string => (style.color === true ? `\u001b[1m${text}\u001b[0m` : text);
  const heads = table.columns.map((column) => oneLine(columnHeader(column)));
  const body = cellTexts(table).map((cells) => cells.map(oneLine));
  const widths = fittedWidths(table, heads, body, width);
  const lines = [
    ...(table.title === "" ? [] : [...wrap(oneLine(table.title), width).map(bold), ""]),
    ...(widths === undefined ? asRecords(heads, body, width, bold) : asColumns(table, heads, body, widths, bold)),
    ...(table.note === "" ? [] : ["", ...wrap(oneLine(table.note), width)]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
