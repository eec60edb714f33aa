/**
 * Runs a notebook with Node alone: its cells in tslab, in one process of their own, in the notebook's folder.
 * The result is the notebook as Jupyter would save it after "run all".
 */
import type { ChildProcess } from "node:child_process";
import { dirname, resolve } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { CHECK_SEED_VARIABLE } from "../../course/exercises/plan/draw.js";
import { NotebookOutputs } from "../../course/notebook/cell-outputs.js";
import type { CellFailure, CellSink } from "../../course/notebook/cell-sink.js";
import { type CodeCell, expectsError, type Notebook } from "../../course/notebook/notebook.js";
import { compiledProgram } from "../course-root.js";
import { childEnd, endChild, startChild } from "../setup/children.mjs";
import { readNotebook } from "./notebook.js";
import { MESSAGES_DESCRIPTOR, messageReader, newWord, type RunnerMessage } from "./notebook-messages.js";

export interface RunOptions {
  /** Run on after a cell that fails; otherwise the cells after it are not run. */
  readonly allowErrors?: boolean;
  /** Wall-clock seconds after which a cell counts as hung and its process is ended. */
  readonly cellLimitSeconds?: number;
  /** Called when a cell begins: its position among the code cells, from 1, and their number. */
  readonly onCell?: (position: number, total: number) => void;
}

/** A cell that failed though its notebook does not say that it should. */
export interface FailedCell {
  /** The cell's position in the notebook, from 1, all cells counted. */
  readonly cell: number;
  readonly source: string;
  readonly failure: CellFailure;
}

export interface NotebookRun {
  /** The notebook with the outputs and execution counts of this run and no others. */
  readonly notebook: Notebook;
  readonly failed: readonly FailedCell[];
}

const DEFAULT_CELL_LIMIT_SECONDS = 600;

/** A notebook may put out this much, in messages: a page of more cannot be shown. */
const OUTPUT_LIMIT_MIB = 64;

/** A page's own check cell puts out the same each time; the environment may say otherwise. */
const CHECK_SEED = "1";

interface Ended {
  readonly failure: CellFailure | undefined;
  readonly executionCount: number;
}

/** The failure of a cell whose process ended without saying "done". */
function lostFailure(what: string, printed: string): CellFailure {
  const evalue = `${what} while this cell ran`;
  return { ename: "KernelDied", evalue, traceback: [`KernelDied: ${evalue}`, ...(printed === "" ? [] : [printed])] };
}

function describe(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null
    ? `the notebook's process ended itself with code ${code}`
    : `signal ${signal} ended the process`;
}

/** A run as its process tells of it. */
class Run {
  readonly outputs: NotebookOutputs = new NotebookOutputs();
  readonly ended: Map<number, Ended> = new Map();
  readonly #child: ChildProcess;
  readonly #codeCells: readonly number[];
  readonly #options: RunOptions;
  #running: { readonly cell: number; readonly executionCount: number } | undefined;
  #sink: CellSink | undefined;
  #done = false;
  #timer: NodeJS.Timeout | undefined;
  /** Why the process was ended from here. */
  #endedFor: string | undefined;
  /** Messages of Node itself bypass the session, such as the one about exhausted memory. */
  #printed = "";
  #bytes = 0;

  constructor(child: ChildProcess, codeCells: readonly number[], options: RunOptions) {
    this.#child = child;
    this.#codeCells = codeCells;
    this.#options = options;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.#printed = (this.#printed + chunk.toString()).slice(-4000);
      });
    }
    const word = newWord();
    const messages = child.stdio[MESSAGES_DESCRIPTOR] as Duplex;
    // A process that ended before it read the word has closed it.
    messages.on("error", () => {});
    messages.write(`${word}\n`);
    const read = messageReader(word, (message) => this.#receive(message));
    (messages as Readable).setEncoding("utf8").on("data", (text: string) => {
      this.#bytes += text.length;
      if (this.#bytes > OUTPUT_LIMIT_MIB * 2 ** 20) this.#end(`more than ${OUTPUT_LIMIT_MIB} MiB were put out`);
      else read(text);
    });
  }

  /** Waits until the process has ended. */
  async finish(): Promise<void> {
    const { code, signal } = await childEnd(this.#child);
    clearTimeout(this.#timer);
    if (this.#done) return;
    const codeCells = this.#codeCells;
    const { cell, executionCount } = this.#running ?? {
      cell: codeCells[this.ended.size] ?? codeCells.at(-1) ?? 0,
      executionCount: this.ended.size + 1,
    };
    const failure = lostFailure(this.#endedFor ?? describe(code, signal), this.#printed.trim());
    this.ended.set(cell, { failure, executionCount });
    this.outputs.addFailure(cell, failure);
  }

  #end(why: string): void {
    this.#endedFor ??= `${why} and the process was ended`;
    endChild(this.#child);
  }

  #receive(message: RunnerMessage): void {
    switch (message.kind) {
      case "begin":
        this.#begin(message.cell, message.executionCount);
        return;
      case "stream":
        this.#sink?.stream(message.name, message.text);
        return;
      case "display":
        this.#sink?.display(message.payload, message.update);
        return;
      case "result":
        this.#sink?.result(message.data);
        return;
      case "end":
        this.#endCell(message.failure);
        return;
      case "done":
        this.#done = true;
    }
  }

  #begin(cell: number, executionCount: number): void {
    this.#running = { cell, executionCount };
    this.#sink = this.outputs.sink(cell, executionCount);
    const limitSeconds = this.#options.cellLimitSeconds ?? DEFAULT_CELL_LIMIT_SECONDS;
    // The time runs before anybody is told, who may let it pass.
    this.#timer = setTimeout(() => this.#end(`more than ${limitSeconds} s passed`), limitSeconds * 1000);
    this.#options.onCell?.(this.#codeCells.indexOf(cell) + 1, this.#codeCells.length);
  }

  #endCell(failure: CellFailure | undefined): void {
    clearTimeout(this.#timer);
    if (this.#running === undefined) return;
    const { cell, executionCount } = this.#running;
    if (failure !== undefined) this.outputs.addFailure(cell, failure);
    this.ended.set(cell, { failure, executionCount });
    this.#running = undefined;
  }
}

/**
 * Runs all cells of the notebook file `path` in order.
 * @throws {InputError} if the file is no notebook. A cell's failure is no error here: see `failed`.
 */
export async function runNotebook(path: string, options: RunOptions = {}): Promise<NotebookRun> {
  const file = resolve(path);
  const original = readNotebook(file);
  const codeCells = [...original.cells.keys()].filter((index) => {
    const cell = original.cells[index];
    return cell?.cell_type === "code" && cell.source.trim() !== "";
  });
  const program = compiledProgram("node/notebook/notebook-child.js");
  const child = startChild(process.execPath, [program, file, options.allowErrors ? "allow-errors" : ""], {
    cwd: dirname(file),
    // No channel of Node's own: a cell has no process.send, as in Jupyter.
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { [CHECK_SEED_VARIABLE]: CHECK_SEED, ...process.env },
  });
  const run = new Run(child, codeCells, options);
  await run.finish();

  const cells = original.cells.map((cell, index): Notebook["cells"][number] => {
    if (cell.cell_type !== "code") return cell;
    const executionCount = run.ended.get(index)?.executionCount ?? null;
    return { ...cell, execution_count: executionCount, outputs: run.outputs.of(index) } satisfies CodeCell;
  });
  const failed = [...run.ended].flatMap(([index, { failure }]): FailedCell[] => {
    const cell = original.cells[index];
    if (failure === undefined || cell === undefined) return [];
    if (expectsError(cell) && failure.ename !== "KernelDied") return [];
    return [{ cell: index + 1, source: cell.source, failure }];
  });
  return { notebook: { ...original, cells }, failed };
}
