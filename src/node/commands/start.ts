/**
 * `npm start`, once installed and compiled. It shows every notebook as a page with its kept outputs and runs them all.
 * Each page is replaced once its notebook has run; the tables come last. All files are in out/, or in a temporary folder where that
 * cannot be written.
 */
import "../files-on-disk.js";
import "../platform.js";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import type { Notebook } from "../../course/notebook/notebook.js";
import { compiledProgram } from "../course-root.js";
import { writeClang } from "../live/clang-files.js";
import { writeLiveAssets } from "../live/live-assets.js";
import { changedOutputs, warnings } from "../notebook/kept-outputs.js";
import { readNotebook } from "../notebook/notebook.js";
import type { FailedCell } from "../notebook/notebook-runner.js";
import { notebooksAtOnce, notebooksNamed, runShown } from "../notebook/notebook-runs.js";
import type { Progress } from "../progress.mjs";
import { childEnd, startChild } from "../setup/children.mjs";
import { runAll } from "../setup/run-all.js";
import { inCourseOrder, Site } from "../site/site.js";
import { serveFolder } from "../site/web-server.js";
import type { TablesSize } from "../tables/tables.js";

const USAGE = `npm start -- [--no-serve] [--check] [--port N] [NOTEBOOK ...]
  NOTEBOOK     run only the notebooks whose name begins with this, such as lab-28
  --no-serve   end once all is written (also with CI=true); otherwise out/ is shown as a page at once
  --check      code 1 also where a notebook's outputs are not those it is kept with, or go to stderr
  --port N     the page's port; 8425 if not given, or any free one where another program has that`;

/** The tables of out/tables that are printed at the end of a run. */
const LAST_SAID = ["lab-28-1-times", "lab-28-2-speedups"];

interface Options {
  readonly serve: boolean;
  readonly check: boolean;
  /** null: not given. */
  readonly port: number | null;
  readonly only: readonly string[];
}

/** @returns the options, or a text when there is nothing to run: what is wrong, or the usage. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "no-serve": { type: "boolean" },
        check: { type: "boolean" },
        port: { type: "string" },
        help: { type: "boolean" },
      },
    });
    const port = values.port === undefined ? null : Number(values.port);
    if (values.help === true) return USAGE;
    if (port !== null && (!Number.isInteger(port) || port < 0 || port > 65535))
      return `--port ${values.port} is no port.\n${USAGE}`;
    const serve = values["no-serve"] !== true && process.env.CI !== "true";
    return { serve, check: values.check === true, port, only: positionals };
  } catch (error) {
    return `${(error as Error).message}\n${USAGE}`;
  }
}

interface FinishedNotebook {
  readonly name: string;
  readonly failed: readonly FailedCell[];
  readonly ran: Notebook;
}

const seconds = (begun: number): string => `${((Date.now() - begun) / 1000).toFixed(1)} s`;

/** Runs a notebook; `site` shows how far it is. */
async function runOne(path: string, site: Site, progress: Progress): Promise<FinishedNotebook> {
  const name = basename(path, ".ipynb");
  const begun = Date.now();
  progress.say(`${name}: starting tslab ...`);
  const { notebook, failed } = await runShown(path, progress, (position, total) => site.running(name, position, total));
  const count = notebook.cells.filter((cell) => cell.cell_type === "code" && cell.execution_count !== null).length;
  progress.say(`${name}: ${failed.length === 0 ? `${count} cells ran` : "FAILED"} in ${seconds(begun)}`);
  site.ran(name, notebook, failed.length > 0);
  return { name, failed, ran: notebook };
}

/**
 * @param size of the launches; the published ones unless told
 * @returns whether all tables were written.
 */
export async function writeAllTables(out: string, progress: Progress, size?: TablesSize): Promise<boolean> {
  const begun = Date.now();
  progress.say("tables: starting ...");
  let errors = "";
  const sizes = size === undefined ? [] : [String(size.n), String(size.block)];
  const { code, signal } = await progress.during("tables", () => {
    const child = startChild(process.execPath, [compiledProgram("node/commands/tables-child.js"), out, ...sizes], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let line = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (line + text).split("\n");
      line = lines.pop() ?? "";
      for (const each of lines) progress.say(`tables: ${each}`);
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
    });
    return childEnd(child);
  });
  if (errors !== "") progress.say(errors.trimEnd());
  progress.say(`tables: ${code === 0 ? "written" : `FAILED with ${signal ?? `code ${code}`}`} in ${seconds(begun)}`);
  return code === 0;
}

/** A reader of the kept outputs would find these changed; and warnings. */
function changesOf({ name, ran }: FinishedNotebook, kept: ReadonlyMap<string, Notebook>): readonly string[] {
  const changes = [...warnings(ran), ...changedOutputs(kept.get(name) ?? ran, ran)];
  return changes.map((change) => `${name}.ipynb, ${change}`);
}

function describeFailure(name: string, { cell, source, failure }: FailedCell): string {
  const code = source.split("\n").slice(0, 12).join("\n  | ");
  return `${name}.ipynb, cell ${cell} failed:\n  | ${code}\n${failure.traceback.join("\n")}\n`;
}

/**
 * The folder of the results, made where it is not there. A checkout that cannot be written has a temporary one.
 */
function outFolder(root: string, progress: Progress): string {
  const out = join(root, "out");
  const probe = join(out, `.part-${process.pid}-0`);
  try {
    mkdirSync(out, { recursive: true });
    writeFileSync(probe, "");
    rmSync(probe);
    return out;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EROFS" && code !== "EACCES" && code !== "EPERM") throw error;
    const elsewhere = mkdtempSync(join(tmpdir(), "warplab-out-"));
    progress.say(`${out} cannot be written (${code}): the pages are written to ${elsewhere} instead.`);
    return elsewhere;
  }
}

/**
 * Runs the course.
 * @param root the folder with notebooks/, into whose out/ all is written, if that is possible
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
  const all = inCourseOrder(source);
  const names = notebooksNamed(all, options.only);
  if (typeof names === "string") {
    progress.say(names);
    return 1;
  }
  // A file that is no notebook is found before minutes are spent on the others.
  const kept = new Map(all.map((name) => [name, readNotebook(join(source, `${name}.ipynb`))] as const));
  const begun = Date.now();
  const out = outFolder(root, progress);
  // A port that is taken is said before anything is written.
  const server = options.serve ? await serveFolder(out, options.port) : null;
  await writeLiveAssets(out);
  await writeClang(out, false);
  const site = new Site(source, out, kept, names);
  if (server !== null)
    progress.say(`Open ${server.address}  (pages as they are kept; each is replaced once it has run)\n`);

  let tablesWritten = true;
  const finished: FinishedNotebook[] = [];
  const works = [
    ...names.map((name) => async () => {
      finished.push(await runOne(join(source, `${name}.ipynb`), site, progress));
    }),
    async () => {
      tablesWritten = await tables(out, progress);
    },
  ];
  await runAll(works, notebooksAtOnce);
  finished.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  site.end();

  for (const name of LAST_SAID) {
    const file = join(out, "tables", `${name}.txt`);
    if (existsSync(file)) progress.say(`\n${readFileSync(file, "utf8").trimEnd()}`);
  }
  progress.say(
    `\nWrote ${finished.length} notebooks and the page ${relative(process.cwd(), join(out, "index.html"))} in ${seconds(begun)}`,
  );

  const failures = finished.flatMap(({ name, failed }) => failed.map((cell) => describeFailure(name, cell)));
  for (const failure of failures) progress.say(`\n${failure}`);
  const changes = options.check ? finished.flatMap((run) => changesOf(run, kept)) : [];
  for (const change of changes) progress.say(change);
  if (changes.length > 0) progress.say("If this is wanted, npm run notebooks keeps the new outputs.");
  if (server !== null) progress.say(`\nOpen ${server.address}  (Ctrl+C ends it)`);
  return failures.length > 0 || !tablesWritten || changes.length > 0 ? 1 : 0;
}
