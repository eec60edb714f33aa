/** Runs of a small course and of its notebooks: each once for all test files that look at it. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { start, writeAllTables } from "../../src/node/commands/start.js";
import { type NotebookRun, runNotebook } from "../../src/node/notebook/notebook-runner.js";
import { createProgress, type Progress } from "../../src/node/progress.mjs";
import { madeOnce } from "../setup/made-once.js";

const fixtures = join(import.meta.dirname, "fixtures");

export const fixture = (name: string): string => join(fixtures, `${name}.ipynb`);

/** Makes a course of these notebooks in `root`. */
export function makeCourse(root: string, ...names: string[]): void {
  mkdirSync(join(root, "notebooks/pictures"), { recursive: true });
  writeFileSync(join(root, "notebooks/pictures/warp.svg"), "<svg/>");
  for (const name of names) copyFileSync(fixture(name), join(root, "notebooks", `${name}.ipynb`));
}

export interface CourseRun {
  readonly root: string;
  readonly code: number;
  readonly said: string;
}

/** Tables of small launches; `npm start` writes them of large ones. */
const smallTables = (out: string, progress: Progress): Promise<boolean> =>
  writeAllTables(out, progress, { n: 4096, block: 128 });

/** @param options those of `npm start`; the tables are left out where `tables` says so */
export async function runCourse(root: string, options: readonly string[], tables = true): Promise<CourseRun> {
  const lines: string[] = [];
  const progress = createProgress((text) => lines.push(text));
  const code = await start(root, ["--no-serve", ...options], progress, tables ? smallTables : async () => true);
  return { root, code, said: lines.join("") };
}

/** A course in which all goes well: a notebook whose failure is expected, and one of all kinds of outputs. */
export function goodCourse(): Promise<CourseRun> {
  return madeOnce("good-course", (root) => {
    makeCourse(root, "expected-failure", "sample");
    return runCourse(root, []);
  });
}

/** Two of a course's three notebooks, of which one fails. */
export function failingCourse(): Promise<CourseRun> {
  return madeOnce("failing-course", (root) => {
    makeCourse(root, "expected-failure", "failures", "sample");
    return runCourse(root, ["fail", "sam"], false);
  });
}

export interface RunToItsEnd extends NotebookRun {
  /** The cells as they began, each as its position and their number. */
  readonly seen: readonly string[];
}

/** The notebook of cells that fail, run on after each. */
export function failuresToTheirEnd(): Promise<RunToItsEnd> {
  return madeOnce("failures", async () => {
    const seen: string[] = [];
    const onCell = (position: number, total: number): number => seen.push(`${position}/${total}`);
    return { ...(await runNotebook(fixture("failures"), { allowErrors: true, onCell })), seen };
  });
}
