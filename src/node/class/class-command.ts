/** `npm run grade -- --class submissions/`: the scores of a class, as CSV and as a page. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../../core/base/errors.js";
import { exercise, exerciseIds, isExercisePath } from "../../course/exercises/exercise.js";
import { usageRefusal } from "../grade/usage-problem.js";
import { wholeNumber } from "../grade/whole-number.js";
import { atEnd } from "../setup/children.mjs";
import { removeParts, replaceFile } from "../setup/replace.js";
import { type AlikePair, alikePairs } from "./alike.js";
import { classReport } from "./class-report.js";
import {
  CLASS_LIMITS,
  type ClassLimits,
  type ClassProgress,
  type GradedAttempt,
  givenHashes,
  gradeAttempts,
  type StartCheck,
} from "./class-run.js";
import { classText } from "./class-text.js";
import { gradesCsv } from "./grades-csv.js";
import { reportPage } from "./report-page.js";
import { ResultsFile } from "./results-file.js";
import { submissionTree } from "./submission-tree.js";
import { survey } from "./survey.js";

const CLASS_USAGE = `npm run grade -- --class FOLDER [EXERCISE...]
  FOLDER        STUDENT.ts, or a folder for each student
  EXERCISE      such as lab-28; else all that is handed in
  --out FOLDER  of results; default: FOLDER-grades beside it
  --json        all results as JSON on stdout
  --jobs 2      checks at once; default: one a core
  --time 60     seconds for a check; four times as many for
                those that run again, alone, at the end
  --memory 416  MiB for a check; twice as many there
  --retry       checks again what such a limit has ended
  --salt TEXT   draws sizes and data for the whole class;
                default: drawn once, and kept in salt.txt
  --level 1     how many folders' names make a student's
Start it again after an interruption: it goes on.
Exit code: 0 all have a score, 1 a signal has ended some
checks, 2 the command is wrong.`;

export interface ClassOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** The full path of a file that the user names. */
  readonly file: (path: string) => string;
  /** Starts a child process for a check; tests give another one. */
  readonly start?: StartCheck;
}

interface ClassOptions {
  readonly folder: string;
  readonly out: string;
  readonly asked: readonly string[];
  readonly limits: ClassLimits;
  readonly json: boolean;
  readonly retry: boolean;
  readonly salt: string | null;
  readonly level: number;
}

function refuse(what: string): never {
  throw new InputError({ what, cure: CLASS_USAGE });
}

/** The path as the system knows it, also of a folder that is yet to be made. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}

function submissionsFolder(path: string): string {
  if (!existsSync(path) || !statSync(path).isDirectory()) refuse(`There is no folder ${path}.`);
  return realpathSync(path);
}

function outFolder(folder: string, given: string | undefined): string {
  const out = realPath(given ?? `${folder}-grades`);
  if (out === folder || `${out}${sep}`.startsWith(`${folder}${sep}`)) {
    refuse(`--out ${out} lies among the submissions.`);
  }
  if (existsSync(out) && !statSync(out).isDirectory()) refuse(`--out ${out} is no folder.`);
  return out;
}

/** null where the usage is asked for. */
function readOptions(args: readonly string[], file: ClassOutput["file"]): ClassOptions | null {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      class: text,
      out: text,
      json: flag,
      retry: flag,
      salt: text,
      jobs: text,
      time: text,
      memory: text,
      level: text,
      help: flag,
    },
  });
  if (values.help === true) return null;
  const folder = submissionsFolder(resolve(file(values.class ?? "")));
  const asked = positionals.map((id) => (isExercisePath(id) ? resolve(file(id)) : id));
  for (const id of asked) exercise(id);
  const given = (name: "jobs" | "time" | "memory" | "level", otherwise: number, least: number, most: number): number =>
    wholeNumber(name, values[name], otherwise, { least, most });
  return {
    folder,
    out: outFolder(folder, values.out === undefined ? undefined : resolve(file(values.out))),
    asked: [...new Set(asked)].sort(),
    limits: {
      jobs: given("jobs", availableParallelism(), 1, 256),
      timeMs: given("time", CLASS_LIMITS.timeMs / 1000, 1, 500_000) * 1000,
      memoryBytes: given("memory", CLASS_LIMITS.memoryBytes / 2 ** 20, 256, 2 ** 20) * 2 ** 20,
    },
    json: values.json === true,
    retry: values.retry === true,
    salt: values.salt ?? null,
    level: given("level", 1, 1, 8),
  };
}

const MILLISECONDS_BETWEEN_LINES = 5000;

/** Says how far it is, a line every five seconds and a last one: a log of CI reads as well as a terminal. */
function progressLines(error: ClassOutput["error"]): (progress: ClassProgress) => void {
  const begin = performance.now();
  let said = Number.NEGATIVE_INFINITY;
  return ({ done, total, known, later }) => {
    const now = performance.now();
    if (done < total && now - said < MILLISECONDS_BETWEEN_LINES) return;
    said = now;
    const fresh = done - known;
    const minutes = Math.ceil((((now - begin) / fresh) * (total - done)) / 60_000);
    const left = fresh > 0 && done < total ? `, about ${minutes} min left` : "";
    const again = later > 0 ? `, ${later} run again at the end` : "";
    const before = known > 0 ? ` (${known} known)` : "";
    error(`${done} of ${total}${before}${again}${left}\n`);
  };
}

async function alikeIn(
  attempts: readonly GradedAttempt[],
  options: ClassOptions,
  results: ResultsFile,
  start: StartCheck | undefined,
): Promise<ReadonlyMap<string, readonly AlikePair[]>> {
  const found = new Map<string, readonly AlikePair[]>();
  const counted = attempts.filter(({ superseded }) => !superseded);
  for (const id of new Set(counted.map((each) => each.exercise))) {
    if (id === null) continue;
    const prints = counted.flatMap(({ student, exercise: own, fingerprint }) =>
      own === id && fingerprint !== null ? [{ student, fingerprint }] : [],
    );
    if (prints.length < 2) continue;
    const given = await givenHashes(id, { results, limits: options.limits, ...(start === undefined ? {} : { start }) });
    found.set(id, alikePairs(prints, given));
  }
  return found;
}

/** The salt that is given, or that of the results' folder, where a first run leaves one. */
function keptSalt({ out, salt }: ClassOptions): string {
  const file = join(out, "salt.txt");
  if (salt === null && existsSync(file)) return readFileSync(file, "utf8").trim();
  const text = salt ?? randomBytes(16).toString("hex");
  replaceFile(file, `${text}\n`);
  return text;
}

async function gradeClass(options: ClassOptions, { out, error, start }: ClassOutput): Promise<number> {
  const ids = exerciseIds();
  const results = ResultsFile.open(options.out);
  const takeBack = atEnd(() => error("Interrupted. All scores so far are kept: start it again to go on.\n"));
  try {
    removeParts(options.out);
    const found = survey(options.folder, submissionTree(options.folder, options.level, ids), options.asked, ids);
    const attempts = await gradeAttempts(found.attempts, {
      ...options,
      salt: keptSalt(options),
      results,
      onProgress: progressLines(error),
      ...(start === undefined ? {} : { start }),
    });
    const alike = await alikeIn(attempts, options, results, start);
    const report = classReport({ folder: basename(options.folder), attempts, survey: found, alike });
    const files = ["grades.csv", "report.html"].map((name) => join(options.out, name)) as [string, string];
    replaceFile(files[0], gradesCsv(report));
    replaceFile(files[1], reportPage(report));
    out(options.json ? `${JSON.stringify(report, null, 1)}\n` : classText(report, files));
    return attempts.some(({ grade }) => grade.kind === "stopped" && grade.by === "killed") ? 1 : 0;
  } finally {
    takeBack();
    results.close();
  }
}

/** @returns the exit code: 0 where all have a score, 1 where a signal has ended checks, 2 for wrong options. */
export async function runClass(args: readonly string[], output: ClassOutput): Promise<number> {
  let options: ClassOptions | null;
  try {
    options = readOptions(args, output.file);
    if (options !== null) return await gradeClass(options, output);
  } catch (problem) {
    output.error(usageRefusal(problem, CLASS_USAGE));
    return 2;
  }
  output.out(`${CLASS_USAGE}\n`);
  return 0;
}
