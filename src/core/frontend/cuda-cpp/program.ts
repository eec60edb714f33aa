/** A CUDA C++ text from its files to kernels by name, with a compiler that is given. */
import { CompileError, type SourceText } from "../../base/errors.js";
import { guardStack } from "../../base/stack-overflow.js";
import type { Tree } from "./arguments.js";
import { headerFiles } from "./headers/files.js";
import { withIncludes } from "./includes.js";
import { told } from "./messages/cures.js";
import { type Diagnostic, diagnosticsOf, errorsOfKernels } from "./messages/diagnostic.js";
import { type TranslatedFile, translateFile } from "./translate-file.js";
import type { Node } from "./tree/node.js";

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

/** The status of a run that has not come to its end. */
const TOO_MUCH = 134;

/** The kernels of a file; throws CompileError with the place and the cure where it is no C++. */
export function compileFile(run: RunClang, input: CudaInput): TranslatedFile {
  const { files, unknown } = withIncludes(input.files, (header) => header in headerFiles());
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
  const [tree, translated] = guardStack(input.main, () => {
    const read = JSON.parse(output) as Node;
    return [read, translateFile(read, input.source)] as const;
  });
  const [first] = errorsOfKernels(tree, all, unknown, input.ofProgram === true);
  if (first !== undefined) throw failure(input, first, unknown);
  return translated;
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
