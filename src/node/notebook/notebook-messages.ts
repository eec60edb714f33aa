/** Messages, in order, from the process that runs a notebook to its parent process. */
import { randomBytes } from "node:crypto";
import type { CellFailure, DisplayPayload } from "../../course/notebook/cell-sink.js";
import type { MimeBundle } from "../../course/notebook/notebook.js";

export type RunnerMessage =
  /** The cell with this position in the notebook begins. */
  | { readonly kind: "begin"; readonly cell: number; readonly executionCount: number }
  /** The cell that began last puts this out. */
  | { readonly kind: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | { readonly kind: "display"; readonly payload: DisplayPayload; readonly update: boolean }
  | { readonly kind: "result"; readonly data: MimeBundle }
  /** The cell ended; `failure` is missing when it ran to its end. */
  | { readonly kind: "end"; readonly failure?: CellFailure }
  /** All that can run has run. */
  | { readonly kind: "done" };

/**
 * The descriptor of the messages. It is written to at once, also by a cell that never comes to an end.
 * The parent sends a word first, which only it and the runner know: a cell that writes to the descriptor lacks it.
 */
export const MESSAGES_DESCRIPTOR = 3;

export function newWord(): string {
  return randomBytes(24).toString("hex");
}

/** Begins with a new line, too: what a cell wrote before ends there. */
export function messageText(word: string, message: RunnerMessage): string {
  return `\n${word} ${JSON.stringify(message)}\n`;
}

function parsed(text: string): RunnerMessage {
  try {
    return JSON.parse(text) as RunnerMessage;
  } catch {
    // Another thread of the cell wrote into the midst of it.
    return {
      kind: "stream",
      name: "stderr",
      text: "(an output was lost: the cell writes to the runner's descriptor)\n",
    };
  }
}

/** Takes the text of the descriptor in pieces. @param onMessage told of each that has the word */
export function messageReader(word: string, onMessage: (message: RunnerMessage) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const end = text.lastIndexOf("\n");
    if (end < 0) {
      rest += text;
      return;
    }
    const lines = (rest + text.slice(0, end)).split("\n");
    rest = text.slice(end + 1);
    for (const line of lines) if (line.startsWith(`${word} `)) onMessage(parsed(line.slice(word.length + 1)));
  };
}
