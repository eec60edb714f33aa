/**
 * What the course reads beside its code: exercises and published tables. Node reads them from the disk
 * (node/files-on-disk.ts); a web page brings them along.
 */
import type { ExerciseSpec } from "./exercises/spec.js";

export interface CourseFiles {
  /** The ids of all exercises, in their order. */
  readonly exerciseIds: readonly string[];
  /**
   * The exercise of an id that there is, or of a path to a teacher's own.
   * @throws InputError where a path has none, or naming the field that is wrong
   */
  exercise(idOrPath: string): ExerciseSpec;
  /** The ids of labs/published, in their order. */
  readonly publishedIds: readonly string[];
  /** labs/published/<id>.json; null where there is none. */
  published(id: string): unknown;
}

let provided: CourseFiles | null = null;

export function provideCourseFiles(files: CourseFiles): void {
  provided = files;
}

/** @throws Error where the program has provided none */
export function courseFiles(): CourseFiles {
  if (provided === null)
    throw new Error("This program has not provided the course's files: import node/files-on-disk.ts.");
  return provided;
}
