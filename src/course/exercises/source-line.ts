/** A learner's line in a sentence. */
import { editorLine, type SourceText, type Span, WarplabError } from "../../core/base/errors.js";
import { writtenLine } from "../../core/base/written-line.js";
import type { LaunchWarning } from "../../core/host/launch-warning.js";
import type { Instruction, Program } from "../../core/lower/program.js";
import type { LineCounts } from "../../core/profiler/line-counts.js";

/** `line 9 (sdata[tid] += sdata[tid + s];)`, as the learner's editor counts, with the device function's name where it is one's. */
function lineOf(source: SourceText | undefined, line: number, kernel: string): string {
  const text = (source === undefined ? "" : (writtenLine(source, line) ?? "")).trim();
  const of = source === undefined || source.name === kernel ? "" : ` of ${source.name}`;
  return `line ${source === undefined ? line : editorLine(source, line)}${of} (${text})`;
}

/** `kernel` is the learner's own, where the program may be one that it launches. */
export function instructionLine(
  program: Program,
  { span, source }: Instruction,
  kernel: string = program.name,
): string {
  return lineOf(program.sources[source], span.line, kernel);
}

export function countsLine({ line, function: name }: LineCounts, program: Program): string {
  return lineOf(
    program.sources.find((source) => source.name === name),
    line,
    program.name,
  );
}

/** A line of the kernel itself. */
export function spanLine(program: Program, { line }: Span): string {
  return lineOf(program.sources[0], line, program.name);
}

/** "1 block", "2 blocks". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function place(source: SourceText | undefined, span: Span | undefined): string {
  return source === undefined || span === undefined ? "" : ` At ${lineOf(source, span.line, source.name)}.`;
}

function told(text: string): string {
  return text.replace(/\s*\n\s*/g, "; ").replace(/\.$/, "");
}

/** An error as a sentence: what, on which line, and the cure, as far as the learner's text can follow it. */
export function failureSentence(problem: unknown): string {
  if (!(problem instanceof WarplabError)) throw problem;
  const { what, kernelCure, source, span } = problem;
  return `${told(what)}.${place(source, span)} Cure: ${told(kernelCure)}.`;
}

/** A warning of a launch, with its line. */
export function warningSentence(warning: LaunchWarning, program: Program): string {
  const { message, kernelMessage = message, source, span } = warning;
  return `${told(kernelMessage)}.${place(source ?? program.sources[0], span)}`;
}
