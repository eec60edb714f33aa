/** Points that an instructor gives in place of the checks', with the reason. A regrade leaves them as they are. */
import { readCsv, refuseLine } from "./csv-file.js";
import { checkOnce } from "./deadlines.js";

export interface Override {
  readonly student: string;
  readonly exercise: string;
  readonly points: number;
  readonly reason: string;
  readonly line: number;
}

export interface Overrides {
  readonly path: string;
  readonly lines: readonly Override[];
}

/** @throws InputError with the line */
export function readOverrides(path: string): Overrides {
  const rows = readCsv(path, { needed: ["student", "exercise", "points", "reason"], optional: [] });
  const lines = rows.map(({ line, cells: { student = "", exercise = "", points = "", reason = "" } }): Override => {
    if (points === "" || !Number.isFinite(Number(points)) || Number(points) < 0) {
      refuseLine(path, line, `points are ${JSON.stringify(points)}.`, "Give a number from 0.");
    }
    if (reason === "") refuseLine(path, line, "the reason is missing.", "Say why, for the one who asks.");
    return { student, exercise, points: Number(points), reason, line };
  });
  checkOnce(path, lines);
  return { path, lines };
}

interface Known {
  readonly student: string;
  readonly exercise: string | null;
  readonly outOf: number | null;
}

/** @throws InputError with the line, for an override of nobody, or of more points than there are */
export function checkOverrides({ path, lines }: Overrides, rows: readonly Known[]): void {
  const students = new Set(rows.map(({ student }) => student));
  const byKey = new Map(rows.map((row) => [JSON.stringify([row.student, row.exercise]), row]));
  for (const { student, exercise, points, line } of lines) {
    const row = byKey.get(JSON.stringify([student, exercise]));
    if (row === undefined) {
      const what = students.has(student) ? `${student} has no row for ${exercise}.` : `there is no student ${student}.`;
      refuseLine(path, line, what, "Name a student and an exercise as in grades.csv.");
    }
    if (points > (row.outOf ?? 0)) {
      refuseLine(path, line, `${exercise} has ${row.outOf} points, not ${points}.`, "Give no more than that.");
    }
  }
}

/** @throws InputError with the line, for a line of a student or exercise that the class does not have */
export function checkNamed(
  path: string,
  lines: readonly { readonly student: string | null; readonly exercise: string; readonly line: number }[],
  students: ReadonlySet<string>,
  exercises: ReadonlySet<string>,
): void {
  for (const { student, exercise, line } of lines) {
    if (student !== null && !students.has(student)) {
      refuseLine(path, line, `there is no student ${student}.`, "Name a student as in grades.csv.");
    }
    if (!exercises.has(exercise)) {
      refuseLine(path, line, `there is no exercise ${exercise}.`, `Name one of ${[...exercises].join(", ")}.`);
    }
  }
}
