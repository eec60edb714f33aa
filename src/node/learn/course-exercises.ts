/** The exercises in the course's order, with the hints of their notebooks: these are written there alone. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exercise, exerciseIds } from "../../course/exercises/exercise.js";
import type { ExerciseSpec } from "../../course/exercises/spec.js";
import { courseRoot } from "../course-root.js";
import { readNotebook } from "../notebook/notebook.js";
import { inCourseOrder } from "../site/site.js";

export interface CourseExercise {
  readonly id: string;
  readonly spec: ExerciseSpec;
  /** Path of its page, from the course's folder; null where there is none. */
  readonly notebook: string | null;
  /** Another one after an update has changed the task or the checks. */
  readonly version: string;
}

export interface Hint {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

function versionOf(id: string): string {
  const data = readFileSync(join(courseRoot(), "labs", id, "exercise.json"));
  return createHash("sha256").update(data).digest("hex").slice(0, 12);
}

/** All exercises: those of the course's pages in their order, then the others. */
export function courseExercises(): readonly CourseExercise[] {
  const folder = join(courseRoot(), "notebooks");
  const pages = existsSync(folder) ? inCourseOrder(folder) : [];
  const pageOf = (id: string): string | undefined => pages.find((name) => name === id || name.startsWith(`${id}-`));
  const ids = exerciseIds();
  const placed = pages.flatMap((name) => ids.filter((id) => pageOf(id) === name));
  return [...placed, ...ids.filter((id) => !placed.includes(id))].map((id) => {
    const page = pageOf(id);
    const notebook = page === undefined ? null : join("notebooks", `${page}.ipynb`);
    return { id, spec: exercise(id), notebook, version: versionOf(id) };
  });
}

const HINT = /<details><summary>Hint \d+: ([^\n]*?)<\/summary>\s*\n([\s\S]*?)<\/details>/g;

/** The hints of an exercise, from the first, which says least. */
export function hintsOf({ notebook }: CourseExercise): readonly Hint[] {
  if (notebook === null) return [];
  const cells = readNotebook(join(courseRoot(), notebook)).cells.filter(({ cell_type }) => cell_type === "markdown");
  return cells.flatMap(({ source }) =>
    [...source.matchAll(HINT)].map(([, title = "", text = ""]) => ({ title, text: text.trim() })),
  );
}
