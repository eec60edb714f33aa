/** The grades as CSV (RFC 4180), which a spreadsheet opens without taking a name or a reason for a formula. */

import { toCsv } from "../../core/show/output/csv.js";
import { table } from "../../core/show/table.js";
import { NOT_REACHED } from "../../course/exercises/verdict.js";
import type { ClassReport } from "./class-report.js";

/** Spreadsheets begin a formula by these signs, also after blanks. */
const FORMULA = /^\s*[=+\-@]/;

/** An apostrophe in front makes it text. */
function textCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** One row a student and exercise: student, exercise, points, out_of, a column a check, status, reason, file. */
export function gradesCsv({ rows, exercises }: ClassReport): string {
  const checks = [...new Set(exercises.flatMap((each) => each.checks.map(({ check }) => check)))];
  const records = rows.map((row): Readonly<Record<string, string | number | null>> => {
    const points = Object.fromEntries(
      row.checks.map((check) => [check.check, check.waits === true ? NOT_REACHED : check.points]),
    );
    return {
      student: textCell(row.student),
      exercise: row.exercise,
      points: row.points,
      out_of: row.outOf,
      ...Object.fromEntries(checks.map((check) => [check, points[check] ?? null])),
      status: row.status,
      reason: textCell(row.reason),
      file: row.file === null ? null : textCell(row.file),
    };
  });
  const keys = ["student", "exercise", "points", "out_of", ...checks, "status", "reason", "file"];
  return toCsv(table({ columns: keys.map((key) => ({ key })), rows: records }));
}
