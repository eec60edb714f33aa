/** `npm run grade -- --class submissions/`: the scores of a class, as CSV and as pages. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exerciseIds } from "../../course/exercises/exercise.js";
import { counted } from "../../course/exercises/source-line.js";
import { usageRefusal } from "../grade/usage-problem.js";
import { atEnd } from "../setup/children.mjs";
import { createFile, removeParts, replaceFile } from "../setup/replace.js";
import { CLASS_USAGE, type ClassOptions, readOptions } from "./class-options.js";
import {
  type ClassProgress,
  checkChildren,
  type GradedAttempt,
  givenHashes,
  gradeAttempts,
  type StartCheck,
} from "./class-run.js";
import { anonymousCsv } from "./report/anonymous-csv.js";
import { type ClassReport, classReport } from "./report/class-report.js";
import { classText } from "./report/class-text.js";
import { feedbackPages, isFeedback } from "./report/feedback-page.js";
import { gradebooks } from "./report/gradebooks.js";
import { gradesCsv } from "./report/grades-csv.js";
import { reportPage } from "./report/report-page.js";
import { checkResultsFolder, isBusy, ResultsFile, SALT } from "./results-file.js";
import { attemptsOfShard, type Shard, shardFolder, shardResults } from "./shards.js";
import { type AlikePair, alikePairs } from "./similar/alike.js";
import { submissionTree } from "./submissions/submission-tree.js";
import { type Survey, survey } from "./submissions/survey.js";
import { exerciseName, type LatePolicy, latenessOf, readDeadlines, readSubmitted } from "./tables/deadlines.js";
import { checkNamed, type Overrides, readOverrides } from "./tables/overrides.js";
import { type Learner, onRoster, readRoster } from "./tables/roster.js";

export interface ClassOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** The full path of a file that the user names. */
  readonly file: (path: string) => string;
  /** Starts a child process for a check; tests give another one. */
  readonly start?: StartCheck;
}

const MILLISECONDS_BETWEEN_LINES = 5000;
const MILLISECONDS_BETWEEN_LOOKS = 1000;

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
  start: StartCheck,
): Promise<ReadonlyMap<string, readonly AlikePair[]>> {
  const found = new Map<string, readonly AlikePair[]>();
  const counted = attempts.filter(({ superseded }) => !superseded);
  for (const id of new Set(counted.map((each) => each.exercise))) {
    if (id === null) continue;
    const prints = counted.flatMap(({ student, exercise: own, fingerprint }) =>
      own === id && fingerprint !== null ? [{ student, fingerprint }] : [],
    );
    if (prints.length < 2) continue;
    const given = await givenHashes(id, { results, limits: options.limits, start });
    found.set(id, alikePairs(prints, given));
  }
  return found;
}

/** The salt that is given, or that of the results' folder, where a first run leaves one. */
function keptSalt({ out, salt }: ClassOptions): string {
  const file = join(out, SALT);
  if (salt !== null) replaceFile(file, `${salt}\n`);
  // Shards begin at the same time: all take the salt of the first one.
  else if (!existsSync(file)) createFile(file, `${randomBytes(16).toString("hex")}\n`);
  return readFileSync(file, "utf8").trim();
}

interface Found extends Survey {
  readonly learners: readonly Learner[];
  readonly strangers: readonly string[];
}

/** An instructor's tables that change the points of checks. */
interface Changes {
  readonly late: LatePolicy | null;
  readonly overrides: Overrides | null;
}

/** The submissions, by the roster's names where there is one. */
function surveyOf({ folder, level, asked, tables }: ClassOptions): Found {
  const ids = exerciseIds();
  const tree = submissionTree(folder, level, ids);
  if (tables.roster === undefined) return { ...survey(folder, tree, asked, ids), learners: [], strangers: [] };
  const learners = readRoster(tables.roster);
  const { tree: named, strangers } = onRoster(tree, learners);
  return { ...survey(folder, named, asked, ids, true), learners, strangers };
}

/** Reads the tables before the checks: who has made a mistake there learns of it at once. */
function changesOf({ folder, tables, freeDays, fileTimes, asked }: ClassOptions, found: Found): Changes {
  const overrides = tables.overrides === undefined ? null : readOverrides(tables.overrides);
  if (tables.deadlines === undefined) return { late: null, overrides };
  const students = new Set([...found.attempts, ...found.missing].map(({ student }) => student));
  const exercises = new Set([...exerciseIds(), ...asked.map(exerciseName)]);
  const deadlines = readDeadlines(tables.deadlines);
  const submitted = tables.submitted === undefined ? null : readSubmitted(tables.submitted);
  for (const each of [deadlines, submitted]) {
    if (each !== null) checkNamed(each.path, each.lines, students, exercises);
  }
  const fileTime = fileTimes ? (file: string): number => statSync(join(folder, file)).mtimeMs : null;
  return { late: { deadlines, submitted, freeDays, fileTime }, overrides };
}

/** Writes the results, each whole. @returns the paths of the two to look at first */
async function writeResults(report: ClassReport, out: string, found: Found, salt: string): Promise<[string, string]> {
  const books = found.learners.length === 0 ? new Map<string, string>() : gradebooks(report, found.learners);
  const files = new Map([
    ...books,
    ["anonymous.csv", anonymousCsv(report, salt)],
    ["grades.csv", gradesCsv(report)],
    ["report.html", reportPage(report)],
  ]);
  for (const [name, text] of files) replaceFile(join(out, name), text);
  const pages = feedbackPages(report, found.learners);
  const feedback = join(out, "feedback");
  mkdirSync(feedback, { recursive: true });
  for (const name of readdirSync(feedback)) if (isFeedback(name) && !pages.has(name)) rmSync(join(feedback, name));
  for (const [name, text] of pages) replaceFile(join(feedback, name), text);
  return [join(out, "grades.csv"), join(out, "report.html")];
}

function isKilled({ grade }: GradedAttempt): boolean {
  return grade.kind === "stopped" && grade.by === "killed";
}

type Running = ClassOutput & { readonly start: StartCheck };

/** Checks the attempts of one shard; the results of all are made by `--merge`. */
async function gradeShard(options: ClassOptions, shard: Shard, { out, error, start }: Running): Promise<number> {
  mkdirSync(options.out, { recursive: true });
  checkResultsFolder(options.out);
  // A cluster starts a part anew whose machine is gone: its lock is given up after a while.
  const folder = shardFolder(options.out, shard);
  for (let waits = 0; isBusy(folder); waits++) {
    if (waits === 0) error(`Another run has left off in ${folder}, or works there: this one waits for its end.\n`);
    await sleep(MILLISECONDS_BETWEEN_LOOKS);
  }
  const results = ResultsFile.open(folder);
  try {
    const own = attemptsOfShard(surveyOf(options).attempts, shard);
    const run = { ...options, salt: keptSalt(options), results, onProgress: progressLines(error), start };
    const graded = await gradeAttempts(own, run);
    out(`Shard ${shard.index} of ${shard.count}: ${counted(graded.length, "file")} checked.\n`);
    return graded.some(isKilled) ? 1 : 0;
  } finally {
    results.close();
  }
}

async function gradeAll(options: ClassOptions, { out, error, start }: Running): Promise<number> {
  const results = ResultsFile.open(options.out);
  try {
    removeParts(options.out);
    const found = surveyOf(options);
    const changes = changesOf(options, found);
    const salt = keptSalt(options);
    if (options.merge) results.addMissing(shardResults(options.out, found.attempts, salt));
    const run = { ...options, salt, results, onProgress: progressLines(error), start };
    const attempts = await gradeAttempts(found.attempts, run);
    const counting = attempts.filter(({ superseded }) => !superseded);
    const report = classReport({
      folder: basename(options.folder),
      attempts,
      survey: found,
      alike: await alikeIn(attempts, options, results, start),
      lateness: changes.late === null ? new Map() : latenessOf(counting, changes.late),
      overrides: changes.overrides,
      strangers: found.strangers,
    });
    const files = await writeResults(report, options.out, found, salt);
    out(options.json ? `${JSON.stringify(report, null, 1)}\n` : classText(report, files));
    return attempts.some(isKilled) ? 1 : 0;
  } finally {
    results.close();
  }
}

async function gradeClass(options: ClassOptions, output: ClassOutput): Promise<number> {
  const takeBack = atEnd(() => output.error("Interrupted. All scores so far are kept: start it again to go on.\n"));
  const children = checkChildren();
  const running: Running = { ...output, start: output.start ?? ((request, limits) => children.start(request, limits)) };
  try {
    return await (options.shard === null ? gradeAll(options, running) : gradeShard(options, options.shard, running));
  } finally {
    children.close();
    takeBack();
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
