/** A CUDA C++ text from its files to kernels by name, with a compiler that is given. */
import { CompileError, InputError, type SourceText } from "../../base/errors.js";
import { guardStack } from "../../base/stack-overflow.js";
import type { Warning } from "../../ir/ir.js";
import type { Tree } from "./arguments.js";
import { headerFiles } from "./headers/files.js";
import { type MissingHeader, textsOf, withIncludes } from "./includes.js";
import { told } from "./messages/cures.js";
import { type Diagnostic, diagnosticsOf } from "./messages/diagnostic.js";
import { type Reach, reachOf } from "./messages/reach.js";
import type { TranslatedKernel } from "./to-ir/kernel.js";
import { type Spoiled, type TranslatedFile, translateFile } from "./translate-file.js";
import type { Node } from "./tree/node.js";
import { Unit } from "./tree/unit.js";

/** One run of clang: its tree as JSON text, its messages. */
export type RunClang = (
  main: string,
  files: Tree,
  unknown: readonly string[],
  ofProgram?: boolean,
) => { readonly status: number; readonly output: string; readonly messages: string };

export interface CudaInput {
  readonly main: string;
  readonly files: Tree;
  /** A file's text for messages. */
  readonly source: (file: string) => SourceText;
  /** Another compilation has read the whole file as C++: what stands outside of kernels is left to it. */
  readonly ofProgram?: boolean;
}

/** The most kernels of a file, instances of templates among them. */
const MOST_KERNELS = 2000;

function checkKernels(count: number): void {
  if (count <= MOST_KERNELS) return;
  throw new InputError({
    what: `The text has ${count} kernels.`,
    cure: `Split it: a file has ${MOST_KERNELS} kernels at most.`,
  });
}

/** @throws InputError for a text that has too many kernels at the first sight */
export function checkKernelsOf(text: string): void {
  checkKernels(text.match(/__global__/g)?.length ?? 0);
}

/** The status of a run that has not come to its end. */
const TOO_MUCH = 134;

/**
 * The kernels of a file. One that an error of clang reaches is refused with it. An error after which nothing is left is thrown
 * as CompileError.
 */
export function compileFile(run: RunClang, input: CudaInput): TranslatedFile {
  const { files, unknown, missing } = withIncludes(input.files, (header) => header in headerFiles());
  const { output, messages, status } = run(input.main, files, unknown, input.ofProgram === true);
  const all = diagnosticsOf(messages);
  if (status === TOO_MUCH || output.trim() === "") {
    const [first] = all;
    if (first !== undefined) throw failure(input, first, unknown);
    if (messages.includes("the tree is too large")) {
      throw new CompileError({
        what: "The text is too large: its tree takes more than 96 MB.",
        cure: "Split it, and write long sums as loops.",
      });
    }
    throw new CompileError({
      what: `clang has ended with status ${status} and no tree: ${messages.trim().split("\n").at(-1) ?? ""}`,
      cure: "Make the text smaller until clang reads it: the last change tells the reason.",
    });
  }
  return guardStack(input.main, () => {
    const tree = JSON.parse(output) as Node;
    const unit = new Unit(tree);
    checkKernels(unit.kernels.length);
    const reach = reachOf(tree, all, new Map(textsOf(files, "")));
    if (reach.whole !== null && input.ofProgram !== true) throw failure(input, reach.whole, unknown);
    const translated = translateFile(unit, input.source, spoiledBy(input, reach, unknown));
    const ofLibrary = ({ message }: Diagnostic): boolean => /namespace 'std'|'std::/.test(message);
    const first = unit.kernels
      .map(({ name }) => reach.names.get(name))
      .find((each) => each !== undefined && !ofLibrary(each));
    if (input.ofProgram === true && first !== undefined) throw failure(input, first, unknown);
    const doubts = diagnosticsOf(messages, "warnings");
    if (missing.length + doubts.length === 0) return translated;
    return { ...translated, kernels: translated.kernels.map(warned(input, missing, doubts)) };
  });
}

/** What clang finds doubtful; and a macro of a header that is not there may decide what stands in a kernel. */
function warned(
  input: CudaInput,
  missing: readonly MissingHeader[],
  doubts: readonly Diagnostic[],
): (kernel: TranslatedKernel) => TranslatedKernel {
  const headers = missing.map(({ name, file, line }): Warning => {
    const source = input.source(file);
    const column = Math.max(0, source.text.split("\n")[line - 1]?.indexOf(name) ?? 0);
    const span = { line, column, length: name.length };
    return { message: `${name} is not there and is read as empty; what it defines is not defined.`, span, source };
  });
  const doubtful = doubts.map(({ file, line, column, message }): Warning => {
    const { what } = told(message, "");
    return { message: what, span: { line, column, length: 1 }, source: input.source(file) };
  });
  return ({ ir, ...rest }) => ({ ...rest, ir: { ...ir, warnings: [...ir.warnings, ...headers, ...doubtful] } });
}

/** A kernel's error as it is told when the kernel is used. */
function spoiledBy(input: CudaInput, { names, written }: Reach, unknown: readonly string[]): Spoiled {
  const told = (name: string, each: Diagnostic | undefined): CompileError | null => {
    if (each === undefined) return null;
    const { what, cure, source, span } = failure(input, each, unknown);
    return new CompileError({ what, cure, source: source && { ...source, name }, span });
  };
  return {
    reason: (name) => told(name, names.get(name)),
    unseen: (known) =>
      [...written].filter(([name]) => !known.has(name)).map(([name, each]) => ({ name, reason: told(name, each)! })),
  };
}

/** What clang does not find may stand in a header that was read as empty. */
const NOT_FOUND = /^(unknown type name|use of undeclared|no (type|member|template) named|no matching function)/;

/** A message of clang, with its line and a cure. */
export function failure(
  input: CudaInput,
  { file, line, column, message, notes }: Diagnostic,
  unknown: readonly string[] = [],
): CompileError {
  const source = input.source(file);
  const known = told(message, notes);
  const headers = NOT_FOUND.test(message) ? unknown.map((name) => `<${name}>`) : [];
  const what =
    headers.length === 0 ? known.what : `${known.what} Nothing is known here of ${headers.slice(0, 3).join(", ")}.`;
  const { cure } = known;
  const rest = source.text.split("\n")[line - 1]?.slice(column) ?? "";
  const length = /^(\w+|\S)/.exec(rest)?.[0].length ?? 1;
  return new CompileError({ what, cure, source, span: { line, column, length } });
}
