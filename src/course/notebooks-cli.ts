/**
 * `npm run notebooks`: runs the course's notebooks and keeps their outputs in the files, and writes what is made from
 * them (README.md, glossary.md, errata.md). With --check it changes nothing and says what differs.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { frontFiles } from "./front/front-page.js";
import { changedOutputs } from "./notebook/kept-outputs.js";
import { type Notebook, readNotebook, writeNotebook } from "./notebook.js";
import { type FailedCell, runNotebook } from "./notebook-runner.js";
import type { Progress } from "./start.js";

const USAGE = `npm run notebooks -- [--check] [NOTEBOOK ...]
  NOTEBOOK   only those whose name begins with this, such as lab-28
  --check    write nothing; code 1 where outputs or the files made from them are not those of a new run`;

interface Run {
  readonly name: string;
  readonly kept: Notebook;
  readonly notebook: Notebook;
  readonly problems: readonly string[];
  readonly changes: readonly string[];
}

function failureLine({ cell, failure }: FailedCell): string {
  return `cell ${cell}: ${failure.ename}: ${failure.evalue}`;
}

/** A cell that writes to stderr warns of something; a page has no such output. */
function warnings(notebook: Notebook): readonly string[] {
  return notebook.cells.flatMap((cell, index) => {
    if (cell.cell_type !== "code") return [];
    const texts = cell.outputs.flatMap((output) =>
      output.output_type === "stream" && output.name === "stderr" ? [output.text.trim()] : [],
    );
    return texts.map((text) => `cell ${index + 1} writes to stderr: ${text.split("\n")[0]}`);
  });
}

async function runOne(folder: string, name: string, progress: Progress): Promise<Run> {
  const path = join(folder, `${name}.ipynb`);
  const kept = readNotebook(path);
  let at = "";
  const onCell = (position: number, total: number): void => {
    at = `, cell ${position} of ${total}`;
  };
  const { notebook, failed } = await progress.during(
    name,
    () => runNotebook(path, { onCell }),
    () => at,
  );
  const problems = [...failed.map(failureLine), ...warnings(notebook)];
  return { name, kept, notebook, problems, changes: changedOutputs(kept, notebook) };
}

function sayRun({ name, problems, changes }: Run, progress: Progress): void {
  for (const problem of problems) progress.say(`${name}: ${problem}`);
  for (const change of changes) progress.say(`${name}: ${change}`);
  if (problems.length === 0 && changes.length === 0) progress.say(`${name}: as kept`);
}

/** Writes or compares README.md and the others; the names of those that were not as they should be. */
function keepFrontFiles(folder: string, pages: ReadonlyMap<string, Notebook>, check: boolean): readonly string[] {
  const files = frontFiles(folder, pages);
  if (files === null) return [];
  return Object.entries(files).flatMap(([name, text]) => {
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path, "utf8") === text) return [];
    if (!check) writeFileSync(path, text);
    return [name];
  });
}

/** @returns the exit code: 1 where a cell fails or writes to stderr, or with --check where something differs. */
export async function runNotebooks(folder: string, args: readonly string[], progress: Progress): Promise<number> {
  let check: boolean;
  let only: readonly string[];
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { check: { type: "boolean" }, help: { type: "boolean" } },
    });
    if (values.help === true) {
      progress.say(USAGE);
      return 0;
    }
    check = values.check === true;
    only = positionals;
  } catch (error) {
    progress.say(`${(error as Error).message}\n${USAGE}`);
    return 1;
  }
  const all = readdirSync(folder)
    .filter((file) => file.endsWith(".ipynb"))
    .map((file) => basename(file, ".ipynb"))
    .sort();
  const names = only.length === 0 ? all : all.filter((name) => only.some((each) => name.startsWith(each)));
  if (names.length === 0) {
    progress.say(`No notebook begins with ${only.join(" or ")}. There are: ${all.join(", ")}`);
    return 1;
  }
  const waiting = [...names];
  const runs: Run[] = [];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const run = await runOne(folder, name, progress);
      runs.push(run);
      sayRun(run, progress);
      if (check || run.problems.length > 0 || run.changes.length === 0) continue;
      writeNotebook(join(folder, `${name}.ipynb`), run.notebook);
      progress.say(`${name}: outputs written`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  const changedFiles = keepFrontFiles(folder, new Map(), check);
  for (const name of changedFiles) {
    progress.say(`${name}: ${check ? "is not what the notebooks say; npm run notebooks writes it" : "written"}`);
  }
  if (runs.some(({ problems }) => problems.length > 0)) return 1;
  return check && (changedFiles.length > 0 || runs.some(({ changes }) => changes.length > 0)) ? 1 : 0;
}
