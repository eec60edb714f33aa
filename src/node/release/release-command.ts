/** `npm run release`: the pages and starters as a teacher hands them out, in nbgrader's folders. */
import "../files-on-disk.js";
import "../platform.js";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../../core/base/errors.js";
import { exercise, exerciseIds } from "../../course/exercises/exercise.js";
import { notebookText } from "../../course/notebook/notebook.js";
import { courseRoot } from "../course-root.js";
import { usageRefusal } from "../grade/usage-problem.js";
import { readNotebook } from "../notebook/notebook.js";
import { writeRelease } from "./release-folder.js";
import { releaseNotebook, sourceNotebook } from "./released-notebook.js";

const USAGE = `npm run release -- [EXERCISE ...] [--out FOLDER]
  EXERCISE       such as lab-28; all of them unless named
  --out FOLDER   a course of nbgrader: source/, release/ and nbgrader_config.py go there; default out/nbgrader
`;

export interface ReleaseOutput {
  readonly say: (text: string) => void;
  readonly error: (text: string) => void;
  /** A path as the command's user means it. */
  readonly place: (path: string) => string;
}

/** The exercise's files, by their paths in nbgrader's course. */
export function releaseFiles(id: string): ReadonlyMap<string, string> {
  exercise(id);
  const notebooks = join(courseRoot(), "notebooks");
  const name = readdirSync(notebooks).find((file) => file.startsWith(`${id}-`) && file.endsWith(".ipynb"));
  if (name === undefined) {
    throw new InputError({ what: `No page has the exercise ${id}.`, cure: "Name an exercise that has a page." });
  }
  const page = readNotebook(join(notebooks, name));
  const starter = readFileSync(join(courseRoot(), "labs", id, "starter.ts"), "utf8");
  return new Map([
    [`source/${id}/${name}`, notebookText(sourceNotebook(page))],
    [`source/${id}/${id}.ts`, starter],
    [`release/${id}/${name}`, notebookText(releaseNotebook(page))],
    [`release/${id}/${id}.ts`, starter],
  ]);
}

const CONFIG = "nbgrader_config.py";

/** @returns the exit code: 1 where a file of the user's stands in the way, 2 for a command that is wrong. */
export function runRelease(args: readonly string[], { say, error, place }: ReleaseOutput): number {
  const files = new Map([[CONFIG, readFileSync(join(courseRoot(), "labs/teaching", CONFIG), "utf8")]]);
  let out: string;
  try {
    const options = { out: { type: "string" }, help: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    if (values.help === true) {
      say(USAGE);
      return 0;
    }
    const ids = positionals.length === 0 ? exerciseIds() : positionals;
    for (const id of ids) for (const [path, text] of releaseFiles(id)) files.set(path, text);
    out = values.out === undefined ? join(courseRoot(), "out", "nbgrader") : place(values.out);
  } catch (problem) {
    error(usageRefusal(problem, USAGE));
    return 2;
  }
  const written = writeRelease(out, files);
  const kept = [...written].flatMap(([path, what]) => (what === "kept" ? [path] : []));
  const count = [...written.values()].filter((what) => what === "written").length;
  say(
    `${out}: ${count} of ${files.size} files written${count + kept.length < files.size ? ", others as they were" : ""}.\n`,
  );
  for (const path of kept) {
    error(`${join(out, path)} is not as npm run release wrote it, and stays. Move it away to have the course's.\n`);
  }
  return kept.length === 0 ? 0 : 1;
}
