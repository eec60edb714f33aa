/** The results of a class as data, which the page, the CSV and `--json` show. */
import { median } from "../../core/base/median.js";
import { exercise } from "../../course/exercises/exercise.js";
import { number } from "../../course/exercises/finding.js";
import { checkName, type ExerciseSpec, pointsOf } from "../../course/exercises/spec.js";
import type { CheckResult } from "../../course/exercises/verdict.js";
import { oneLine, reasonText, UNCHANGED } from "../grade/report.js";
import type { AlikePair } from "./alike.js";
import type { GradedAttempt } from "./class-run.js";
import { type Mistake, mistakesOf } from "./mistakes.js";
import type { Passed } from "./submission-tree.js";
import type { Survey } from "./survey.js";

/** "stopped": a limit of time or memory has ended its check, which depends on the machine. */
export type RowStatus = "graded" | "refused" | "stopped" | "missing";

export interface Row {
  readonly student: string;
  readonly exercise: string | null;
  readonly points: number;
  /** null where the exercise is not known. */
  readonly outOf: number | null;
  readonly status: RowStatus;
  readonly reason: string;
  /** Empty where there is no verdict. */
  readonly checks: readonly CheckResult[];
  /** From the folder of submissions; null where there is none. */
  readonly file: string | null;
  readonly sha256: string | null;
}

export interface CheckSummary {
  readonly check: string;
  readonly outOf: number;
  readonly passed: number;
  readonly mistakes: readonly Mistake[];
}

export interface ExerciseSummary {
  readonly exercise: string;
  readonly title: string;
  readonly outOf: number;
  /** Rows that count, those without a file included. */
  readonly students: number;
  /** null for nobody. */
  readonly mean: number | null;
  readonly median: number | null;
  /** Students with n to less than n + 1 points, from 0 on. */
  readonly distribution: readonly number[];
  /** Students whose kernels were looked at by the checks. */
  readonly graded: number;
  readonly checks: readonly CheckSummary[];
  readonly alike: readonly AlikePair[];
}

export interface ClassReport {
  /** The folder's name. */
  readonly folder: string;
  readonly exercises: readonly ExerciseSummary[];
  /** One for a student and an exercise, by student. */
  readonly rows: readonly Row[];
  /** Files that were graded, and in whose stead a later one of the student counts. */
  readonly superseded: readonly Row[];
  readonly passed: readonly Passed[];
  /** Students whose names differ in capital letters alone. */
  readonly sameButForCase: readonly (readonly string[])[];
}

const specs = new Map<string, ExerciseSpec>();

function specOf(id: string): ExerciseSpec {
  const spec = specs.get(id) ?? exercise(id);
  specs.set(id, spec);
  return spec;
}

/** An exercise that a path names is called by its id. */
function nameOf<Id extends string | null>(id: Id): Id | string {
  return id === null ? id : specOf(id).id;
}

const RETRY = "This depends on the machine; --retry checks it again.";

function reasonOf({ grade }: GradedAttempt): string {
  if (grade.kind === "stopped") return oneLine(`${grade.what} ${RETRY}`);
  if (grade.kind === "refused") return oneLine(reasonText(grade));
  const failed = grade.verdict.checks.find(({ passed }) => !passed);
  const unchanged = grade.unchanged === true ? `${UNCHANGED} ` : "";
  return failed === undefined ? "All checks pass." : oneLine(`${unchanged}${failed.check}: ${failed.sentence}`);
}

function rowOf(attempt: GradedAttempt): Row {
  const { student, exercise: id, path, sha256, grade } = attempt;
  const verdict = grade.kind === "verdict" ? grade.verdict : null;
  return {
    student: oneLine(student),
    exercise: nameOf(id),
    points: verdict?.points ?? 0,
    outOf: id === null ? null : pointsOf(specOf(id)),
    status: grade.kind === "verdict" ? "graded" : grade.kind,
    reason: reasonOf(attempt),
    checks: (verdict?.checks ?? []).map((check) => ({ ...check, sentence: oneLine(check.sentence) })),
    file: oneLine(path),
    sha256,
  };
}

function missingRow({ student, exercise: id }: Survey["missing"][number]): Row {
  return {
    student: oneLine(student),
    exercise: nameOf(id),
    points: 0,
    outOf: id === null ? null : pointsOf(specOf(id)),
    status: "missing",
    reason: id === null ? "Nothing was handed in." : `No file was handed in for ${nameOf(id)}.`,
    checks: [],
    file: null,
    sha256: null,
  };
}

/** By student and exercise, in the order of Unicode's numbers, which is that of every machine. */
function inOrder(a: Row, b: Row): number {
  const [left, right] = [a, b].map(({ student, exercise: id, file }) => [student, id ?? "", file ?? ""]);
  const at = left?.findIndex((text, index) => text !== right?.[index]) ?? -1;
  return at < 0 ? 0 : (left?.[at] ?? "") < (right?.[at] ?? "") ? -1 : 1;
}

function checkSummary(rows: readonly Row[], index: number, check: string, outOf: number): CheckSummary {
  const results = rows.flatMap(({ student, checks }) => {
    const result = checks[index];
    return result === undefined ? [] : [{ student, ...result }];
  });
  const failed = results.filter(({ passed, waits }) => !passed && waits !== true);
  const mistakes = mistakesOf(failed.map(({ student, sentence }) => ({ student, sentence })));
  return { check, outOf, passed: results.filter(({ passed }) => passed).length, mistakes };
}

function exerciseSummary(id: string, rows: readonly Row[], alike: readonly AlikePair[]): ExerciseSummary {
  const spec = specOf(id);
  const outOf = pointsOf(spec);
  const points = rows.map((row) => row.points);
  const distribution = Array.from({ length: Math.floor(outOf) + 1 }, () => 0);
  for (const each of points) distribution[Math.floor(each)] = (distribution[Math.floor(each)] ?? 0) + 1;
  return {
    exercise: spec.id,
    title: spec.title,
    outOf,
    students: rows.length,
    mean: points.length === 0 ? null : points.reduce((sum, each) => sum + each, 0) / points.length,
    median: points.length === 0 ? null : median(points),
    distribution,
    graded: rows.filter(({ checks }) => checks.length > 0).length,
    checks: spec.checks.map((check, index) => checkSummary(rows, index, checkName(check), check.points)),
    alike,
  };
}

function sameButForCase(students: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const student of students) {
    const key = student.toLowerCase();
    groups.set(key, [...(groups.get(key) ?? []), student]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

export interface ReportParts {
  readonly folder: string;
  readonly attempts: readonly GradedAttempt[];
  readonly survey: Pick<Survey, "missing" | "passed">;
  /** By exercise. */
  readonly alike: ReadonlyMap<string, readonly AlikePair[]>;
}

export function classReport({ folder, attempts, survey, alike }: ReportParts): ClassReport {
  const counted = attempts.filter(({ superseded }) => !superseded);
  const rows = [...counted.map(rowOf), ...survey.missing.map(missingRow)].sort(inOrder);
  const all = [...counted, ...survey.missing].flatMap(({ exercise: id }) => (id === null ? [] : [id]));
  const ids = [...new Set(all)].sort();
  return {
    folder: oneLine(folder),
    exercises: ids.map((id) => {
      const own = rows.filter((row) => row.exercise === nameOf(id));
      const pairs = (alike.get(id) ?? []).map(({ students: [a, b], ...pair }): AlikePair => {
        return { ...pair, students: [oneLine(a), oneLine(b)] };
      });
      return exerciseSummary(id, own, pairs);
    }),
    rows,
    superseded: attempts
      .filter(({ superseded }) => superseded)
      .map(rowOf)
      .sort(inOrder),
    passed: survey.passed.map(({ path, why }) => ({ path: oneLine(path), why: oneLine(why) })),
    sameButForCase: sameButForCase([...new Set(rows.map(({ student }) => student))]),
  };
}

export function pointsText({ points, outOf }: Pick<Row, "points" | "outOf">): string {
  return outOf === null ? number(points) : `${number(points)} of ${number(outOf)}`;
}
