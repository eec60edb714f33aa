/** The course's files as they lie on this machine. A program of Node that reads them imports this file. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../core/base/errors.js";
import { provideCourseFiles } from "../course/course-files.js";
import { isExercisePath } from "../course/exercises/exercise.js";
import type { ExerciseSpec } from "../course/exercises/spec.js";
import { courseRoot } from "./course-root.js";
import { validExercise } from "./exercise-schema.js";

const labsFolder = (): string => join(courseRoot(), "labs");
const publishedFolder = (): string => join(labsFolder(), "published");

/** The folder of an exercise that there is, as a full path. */
export function exerciseFolder(id: string): string {
  return isExercisePath(id) ? resolve(id) : join(labsFolder(), id);
}

/** The starters and solutions that there are in an exercise's folder, in both languages. */
export function givenFiles(folder: string): readonly string[] {
  const names = ["starter.ts", "solution.ts", "starter.cu", "solution.cu"];
  return names.map((name) => join(folder, name)).filter((path) => existsSync(path));
}

function ownExercise(path: string): ExerciseSpec {
  const file = join(path, "exercise.json");
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(resolve(file), "utf8"));
  } catch (problem) {
    throw new InputError({
      what: `${file} cannot be read: ${(problem as Error).message}`,
      cure: "Name the folder of an exercise, which holds its exercise.json.",
    });
  }
  return validExercise(file, data);
}

provideCourseFiles({
  get exerciseIds() {
    return readdirSync(labsFolder())
      .filter((name) => existsSync(join(labsFolder(), name, "exercise.json")))
      .sort();
  },
  exercise(idOrPath) {
    if (isExercisePath(idOrPath)) return ownExercise(idOrPath);
    const file = join(exerciseFolder(idOrPath), "exercise.json");
    return validExercise(`labs/${idOrPath}/exercise.json`, JSON.parse(readFileSync(file, "utf8")));
  },
  get publishedIds() {
    return readdirSync(publishedFolder())
      .map((file) => file.replace(/\.json$/, ""))
      .sort();
  },
  published(id) {
    const path = join(publishedFolder(), `${id}.json`);
    return /^[\w-]+$/.test(id) && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
  },
});
