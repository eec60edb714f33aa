/** The exercises of the course: labs/<id>/exercise.json. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../base/errors.js";
import type { IdOr } from "../../device/index.js";
import { courseRoot } from "../course-root.js";
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

/**
 * Reads labs/<id>/exercise.json.
 * @throws InputError listing the exercises there are, or naming the field that is wrong.
 */
export function exercise(id: IdOr<ExerciseId>): ExerciseSpec {
  if (!exerciseIds().includes(id)) {
    throw new InputError({ what: `There is no exercise "${id}".`, cure: `Name one of: ${exerciseIds().join(", ")}.` });
  }
  const file = `labs/${id}/exercise.json`;
  return validExercise(file, JSON.parse(readFileSync(join(labsFolder(), id, "exercise.json"), "utf8")));
}
