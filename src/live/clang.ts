/** clang in a page's worker: the page gives its files, since a cell's worker reaches no address. */
import { InputError } from "../core/base/errors.js";
import { fileInvocation, headerInvocation } from "../core/frontend/cuda-cpp/arguments.js";
import type { RunClang } from "../core/frontend/cuda-cpp/program.js";
import { HEADER, type RunLlvm, runInvocation, SCRIPT, SCRIPT_GIVES } from "../core/program/clang-run.js";
import { provideClang } from "../core/program/cuda-text.js";
import type { CompilerParts } from "./messages.js";

let isThere = false;

/** Whether CUDA C++ can be read here, and now. */
export function hasClang(): boolean {
  return isThere;
}

function refuse(why: string): void {
  isThere = false;
  provideClang(() => {
    throw new InputError({
      what: `CUDA C++ is read by clang, and ${why}`,
      cure: "Run the cell again when that has changed. Kernels in TypeScript need nothing.",
    });
  });
}

/** Until a page gives the compiler: said by the worker alone, since Node loads this module for its names and has a compiler. */
export function awaitCompiler(): void {
  refuse("it is loaded for a cell that has cuda`...` in its text, which this one has not.");
}

/** A file as the package asks for it; the folder of its C library is for whole programs. */
function fileOf({ packed, files }: CompilerParts, name: string): Response {
  const file = files[name];
  if (file === undefined) return new Response(new ArrayBuffer(0));
  const bytes = packed ? file.stream().pipeThrough(new DecompressionStream("deflate") as never) : file.stream();
  const type = name.endsWith(".wasm") ? "application/wasm" : "text/plain";
  return new Response(bytes as ReadableStream, { headers: { "content-type": type } });
}

async function load(parts: CompilerParts): Promise<RunClang> {
  const scope = globalThis as unknown as { fetch: unknown; [SCRIPT_GIVES]?: { readonly runLLVM: RunLlvm } };
  const { fetch } = scope;
  const script = await fileOf(parts, SCRIPT).text();
  // The package keeps the function that it finds.
  scope.fetch = async (address: URL) => fileOf(parts, address.pathname.slice(1));
  try {
    // biome-ignore lint/security/noGlobalEval: the package's own script
    const evaluate = globalThis.eval;
    evaluate(script);
  } finally {
    scope.fetch = fetch;
  }
  const { runLLVM } = scope[SCRIPT_GIVES]!;
  delete scope[SCRIPT_GIVES];
  await runLLVM(null, {}, { fetchProgress: () => {} });
  let header: Uint8Array | undefined;
  if (HEADER in parts.files) header = new Uint8Array(await fileOf(parts, HEADER).arrayBuffer());
  return (main, files, unknown) => {
    header ??= runInvocation(runLLVM, headerInvocation()).made!;
    return runInvocation(runLLVM, fileInvocation(header, main, files, unknown));
  };
}

/** Takes the compiler, or the reason why there is none, which the next cuda`...` tells. */
export async function takeCompiler(compiler: CompilerParts | string): Promise<void> {
  if (typeof compiler === "string") {
    refuse(compiler);
    return;
  }
  try {
    provideClang(await load(compiler));
    isThere = true;
  } catch (problem) {
    refuse(`it cannot be started: ${(problem as Error).message}`);
  }
}
