/**
 * One notebook's TypeScript session in this process, made of tslab's converter and executor. All that a cell prints,
 * displays, returns and throws goes to the caller: the notebook runner or the Jupyter kernel.
 *
 * tslab's own kernel prints a thrown error and a cell's last value as text. Its executor tells them apart: it calls the
 * given console's `log` only for the last value and `error` only for a failure (tslab 1.0.22, dist/executor.js).
 * A process can hold one session only, because tslab keeps its state in globals.
 */

import { inspect } from "node:util";
import { type CompletionInfo, type Converter, type ConvertResult, createConverter } from "tslab/dist/converter.js";
import { createExecutor } from "tslab/dist/executor.js";
import tslabJupyter from "tslab/dist/jupyter.js";
import { alignLines } from "../../core/base/line-alignment.js";
import { addSourceLocator } from "../../core/base/source-place.js";
import { cForm } from "../../core/frontend/cells/c-forms.js";
import { isView } from "../../core/show/display-data.js";
import type { CellFailure, CellSink, DisplayPayload } from "../../course/notebook/cell-sink.js";
import type { MimeBundle } from "../../course/notebook/notebook.js";
import { wellFormed, wellFormedSink } from "../../course/notebook/well-formed.js";
import { bundleOf } from "../display/notebook.js";
import { ts } from "../typescript.js";
import type { CellDiagnostic } from "./cell-diagnostic.js";
import { cellUrl, compileFailure, type RunCell, sourceLine, thrownFailure } from "./cell-failure.js";
import { completionsOf } from "./completion.js";
import { ConvertedCells } from "./converted-cells.js";
import { withoutKernelTexts } from "./kernel-texts.js";
import { writeOutShorthand } from "./shorthand.js";

/** tslab's quick info, which a hover shows. */
export type QuickInfo = ReturnType<ReturnType<typeof createExecutor>["inspect"]>;

type Write = typeof process.stdout.write;

/** A cell's last value: a table or a figure as `display` shows it, a string as it is, as tslab does, all else as text. */
function resultBundle(value: unknown): MimeBundle {
  if (typeof value === "string") return { "text/plain": value };
  if (isView(value)) return bundleOf(value).data;
  return { "text/plain": inspect(value, { depth: 4 }) };
}

/** TypeScript numbers what it cannot parse from 1000 to 1999. */
function isSyntax({ code }: CellDiagnostic): boolean {
  return code >= 1000 && code < 2000;
}

/** TypeScript objects to no kernel's text: warplab's own errors follow when the cell makes the kernel. */
function convertCell(converter: Converter, declarations: string, source: string): ConvertResult {
  const convert = (text: string): ConvertResult =>
    converter.convert(declarations, writeOutShorthand(declarations, text));
  const converted = convert(source);
  const { diagnostics } = converted;
  if (diagnostics.length === 0 || diagnostics.some(isSyntax) || cForm(source) !== null) return converted;
  const bare = withoutKernelTexts(source);
  if (bare === null) return converted;
  const again = convert(bare.source);
  return again.output === undefined ? again : { ...again, output: bare.restored(again.output) };
}

/**
 * TypeScript watches folders in which a module may appear. Compilations and kept cells appear in .cache, which no cell
 * imports; tslab's converter takes no such event while it converts ("Unexpected pending rebuildTimer").
 */
function startConverter(): Converter {
  const { watchDirectory } = ts.sys;
  ts.sys.watchDirectory = (path, callback, ...rest) =>
    watchDirectory!(path, (file) => (/[\\/]\.cache([\\/]|$)/.test(file) ? undefined : callback(file)), ...rest);
  return createConverter({ isJS: false, isBrowser: false });
}

export class CellSession {
  readonly #executor: ReturnType<typeof createExecutor>;
  readonly #cells = new Map<string, RunCell>();
  #sink: ReturnType<typeof wellFormedSink> | undefined;
  #running = false;
  #executionCount = 0;
  #diagnostics: readonly CellDiagnostic[] = [];
  #failure: CellFailure | undefined;
  #source = "";

  /** Starts a session whose imports resolve from the working folder of this process. */
  constructor(kept: ConvertedCells = new ConvertedCells()) {
    let started: Converter | undefined;
    // It takes about 2 s to start, which a notebook that is run again does without.
    const converter = (): Converter => {
      started ??= startConverter();
      return started;
    };
    let hasModules = false;
    const watched: Converter = {
      inspect: (...at) => converter().inspect(...at),
      complete: (...at) => converter().complete(...at),
      close: () => started?.close(),
      convert: (declarations, source) => {
        const convert = (): ConvertResult => convertCell(converter(), declarations, source);
        const converted = hasModules ? convert() : kept.converted(declarations, source, convert);
        this.#diagnostics = converted.diagnostics;
        if (!converted.output) return converted;
        const url = cellUrl(this.#executionCount);
        this.#cells.set(url, { source, output: converted.output });
        return { ...converted, output: `${converted.output}\n//# sourceURL=${url}` };
      },
      addModule: (...module) => {
        hasModules = true;
        const diagnostics = converter().addModule(...module);
        this.#diagnostics = diagnostics;
        return diagnostics;
      },
    };
    const converters = { node: watched, browser: watched, close: () => watched.close() };
    this.#executor = createExecutor(process.cwd(), converters, {
      log: (value: unknown) => this.#sink?.result(resultBundle(value)),
      error: (...args: unknown[]) => this.#fail(args),
    });
    process.stdout.write = this.#writer("stdout");
    process.stderr.write = this.#writer("stderr");
    // tslab.display and the course's own displays write through this one variable of tslab.
    (tslabJupyter as { lastWriteDisplayData: unknown }).lastWriteDisplayData = (
      payload: DisplayPayload,
      update?: boolean,
    ) => this.#sink?.display(payload, update === true);
    // Deep enough that the cell's own frame is among those of what it has called.
    Error.stackTraceLimit = Math.max(Error.stackTraceLimit, 60);
    addSourceLocator((text, { url, line }) => {
      const cell = this.#cells.get(url);
      if (cell === undefined) return null;
      const from = (sourceLine(cell, line) ?? 1) - 1;
      const lines = alignLines(text.split("\n"), cell.source.split("\n"), from);
      return { where: `cell [${/\d+$/.exec(url)?.[0] ?? "?"}]`, lines };
    });
    process.on("unhandledRejection", (reason) => this.#failLate(reason));
    process.on("uncaughtException", (error) => this.#failLate(error));
  }

  /** Runs one cell. Resolves to its failure, or to undefined when it ran to its end. Never rejects. */
  async execute(source: string, executionCount: number, sink: CellSink): Promise<CellFailure | undefined> {
    this.#sink = wellFormedSink(sink);
    this.#source = source;
    this.#executionCount = executionCount;
    this.#diagnostics = [];
    this.#failure = undefined;
    this.#running = true;
    try {
      await this.#executor.execute(source);
    } catch (error) {
      // tslab's converter itself gave up; the cell has no other outcome.
      this.#failure ??= thrownFailure(error, this.#cells);
    }
    // A promise that the cell left rejected is reported after the microtasks, before this turn of the loop ends.
    await new Promise((done) => setImmediate(done));
    if (this.#diagnostics.length > 0) {
      const { ...exported } = await import("../index.js");
      this.#failure = compileFailure(this.#source, this.#diagnostics, Object.keys(exported));
    }
    this.#running = false;
    this.#sink.end();
    return wellFormed(this.#failure);
  }

  inspect(source: string, position: number): QuickInfo | undefined {
    return this.#executor.inspect(source, position);
  }

  complete(source: string, position: number): CompletionInfo {
    return completionsOf((text, at) => this.#executor.complete(text, at), source, position);
  }

  /** Ends a cell that waits for a promise. A busy cell is ended by SIGINT itself. */
  interrupt(): void {
    this.#executor.interrupt();
  }

  close(): void {
    this.#executor.close();
  }

  #writer(name: "stdout" | "stderr"): Write {
    const decoder = new TextDecoder();
    return (chunk: string | Uint8Array, encodingOrDone?: unknown, done?: unknown): boolean => {
      this.#sink?.stream(name, typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
      const callback = typeof encodingOrDone === "function" ? encodingOrDone : done;
      if (typeof callback === "function") process.nextTick(callback as () => void);
      return true;
    };
  }

  #fail(args: readonly unknown[]): void {
    this.#failure ??= thrownFailure(args[0], this.#cells);
  }

  /** An error that no cell's own promise carries: a forgotten promise, a timer's callback. */
  #failLate(thrown: unknown): void {
    const failure = thrownFailure(thrown, this.#cells);
    if (this.#running) this.#failure ??= failure;
    else this.#sink?.stream("stderr", `${failure.traceback.join("\n")}\n`);
  }
}
