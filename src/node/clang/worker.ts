/** The thread that runs clang: the caller waits for each answer. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";

interface Answer {
  readonly status: number;
  readonly output: string;
  readonly messages: string;
  readonly files: Readonly<Record<string, unknown>>;
}

interface Request {
  readonly args: readonly string[];
  readonly files: unknown;
  readonly makes?: string;
}

type RunLlvm = (
  args: readonly string[],
  files: unknown,
  options: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

const { url, signal } = workerData as { readonly url: string; readonly signal: Int32Array };

const clang = import(url) as Promise<{ readonly runLLVM: RunLlvm }>;

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
  #from = new Uint8Array();
  #view = new DataView(this.#from.buffer);

  /** clang's memory, once it is there. */
  memory: WebAssembly.Memory | null = null;

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

let output: StandardOutput | null = null;
const plainInstantiate = WebAssembly.instantiate as (
  module: WebAssembly.Module,
  imports?: Imports,
) => Promise<WebAssembly.Instance>;

async function instantiate(module: WebAssembly.Module, imports?: Imports): Promise<WebAssembly.Instance> {
  const system = imports?.wasi_snapshot_preview1;
  const target = output;
  if (system === undefined || target === null) return plainInstantiate(module, imports);
  const write = system.fd_write as Write;
  const taken: Write = (file, list, count, written) => {
    if (file !== 1) return write(file, list, count, written);
    target.take(list, count, written);
    return 0;
  };
  const made = await plainInstantiate(module, { ...imports, wasi_snapshot_preview1: { ...system, fd_write: taken } });
  target.memory = made.exports.memory as WebAssembly.Memory;
  return made;
}

const MEMORY_SECTION = 5;
/** clang's own memory, in pages of 64 KiB, written in the three bytes that its module has for 65536 pages: 512 MiB. */
const MOST_PAGES: readonly number[] = [0x80, 0xc0, 0x00];

/** clang's module with that bound: an array of a gigabyte with first values ends the run at once. */
function withBound(bytes: Uint8Array): Uint8Array {
  let at = 8;
  while (at < bytes.length) {
    const section = bytes[at++];
    let size = 0;
    for (let shift = 0, byte = 128; byte >= 128; shift += 7) {
      byte = bytes[at++] ?? 0;
      size += (byte & 127) * 2 ** shift;
    }
    at += size;
    const end = [0, 1, 2].map((i) => bytes[at - 3 + i]);
    if (section === MEMORY_SECTION && end.join() === "128,128,4") bytes.set(MOST_PAGES, at - 3);
    if (section === MEMORY_SECTION) break;
  }
  return bytes;
}

const compileBytes = WebAssembly.compile as (bytes: Uint8Array) => Promise<WebAssembly.Module>;
const compileStreaming = async (source: Response | Promise<Response>): Promise<WebAssembly.Module> =>
  compileBytes(withBound(new Uint8Array(await (await source).arrayBuffer())));
Object.assign(WebAssembly, { instantiate, compileStreaming });

function text(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}

async function run(args: readonly string[], files: unknown): Promise<Answer> {
  const { runLLVM } = await clang;
  const messages: Uint8Array[] = [];
  const stderr = (bytes: Uint8Array | null): void => {
    if (bytes !== null) messages.push(new Uint8Array(bytes));
  };
  const options = { stdout: () => {}, stderr, fetchProgress: () => {}, decodeASCII: false };
  const own = new StandardOutput();
  output = own;
  try {
    const left = await runLLVM(args, files, options);
    return { status: 0, output: own.text(), messages: text(messages), files: left };
  } catch (failure) {
    const code = (failure as { readonly code?: unknown }).code;
    const known = typeof code === "number";
    const said = known ? text(messages) : `${text(messages)}\n${String(failure)}`;
    return { status: known ? code : 134, output: own.text(), messages: said, files: {} };
  }
}

parentPort?.once("message", ({ port }: { readonly port: MessagePort }) => {
  port.on("message", ({ args, files, makes }: Request) => {
    void run(args, files).then(({ files: left, ...answer }) => {
      port.postMessage({ ...answer, made: makes === undefined ? undefined : left[makes] });
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
});
