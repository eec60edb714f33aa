/** The grades as the CSV files of learning platforms' gradebooks, for the learners of a roster. */
import type { Cell } from "../../../core/show/table.js";
import type { Learner } from "../tables/roster.js";
import type { ClassReport, Row } from "./class-report.js";
import { csvText, textCell } from "./grades-csv.js";

/** By student, then by exercise. */
type Rows = ReadonlyMap<string, ReadonlyMap<string | null, Row>>;

function rowsOf({ rows }: ClassReport): Rows {
  const found = new Map<string, Map<string | null, Row>>();
  for (const row of rows) {
    const own = found.get(row.student) ?? new Map<string | null, Row>();
    found.set(row.student, own.set(row.exercise, row));
  }
  return found;
}

/** Empty where a limit has ended the check: such a score is not to be signed yet. */
function points(row: Row | undefined): Cell {
  return row === undefined || (row.status === "stopped" && row.override === null) ? null : row.points;
}

function csv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const records = rows.map((cells) => Object.fromEntries(header.map((key, index) => [key, cells[index] ?? null])));
  return csvText(header, records);
}

const nameOf = ({ name, student }: Learner): string => textCell(name === "" ? student : name);

/** Columns of Canvas's gradebook import; the second line has the points that there are. */
function canvasCsv({ exercises }: ClassReport, learners: readonly Learner[], rows: Rows): string {
  const ids = exercises.map(({ exercise }) => exercise);
  const header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", ...ids];
  const possible = ["    Points Possible", null, null, null, null, ...exercises.map(({ outOf }) => outOf)];
  const lines = learners.map((learner) => [
    nameOf(learner),
    learner.canvasId,
    textCell(learner.sisId),
    textCell(learner.login),
    textCell(learner.section),
    ...ids.map((id) => points(rows.get(learner.student)?.get(id))),
  ]);
  return csv(header, [possible, ...lines]);
}

/** Columns that Moodle's grade import maps by itself: the learner's, and for each exercise the points and the feedback. */
function moodleCsv({ exercises }: ClassReport, learners: readonly Learner[], rows: Rows): string {
  const ids = exercises.map(({ exercise }) => exercise);
  const header = ["ID number", "Username", "Email address", ...ids.flatMap((id) => [id, `${id} (Feedback)`])];
  const lines = learners.map((learner) => [
    textCell(learner.sisId),
    textCell(learner.login),
    textCell(learner.email),
    ...ids.flatMap((id) => {
      const row = rows.get(learner.student)?.get(id);
      return [points(row), row === undefined ? null : textCell(row.reason)];
    }),
  ]);
  return csv(header, lines);
}

/** "Jane Doe", or "Doe, Jane". */
function firstAndLast(name: string): readonly [string, string] {
  const [last = "", first] = name.split(/,\s*/, 2);
  if (first !== undefined) return [first, last];
  const words = name.split(/\s+/);
  return [words.slice(0, -1).join(" "), words.at(-1) ?? ""];
}

/** Columns of Gradescope's roster, and for each exercise those of its gradebook. */
function gradescopeCsv({ exercises }: ClassReport, learners: readonly Learner[], rows: Rows): string {
  const header = ["First Name", "Last Name", "SID", "Email", "Sections"];
  const columns = exercises.flatMap(({ exercise }) => [exercise, `${exercise} - Max Points`]);
  const lines = learners.map((learner) => {
    const [first, last] = firstAndLast(learner.name === "" ? learner.student : learner.name);
    return [
      textCell(first),
      textCell(last),
      textCell(learner.sisId),
      textCell(learner.email),
      textCell(learner.section),
      ...exercises.flatMap(({ exercise, outOf }) => [points(rows.get(learner.student)?.get(exercise)), outOf]),
    ];
  });
  return csv([...header, ...columns], lines);
}

/** Text of each file, by its name. */
export function gradebooks(report: ClassReport, learners: readonly Learner[]): ReadonlyMap<string, string> {
  const rows = rowsOf(report);
  return new Map([
    ["canvas.csv", canvasCsv(report, learners, rows)],
    ["moodle.csv", moodleCsv(report, learners, rows)],
    ["gradescope.csv", gradescopeCsv(report, learners, rows)],
  ]);
}
