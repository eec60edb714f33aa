/** The learners of a class, from a CSV file: who has handed in nothing has a row, and platforms' names are theirs. */

import { type SubmissionTree, withNames } from "../submissions/submission-tree.js";
import { type CsvRow, readCsv, refuseLine } from "./csv-file.js";

export interface Learner {
  /** Names the learner in all results; their files may be named by it. */
  readonly student: string;
  readonly name: string;
  readonly email: string;
  /** Canvas's number of the learner, as in the names of its downloads. */
  readonly canvasId: string;
  /** The university's number: Canvas's SIS User ID, Moodle's ID number, Gradescope's SID. */
  readonly sisId: string;
  /** Canvas's SIS Login ID, Moodle's username. */
  readonly login: string;
  readonly section: string;
}

const COLUMNS = {
  needed: ["student"],
  optional: ["name", "email", "canvas_id", "sis_id", "login", "section"],
} as const;

/** Columns that name one learner. */
const UNIQUE = ["student", "email", "canvas_id", "sis_id", "login"] as const;

function checkUnique(path: string, rows: readonly CsvRow[]): void {
  for (const column of UNIQUE) {
    const lines = new Map<string, number>();
    for (const { line, cells } of rows) {
      const id = (cells[column] ?? "").toLowerCase();
      if (id === "") {
        if (column === "student") refuseLine(path, line, "the student is missing.", "Give each learner an id.");
        continue;
      }
      const first = lines.get(id);
      const cure = "Give each learner an id of their own, and one row.";
      if (first !== undefined) refuseLine(path, line, `the ${column} ${cells[column]} is in line ${first}, too.`, cure);
      lines.set(id, line);
    }
  }
}

/** @throws InputError with the line, for unknown columns and two learners of one id */
export function readRoster(path: string): readonly Learner[] {
  const rows = readCsv(path, COLUMNS);
  checkUnique(path, rows);
  return rows.map(({ cells }) => ({
    student: (cells.student ?? "").normalize("NFC"),
    name: cells.name ?? "",
    email: cells.email ?? "",
    canvasId: cells.canvas_id ?? "",
    sisId: cells.sis_id ?? "",
    login: cells.login ?? "",
    section: cells.section ?? "",
  }));
}

/** Letters and digits alone, as Canvas writes names: "Doe, Jane" is "doejane". */
const plain = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** The ways in which a file may name a learner; "Jane Doe" is also "doejane". */
function writings({ student, name, email, sisId, login }: Learner): readonly string[] {
  const words = name.split(/\s+/);
  const turned = [...words.slice(-1), ...words.slice(0, -1)].join("");
  return [student, name, turned, email, email.replace(/@.*/, ""), sisId, login]
    .map(plain)
    .filter((each) => each !== "");
}

/** Learners by each of their writings; a writing of two learners names nobody. */
function byWriting(learners: readonly Learner[]): ReadonlyMap<string, string> {
  const found = new Map<string, string | null>();
  for (const learner of learners) {
    for (const writing of new Set(writings(learner))) found.set(writing, found.has(writing) ? null : learner.student);
  }
  return new Map([...found].filter((each): each is [string, string] => each[1] !== null));
}

/**
 * The tree with the roster's ids for students, and with its learners who have no file.
 * @returns also the students whom the roster does not have
 */
export function onRoster(
  tree: SubmissionTree,
  learners: readonly Learner[],
): { readonly tree: SubmissionTree; readonly strangers: readonly string[] } {
  const ids = new Set(learners.map(({ student }) => student));
  const byCanvas = new Map(
    learners.flatMap(({ canvasId, student }) => (canvasId === "" ? [] : [[canvasId, student] as const])),
  );
  const writing = byWriting(learners);
  const names = new Map<string, string>();
  const strangers: string[] = [];
  for (const found of tree.students) {
    const [, own = found] = /^(.*) \(\d+\)$/.exec(found) ?? [];
    const canvas = byCanvas.get(tree.canvasIds.get(found) ?? "");
    // A number that tells namesakes apart is none of the name: such a learner is found by the number alone.
    const named = ids.has(found) ? found : own === found ? writing.get(plain(found)) : undefined;
    const student = canvas ?? named;
    if (student === undefined) strangers.push(found);
    else names.set(found, student);
  }
  const renamed = withNames(tree, names);
  const students = [...new Set([...renamed.students, ...ids])].sort();
  return { tree: { ...renamed, students }, strangers };
}
