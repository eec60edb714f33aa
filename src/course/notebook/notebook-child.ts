/**
 * The process that runs one notebook's cells, started by notebook-runner.ts in the notebook's folder.
 * Arguments: the notebook's file, and "allow-errors" to run on after a cell that fails.
 */
import { writeSync } from "node:fs";
import { inspect } from "node:util";
import { endWithParent } from "../parent-watch.js";
import { NotebookOutputs } from "./cell-outputs.js";
import { CellSession } from "./cell-session.js";
import { expectsError, readNotebook } from "./notebook.js";
import type { RunnerMessage } from "./notebook-messages.js";

function tell(message: RunnerMessage): Promise<void> {
  return new Promise((done, failed) => {
    if (process.send === undefined) failed(new Error("This program is started by the notebook runner."));
    else process.send(message, undefined, undefined, (error) => (error ? failed(error) : done()));
  });
}

async function runCells(path: string, allowErrors: boolean): Promise<void> {
  const { cells } = readNotebook(path);
  const session = new CellSession();
  const outputs = new NotebookOutputs();
  let executionCount = 0;
  for (const [index, cell] of cells.entries()) {
    // As Jupyter does, an empty cell is not run and not counted.
    if (cell.cell_type !== "code" || cell.source.trim() === "") continue;
    executionCount++;
    await tell({ kind: "begin", cell: index });
    const failure = await session.execute(cell.source, executionCount, outputs.sink(index, executionCount));
    if (failure !== undefined) outputs.addFailure(index, failure);
    const ended = { kind: "end", cell: index, executionCount, outputs: outputs.takeChanged() } as const;
    await tell(failure === undefined ? ended : { ...ended, failure });
    if (failure !== undefined && !allowErrors && !expectsError(cell)) break;
  }
  await tell({ kind: "done", outputs: outputs.takeChanged() });
}

endWithParent();
const [path = "", errors] = process.argv.slice(2);
try {
  await runCells(path, errors === "allow-errors");
} catch (error) {
  // The session has taken over process.stderr; the runner reads the descriptor itself.
  writeSync(2, inspect(error));
  process.exit(1);
}
// Timers and watchers that the cells left must not keep the process alive.
process.exit(0);
