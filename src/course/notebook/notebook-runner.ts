/**
 * Runs a notebook with Node alone: its cells in tslab, in one process of their own, in the notebook's folder.
 * The result is the notebook as Jupyter would save it after "run all".
 */
import { fork } from "node:child_process";
import { dirname, resolve } from "node:path";
import { compiledProgram } from "../course-root.js";
import { CHECK_SEED_VARIABLE } from "../exercises/draw.js";
import type { CellFailure } from "./cell-failure.js";
import { type CodeCell, expectsError, type Notebook, type Output, readNotebook } from "./notebook.js";
import type { RunnerMessage } from "./notebook-messages.js";

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
  const limitSeconds = options.cellLimitSeconds ?? DEFAULT_CELL_LIMIT_SECONDS;
  const child = fork(
    compiledProgram("course/notebook/notebook-child.js"),
    [file, options.allowErrors ? "allow-errors" : ""],
    {
      cwd: dirname(file),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execArgv: [],
      env: { [CHECK_SEED_VARIABLE]: CHECK_SEED, ...process.env },
    },
  );

  const ended = new Map<number, Ended>();
  const outputs = new Map<number, readonly Output[]>();
  let running: number | undefined;
  let done = false;
  let hung: NodeJS.Timeout | undefined;
  let hungCell = false;
  // Messages of Node itself bypass the session, such as the one about exhausted memory.
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4000);
    });
  }

  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((finish, failed) => {
    child.on("error", failed);
    child.on("message", (message: RunnerMessage) => {
      clearTimeout(hung);
      if (message.kind === "begin") {
        running = message.cell;
        options.onCell?.(codeCells.indexOf(message.cell) + 1, codeCells.length);
        hung = setTimeout(() => {
          hungCell = true;
          child.kill("SIGKILL");
        }, limitSeconds * 1000);
      } else if (message.kind === "end") {
        running = undefined;
        for (const [cell, changed] of message.outputs) outputs.set(cell, changed);
        ended.set(message.cell, { failure: message.failure, executionCount: message.executionCount });
      } else {
        done = true;
        for (const [cell, changed] of message.outputs) outputs.set(cell, changed);
      }
    });
    child.on("close", (...status) => finish(status));
  });
  clearTimeout(hung);

  if (!done) {
    const at = running ?? codeCells[ended.size] ?? codeCells.at(-1) ?? 0;
    const what = hungCell ? `more than ${limitSeconds} s passed and the process was ended` : describe(code, signal);
    const failure = lostFailure(what, printed.trim());
    ended.set(at, { failure, executionCount: ended.size + 1 });
    outputs.set(at, [...(outputs.get(at) ?? []), { output_type: "error", ...failure }]);
  }

  const cells = original.cells.map((cell, index): Notebook["cells"][number] => {
    if (cell.cell_type !== "code") return cell;
    const executionCount = ended.get(index)?.executionCount ?? null;
    return { ...cell, execution_count: executionCount, outputs: outputs.get(index) ?? [] } satisfies CodeCell;
  });
  const failed = [...ended].flatMap(([index, { failure }]): FailedCell[] => {
    const cell = original.cells[index];
    if (failure === undefined || cell === undefined) return [];
    if (expectsError(cell) && failure.ename !== "KernelDied") return [];
    return [{ cell: index + 1, source: cell.source, failure }];
  });
  return { notebook: { ...original, cells }, failed };
}
