/** Why a cell failed, as node/notebook/cell-failure.ts has it of tslab's cells; here a frame's line is the cell's own. */
import { inspect } from "node-inspect-extracted";
import { editorLine, WarplabError } from "../../core/base/errors.js";
import { cForm } from "../../core/frontend/cells/c-forms.js";
import { unknownNameCure } from "../../core/frontend/cells/unknown-name.js";
import { Kernel } from "../../core/frontend/index.js";
import type { CellFailure } from "../../course/notebook/cell-sink.js";
import { CellSyntaxError, LINES_BEFORE } from "./convert.js";

/** Where in the cells a failure stands; the page marks it. */
export interface CellPlace {
  /** The number of the cell's run. */
  readonly cell: number;
  readonly line: number;
}

export interface LocatedFailure extends CellFailure {
  readonly places: readonly CellPlace[];
}

/** The name under which the browser reports the code of the cell with this number. */
export function cellUrl(count: number): string {
  return `warplab-cell-${count}`;
}

/** The places of a stack that lie in cells, the innermost first. */
function cellPlaces(stack: string, sources: ReadonlyMap<number, string>): readonly CellPlace[] {
  return (
    [...stack.matchAll(/warplab-cell-(\d+):(\d+)(?::\d+)?/g)]
      .map(([, cell, line]) => ({ cell: Number(cell), line: Number(line) - LINES_BEFORE }))
      // The text around the cell's own has lines before it and behind it.
      .filter(({ cell, line }) => line >= 1 && line <= (sources.get(cell)?.split("\n").length ?? 0))
  );
}

/** The kernel's own place, which the message quotes, before those of the calls. */
function placesOf(thrown: Error, sources: ReadonlyMap<number, string>): readonly CellPlace[] {
  const calls = cellPlaces(thrown.stack ?? "", sources);
  if (!(thrown instanceof WarplabError) || thrown.source === undefined || thrown.span === undefined) return calls;
  const cell = /^cell \[(\d+)\]$/.exec(thrown.source.where ?? "");
  if (cell === null || thrown.source.lines === undefined) return calls;
  return [{ cell: Number(cell[1]), line: editorLine(thrown.source, thrown.span.line) }, ...calls];
}

/** What a cell can name: its own modules' exports, and what cells have declared. */
export interface CellNames {
  readonly exported: readonly string[];
  declared(name: string): unknown;
}

/** What to do about a mistake that JavaScript itself answers; null where warplab knows nothing better. */
function cureOf(thrown: Error, source: string, names: CellNames): string | null {
  const unknown = /^([\w$]+) is not defined$/.exec(thrown.message)?.[1];
  if (thrown instanceof ReferenceError && unknown !== undefined) {
    const form = cForm(source);
    const marked = form === null ? "" : source.split("\n")[form.span.line - 1]?.slice(form.span.column);
    return form !== null && marked?.startsWith(unknown) ? form.cure : unknownNameCure(unknown, names.exported);
  }
  const called = /^([\w$]+) is not a function$/.exec(thrown.message)?.[1];
  if (thrown instanceof TypeError && called !== undefined && Kernel.is(names.declared(called))) {
    return `A kernel is launched: gpu.launch(${called}, { grid: 1, block: 256 }, { ...arguments by name }).`;
  }
  return null;
}

/** @param sources the cells that ran, by their numbers */
export function failureOf(
  thrown: unknown,
  sources: ReadonlyMap<number, string>,
  count: number,
  names: CellNames,
): LocatedFailure {
  if (!(thrown instanceof Error)) {
    const value = inspect(thrown);
    return { ename: "Thrown", evalue: value, traceback: [`Thrown: ${value}`], places: [] };
  }
  if (thrown instanceof CellSyntaxError) {
    const { what, span } = thrown;
    return {
      ename: thrown.name,
      evalue: `line ${span.line}: ${what}`,
      traceback: [`${thrown.name}: ${thrown.message}`],
      places: [{ cell: count, line: span.line }],
    };
  }
  const traceback = [`${thrown.name}: ${thrown.message}`];
  for (const { cell, line } of cellPlaces(thrown.stack ?? "", sources)) {
    traceback.push(`    in cell [${cell}], line ${line}: ${sources.get(cell)?.split("\n")[line - 1]?.trim()}`);
  }
  const cure = cureOf(thrown, sources.get(count) ?? "", names);
  if (cure !== null) traceback.push(cure);
  if (thrown.cause !== undefined) {
    traceback.push("caused by", ...failureOf(thrown.cause, sources, count, names).traceback);
  }
  return { ename: thrown.name, evalue: thrown.message, traceback, places: placesOf(thrown, sources) };
}
