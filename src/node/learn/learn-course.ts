/** A learner's way through the exercises: which one is next, what is done, hints, and beginning one anew. */
import { InputError } from "../../core/base/errors.js";
import { nearest } from "../../core/base/nearest.js";
import type { Grade } from "../grade/grade.js";
import { type CourseExercise, courseExercises, type Hint, hintsOf } from "./course-exercises.js";
import { type Language, LearnProgress } from "./progress-file.js";
import { WorkFolder } from "./work-folder.js";

export type ExerciseState = "passed" | "passed before a change" | "open";

export class LearnCourse {
  readonly exercises: readonly CourseExercise[] = courseExercises();
  readonly work: WorkFolder;
  readonly progress: LearnProgress;
  /** Wanted by its name, passed or not. */
  #wanted: CourseExercise | null = null;

  /**
   * @param folder of the learner's files and progress
   * @param language of the files from now on; as before unless told otherwise
   */
  constructor(folder: string, language?: Language) {
    this.work = new WorkFolder(folder);
    this.progress = new LearnProgress(this.work.progressPath);
    if (language !== undefined) this.progress.speak(language);
    this.work.language = this.progress.language;
  }

  /** @throws InputError naming the exercises that there are */
  named(id: string): CourseExercise {
    const found = this.exercises.find((each) => each.id === id);
    if (found !== undefined) return found;
    const ids = this.exercises.map((each) => each.id);
    const meant = nearest(id, ids);
    throw new InputError({
      what: `There is no exercise "${id}".`,
      cure: meant === null ? `Name one of: ${ids.join(", ")}.` : `Did you mean ${meant}?`,
    });
  }

  stateOf({ id, version }: CourseExercise): ExerciseState {
    const { passed } = this.progress.of(id);
    if (passed === undefined) return "open";
    return passed === version ? "passed" : "passed before a change";
  }

  get passedCount(): number {
    return this.exercises.filter((each) => this.stateOf(each) !== "open").length;
  }

  /** The exercise to work on: the one that was chosen last, else the first that is open; null where all are passed. */
  get next(): CourseExercise | null {
    if (this.#wanted !== null) return this.#wanted;
    const open = this.exercises.filter((each) => this.stateOf(each) === "open");
    return open.find(({ id }) => id === this.progress.current) ?? open[0] ?? null;
  }

  /** The first open exercise after this one, from the beginning again after the last. */
  openAfter({ id }: CourseExercise): CourseExercise | null {
    const at = this.exercises.findIndex((each) => each.id === id);
    const inTurn = [...this.exercises.slice(at + 1), ...this.exercises.slice(0, at)];
    return inTurn.find((each) => this.stateOf(each) === "open") ?? null;
  }

  /** Nothing is wanted by its name any more. */
  goOn(): void {
    this.#wanted = null;
  }

  /** Makes this exercise the next one, also where it is passed already. */
  goTo(exercise: CourseExercise): void {
    this.progress.choose(exercise.id);
    this.#wanted = exercise;
  }

  /** Keeps what a grade says of an exercise. @returns whether it is passed for the first time */
  graded({ id, version }: CourseExercise, grade: Grade): boolean {
    if (grade.kind !== "verdict") return false;
    const { points = 0, passed } = this.progress.of(id);
    const best = Math.max(points, grade.verdict.points);
    if (!grade.verdict.passed) {
      if (best > points) this.progress.note(id, { points: best });
      return false;
    }
    if (passed !== version || best > points) this.progress.note(id, { points: best, passed: version });
    return passed === undefined;
  }

  /**
   * The hints up to a level, or up to the next one that was not shown; and how many there are.
   * @throws InputError for a level that there is not
   */
  hints(exercise: CourseExercise, level?: number): { readonly shown: readonly Hint[]; readonly count: number } {
    const all = hintsOf(exercise);
    if (level !== undefined && !(Number.isInteger(level) && level >= 1 && level <= all.length)) {
      throw new InputError({ what: `There is no hint ${level}.`, cure: `Give a level from 1 to ${all.length}.` });
    }
    const { hints: before = 0 } = this.progress.of(exercise.id);
    const upTo = level ?? Math.min(before + 1, all.length);
    if (upTo > before) this.progress.note(exercise.id, { hints: upTo });
    return { shown: all.slice(0, upTo), count: all.length };
  }
}
