/**
 * Why a cell failed, in the form of Jupyter's error messages: the name, the value, and lines for a reader.
 * A cell fails at TypeScript's check (tslab runs nothing then) or by what it throws.
 */

import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { caret, type SourceText, WarplabError } from "../../core/base/errors.js";
import { cForm } from "../../core/frontend/cells/c-forms.js";
import type { CellFailure } from "../../course/notebook/cell-sink.js";
import { courseRoot } from "../course-root.js";
import type { CellDiagnostic } from "./cell-diagnostic.js";
import { hostAnswer } from "./host-answer.js";

/** A cell that ran: what the learner wrote and the JavaScript that tslab made of it. */
export interface RunCell {
  readonly source: string;
  readonly output: string;
}

/** The name under which V8 reports the code of the cell with this execution count. */
export function cellUrl(executionCount: number): string {
  return `warplab-cell-${executionCount}`;
}

/** The cure where a notebook does not find the package: it was taken out of the course's folder. */
function packageCure(): string {
  let course = "COURSE";
  try {
    course = courseRoot();
  } catch {
    // The kernel itself was taken out of the course.
  }
  return `The package warplab is not found from ${process.cwd()}.
Open the notebook in the course's folder ${join(course, "notebooks")},
or get the package for this folder: npm install "${join(course, "src")}"`;
}

const LACKS_PACKAGE = /Cannot find (module|package) '(warplab|[^']*[\\/]node_modules[\\/]warplab[\\/][^']*)'/;

/** A form of C in the cell: warplab's answer, in the place of TypeScript's to all that follows from it. */
function cFormFailure(text: SourceText): CellFailure | null {
  const form = cForm(text.text);
  if (form === null) return null;
  const { what, cure, span } = form;
  const place = `  in this cell, line ${span.line}`;
  return {
    ename: "CompileError",
    evalue: `line ${span.line}: ${what}`,
    traceback: [`CompileError: ${what}`, place, caret(text, span), cure],
  };
}

/**
 * The failure of a cell that does not compile: each complaint with its line and a caret under the place. A complaint is
 * warplab's answer where it has one, else TypeScript's message.
 * @param exported the names that a cell can import from warplab
 */
export function compileFailure(
  source: string,
  diagnostics: readonly CellDiagnostic[],
  exported: readonly string[],
): CellFailure {
  const text: SourceText = { name: "cell", text: source, firstLine: 1 };
  const ofC = cFormFailure(text);
  if (ofC !== null) return ofC;
  const traceback: string[] = [];
  let previous: CellDiagnostic | undefined;
  for (const diagnostic of diagnostics) {
    const { start, end, fileName } = diagnostic;
    // tslab lists a message's details as further diagnostics of the same place.
    if (previous?.start.offset === start.offset && previous.fileName === fileName) {
      if (hostAnswer(previous, diagnostics, exported) === null) traceback.push(`  ${diagnostic.messageText}`);
      continue;
    }
    const place = `${fileName ?? "this cell"}, line ${start.line + 1}`;
    const answer = fileName === undefined ? hostAnswer(diagnostic, diagnostics, exported) : null;
    traceback.push(answer?.what ?? `TypeScript: ${diagnostic.messageText}`, `  in ${place}`);
    if (fileName === undefined) {
      const span = { line: start.line + 1, column: start.character, length: end.offset - start.offset };
      traceback.push(caret(text, span));
    }
    if (answer !== null) traceback.push(answer.cure);
    previous = diagnostic;
  }
  if (diagnostics.some(({ messageText }) => LACKS_PACKAGE.test(messageText))) traceback.push(packageCure());
  const first = diagnostics[0];
  const where = first === undefined ? "" : `line ${first.start.line + 1}: `;
  return {
    ename: "TypeScriptError",
    evalue: `${where}${first?.messageText ?? "the cell does not compile"}`,
    traceback,
  };
}

/** Names, numbers and words of a line, without what tslab adds when it rewrites imports and earlier cells' names. */
function words(line: string): Set<string> {
  return new Set((line.match(/[\w$]+/g) ?? []).filter((word) => !/^(exports|\w+_\d+|0)$/.test(word)));
}

/**
 * The 1-based line of the learner's text that a line of tslab's JavaScript came from. tslab keeps no source map, but
 * it keeps a statement's words; undefined unless one line shares clearly more of them than every other.
 */
export function sourceLine(cell: RunCell, outputLine: number): number | undefined {
  const wanted = words(cell.output.split("\n")[outputLine - 1] ?? "");
  if (wanted.size === 0) return undefined;
  const scores = cell.source.split("\n").map((line, index) => {
    const found = words(line);
    const shared = [...wanted].filter((word) => found.has(word)).length;
    return { line: index + 1, score: shared / (wanted.size + found.size - shared) };
  });
  const [best, second] = scores.sort((a, b) => b.score - a.score);
  return best !== undefined && best.score >= 0.5 && best.score > (second?.score ?? 0) ? best.line : undefined;
}

/** The folder of this package's code: an error that it made for the learner needs no frames from there. */
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
/** A stack names a module by its address, in which a space has another form. */
const PACKAGE_URL = pathToFileURL(PACKAGE).href;

/** The stack's frames down to the cell's own, those of cells with the learner's line; Node's and tslab's left out. */
function frames(stack: string, cells: ReadonlyMap<string, RunCell>, isOurs: boolean): string[] {
  const kept: string[] = [];
  for (const frame of stack.split("\n").filter((line) => /^\s+at /.test(line))) {
    if (/[\\/]tslab[\\/]dist[\\/]/.test(frame)) break;
    if (/\(?node:/.test(frame)) continue;
    const isOwn = frame.includes(PACKAGE) || frame.includes(PACKAGE_URL);
    // Between the package's frames stand those of map and the like.
    if (isOurs && (isOwn || frame.endsWith(" (<anonymous>)"))) continue;
    const place = /(warplab-cell-(\d+)):(\d+):\d+/.exec(frame);
    const cell = cells.get(place?.[1] ?? "");
    if (place === null || cell === undefined) {
      kept.push(frame.replace(/(file:\/\/)?\/[^\s()]*\/(dist|\.cache\/builds\/[^/]+|node_modules)\//, ""));
      continue;
    }
    const line = sourceLine(cell, Number(place[3]));
    // Without a line: tslab's own wrapper around the cell, or a statement that cannot be told from another.
    const text = line === undefined ? "" : `, line ${line}: ${cell.source.split("\n")[line - 1]?.trim()}`;
    const where = `    in cell [${place[2]}]`;
    if (text !== "" || !kept.at(-1)?.startsWith(where)) kept.push(where + text);
  }
  return kept;
}

/** The failure of a cell that threw. `cells` are the cells that ran, by `cellUrl`. */
export function thrownFailure(thrown: unknown, cells: ReadonlyMap<string, RunCell>): CellFailure {
  if (!(thrown instanceof Error)) {
    const value = inspect(thrown);
    return { ename: "Thrown", evalue: value, traceback: [`Thrown: ${value}`] };
  }
  const traceback = [
    `${thrown.name}: ${thrown.message}`,
    ...frames(thrown.stack ?? "", cells, thrown instanceof WarplabError),
  ];
  if (LACKS_PACKAGE.test(thrown.message)) traceback.push(packageCure());
  if (thrown.cause !== undefined) traceback.push("caused by", ...thrownFailure(thrown.cause, cells).traceback);
  return { ename: thrown.name, evalue: thrown.message, traceback };
}
