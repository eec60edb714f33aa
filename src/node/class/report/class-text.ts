/** The results of a class in a few lines, for a terminal of 60 columns. */
import { wrap } from "../../../core/show/output/plain-text.js";
import { number } from "../../../course/exercises/finding.js";
import { counted } from "../../../course/exercises/source-line.js";
import type { ClassReport, ExerciseSummary } from "./class-report.js";

const COLUMNS = 60;
const BAR = 24;

function exerciseLines(summary: ExerciseSummary): readonly string[] {
  const { exercise, title, students, mean, median, outOf, distribution, checks, graded, alike, identical } = summary;
  const centre =
    mean === null || median === null ? "" : `: mean ${number(mean)}, median ${number(median)} of ${number(outOf)}`;
  const most = Math.max(1, ...distribution);
  const bars = distribution.map((count, points) => {
    const bar = "#".repeat(Math.ceil((count / most) * BAR));
    return `${String(points).padStart(6)}  ${bar}${bar === "" ? "" : " "}${count}`;
  });
  const shares = checks.map(({ check, passed }) => {
    const share = graded === 0 ? "–" : `${Math.round((passed / graded) * 100)} %`;
    return `${share.padStart(6)}  ${check}`;
  });
  const same = identical.reduce((sum, group) => sum + group.students.length, 0);
  const bytes = same === 0 ? [] : [`${counted(same, "student")} have files of the same bytes: see the page`];
  const hint = alike.length === 0 ? [] : [`${counted(alike.length, "pair")} of kernels are alike: see the page`];
  return [
    ...wrap(`${exercise}: ${title}`, COLUMNS),
    ...wrap(`${counted(students, "student")}${centre}`, COLUMNS),
    "points  students",
    ...bars.reverse(),
    "passed  check",
    ...shares,
    ...bytes.flatMap((line) => wrap(line, COLUMNS)),
    ...hint,
    "",
  ];
}

/** The lines, each of at most 60 columns, but for the paths. */
export function classText(report: ClassReport, files: readonly string[]): string {
  const { rows, superseded, passed, strangers } = report;
  const count = (status: string): number => rows.filter((row) => row.status === status).length;
  const states = ["graded", "refused", "stopped", "missing"].map((status) => `${count(status)} ${status}`);
  const beside = [
    ...(superseded.length === 0 ? [] : [`${counted(superseded.length, "file")} not counted, as a later one is`]),
    ...(strangers.length === 0 ? [] : [`${strangers.length} not on the roster`]),
    ...(passed.length === 0 ? [] : [`${passed.length} passed over`]),
  ];
  const total = `${counted(rows.length, "score")}: ${[...states, ...beside].join(", ")}.`;
  return `${[...report.exercises.flatMap(exerciseLines), ...wrap(total, COLUMNS), ...files].join("\n")}\n`;
}
