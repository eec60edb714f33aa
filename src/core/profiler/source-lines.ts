/** The instructions of a program by the line of the text that they come from. */
import { writtenLine } from "../base/written-line.js";
import type { Instruction, Program } from "../lower/program.js";

/** A line of the text. */
export interface SourceLine {
  /** The kernel, or the device function that the line belongs to. */
  readonly function: string;
  /** From 1, in that function's text. */
  readonly line: number;
  /** The line without its indentation. */
  readonly text: string;
}

/** A line of the text, with its instructions in the program's order. */
export interface CodeLine {
  /** The function's place among the program's sources. */
  readonly source: number;
  /** From 1, in that function's text. */
  readonly line: number;
  readonly instructions: readonly Instruction[];
}

/** In the order of each line's first instruction. */
export function groupByLine(instructions: readonly Instruction[]): readonly CodeLine[] {
  const lines = new Map<string, { source: number; line: number; instructions: Instruction[] }>();
  for (const instruction of instructions) {
    const { source, span } = instruction;
    const key = `${source}:${span.line}`;
    const line = lines.get(key) ?? { source, line: span.line, instructions: [] };
    lines.set(key, line);
    line.instructions.push(instruction);
  }
  return [...lines.values()];
}

/** The lines that have code, in the text's order. */
export function codeLines({ instructions }: Program): readonly CodeLine[] {
  return [...groupByLine(instructions)].sort((a, b) => a.source - b.source || a.line - b.line);
}

export function placeOfLine(program: Program, { source, line }: CodeLine): SourceLine {
  const text = program.sources[source];
  return {
    function: text?.name ?? "",
    line,
    text: (text === undefined ? "" : (writtenLine(text, line) ?? "")).trim(),
  };
}
