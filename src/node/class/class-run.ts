/** Grades the attempts of a class: on all cores, each in a process of its own, and what is known already not again. */
import { join, relative } from "node:path";
import { courseRoot } from "../course-root.js";
import { exerciseFolder, givenFiles } from "../files-on-disk.js";
import { type Grade, seedOfText } from "../grade/grade.js";
import type { Limits, RunningChild, Stopped } from "../grade/limited-child.js";
import { WarmChildren } from "../grade/warm-children.js";
import { atEnd } from "../setup/children.mjs";
import { runAll } from "../setup/run-all.js";
import { hashOfFiles, programVersion } from "../source-hashes.js";
import type { ClassRequest, Given, Graded } from "./class-request.js";
import type { ResultKey, ResultsFile } from "./results-file.js";
import type { Attempt } from "./submissions/survey.js";

/** An attempt with its grade. */
export interface GradedAttempt extends Attempt {
  readonly grade: Grade;
  readonly fingerprint: readonly string[] | null;
}

export interface ClassLimits extends Limits {
  readonly jobs: number;
}

/**
 * A typical check takes four seconds, and up to 290 MB. Two of them and the run itself stay within 1 GiB.
 */
export const CLASS_LIMITS: Limits = { timeMs: 60_000, memoryBytes: 416 * 2 ** 20 };

/** A check that a limit has ended runs once more at the end, alone: a busy machine is not to cost points. */
const ALONE = { time: 4, memory: 2 } as const;

/** Starts a child; tests put another one in its place. */
export type StartCheck = (request: ClassRequest, limits: Limits) => RunningChild;

/** Processes for the checks of a run; to be closed at its end. */
export function checkChildren(): WarmChildren {
  return new WarmChildren("node/class/class-child.js");
}

export interface ClassRunOptions {
  /** The submissions' full path. */
  readonly folder: string;
  readonly results: ResultsFile;
  /** Sizes, data and schedules of all are drawn from it. */
  readonly salt: string;
  readonly limits: ClassLimits;
  /** Checks again what a limit has ended in an earlier run. */
  readonly retry: boolean;
  /** After each attempt, and once before the first. */
  readonly onProgress: (progress: ClassProgress) => void;
  readonly start: StartCheck;
}

export interface ClassProgress {
  readonly done: number;
  readonly total: number;
  /** Those of `done` whose results this run has found there. */
  readonly known: number;
  /** Attempts that a limit has ended, and that run again at the end. */
  readonly later: number;
}

/** From the course's folder. */
function fileOf(exercise: string, name: string): string {
  return relative(courseRoot(), join(exerciseFolder(exercise), name));
}

/** Another one where the grader or the exercise is another one. */
function versionFor(exercise: string): string {
  return `${programVersion("src/node/class/class-child.ts")}-${hashOfFiles([fileOf(exercise, "exercise.json")])}`;
}

/** Names the result of an attempt; null where it is refused without a check. */
export function resultKey({ path, exercise, sha256, refusal }: Attempt, salt: string): ResultKey | null {
  if (refusal !== null || exercise === null || sha256 === null) return null;
  const key = `${exercise}\n${salt}`;
  const version = versions.get(key) ?? `${versionFor(exercise)}-${seedOfText(exercise, salt)}`;
  versions.set(key, version);
  return { path, sha256, exercise, version };
}

const versions = new Map<string, string>();

/** A verdict without what is to be pasted into a notebook. */
function kept(grade: Grade): Grade {
  if (grade.kind !== "verdict") return grade;
  const checks = grade.verdict.checks.map(({ look: _, ...check }) => check);
  return { ...grade, verdict: { ...grade.verdict, checks } };
}

const GONE: Grade = {
  kind: "refused",
  what: "The file was removed while the class was graded.",
  cure: "Start the command again.",
  at: null,
};

/** Whether another run could end otherwise. */
function isStopped({ grade }: { readonly grade: Grade }): boolean {
  return grade.kind === "stopped";
}

interface Task {
  readonly index: number;
  readonly exercise: string;
  readonly attempt: Attempt;
}

class ClassRun {
  private readonly outcomes: GradedAttempt[] = [];
  private readonly running: Set<RunningChild> = new Set();
  private later: Task[] = [];
  private done = 0;
  private known = 0;

  constructor(
    private readonly attempts: readonly Attempt[],
    private readonly options: ClassRunOptions,
  ) {}

  async run(): Promise<readonly GradedAttempt[]> {
    const takeBack = atEnd(() => {
      for (const child of this.running) child.cancel();
    });
    try {
      const tasks = this.attempts.flatMap((attempt, index) => this.open(attempt, index));
      this.say();
      const { jobs, timeMs, memoryBytes } = this.options.limits;
      await runAll(
        tasks.map((task) => () => this.check(task, { timeMs, memoryBytes }, false)),
        jobs,
      );
      const later = this.later;
      this.later = [];
      const longer = { timeMs: timeMs * ALONE.time, memoryBytes: memoryBytes * ALONE.memory };
      await runAll(
        later.map((task) => () => this.check(task, longer, true)),
        1,
      );
      return this.outcomes;
    } finally {
      takeBack();
    }
  }

  /** Every attempt at an exercise gets the same draw. */
  private seed(exercise: string): number {
    return seedOfText(exercise, this.options.salt);
  }

  /** The attempt's task, where it is to be checked. */
  private open(attempt: Attempt, index: number): readonly Task[] {
    const key = resultKey(attempt, this.options.salt);
    if (key === null) {
      const { refusal } = attempt;
      const { what = "It cannot be read.", cure = "Hand in a file that can be read." } = refusal ?? {};
      this.set(index, { ...attempt, grade: { kind: "refused", what, cure, at: null }, fingerprint: null });
      return [];
    }
    const result = this.options.results.result(key);
    if (result === undefined || (this.options.retry && isStopped(result))) {
      return [{ index, exercise: key.exercise, attempt }];
    }
    this.set(index, { ...attempt, grade: result.grade, fingerprint: result.fingerprint });
    this.known += 1;
    return [];
  }

  private set(index: number, outcome: GradedAttempt): void {
    this.outcomes[index] = outcome;
    this.done += 1;
  }

  private say(): void {
    const { done, known, later, attempts, options } = this;
    options.onProgress({ done, known, later: later.length, total: attempts.length });
  }

  private async check({ index, exercise, attempt }: Task, limits: Limits, last: boolean): Promise<void> {
    const path = join(this.options.folder, attempt.path);
    const child = this.options.start({ kind: "grade", exercise, path, seed: this.seed(exercise) }, limits);
    this.running.add(child);
    const output = await child.output;
    this.running.delete(child);
    const graded = typeof output === "string" ? (JSON.parse(output) as Graded) : stopped(output, attempt);
    if (isStopped(graded) && !last) this.later.push({ index, exercise, attempt });
    else this.finish(index, { ...attempt, ...graded, exercise }, graded);
    this.say();
  }

  private finish(index: number, attempt: Attempt & { readonly exercise: string }, graded: Graded): void {
    const { sha256, fingerprint } = graded;
    const grade = sha256 === null ? GONE : kept(graded.grade);
    this.set(index, { ...attempt, grade, fingerprint });
    // A signal says nothing of the submission: the next run checks it again.
    if (sha256 === null || (grade.kind === "stopped" && grade.by === "killed")) return;
    const key = resultKey({ ...attempt, sha256 }, this.options.salt);
    if (key !== null) this.options.results.addResult({ ...key, grade, fingerprint });
  }
}

function stopped(grade: Stopped, { sha256 }: Attempt): Graded {
  return { sha256, fingerprint: null, grade };
}

/** The attempts with their grades, in their order. */
export function gradeAttempts(
  attempts: readonly Attempt[],
  options: ClassRunOptions,
): Promise<readonly GradedAttempt[]> {
  return new ClassRun(attempts, options).run();
}

/** Hashes of the exercise's starter and solution, which every student is given; none where they cannot be read. */
export async function givenHashes(
  exercise: string,
  { results, limits, start }: Pick<ClassRunOptions, "results" | "limits" | "start">,
): Promise<ReadonlySet<string>> {
  const files = givenFiles(exerciseFolder(exercise)).map((path) => relative(courseRoot(), path));
  const version = `${versionFor(exercise)}-${hashOfFiles(files)}`;
  const known = results.given(exercise, version);
  if (known !== undefined) return new Set(known);
  const output = await start({ kind: "given", exercise }, limits).output;
  if (typeof output !== "string") return new Set();
  const { given } = JSON.parse(output) as Given;
  results.addGiven({ exercise, version, given });
  return new Set(given);
}
