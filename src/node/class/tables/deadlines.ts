/** Deadlines and late days, from CSV files: how late each attempt is, and the part of its points that is left. */

import { exercise, isExercisePath } from "../../../course/exercises/exercise.js";
import type { Attempt } from "../submissions/survey.js";
import { readCsv, refuseLine } from "./csv-file.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface Moment {
  /** Milliseconds of Unix time. */
  readonly at: number;
  /** Milliseconds that its zone is ahead of UTC. */
  readonly offset: number;
}

interface Deadline {
  /** null: of all students. */
  readonly student: string | null;
  readonly exercise: string;
  readonly due: Moment;
  /** Days after it on which an attempt counts. */
  readonly lateDays: number;
  readonly percentADay: number;
  readonly line: number;
}

export interface Deadlines {
  readonly path: string;
  readonly lines: readonly Deadline[];
}

interface Submitted {
  readonly path: string;
  readonly lines: readonly {
    readonly student: string;
    readonly exercise: string;
    readonly at: number;
    readonly line: number;
  }[];
}

const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(Z|([+-])(\d\d):(\d\d))$/;

function moment(path: string, line: number, text: string): Moment {
  const [, day, time, seconds = ":00", zone, sign, hours, minutes] = MOMENT.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}${seconds}${zone}`);
  const cure = "Write it with its zone, as 2026-11-27T23:59+01:00.";
  if (Number.isNaN(at)) refuseLine(path, line, `${JSON.stringify(text)} is no time.`, cure);
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE * (sign === "-" ? -1 : 1);
  return { at, offset };
}

function amount(path: string, line: number, column: string, text: string, most: number): number {
  const value = Number(text);
  if (value >= 0 && value <= most) return value;
  return refuseLine(path, line, `${column} is ${text}.`, `Give a number from 0 to ${most}.`);
}

/** No line may say the same of the same student and exercise again. */
export function checkOnce(
  path: string,
  lines: readonly { readonly student: string | null; readonly exercise: string; readonly line: number }[],
): void {
  const first = new Map<string, number>();
  for (const { student, exercise, line } of lines) {
    const key = JSON.stringify([student, exercise]);
    const other = first.get(key);
    if (other !== undefined) refuseLine(path, line, `line ${other} is about the same.`, "Leave one of the two.");
    first.set(key, line);
  }
}

const MOST_DAYS = 366;

/** @throws InputError with the line */
export function readDeadlines(path: string): Deadlines {
  const columns = { needed: ["exercise", "due"], optional: ["student", "late_days", "percent_a_day"] };
  const rows = readCsv(path, columns).map(({ line, cells }) => ({ line, cells }));
  const general = new Map<string | undefined, Readonly<Record<string, string>>>(
    rows.flatMap(({ cells }) => (cells.student === "" ? [[cells.exercise, cells] as const] : [])),
  );
  const lines = rows.map(({ line, cells }): Deadline => {
    const { exercise: id = "", student = "", due = "" } = cells;
    // An extension of one student keeps what it does not say.
    const said = (column: string): string => cells[column] || general.get(id)?.[column] || "0";
    return {
      student: student === "" ? null : student,
      exercise: id,
      due: moment(path, line, due),
      lateDays: amount(path, line, "late_days", said("late_days"), MOST_DAYS),
      percentADay: amount(path, line, "percent_a_day", said("percent_a_day"), 100),
      line,
    };
  });
  checkOnce(path, lines);
  return { path, lines };
}

/** When files were handed in, as a platform's log says. @throws InputError with the line */
export function readSubmitted(path: string): Submitted {
  const rows = readCsv(path, { needed: ["student", "exercise", "submitted"], optional: [] });
  const lines = rows.map(({ line, cells: { student = "", exercise: id = "", submitted = "" } }) => {
    return { student, exercise: id, at: moment(path, line, submitted).at, line };
  });
  checkOnce(path, lines);
  return { path, lines };
}

export interface Lateness {
  /** Days after the deadline, begun ones counted whole; null where nothing says when it was handed in. */
  readonly days: number | null;
  /** Those of them that the student's free days have taken. */
  readonly free: number;
  /** The part of the points that is left. */
  readonly factor: number;
}

export interface LatePolicy {
  readonly deadlines: Deadlines;
  readonly submitted: Submitted | null;
  /** Days that each student may be late in all, without a loss of points. */
  readonly freeDays: number;
  /** When the file was last changed, for files whose time counts; null where it does not. */
  readonly fileTime: ((path: string) => number) | null;
}

/** An exercise that the command names by a path is called by its id. */
export function exerciseName(id: string): string {
  return isExercisePath(id) ? exercise(id).id : id;
}

const nameOf = (attempt: Attempt): string => (attempt.exercise === null ? "" : exerciseName(attempt.exercise));

/** Days late; null where nothing says when the attempt was handed in. */
function daysLate(attempt: Attempt, { due }: Deadline, policy: LatePolicy): number | null {
  const told = policy.submitted?.lines.find(
    ({ student, exercise: id }) => student === attempt.student && id === nameOf(attempt),
  );
  const clock = attempt.download?.clock ?? null;
  // A platform's clock is that of the deadline.
  const at = told?.at ?? (clock === null ? policy.fileTime?.(attempt.path) : clock - due.offset);
  const days = at === undefined ? null : Math.max(0, Math.ceil((at - due.at) / DAY));
  return told === undefined && attempt.download?.late === true ? Math.max(1, days ?? 1) : days;
}

function deadlineFor(attempt: Attempt, { lines }: Deadlines): Deadline | undefined {
  const own = lines.filter((each) => each.exercise === nameOf(attempt));
  return own.find((each) => each.student === attempt.student) ?? own.find((each) => each.student === null);
}

/** How late each attempt is. Free days go to a student's exercises in the order of their deadlines. */
export function latenessOf(attempts: readonly Attempt[], policy: LatePolicy): ReadonlyMap<Attempt, Lateness> {
  const due = attempts.flatMap((attempt) => {
    const deadline = deadlineFor(attempt, policy.deadlines);
    return deadline === undefined ? [] : [{ attempt, deadline }];
  });
  due.sort(
    (a, b) =>
      a.deadline.due.at - b.deadline.due.at || ((a.attempt.exercise ?? "") < (b.attempt.exercise ?? "") ? -1 : 1),
  );
  const left = new Map<string, number>();
  const found = new Map<Attempt, Lateness>();
  for (const { attempt, deadline } of due) {
    const days = daysLate(attempt, deadline, policy);
    const budget = left.get(attempt.student) ?? policy.freeDays;
    const free = Math.min(days ?? 0, budget);
    left.set(attempt.student, budget - free);
    const charged = (days ?? 0) - free;
    const factor = charged > deadline.lateDays ? 0 : Math.max(0, 1 - (charged * deadline.percentADay) / 100);
    found.set(attempt, { days, free, factor });
  }
  return found;
}
