/** The learner's own tries at an exercise: each commit that changed the file, and the file as it is now, with their scores. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { InputError } from "../../core/base/errors.js";
import { type ExerciseSpec, pointsOf } from "../../course/exercises/spec.js";
import { DRAWS_ALONE, type Grade } from "../grade/grade.js";
import { startGrade } from "../grade/grade-run.js";
import { MissingFile, Refused } from "../grade/refused.js";
import { clipped, oneLine } from "../grade/report.js";
import { readSubmission } from "../grade/submission-file.js";
import { atEnd } from "../setup/children.mjs";
import { runAll } from "../setup/run-all.js";
import { type Commit, historyOf, textOf } from "./git-history.js";
import { type Score, ScoreCache } from "./score-cache.js";

export interface Try {
  /** null for the file as it is now. */
  readonly commit: Commit | null;
  /** null where it could not be scored now: it was stopped, or is not yet known. */
  readonly score: Score | null;
}

export interface Scoreboard {
  readonly spec: ExerciseSpec;
  /** In the order of the commits; the file as it is now stands last. */
  readonly tries: readonly Try[];
  /** The most points, then the highest shares; null where no try has a point. */
  readonly best: Try | null;
  readonly notes: readonly string[];
}

export interface ScoreboardRequest {
  readonly spec: ExerciseSpec;
  /** The exercise's version. */
  readonly version: string;
  /** Full path of the learner's file. */
  readonly path: string;
  /** Where scores are kept. */
  readonly cache: string;
  readonly mostCommits: number;
  /** Scores of commits that are not known are left out. */
  readonly knownOnly?: boolean;
  /** Told before each try that has to be graded. */
  readonly onGrade?: (done: number, all: number) => void;
}

/** A text that is to be graded; a reason where there is none. */
interface Text {
  readonly commit: Commit | null;
  readonly text: Buffer | null;
  readonly missing: string;
}

const AT_ONCE = 2;
/** An error of the compiler with its line and its cure. */
const MOST_REASON = 400;

const reasonLine = (text: string): string => clipped(oneLine(text), MOST_REASON);

function noScore(spec: ExerciseSpec, reason: string): Score {
  return { points: 0, outOf: pointsOf(spec), passed: false, shares: {}, reason: reasonLine(reason) };
}

function scoreOf(spec: ExerciseSpec, grade: Exclude<Grade, { readonly kind: "stopped" }>): Score {
  if (grade.kind === "refused") {
    const { what, at } = grade;
    return noScore(spec, `${what}${at === null ? "" : ` Line ${at.line}: ${at.text}`}`);
  }
  const { points, outOf, passed, checks } = grade.verdict;
  const shares = checks.flatMap(({ reached }) =>
    reached === undefined ? [] : [[reached.gpu, reached.share] as const],
  );
  // A share below the last step is no fault that the table does not show.
  const fault = checks.find((check) => !check.passed && check.reached === undefined);
  const reason = fault === undefined ? null : reasonLine(fault.sentence);
  return { points, outOf, passed, shares: Object.fromEntries(shares), reason };
}

/** @throws InputError for a file that is not there */
function workingText(path: string, id: string): Text {
  try {
    const { text } = readSubmission(path);
    return { commit: null, text: Buffer.from(text), missing: "" };
  } catch (problem) {
    if (problem instanceof MissingFile) {
      throw new InputError({ what: problem.what, cure: `npm run learn -- ${id} makes work/${id}.ts.` });
    }
    if (problem instanceof Refused) return { commit: null, text: null, missing: problem.what };
    throw problem;
  }
}

function committedText(path: string, commit: Commit): Text {
  if (commit.blob === null) return { commit, text: null, missing: "The commit deletes the file, or makes it a link." };
  const text = textOf(path, commit.blob);
  return { commit, text, missing: "The text is missing from the repository, or too long." };
}

function byScore(a: Try, b: Try): number {
  const sum = ({ score }: Try): number => Object.values(score?.shares ?? {}).reduce((total, share) => total + share, 0);
  return (b.score?.points ?? 0) - (a.score?.points ?? 0) || sum(b) - sum(a);
}

class Scoring {
  readonly #cache: ScoreCache;
  /** Grades that are under way or done, so that two commits of one text are graded once. */
  readonly #running = new Map<string, Promise<Score | null>>();
  readonly #folder: string = mkdtempSync(join(tmpdir(), "warplab-tries-"));
  #count = 0;

  constructor(private readonly request: ScoreboardRequest) {
    this.#cache = new ScoreCache(request.cache);
  }

  keyOf(text: Buffer): string {
    return this.#cache.keyOf(this.request.version, extname(this.request.path), text);
  }

  known(text: Buffer): Score | undefined {
    return this.#cache.get(this.keyOf(text));
  }

  score(text: Buffer): Promise<Score | null> {
    const key = this.keyOf(text);
    const running = this.#running.get(key) ?? this.#grade(key, text);
    this.#running.set(key, running);
    return running;
  }

  async #grade(key: string, text: Buffer): Promise<Score | null> {
    const { spec, path } = this.request;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const copy = join(this.#folder, `${++this.#count}${extname(path)}`);
    writeFileSync(copy, text, { flag: "wx" });
    const grade = await startGrade({ exercise: spec.id, path: copy, seed: "text", draws: DRAWS_ALONE }).grade;
    // A check that was ended from outside may go well the next time.
    if (grade.kind === "stopped") return noScore(spec, grade.what);
    const score = scoreOf(spec, grade);
    this.#cache.keep(key, score);
    return score;
  }

  end(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function scored(texts: readonly Text[], request: ScoreboardRequest, scoring: Scoring): Promise<readonly Try[]> {
  const { spec, knownOnly = false, onGrade } = request;
  const open = texts.flatMap(({ text, commit }) =>
    text === null || scoring.known(text) !== undefined || (knownOnly && commit !== null) ? [] : [text],
  );
  // The newest first: they are what the learner waits for.
  const works = open.reverse().map((text, done) => async (): Promise<void> => {
    onGrade?.(done, open.length);
    await scoring.score(text);
  });
  await runAll(works, AT_ONCE);
  return Promise.all(
    texts.map(async ({ commit, text, missing }): Promise<Try> => {
      if (text === null) return { commit, score: noScore(spec, missing) };
      if (knownOnly && commit !== null) return { commit, score: scoring.known(text) ?? null };
      return { commit, score: await scoring.score(text) };
    }),
  );
}

/**
 * Grades each version of a file from its text, as `npm run grade` does; what is known is not graded again.
 * @throws InputError for a file that is not there
 */
export async function scoreboardOf(request: ScoreboardRequest): Promise<Scoreboard> {
  const { spec, path, mostCommits } = request;
  const working = workingText(path, spec.id);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new InputError({
      what: `${path} is a folder.`,
      cure: `Name a file of it, such as ${join(path, spec.id)}.ts.`,
    });
  }
  const { commits, notes } = historyOf(path, mostCommits);
  const texts = [...commits.map((commit) => committedText(path, commit)), working];
  const scoring = new Scoring(request);
  const takeBack = atEnd(() => scoring.end());
  try {
    const tries = await scored(texts, request, scoring);
    const [first] = tries.filter(({ score }) => (score?.points ?? 0) > 0).sort(byScore);
    return { spec, tries, best: first ?? null, notes };
  } finally {
    takeBack();
    scoring.end();
  }
}

/** The exercise that a file is for, by its name; the capstone for any other. */
export function exerciseOfFile(path: string, ids: readonly string[]): string {
  const name = basename(path, extname(path));
  return ids.find((id) => name === id || name.startsWith(`${id}-`)) ?? "capstone";
}
