/** Notebooks as files of this machine. */
import { readFileSync } from "node:fs";
import { InputError } from "../../core/base/errors.js";
import { type Notebook, notebookText, parseNotebook } from "../../course/notebook/notebook.js";
import { replaceFile } from "../setup/replace.js";

/**
 * Reads a notebook file.
 * @throws {InputError} if the file is no notebook of version 4.
 */
export function readNotebook(path: string): Notebook {
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new InputError({
      what: `${path} cannot be read as a notebook: ${(error as Error).message}`,
      cure: "Name a file that Jupyter wrote (.ipynb).",
    });
  }
  return parseNotebook(path, file);
}

/** Writes the notebook where `path` says, whole or not at all; its folder must exist. */
export function writeNotebook(path: string, notebook: Notebook): void {
  replaceFile(path, notebookText(notebook));
}
