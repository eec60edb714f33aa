/** Runs of several notebooks, as commands make them: which ones, how many at a time, and how far each is. */
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { Progress } from "../progress.mjs";
import { type NotebookRun, runNotebook } from "./notebook-runner.js";

/**
 * @param only beginnings of names; none for all
 * @returns the names that begin so, or a sentence where there are none
 */
export function notebooksNamed(all: readonly string[], only: readonly string[]): readonly string[] | string {
  if (only.length === 0) return all;
  const names = all.filter((name) => only.some((begin) => name.startsWith(begin)));
  return names.length > 0 ? names : `No notebook begins with ${only.join(" or ")}. There are: ${all.join(", ")}`;
}

/** Notebooks that run at the same time: as many as there are cores, but no more than two. */
export const notebooksAtOnce: number = Math.min(2, availableParallelism());

/** Runs the notebook, and says at which cell it is while it lasts. @param onCell told as `runNotebook` tells. */
export function runShown(
  path: string,
  progress: Progress,
  onCell?: (position: number, total: number) => void,
): Promise<NotebookRun> {
  let at = "";
  const began = (position: number, total: number): void => {
    at = `, cell ${position} of ${total}`;
    onCell?.(position, total);
  };
  return progress.during(
    basename(path, ".ipynb"),
    () => runNotebook(path, { onCell: began }),
    () => at,
  );
}
