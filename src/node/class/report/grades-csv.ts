/** The grades as CSV (RFC 4180), which a spreadsheet opens without taking a name or a reason for a formula. */
import { toCsv } from "../../../core/show/output/csv.js";
import { type Cell, table } from "../../../core/show/table.js";
import { NOT_REACHED } from "../../../course/exercises/verdict.js";
import type { ClassReport, Row } from "./class-report.js";

/** Spreadsheets begin a formula by these signs, also after blanks. */
const FORMULA = /^\s*[=+\-@]/;

/** An apostrophe in front makes it text. */
export function textCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Cells that a record does not have are empty. */
export function csvText(header: readonly string[], records: readonly Readonly<Record<string, Cell>>[]): string {
  const rows = records.map((record) => Object.fromEntries(header.map((key) => [key, record[key] ?? null])));
  return toCsv(table({ columns: header.map((key) => ({ key })), rows }));
}

type Points = Readonly<Record<string, number | string | null>>;

/** A column for each check of any exercise, and a row's points in them. */
export function checkColumns({ exercises }: Pick<ClassReport, "exercises">): {
  readonly checks: readonly string[];
  readonly pointsOf: (row: Row) => Points;
} {
  const checks = [...new Set(exercises.flatMap((each) => each.checks.map(({ check }) => check)))];
  const none = Object.fromEntries(checks.map((check) => [check, null]));
  const pointsOf = (row: Row): Points => {
    const own = row.checks.map((check) => [check.check, check.waits === true ? NOT_REACHED : check.points]);
    return { ...none, ...Object.fromEntries(own) };
  };
  return { checks, pointsOf };
}

/** One row a student and exercise. Columns for days late and overrides are there where there are any. */
export function gradesCsv(report: ClassReport): string {
  const { rows } = report;
  const { checks, pointsOf } = checkColumns(report);
  const adjusted = rows.some(({ late, override }) => late !== null || override !== null);
  const records = rows.map((row) => ({
    student: textCell(row.student),
    exercise: row.exercise,
    points: row.points,
    out_of: row.outOf,
    ...pointsOf(row),
    earned: row.earned,
    days_late: row.late?.days ?? null,
    override: row.override?.points ?? null,
    status: row.status,
    reason: textCell(row.reason),
    file: row.file === null ? null : textCell(row.file),
  }));
  const adjustments = adjusted ? ["earned", "days_late", "override"] : [];
  const keys = ["student", "exercise", "points", "out_of", ...checks, ...adjustments, "status", "reason", "file"];
  return csvText(keys, records);
}
