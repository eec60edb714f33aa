/** The results of a class as data, which the page, the CSV and `--json` show. */
import { median } from "../../../core/base/median.js";
import { exercise } from "../../../course/exercises/exercise.js";
import { number } from "../../../course/exercises/finding.js";
import { counted } from "../../../course/exercises/source-line.js";
import { checkName, type ExerciseSpec, pointsOf } from "../../../course/exercises/spec.js";
import type { CheckResult } from "../../../course/exercises/verdict.js";
import { oneLine, reasonText, UNCHANGED } from "../../grade/report.js";
import type { GradedAttempt } from "../class-run.js";
import type { AlikePair } from "../similar/alike.js";
import { type IdenticalFiles, identicalFiles } from "../similar/identical.js";
import type { Passed } from "../submissions/submission-tree.js";
import type { Attempt, Survey } from "../submissions/survey.js";
import type { Lateness } from "../tables/deadlines.js";
import { checkOverrides, type Override, type Overrides } from "../tables/overrides.js";
import { type ItemAnalysis, itemAnalysis } from "./item-analysis.js";
import { type Mistake, mistakesOf } from "./mistakes.js";

/** "stopped": a limit of time or memory has ended its check, which depends on the machine. */
export type RowStatus = "graded" | "refused" | "stopped" | "missing";

export interface Row {
  readonly student: string;
  readonly exercise: string | null;
  /** Those that count: the checks', less those of days late, or an override's. */
  readonly points: number;
  /** null where the exercise is not known. */
  readonly outOf: number | null;
  /** Those of the checks. */
  readonly earned: number;
  /** null where there is no deadline, and for files that do not count. */
  readonly late: Lateness | null;
  readonly override: Pick<Override, "points" | "reason"> | null;
  readonly status: RowStatus;
  readonly reason: string;
  /** Empty where there is no verdict. */
  readonly checks: readonly CheckResult[];
  /** From the folder of submissions; null where there is none. */
  readonly file: string | null;
  readonly sha256: string | null;
}

export interface CheckSummary extends ItemAnalysis {
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
  readonly identical: readonly IdenticalFiles[];
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
  /** Students whom the roster does not have. */
  readonly strangers: readonly string[];
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

function lateWords({ days, free, factor }: Lateness): string {
  if (days === null) return " Nothing says when it was handed in: it counts as on time.";
  if (days === 0) return "";
  const of = free === 0 ? "" : `, ${free} of them free`;
  return ` It is ${counted(days, "day")} late${of}: ${number(factor * 100)} % of the points count.`;
}

function reasonOf({ grade }: GradedAttempt): string {
  if (grade.kind === "stopped") return oneLine(`${grade.what} ${RETRY}`);
  if (grade.kind === "refused") return oneLine(reasonText(grade));
  const failed = grade.verdict.checks.find(({ passed }) => !passed);
  const unchanged = grade.unchanged === true ? `${UNCHANGED} ` : "";
  return failed === undefined ? "All checks pass." : oneLine(`${unchanged}${failed.check}: ${failed.sentence}`);
}

function rowOf(attempt: GradedAttempt, late: Lateness | null): Row {
  const { student, exercise: id, path, sha256, grade } = attempt;
  const verdict = grade.kind === "verdict" ? grade.verdict : null;
  const earned = verdict?.points ?? 0;
  return {
    student: oneLine(student),
    exercise: nameOf(id),
    points: late === null ? earned : Number((earned * late.factor).toFixed(2)),
    outOf: id === null ? null : pointsOf(specOf(id)),
    earned,
    late,
    override: null,
    status: grade.kind === "verdict" ? "graded" : grade.kind,
    reason: `${reasonOf(attempt)}${late === null ? "" : lateWords(late)}`,
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
    earned: 0,
    late: null,
    override: null,
    status: "missing",
    reason: id === null ? "Nothing was handed in." : `No file was handed in for ${nameOf(id)}.`,
    checks: [],
    file: null,
    sha256: null,
  };
}

function overridden(row: Row, { points, reason }: Override): Row {
  const why = oneLine(reason);
  const said = `An instructor gives ${number(points)} points: ${why}${/[.!?]$/.test(why) ? "" : "."}`;
  return { ...row, points, override: { points, reason: why }, reason: `${said} Before: ${row.reason}` };
}

function withOverrides(rows: readonly Row[], overrides: Overrides | null): readonly Row[] {
  if (overrides === null) return rows;
  checkOverrides(overrides, rows);
  const byKey = new Map(overrides.lines.map((each) => [JSON.stringify([each.student, each.exercise]), each]));
  return rows.map((row) => {
    const override = byKey.get(JSON.stringify([row.student, row.exercise]));
    return override === undefined ? row : overridden(row, override);
  });
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
  const points = rows.filter(({ checks }) => checks.length > 0).map(({ checks }) => checks.map((each) => each.points));
  const analysis = itemAnalysis(points, index, outOf);
  return { check, outOf, passed: results.filter(({ passed }) => passed).length, mistakes, ...analysis };
}

function exerciseSummary(
  id: string,
  rows: readonly Row[],
  hints: Pick<ExerciseSummary, "alike" | "identical">,
): ExerciseSummary {
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
    ...hints,
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
  readonly lateness?: ReadonlyMap<Attempt, Lateness>;
  readonly overrides?: Overrides | null;
  readonly strangers?: readonly string[];
}

/** @throws InputError with the line, for an override of nobody */
export function classReport({
  folder,
  attempts,
  survey,
  alike,
  lateness = new Map(),
  overrides = null,
  strangers = [],
}: ReportParts): ClassReport {
  const counting = attempts.filter(({ superseded }) => !superseded);
  const graded = counting.map((attempt) => rowOf(attempt, lateness.get(attempt) ?? null));
  const rows = withOverrides([...graded, ...survey.missing.map(missingRow)].sort(inOrder), overrides);
  const all = [...counting, ...survey.missing].flatMap(({ exercise: id }) => (id === null ? [] : [id]));
  const ids = [...new Set(all)].sort();
  return {
    folder: oneLine(folder),
    exercises: ids.map((id) => {
      const own = rows.filter((row) => row.exercise === nameOf(id));
      const pairs = (alike.get(id) ?? []).map(({ students: [a, b], ...pair }): AlikePair => {
        return { ...pair, students: [oneLine(a), oneLine(b)] };
      });
      const identical = identicalFiles(
        id,
        counting.filter((each) => each.exercise === id),
      ).map(({ students, published }) => ({ students: students.map(oneLine), published }));
      return exerciseSummary(id, own, { alike: pairs, identical });
    }),
    rows,
    superseded: attempts
      .filter(({ superseded }) => superseded)
      .map((attempt) => rowOf(attempt, null))
      .sort(inOrder),
    passed: survey.passed.map(({ path, why }) => ({ path: oneLine(path), why: oneLine(why) })),
    sameButForCase: sameButForCase([...new Set(rows.map(({ student }) => student))]),
    strangers: strangers.map(oneLine),
  };
}

export function pointsText({ points, outOf }: Pick<Row, "points" | "outOf">): string {
  return outOf === null ? number(points) : `${number(points)} of ${number(outOf)}`;
}
