/**
 * Runs a learner's program or notebook in this process, for commands that report on its launches. TypeScript and notebooks run in
 * tslab's session, as the course's notebooks do.
 */
import { readFileSync, writeSync } from "node:fs";
import { dirname, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { CellSession, type CellSink } from "../notebook/cell-session.js";
import { expectsError, readNotebook } from "../notebook/notebook.js";

/** The session takes process.stdout over; the descriptors stay. */
const SINK: CellSink = {
  stream: (name, text) => {
    writeSync(name === "stdout" ? 1 : 2, text);
  },
  display: ({ data }) => {
    const text = data["text/plain"];
    if (typeof text === "string") writeSync(1, `${text.trimEnd()}\n`);
  },
  result: () => undefined,
};

/** @returns false where a cell fails that is not said to. */
async function runCells(cells: readonly { readonly source: string; readonly mayFail: boolean }[]): Promise<boolean> {
  const session = new CellSession();
  let count = 0;
  for (const { source, mayFail } of cells) {
    count += 1;
    const failure = await session.execute(source, count, SINK);
    if (failure === undefined || mayFail) continue;
    writeSync(2, `${failure.traceback.join("\n")}\n`);
    return false;
  }
  return true;
}

/** @returns false where the program, or a cell that is not said to, fails; the error stands on stderr then. */
export async function runProgram(path: string): Promise<boolean> {
  const kind = extname(path);
  process.chdir(dirname(path));
  if (kind === ".ipynb") {
    const cells = readNotebook(path).cells.filter(
      ({ cell_type, source }) => cell_type === "code" && source.trim() !== "",
    );
    return runCells(cells.map((cell) => ({ source: cell.source, mayFail: expectsError(cell) })));
  }
  if (kind === ".ts") return runCells([{ source: readFileSync(path, "utf8"), mayFail: false }]);
  try {
    await import(pathToFileURL(path).href);
    return true;
  } catch (problem) {
    writeSync(2, `${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}\n`);
    return false;
  }
}
