/**
 * `npm start`, once installed and compiled: runs every notebook, writes it with its outputs and as a page, writes the
 * tables and the first page into out/, and shows them on this machine.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { compiledProgram } from "./course-root.js";
import { indexPage, type PageFigure, type PageTable, type TableFile } from "./index-page.js";
import { type Notebook, readNotebook, writeNotebook } from "./notebook.js";
import { notebookPage, notebookTitle, type PageLink } from "./notebook-page.js";
import { type FailedCell, runNotebook } from "./notebook-runner.js";
import { copyPageAssets } from "./page-assets.js";
import { isPlotlyFigure } from "./page-frame.js";
import { hasTables, type TablesSize } from "./tables-step.js";
import { serveFolder } from "./web-server.js";

/** What progress.mjs makes: lines about a run. */
export interface Progress {
  say(line: string): void;
  during<T>(label: string, work: () => Promise<T>, detail?: () => string): Promise<T>;
}

const USAGE = `npm start -- [--no-serve] [--port N] [NOTEBOOK ...]
  NOTEBOOK     run only the notebooks whose name begins with this, such as lab-28
  --no-serve   end once all is written (also with CI=true); otherwise out/ is shown as a page
  --port N     the page's port; any free one if not given`;

interface Options {
  readonly serve: boolean;
  readonly port: number;
  readonly only: readonly string[];
}

/** @returns the options, or a text when there is nothing to run: what is wrong, or the usage. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { "no-serve": { type: "boolean" }, port: { type: "string" }, help: { type: "boolean" } },
    });
    const port = Number(values.port ?? 0);
    if (values.help === true) return USAGE;
    if (!Number.isInteger(port) || port < 0 || port > 65535) return `--port ${values.port} is no port.\n${USAGE}`;
    return { serve: values["no-serve"] !== true && process.env.CI !== "true", port, only: positionals };
  } catch (error) {
    return `${(error as Error).message}\n${USAGE}`;
  }
}

/** Runs the works in order, `limit` at a time. */
async function runAll<T>(works: readonly (() => Promise<T>)[], limit: number): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < works.length; index = next++) {
      const work = works[index];
      if (work !== undefined) results[index] = await work();
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
  return results;
}

const seconds = (begun: number): string => `${((Date.now() - begun) / 1000).toFixed(1)} s`;

interface FinishedNotebook {
  readonly name: string;
  readonly notebook: Notebook;
  readonly failed: readonly FailedCell[];
}

async function runOne(path: string, progress: Progress): Promise<FinishedNotebook> {
  const name = basename(path, ".ipynb");
  const begun = Date.now();
  let at = "";
  const onCell = (position: number, total: number): void => {
    at = `, cell ${position} of ${total}`;
  };
  progress.say(`${name}: starting tslab ...`);
  const { notebook, failed } = await progress.during(
    name,
    () => runNotebook(path, { onCell }),
    () => at,
  );
  const count = notebook.cells.filter((cell) => cell.cell_type === "code" && cell.execution_count !== null).length;
  progress.say(`${name}: ${failed.length === 0 ? `${count} cells ran` : "FAILED"} in ${seconds(begun)}`);
  return { name, notebook, failed };
}

/**
 * @param size of the launches; the published ones unless told
 * @returns whether all tables were written.
 */
export async function writeAllTables(out: string, progress: Progress, size?: TablesSize): Promise<boolean> {
  if (!hasTables()) {
    progress.say("tables: none (there is no src/course/tables.ts)");
    return true;
  }
  const begun = Date.now();
  progress.say("tables: starting ...");
  let errors = "";
  const code = await progress.during(
    "tables",
    () =>
      new Promise<number | null>((done, failed) => {
        const sizes = size === undefined ? [] : [String(size.n), String(size.block)];
        const child = spawn(process.execPath, [compiledProgram("tables-child.js"), out, ...sizes], {
          stdio: ["ignore", "pipe", "pipe"],
        });
        createInterface({ input: child.stdout }).on("line", (line) => progress.say(`tables: ${line}`));
        child.stderr.on("data", (chunk) => {
          errors += chunk;
        });
        child.on("error", failed);
        child.on("close", done);
      }),
  );
  if (errors !== "") progress.say(errors.trimEnd());
  progress.say(`tables: ${code === 0 ? "written" : `FAILED with code ${code}`} in ${seconds(begun)}`);
  return code === 0;
}

/** The names of the files in a folder with this ending, sorted, without it; none if there is no such folder. */
function namesIn(folder: string, ending: string): string[] {
  try {
    const files = readdirSync(folder).filter((file) => file.endsWith(ending));
    return files.map((file) => basename(file, ending)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function readTables(folder: string): PageTable[] {
  const fragments = new Set(namesIn(folder, ".html"));
  const names = new Set([...fragments, ...namesIn(folder, ".json")]);
  return [...names].sort().map((name) => {
    if (fragments.has(name)) return { name, content: readFileSync(join(folder, `${name}.html`), "utf8") };
    const file = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as TableFile;
    return { name, content: file };
  });
}

function readFigures(folder: string): PageFigure[] {
  return namesIn(folder, ".json").map((name) => {
    const figure: unknown = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    if (!isPlotlyFigure(figure)) throw new Error(`${join(folder, name)}.json holds no plotly figure (no "data").`);
    return { name, figure };
  });
}

/** Writes the notebooks with their outputs, their pages, and what they refer to. */
function writeNotebooks(source: string, target: string, finished: readonly FinishedNotebook[]): void {
  mkdirSync(target, { recursive: true });
  const isOther = (path: string): boolean => !/\.ipynb$|node_modules|\.ipynb_checkpoints/.test(relative(source, path));
  cpSync(source, target, { recursive: true, filter: isOther });
  const titled = finished.map(
    ({ name, notebook }): PageLink => ({
      href: `${name}.html`,
      title: notebookTitle(notebook, name),
    }),
  );
  for (const [index, { name, notebook }] of finished.entries()) {
    writeNotebook(join(target, `${name}.ipynb`), notebook);
    const [before, after] = [titled[index - 1], titled[index + 1]];
    const neighbours = [
      ...(before === undefined ? [] : [{ ...before, title: `← ${before.title}` }]),
      ...(after === undefined ? [] : [{ ...after, title: `${after.title} →` }]),
    ];
    writeFileSync(join(target, `${name}.html`), notebookPage(notebook, name, neighbours));
  }
}

function describeFailure(name: string, { cell, source, failure }: FailedCell): string {
  const code = source.split("\n").slice(0, 12).join("\n  | ");
  return `${name}.ipynb, cell ${cell} failed:\n  | ${code}\n${failure.traceback.join("\n")}\n`;
}

/**
 * Runs the course.
 * @param root the folder with notebooks/, into whose out/ all is written
 * @param tables writes the tables into out/; whether it could
 * @returns the exit code: 0, or 1 when a cell or the tables failed or the arguments are wrong
 */
export async function start(
  root: string,
  args: readonly string[],
  progress: Progress,
  tables: (out: string, progress: Progress) => Promise<boolean> = writeAllTables,
): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") {
    progress.say(options);
    return options === USAGE ? 0 : 1;
  }
  const source = join(root, "notebooks");
  const out = join(root, "out");
  const wanted = (name: string): boolean =>
    options.only.length === 0 || options.only.some((only) => name.startsWith(only));
  const names = namesIn(source, ".ipynb").filter(wanted);
  if (names.length === 0 && options.only.length > 0) {
    progress.say(
      `No notebook begins with ${options.only.join(" or ")}. There are: ${namesIn(source, ".ipynb").join(", ")}`,
    );
    return 1;
  }
  // A file that is no notebook is found before minutes are spent on the others.
  for (const name of names) readNotebook(join(source, `${name}.ipynb`));
  const begun = Date.now();
  rmSync(out, { recursive: true, force: true });
  copyPageAssets(out);

  let tablesWritten = true;
  const finished: FinishedNotebook[] = [];
  const works = [
    async () => {
      tablesWritten = await tables(out, progress);
    },
    ...names.map((name) => async () => {
      finished.push(await runOne(join(source, `${name}.ipynb`), progress));
    }),
  ];
  await runAll(works, Math.min(2, availableParallelism()));
  finished.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));

  writeNotebooks(source, join(out, "notebooks"), finished);
  const page = indexPage({
    tables: readTables(join(out, "tables")),
    figures: readFigures(join(out, "plots")),
    notebooks: finished.map(({ name, notebook, failed }) => ({
      href: `notebooks/${name}.html`,
      title: notebookTitle(notebook, name),
      failed: failed.length > 0,
    })),
  });
  writeFileSync(join(out, "index.html"), page);
  progress.say(
    `Wrote ${finished.length} notebooks and the page ${relative(process.cwd(), join(out, "index.html"))} in ${seconds(begun)}`,
  );

  const failures = finished.flatMap(({ name, failed }) => failed.map((cell) => describeFailure(name, cell)));
  for (const failure of failures) progress.say(`\n${failure}`);
  if (failures.length > 0 || !tablesWritten) return 1;
  if (options.serve) {
    const server = await serveFolder(out, options.port);
    progress.say(`\nOpen ${server.address}  (Ctrl+C ends it)`);
  }
  return 0;
}
