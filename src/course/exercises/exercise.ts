/** The exercises: labs/<id>/exercise.json, and a teacher's own ones, which are named by the path of their folder. */
import { InputError } from "../../core/base/errors.js";
import { checkArgument, string } from "../../core/base/shape.js";
import type { IdOr } from "../../core/device/index.js";
import { courseFiles } from "../course-files.js";
import type { ExerciseSpec } from "./spec.js";

/** The exercises that there are. Editors and notebooks complete them. */
export type ExerciseId =
  | "capstone"
  | `lab-${25 | 26 | 27 | 28 | 29 | 30}`
  | `day-${37 | 38 | 39 | 40 | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 48}`;

/** The ids of all exercises, in their order. */
export function exerciseIds(): readonly string[] {
  return courseFiles().exerciseIds;
}

/** Whether it is a path, as `my-class/pairs`, and not an id of the course. A path of one folder begins with "./". */
export function isExercisePath(name: string): boolean {
  return /[\\/]/.test(name);
}

/**
 * Reads labs/<id>/exercise.json, or that of a path.
 * @throws InputError listing the exercises there are, or naming the field that is wrong.
 */
export function exercise(id: IdOr<ExerciseId>): ExerciseSpec {
  checkArgument("exercise", "id", id, string);
  if (!isExercisePath(id) && !exerciseIds().includes(id)) {
    throw new InputError({
      what: `There is no exercise "${id}".`,
      cure: `Name one of: ${exerciseIds().join(", ")}; or the path of an exercise's folder.`,
    });
  }
  return courseFiles().exercise(id);
}
