/** Compiles a whole program: its host part to a module, its kernels to those of `Gpu`. What was compiled is kept. */
import { existsSync, readFileSync } from "node:fs";
import { CompileError, InputError, type SourceText } from "../../core/base/errors.js";
import {
  fileInvocation,
  headerInvocation,
  type Invocation,
  type Tree,
  withFile,
} from "../../core/frontend/cuda-cpp/arguments.js";
import {
  hostHeaderInvocation,
  hostInvocation,
  libraryHeaders,
  linkInvocation,
} from "../../core/frontend/cuda-cpp/host/invocations.js";
import { joinedBrackets } from "../../core/frontend/cuda-cpp/launch-brackets.js";
import { diagnosticsOf } from "../../core/frontend/cuda-cpp/messages/diagnostic.js";
import {
  type CudaInput,
  checkKernelsOf,
  compileFile,
  failure,
  type RunClang,
} from "../../core/frontend/cuda-cpp/program.js";
import type { LaunchedKernel, TranslatedFile } from "../../core/frontend/cuda-cpp/translate-file.js";
import { CudaKernel, type CudaText } from "../../core/frontend/cuda-cpp-kernel.js";
import type { FindKernel, ProgramKernel } from "../../core/program/kernels.js";
import { compileWithClang, keepFile, keptFile, precompiled, runClang } from "../clang/clang.js";
import type { ProgramTexts } from "./program-folder.js";

export interface CompiledProgram {
  readonly bytes: Uint8Array;
  readonly module: WebAssembly.Module;
  readonly findKernel: FindKernel;
}

/** A larger tree is made again. */
const MOST_KEPT = 16 << 20;
/** A first program takes up to 10 s, half of it by threads that make clang's own code faster. A slow machine takes twice that. */
const MOST_HOST_CPU_MS = 30_000;

function treeOf(texts: ReadonlyMap<string, string>): Tree {
  let tree: Tree = {};
  for (const [path, text] of texts) tree = withFile(tree, path, joinedBrackets(text));
  return tree;
}

/** What `make` gives for `from`, made once; nothing is kept of what has failed. */
function kept(kind: string, from: unknown, make: () => Uint8Array): Uint8Array {
  const path = keptFile(kind, from);
  if (existsSync(path)) return new Uint8Array(readFileSync(path));
  const made = make();
  if (made.length > 0 && made.length <= MOST_KEPT) keepFile(path, made);
  return made;
}

function hostModule(texts: ProgramTexts, inputs: readonly CudaInput[]): Uint8Array {
  const library = libraryHeaders(texts.texts.values());
  const header = hostHeaderInvocation(library);
  const compile = ({ main, files }: CudaInput, compiled: Uint8Array) => hostInvocation(compiled, library, main, files);
  const runs = inputs.map((input) => compile(input, new Uint8Array()));
  return kept("wasm", [header, runs.map(({ args }) => args), runs[0]?.files, linkInvocation([]).args], () => {
    const objects = inputs.map((input) => objectOf(input, compile(input, precompiled(header))));
    const linked = runClang(linkInvocation(objects), MOST_HOST_CPU_MS);
    if (linked.made !== undefined) return linked.made;
    const said = linked.messages.trim().split("\n").slice(0, 4).join("\n");
    throw new InputError({
      what: `The program cannot be linked.\n${said}`,
      cure: "Define each function once, and main in one of the program's files.",
    });
  });
}

function objectOf(input: CudaInput, invocation: Invocation): Uint8Array {
  const { made, messages, status } = runClang(invocation, MOST_HOST_CPU_MS);
  if (made !== undefined) return made;
  const [first] = diagnosticsOf(messages);
  const source = (file: string) => ({ ...input.source(file), kind: "program" as const });
  if (first !== undefined) throw failure({ ...input, source }, first);
  throw new InputError({
    what: `clang has ended with status ${status}: ${messages.trim().split("\n").at(-1) ?? ""}`,
    cure: "Make the program smaller until clang reads it: the last change tells the reason.",
  });
}

/** clang's answer for the device, kept where it is a tree. */
const keptRun: RunClang = (main, files, unknown, ofProgram) => {
  let answer: ReturnType<RunClang> | null = null;
  const { args } = fileInvocation(new Uint8Array(), main, files, unknown, ofProgram);
  const bytes = kept("json", [headerInvocation(ofProgram), args, files], () => {
    answer = compileWithClang(main, files, unknown, ofProgram);
    const { status, output, messages } = answer;
    if (output.trim() === "") return new Uint8Array();
    return new TextEncoder().encode(JSON.stringify({ status, output, messages }));
  });
  return answer ?? (JSON.parse(new TextDecoder().decode(bytes)) as ReturnType<RunClang>);
};

type KernelTable = ReadonlyMap<string, () => ProgramKernel>;

/** The kernels of a translation by their names for the linker. */
function kernelTable(file: TranslatedFile, text: string): KernelTable {
  const source: CudaText = {
    text,
    symbols: new Map(),
    instantiate: (name) => {
      throw new Error(`No instance of ${name} is made while a program runs.`);
    },
  };
  return new Map(
    file.launched.map((each): readonly [string, () => ProgramKernel] => {
      let made: ProgramKernel | null = null;
      return [
        each.mangled,
        () => {
          made ??= programKernel(each, source);
          return made;
        },
      ];
    }),
  );
}

function programKernel({ kernel, reason, parameters }: LaunchedKernel, source: CudaText): ProgramKernel {
  if (kernel === null) throw reason;
  return { kernel: new CudaKernel(kernel, source), parameters: parameters() };
}

/** Declarations that make clang write out instances of templates which only the host's part names. */
function instancesOf(mangled: readonly string[]): string {
  const { output } = runClang({ args: ["llvm-cxxfilt", ...mangled], files: {} });
  const titles = output.split("\n").filter((line) => line.includes("<"));
  return titles.map((title) => `\ntemplate __global__ ${title.startsWith("void ") ? "" : "void "}${title};`).join("");
}

/** One source file's kernels for the GPU. */
class ProgramFile {
  readonly input: CudaInput;
  readonly #text: string;
  #table: KernelTable;

  constructor(input: CudaInput, text: string) {
    this.input = input;
    this.#text = text;
    this.#table = kernelTable(compileFile(keptRun, input), text);
  }

  find(mangled: string): (() => ProgramKernel) | undefined {
    return this.#table.get(mangled);
  }

  /** Adds the instances of templates that are named so. @throws CompileError where the file has no such template */
  add(mangled: readonly string[]): void {
    const { files, main } = this.input;
    const more = `${this.#text}\n${instancesOf(mangled)}\n`;
    const made = compileFile(keptRun, { ...this.input, files: withFile(files, main, more) });
    this.#table = kernelTable(made, this.#text);
  }
}

/** A kernel that several files have, by a header; static kernels of one name in two files would be mixed up. */
function theSame(found: readonly ProgramKernel[]): ProgramKernel {
  const [first, ...others] = found;
  const other = others.find(({ kernel }) => kernel.ir.source.where !== first?.kernel.ir.source.where);
  if (first !== undefined && other === undefined) return first;
  throw new CompileError({
    what: `Two files of the program have a kernel ${first?.kernel.name}.`,
    cure: "Give each kernel a name of its own.",
    ...(other === undefined ? {} : { source: other.kernel.ir.source, span: { line: 1, column: 0, length: 1 } }),
  });
}

/** @throws CompileError with line and cure where the program is no C++, or its kernels cannot be read */
export function compileProgram(texts: ProgramTexts): CompiledProgram {
  const source = (file: string): SourceText => texts.source(file);
  const files = treeOf(texts.texts);
  for (const main of texts.mains) checkKernelsOf(texts.texts.get(main) ?? "");
  const inputs = texts.mains.map((main): CudaInput => ({ main, files, source, ofProgram: true }));
  const bytes = hostModule(texts, inputs);
  const parts = inputs.map((input) => new ProgramFile(input, texts.texts.get(input.main) ?? ""));
  const find = (mangled: string): (() => ProgramKernel) | undefined => {
    const found = parts.flatMap((part) => part.find(mangled) ?? []);
    return found.length < 2 ? found[0] : () => theSame(found.map((each) => each()));
  };
  let whole = false;
  const findKernel: FindKernel = (mangled, all) => {
    for (const part of whole ? [] : parts) {
      const missing = all.filter((name) => find(name) === undefined);
      if (missing.length === 0) break;
      try {
        part.add(missing);
      } catch (problem) {
        // The template is another file's.
        if (parts.length === 1 || !(problem instanceof CompileError)) throw problem;
      }
    }
    whole = true;
    const found = find(mangled);
    if (found !== undefined) return found();
    throw new CompileError({
      what: `The kernel ${mangled} cannot be found among those of the file.`,
      cure: "Use types of a fixed size in its parameters: int, long long, float.",
    });
  };
  return { bytes, module: new WebAssembly.Module(bytes as BufferSource), findKernel };
}
