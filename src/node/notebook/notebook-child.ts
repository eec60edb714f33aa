/**
 * The process that runs one notebook's cells, started by notebook-runner.ts in the notebook's folder.
 * Arguments: the notebook's file, and "allow-errors" to run on after a cell that fails.
 */
import "../files-on-disk.js";
import "../platform.js";
import { readSync, writeSync } from "node:fs";
import type { CellSink } from "../../course/notebook/cell-sink.js";
import { expectsError } from "../../course/notebook/notebook.js";
import { endWithParent } from "../parent-watch.js";
import { failureText } from "../setup/failure.mjs";
import { CellSession } from "./cell-session.js";
import { readNotebook } from "./notebook.js";
import { MESSAGES_DESCRIPTOR, messageText, type RunnerMessage } from "./notebook-messages.js";

/** As they are before any cell runs, which may put others in their place. */
const [read, write, exit] = [readSync, writeSync, process.exit];

/** The word that the parent sends; see notebook-messages.ts. */
function receivedWord(): string {
  const piece = Buffer.alloc(256);
  let text = "";
  while (!text.endsWith("\n")) {
    const count = read(MESSAGES_DESCRIPTOR, piece, 0, piece.length, null);
    if (count === 0) throw new Error("This program is started by the notebook runner.");
    text += piece.toString("utf8", 0, count);
  }
  return text.trim();
}

function writeWhole(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += write(MESSAGES_DESCRIPTOR, bytes, at);
    } catch (error) {
      // The pipe is full, and a cell has made it one that does not wait.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}

async function runCells(path: string, allowErrors: boolean): Promise<void> {
  const word = receivedWord();
  const tell = (message: RunnerMessage): void => writeWhole(messageText(word, message));
  const sink: CellSink = {
    stream: (name, text) => tell({ kind: "stream", name, text }),
    display: (payload, update) => tell({ kind: "display", payload, update }),
    result: (data) => tell({ kind: "result", data }),
  };
  const { cells } = readNotebook(path);
  const session = new CellSession();
  let executionCount = 0;
  for (const [index, cell] of cells.entries()) {
    // As Jupyter does, an empty cell is not run and not counted.
    if (cell.cell_type !== "code" || cell.source.trim() === "") continue;
    executionCount++;
    tell({ kind: "begin", cell: index, executionCount });
    const failure = await session.execute(cell.source, executionCount, sink);
    tell(failure === undefined ? { kind: "end" } : { kind: "end", failure });
    if (failure !== undefined && !allowErrors && !expectsError(cell)) break;
  }
  tell({ kind: "done" });
}

endWithParent();
const [path = "", errors] = process.argv.slice(2);
try {
  await runCells(path, errors === "allow-errors");
} catch (error) {
  // The session has taken over process.stderr; the runner reads the descriptor itself.
  write(2, failureText(error));
  exit(1);
}
// Timers and watchers that the cells left must not keep the process alive.
exit(0);
