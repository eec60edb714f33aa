/**
 * clang on this machine: the package @yowasp/clang in a thread of its own. A call waits for the answer, so that a kernel is
 * there when its text has been given.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { InputError } from "../../core/base/errors.js";
import {
  CLANG_VERSION,
  fileInvocation,
  headerInvocation,
  type Invocation,
  type Tree,
} from "../../core/frontend/cuda-cpp/arguments.js";
import type { ClangAnswer } from "../../core/program/clang-run.js";

/** The most processor time that one run may take, in milliseconds: what else the machine does is no reason to stop. */
const MOST_CPU_MS = 10_000;
/** A thread's first run, which loads and compiles clang itself. */
const LOADING: Invocation = { args: ["clang", "--version"], files: {} };
const MOST_LOADING_CPU_MS = 30_000;
/** The most memory that a run may take besides, in bytes; clang itself takes about 450 MB. */
const MOST_BYTES = 400e6;
const MOST_LOADING_BYTES = 900e6;
const SLICE_MS = 100;

const INSTALL = `Install it: npm install @yowasp/clang@${CLANG_VERSION}. Kernels in TypeScript need nothing.`;

function packagePlace(): string {
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve("@yowasp/clang");
  } catch {
    throw new InputError({
      what: "CUDA C++ is read by clang, and the package @yowasp/clang is not there.",
      cure: INSTALL,
    });
  }
  const { version } = JSON.parse(readFileSync(join(entry, "../../package.json"), "utf8")) as {
    readonly version: string;
  };
  if (version !== CLANG_VERSION) {
    throw new InputError({
      what: `CUDA C++ is read by @yowasp/clang ${CLANG_VERSION}, and version ${version} is there.`,
      cure: INSTALL,
    });
  }
  return entry;
}

/** The package's folder of files. @throws InputError where it is not there */
export function clangFolder(): string {
  return join(packagePlace(), "..");
}

/** Whether CUDA C++ can be read here. */
export function hasClang(): boolean {
  try {
    packagePlace();
    return true;
  } catch {
    return false;
  }
}

class ClangThread {
  readonly #signal = new Int32Array(new SharedArrayBuffer(4));
  readonly #worker: Worker;
  readonly #port;

  constructor(entry: string) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData: { url: pathToFileURL(entry).href, signal: this.#signal },
    });
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker.postMessage({ port: port2 }, [port2]);
    this.#worker.unref();
    port1.unref();
  }

  run(invocation: Invocation, mostCpuMs: number, mostBytes: number): ClangAnswer | "late" {
    Atomics.store(this.#signal, 0, 0);
    this.#port.postMessage(invocation);
    const start = process.cpuUsage();
    const before = process.memoryUsage.rss();
    while (Atomics.wait(this.#signal, 0, 0, SLICE_MS) === "timed-out") {
      const { user, system } = process.cpuUsage(start);
      if ((user + system) / 1000 > mostCpuMs || process.memoryUsage.rss() - before > mostBytes) return "late";
    }
    const received = receiveMessageOnPort(this.#port) as { readonly message: ClangAnswer } | undefined;
    if (received === undefined) throw new Error("clang's thread gave no answer");
    return received.message;
  }

  end(): void {
    void this.#worker.terminate();
  }
}

let thread: ClangThread | null = null;
const headers: Map<string, Uint8Array> = new Map();

/** One run of clang or its linker. @throws InputError where it takes too long */
export function runClang(invocation: Invocation, mostCpuMs: number = MOST_CPU_MS): ClangAnswer {
  if (thread === null) {
    thread = new ClangThread(packagePlace());
    thread.run(LOADING, MOST_LOADING_CPU_MS, MOST_LOADING_BYTES);
  }
  const answer = thread.run(invocation, mostCpuMs, MOST_BYTES);
  if (answer !== "late") return answer;
  thread.end();
  thread = null;
  throw new InputError({
    what: `clang was stopped: it has not ended after ${mostCpuMs / 1000} seconds of work, or takes more than ${MOST_BYTES / 1e6} MB.`,
    cure: "Look for a macro or a template that grows without end, and split a long file.",
  });
}

/** The most processor time that a header takes: those of the C++ library are large. */
const MOST_HEADER_CPU_MS = 90_000;

/** What is made of the same once is kept below the folder of temporary files, by clang's version and all that goes in. */
export function keptFile(kind: string, from: unknown): string {
  const key = createHash("sha256")
    .update(JSON.stringify([CLANG_VERSION, from]))
    .digest("hex")
    .slice(0, 24);
  return join(tmpdir(), "warplab-clang", `${key}.${kind}`);
}

export function keepFile(path: string, content: Uint8Array | string): void {
  try {
    mkdirSync(join(path, ".."), { recursive: true });
    const part = `${path}.${process.pid}`;
    writeFileSync(part, content);
    renameSync(part, path);
  } catch {
    // Without a folder to write to, the next process makes it again.
  }
}

/** What a header's run makes, once. */
export function precompiled(invocation: Invocation): Uint8Array {
  const path = keptFile("pch", [invocation.args, invocation.files]);
  const known = headers.get(path);
  if (known !== undefined) return known;
  let made: Uint8Array;
  if (existsSync(path)) made = new Uint8Array(readFileSync(path));
  else {
    const answer = runClang(invocation, MOST_HEADER_CPU_MS);
    if (answer.made === undefined) throw new Error(`clang cannot compile the header of CUDA:\n${answer.messages}`);
    made = answer.made;
    keepFile(path, made);
  }
  headers.set(path, made);
  return made;
}

/** Compiles `main` among `files` for the device; of a whole program, 64 bits of an integer are those of its host. */
export function compileWithClang(
  main: string,
  files: Tree,
  unknown: readonly string[],
  ofProgram: boolean = false,
): ClangAnswer {
  packagePlace();
  return runClang(fileInvocation(precompiled(headerInvocation(ofProgram)), main, files, unknown, ofProgram));
}
