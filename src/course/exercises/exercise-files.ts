/** The exercises: labs/<id>/exercise.json, and a teacher's own ones, which are named by the path of their folder. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../../core/base/errors.js";
import { checkArgument, string } from "../../core/base/shape.js";
import type { IdOr } from "../../core/device/index.js";
import { courseRoot } from "../../node/course-root.js";
import type { ExerciseSpec } from "./spec.js";
import { validExercise } from "./spec-validate.js";

const labsFolder = (): string => join(courseRoot(), "labs");

/** The exercises that there are. Editors and notebooks complete them. */
export type ExerciseId =
  | "capstone"
  | `lab-${25 | 26 | 27 | 28 | 29 | 30}`
  | `day-${37 | 38 | 39 | 40 | 41 | 42 | 43 | 44 | 45 | 46}`;

/** The ids of all exercises, in their order. */
export function exerciseIds(): readonly string[] {
  return readdirSync(labsFolder())
    .filter((name) => existsSync(join(labsFolder(), name, "exercise.json")))
    .sort();
}

/** Whether it is a path, as `my-class/pairs`, and not an id of the course. A path of one folder begins with "./". */
export function isExercisePath(name: string): boolean {
  return /[\\/]/.test(name);
}

/** The folder of an exercise that there is, as a full path. */
export function exerciseFolder(id: IdOr<ExerciseId>): string {
  return isExercisePath(id) ? resolve(id) : join(labsFolder(), id);
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

/**
 * Reads labs/<id>/exercise.json, or that of a path.
 * @throws InputError listing the exercises there are, or naming the field that is wrong.
 */
export function exercise(id: IdOr<ExerciseId>): ExerciseSpec {
  checkArgument("exercise", "id", id, string);
  if (isExercisePath(id)) return ownExercise(id);
  if (!exerciseIds().includes(id)) {
    throw new InputError({
      what: `There is no exercise "${id}".`,
      cure: `Name one of: ${exerciseIds().join(", ")}; or the path of an exercise's folder.`,
    });
  }
  const file = `labs/${id}/exercise.json`;
  return validExercise(file, JSON.parse(readFileSync(join(exerciseFolder(id), "exercise.json"), "utf8")));
}
