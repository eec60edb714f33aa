/**
 * `npm run notebooks`: runs the course's notebooks and keeps their outputs in the files, and writes what is made from
 * them (README.md, glossary.md, errata.md). Whether they are still those of a run, `npm start -- --check` says. Before, it
 * gives each exercise's cells what nbgrader asks for, from the exercise's data.
 */
import "../files-on-disk.js";
import "../platform.js";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Notebook, notebookText } from "../../course/notebook/notebook.js";
import { changedOutputs, warnings } from "../notebook/kept-outputs.js";
import { readNotebook, writeNotebook } from "../notebook/notebook.js";
import type { FailedCell } from "../notebook/notebook-runner.js";
import { notebooksAtOnce, notebooksNamed, runShown } from "../notebook/notebook-runs.js";
import type { Progress } from "../progress.mjs";
import { withExerciseCells } from "../release/exercise-cells.js";
import { replaceFile } from "../setup/replace.js";
import { runAll } from "../setup/run-all.js";
import { frontFiles } from "../site/front-page.js";
import { inCourseOrder } from "../site/site.js";

const USAGE = `npm run notebooks -- [NOTEBOOK ...]
  NOTEBOOK   only those whose name begins with this, such as lab-28`;

interface Run {
  readonly name: string;
  readonly notebook: Notebook;
  readonly problems: readonly string[];
  readonly changes: readonly string[];
}

function failureLine({ cell, failure }: FailedCell): string {
  return `cell ${cell}: ${failure.ename}: ${failure.evalue}`;
}

/** Outputs and the ids of cells stay as they are. */
function keepExerciseCells(path: string, name: string, progress: Progress): void {
  const kept = readNotebook(path);
  const marked = withExerciseCells(kept);
  if (notebookText(marked) === notebookText(kept)) return;
  writeNotebook(path, marked);
  progress.say(`${name}: the exercise's cells written`);
}

async function runOne(folder: string, name: string, progress: Progress): Promise<Run> {
  const path = join(folder, `${name}.ipynb`);
  keepExerciseCells(path, name, progress);
  const kept = readNotebook(path);
  const { notebook, failed } = await runShown(path, progress);
  const problems = [...failed.map(failureLine), ...warnings(notebook)];
  return { name, notebook, problems, changes: changedOutputs(kept, notebook) };
}

function sayRun({ name, problems, changes }: Run, progress: Progress): void {
  for (const problem of problems) progress.say(`${name}: ${problem}`);
  for (const change of changes) progress.say(`${name}: ${change}`);
  if (problems.length === 0 && changes.length === 0) progress.say(`${name}: as kept`);
}

/** Writes README.md and the others where they are not as they should be. */
function keepFrontFiles(folder: string, progress: Progress): void {
  for (const [name, text] of Object.entries(frontFiles(folder) ?? {})) {
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    replaceFile(path, text);
    progress.say(`${name}: written`);
  }
}

/** @returns the exit code: 1 where a cell fails or writes to stderr; such a notebook is left as it was. */
export async function runNotebooks(folder: string, args: readonly string[], progress: Progress): Promise<number> {
  let only: readonly string[];
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: "boolean" } },
    });
    if (values.help === true) {
      progress.say(USAGE);
      return 0;
    }
    only = positionals;
  } catch (error) {
    progress.say(`${(error as Error).message}\n${USAGE}`);
    return 1;
  }
  const names = notebooksNamed(inCourseOrder(folder), only);
  if (typeof names === "string") {
    progress.say(names);
    return 1;
  }
  const runs: Run[] = [];
  await runAll(
    names.map((name) => async () => {
      const run = await runOne(folder, name, progress);
      runs.push(run);
      sayRun(run, progress);
      if (run.problems.length > 0 || run.changes.length === 0) return;
      writeNotebook(join(folder, `${name}.ipynb`), run.notebook);
      progress.say(`${name}: outputs written`);
    }),
    notebooksAtOnce,
  );
  keepFrontFiles(folder, progress);
  return runs.some(({ problems }) => problems.length > 0) ? 1 : 0;
}
