/** Compiles a whole program: its host part to a module, its kernels to those of `Gpu`. What was compiled is kept. */
import { existsSync, readFileSync } from "node:fs";
import { CompileError, InputError } from "../../core/base/errors.js";
import { type Tree, withFile } from "../../core/frontend/cuda-cpp/arguments.js";
import {
  hostHeaderInvocation,
  hostInvocation,
  libraryHeaders,
  linkInvocation,
} from "../../core/frontend/cuda-cpp/host/invocations.js";
import { diagnosticsOf } from "../../core/frontend/cuda-cpp/messages/diagnostic.js";
import { type CudaInput, compileFile, failure, type RunClang } from "../../core/frontend/cuda-cpp/program.js";
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
const MOST_HOST_CPU_MS = 60_000;

function treeOf(texts: ReadonlyMap<string, string>): Tree {
  let tree: Tree = {};
  for (const [path, text] of texts) tree = withFile(tree, path, text);
  return tree;
}

/** What `make` gives for `from`, made once. */
function kept(kind: string, from: unknown, make: () => Uint8Array): Uint8Array {
  const path = keptFile(kind, from);
  if (existsSync(path)) return new Uint8Array(readFileSync(path));
  const made = make();
  if (made.length <= MOST_KEPT) keepFile(path, made);
  return made;
}

function hostModule(texts: ProgramTexts, input: CudaInput): Uint8Array {
  const library = libraryHeaders(texts.texts.values());
  const header = hostHeaderInvocation(library);
  const compile = (compiled: Uint8Array) => hostInvocation(compiled, library, input.main, input.files);
  const { args, files } = compile(new Uint8Array());
  return kept("wasm", [header, args, files, linkInvocation(new Uint8Array()).args], () => {
    const object = runClang(compile(precompiled(header)), MOST_HOST_CPU_MS);
    if (object.made === undefined) {
      const [first] = diagnosticsOf(object.messages);
      const source = (file: string) => ({ ...input.source(file), kind: "program" as const });
      if (first !== undefined) throw failure({ ...input, source }, first);
      throw new InputError({
        what: `clang has ended with status ${object.status}: ${object.messages.trim().split("\n").at(-1) ?? ""}`,
        cure: "Make the program smaller until clang reads it: the last change tells the reason.",
      });
    }
    const linked = runClang(linkInvocation(object.made), MOST_HOST_CPU_MS);
    if (linked.made !== undefined) return linked.made;
    const said = linked.messages.trim().split("\n").slice(0, 4).join("\n");
    throw new InputError({
      what: `The program cannot be linked.\n${said}`,
      cure: "Define each function once, and main in this file.",
    });
  });
}

/** clang's answer for the device, kept where it is a tree. */
const keptRun: RunClang = (main, files, unknown, ofProgram) => {
  let answer: ReturnType<RunClang> | null = null;
  const bytes = kept("json", [main, files, unknown, ofProgram], () => {
    answer = compileWithClang(main, files, unknown, ofProgram);
    const { status, output, messages } = answer;
    return new TextEncoder().encode(JSON.stringify({ status, output, messages }));
  });
  return answer ?? (JSON.parse(new TextDecoder().decode(bytes)) as ReturnType<RunClang>);
};

/** The kernels of a translation by their names for the linker. */
function kernelTable(file: TranslatedFile, text: string): ReadonlyMap<string, () => ProgramKernel> {
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

/** @throws CompileError with line and cure where the program is no C++, or its kernels cannot be read */
export function compileProgram(texts: ProgramTexts): CompiledProgram {
  const text = texts.texts.get(texts.main) ?? "";
  const input: CudaInput = {
    main: texts.main,
    files: treeOf(texts.texts),
    source: (file) => texts.source(file),
    ofProgram: true,
  };
  const bytes = hostModule(texts, input);
  let table = kernelTable(compileFile(keptRun, input), text);
  let whole = false;
  const findKernel: FindKernel = (mangled, all) => {
    if (!whole) {
      whole = true;
      const missing = all.filter((name) => !table.has(name));
      if (missing.length > 0) {
        const more = `${text}\n${instancesOf(missing)}\n`;
        table = kernelTable(compileFile(keptRun, { ...input, files: withFile(input.files, texts.main, more) }), text);
      }
    }
    const found = table.get(mangled);
    if (found !== undefined) return found();
    throw new CompileError({
      what: `The kernel ${mangled} cannot be found among those of the file.`,
      cure: "Use types of a fixed size in its parameters: int, long long, float.",
    });
  };
  return { bytes, module: new WebAssembly.Module(bytes as BufferSource), findKernel };
}
