/** One run of clang, the package @yowasp/clang, for its caller to wait for: in Node's thread or a page's worker. */
import { type WasmInstance, type WasmMemory, type WasmModule, webAssembly } from "../base/webassembly.js";
import type { Invocation, Tree } from "../frontend/cuda-cpp/arguments.js";

/** What a run has written; `made` is the file that it was to leave, undefined where it has failed. */
export interface ClangAnswer {
  readonly status: number;
  /** The tree as clang writes it. */
  readonly output: string;
  readonly messages: string;
  readonly made?: Uint8Array;
}

/** Of the package: once its files are there, a run can be synchronous. */
export type RunLlvm = (
  args: readonly string[] | null,
  files?: Tree,
  options?: Readonly<Record<string, unknown>>,
) => unknown;

/** On a page: the package's script, which leaves its exports in this variable, and the header of CUDA as clang has compiled it. */
export const SCRIPT = "clang.js";
export const SCRIPT_GIVES = "warplabClang";
export const HEADER = "cuda.pch";

/** The list of the files that a site has of the compiler, beside their folder. */
export const COMPILER_LIST = "clang.json";

export interface CompilerList {
  /** The folder of the files, named by their version. */
  readonly folder: string;
  readonly packed: boolean;
  /** The files' names and their bytes as they lie there. */
  readonly files: Readonly<Record<string, number>>;
}

/** How a file is named there. A host would take another ending for its own compression. */
export function siteName(name: string, { packed }: Pick<CompilerList, "packed">): string {
  return packed ? `${name}.deflate` : name;
}

/** A file of a thousand lines has a tree of about 5 MB. */
const MOST_BYTES = 96 << 20;

/** Pieces that are copied faster byte by byte than by a view of their own. */
const SHORT = 64;

/**
 * clang writes its tree in pieces of a few bytes, which the package hands on one by one through three layers. The
 * standard output is taken right where clang writes it.
 */
class StandardOutput {
  #bytes = new Uint8Array(1 << 20);
  #length = 0;
  /** Views of clang's memory; both are empty once it has grown. */
  #from: Uint8Array = new Uint8Array();
  #view: DataView = new DataView(this.#from.buffer);

  /** clang's memory, once it is there. */
  memory: WasmMemory | null = null;

  /** Writes the pieces that `count` pairs of address and length at `list` name; the sum goes to `written`. */
  take(list: number, count: number, written: number): void {
    if (this.#from.length === 0 && this.memory !== null) {
      this.#from = new Uint8Array(this.memory.buffer);
      this.#view = new DataView(this.memory.buffer);
    }
    const view = this.#view;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const address = view.getUint32(list + 8 * i, true);
      const length = view.getUint32(list + 8 * i + 4, true);
      if (this.#length + length > MOST_BYTES) throw new Error("the tree is too large");
      while (this.#length + length > this.#bytes.length) {
        const wider = new Uint8Array(2 * this.#bytes.length);
        wider.set(this.#bytes);
        this.#bytes = wider;
      }
      if (length > SHORT) this.#bytes.set(this.#from.subarray(address, address + length), this.#length);
      else for (let at = 0; at < length; at++) this.#bytes[this.#length + at] = this.#from[address + at] ?? 0;
      this.#length += length;
      sum += length;
    }
    view.setUint32(written, sum, true);
  }

  text(): string {
    return new TextDecoder().decode(this.#bytes.subarray(0, this.#length));
  }
}

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Write = (file: number, list: number, count: number, written: number) => number;

/** Makes the modules' instances with clang's standard output led to `output`, while `run` goes on. */
function led<Result>(output: StandardOutput, run: () => Result): Result {
  const { Instance } = webAssembly;
  /** A function that returns an object may stand behind `new`. */
  function instance(module: WasmModule, imports?: Imports): WasmInstance {
    const system = imports?.wasi_snapshot_preview1;
    if (system === undefined) return new Instance(module, imports);
    const write = system.fd_write as Write;
    const taken: Write = (file, list, count, written) => {
      if (file !== 1) return write(file, list, count, written);
      output.take(list, count, written);
      return 0;
    };
    const made = new Instance(module, { ...imports, wasi_snapshot_preview1: { ...system, fd_write: taken } });
    output.memory = made.exports.memory as WasmMemory;
    return made;
  }
  Object.assign(webAssembly, { Instance: instance });
  try {
    return run();
  } finally {
    Object.assign(webAssembly, { Instance });
  }
}

function text(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}

/** @param runLlvm the package's, whose files are there */
export function runInvocation(runLlvm: RunLlvm, { args, files, makes }: Invocation): ClangAnswer {
  const messages: Uint8Array[] = [];
  const stderr = (bytes: Uint8Array | null): void => {
    if (bytes !== null) messages.push(new Uint8Array(bytes));
  };
  const output = new StandardOutput();
  try {
    const options = { stdout: () => {}, stderr, decodeASCII: false, synchronously: true };
    const left = led(output, () => runLlvm(args, files, options)) as Readonly<Record<string, unknown>>;
    const made = makes === undefined ? undefined : (left[makes] as Uint8Array);
    return { status: 0, output: output.text(), messages: text(messages), ...(made && { made }) };
  } catch (failure) {
    const code = (failure as { readonly code?: unknown }).code;
    const known = typeof code === "number";
    const said = known ? text(messages) : `${text(messages)}\n${String(failure)}`;
    return { status: known ? code : 134, output: output.text(), messages: said };
  }
}
