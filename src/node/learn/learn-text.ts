/** Texts of `npm run learn`, as lines that fit the terminal. */
import { relative } from "node:path";
import { wrap } from "../../core/show/output/plain-text.js";
import { number } from "../../course/exercises/finding.js";
import type { CourseExercise, Hint } from "./course-exercises.js";
import type { ExerciseState, LearnCourse } from "./learn-course.js";

/** A path as the user may type it, from where they stand. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.length < path.length ? short : path;
}

function paragraphs(texts: readonly string[], width: number): string {
  return `${texts.flatMap((text) => (text === "" ? [""] : wrap(text, width))).join("\n")}\n`;
}

export function welcomeText({ exercises, work }: LearnCourse, width: number): string {
  const texts = [
    "Welcome! You write a kernel an exercise, and it is checked each time you save its file.",
    `There are ${exercises.length} exercises. Your files are in ${shownPath(work.folder)}/; no update touches them.`,
    "",
  ];
  return paragraphs(texts, width);
}

/** `[######--------] 6 of 15` */
export function progressText({ exercises, passedCount }: LearnCourse, width: number): string {
  const said = ` ${passedCount} of ${exercises.length} passed`;
  const cells = Math.max(8, Math.min(40, width - said.length - 2));
  const full = Math.floor((cells * passedCount) / exercises.length);
  return `[${"#".repeat(full)}${"-".repeat(cells - full)}]${said}\n`;
}

/** The exercise that the learner works on now. */
export function exerciseText(course: LearnCourse, { id, spec, notebook }: CourseExercise, width: number): string {
  const texts = [
    `${id}: ${spec.title}`,
    `Edit ${shownPath(course.work.pathOf(id))} and save it.`,
    ...(notebook === null ? [] : [`Its page: ${notebook} (npm start shows it)`]),
  ];
  return paragraphs(texts, width);
}

const MARKS: Readonly<Record<ExerciseState, string>> = {
  passed: "passed",
  "passed before a change": "passed*",
  open: "",
};

/** All exercises, with the one that comes next. */
export function listText(course: LearnCourse, width: number): string {
  const { exercises, next, progress } = course;
  const rows = exercises.map((exercise) => {
    const { points } = progress.of(exercise.id);
    const mark = exercise === next ? "now" : MARKS[course.stateOf(exercise)];
    const outOf = exercise.spec.checks.reduce((sum, check) => sum + check.points, 0);
    const reached = points === undefined ? "" : `${number(points)}/${number(outOf)}`;
    const head = `${mark.padEnd(7)} ${reached.padStart(6)}  ${exercise.id}  `;
    const titles = wrap(exercise.spec.title, Math.max(12, width - head.length));
    return titles.map((title, index) => (index === 0 ? head : " ".repeat(head.length)) + title).join("\n");
  });
  const changed = exercises.some((exercise) => course.stateOf(exercise) === "passed before a change");
  const note = changed ? ["* passed before an update changed the exercise; it still counts"] : [];
  const notes = note.flatMap((text) => wrap(text, width));
  return `${[...rows, ...notes].join("\n")}\n${progressText(course, width)}`;
}

/** Code stays as it is; text is wrapped. */
function markdownLines(text: string, width: number): readonly string[] {
  return text.split(/^(```[\s\S]*?^```)$/m).flatMap((part) => {
    if (part.startsWith("```")) return part.split("\n").filter((line) => !line.startsWith("```"));
    return part
      .trim()
      .split(/\n{2,}/)
      .filter((paragraph) => paragraph !== "")
      .flatMap((paragraph) => wrap(paragraph.replace(/\s+/g, " "), width));
  });
}

export function hintText({ notebook }: CourseExercise, hints: readonly Hint[], of: number, width: number): string {
  const shown = hints.flatMap(({ title, text }, index) => [
    ...wrap(`Hint ${index + 1} of ${of}: ${title}`, width),
    ...markdownLines(text, width - 2).map((line) => `  ${line}`.trimEnd()),
  ]);
  const page = notebook === null ? "" : ` The page ${notebook} leads up to the exercise.`;
  const rest = hints.length < of ? "Ask again for the next hint." : `That was the last hint.${page}`;
  return `${[...shown, ...wrap(rest, width)].join("\n")}\n`;
}
