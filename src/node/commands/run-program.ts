/**
 * Runs a learner's program or notebook in this process, for commands that report on its launches. TypeScript and notebooks run in
 * tslab's session, as the course's notebooks do.
 */
import { existsSync, readFileSync, writeSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError, WarplabError } from "../../core/base/errors.js";
import { deviceById, isDeviceFile } from "../../core/device/index.js";
import type { CellSink } from "../../course/notebook/cell-sink.js";
import { expectsError } from "../../course/notebook/notebook.js";
import { readNotebook } from "../notebook/notebook.js";

/** Options that are not allowed: the usage is printed with it. */
export class UsageError extends Error {}

/** The one file that such a command runs. @throws UsageError for none or several */
export function programFile(positionals: readonly string[], purpose: string): string {
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError(`Give one file to ${purpose}.`);
  return file;
}

/** Makes `device` the GPU of `new Gpu()`, if one is named. @throws what an unknown device throws, or UsageError for no file */
export function readyProgram(file: string, device: string | undefined): void {
  if (device !== undefined) {
    const { id } = deviceById(device);
    // The program runs in its own folder.
    process.env.WARPLAB_DEVICE = isDeviceFile(device) ? resolve(device) : id;
  }
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
}

/** The result of `parse`, whose errors are the user's. */
export function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (problem) {
    throw new UsageError(problem instanceof Error ? problem.message : String(problem));
  }
}

/** Prints a refusal. @returns the exit code; other problems are thrown on */
export function refused(problem: unknown, usage: string): number {
  if (!(problem instanceof UsageError || problem instanceof WarplabError)) throw problem;
  writeSync(2, `${problem.message}\n${problem instanceof UsageError ? `${usage}\n` : ""}`);
  return 2;
}

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
  let CellSession: typeof import("../notebook/cell-session.js").CellSession;
  try {
    ({ CellSession } = await import("../notebook/cell-session.js"));
  } catch (problem) {
    if (!/MODULE_NOT_FOUND/.test((problem as NodeJS.ErrnoException).code ?? "")) throw problem;
    throw new InputError({
      what: "TypeScript and notebooks run in tslab, which is not installed.",
      cure: "Install it beside this package (npm install tslab), or run a program in JavaScript (.mjs).",
    });
  }
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
