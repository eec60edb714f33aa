/**
 * A learner at work: the exercise of now is checked when its file is saved, and passing it leads to the next one. Events come in from
 * outside, from a folder that is watched and from keys.
 */
import { existsSync, readFileSync } from "node:fs";
import { wrap } from "../../core/show/output/plain-text.js";
import type { Grade } from "../grade/grade.js";
import type { RunningGrade } from "../grade/grade-run.js";
import { gradeText } from "../grade/report.js";
import type { CourseExercise } from "./course-exercises.js";
import type { LearnCourse } from "./learn-course.js";
import { exerciseText, hintText, listText, progressText, shownPath, welcomeText } from "./learn-text.js";

export interface SessionParts {
  readonly course: LearnCourse;
  readonly write: (text: string) => void;
  readonly width: () => number;
  readonly grade: (exercise: CourseExercise, path: string) => RunningGrade;
  /** The text for a learner who has passed all exercises. */
  readonly end: () => Promise<string>;
}

export const KEYS_TEXT = "h hint  l list  n next  r run  x reset  q quit";

export class LearnSession {
  readonly #parts: SessionParts;
  #exercise: CourseExercise | null = null;
  #running: RunningGrade | null = null;
  /** The file's text that was checked last: editors save what has not changed, and report a save twice. */
  #checked: string | null = null;
  #asked = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get exercise(): CourseExercise | null {
    return this.#exercise;
  }

  #say(text: string): void {
    this.#parts.write(text);
  }

  #line(text: string): void {
    this.#say(`${wrap(text, this.#parts.width()).join("\n")}\n`);
  }

  /** Begins with the exercise that is next; null where all are passed. */
  async start(): Promise<void> {
    const { course, width } = this.#parts;
    const { putAside } = course.progress;
    if (putAside !== null) {
      this.#line(`progress.json could not be read; it is kept as ${shownPath(putAside)}, and a new one begins.`);
    }
    const isNew = !existsSync(course.work.folder);
    if (isNew) this.#say(welcomeText(course, width()));
    await this.#goTo(course.next);
  }

  async #goTo(exercise: CourseExercise | null): Promise<void> {
    const { course, width, end } = this.#parts;
    this.#exercise = exercise;
    this.#checked = null;
    if (exercise === null) {
      this.#say(progressText(course, width()));
      this.#say(await end());
      return;
    }
    if (course.progress.current !== exercise.id) course.progress.choose(exercise.id);
    course.work.begin(exercise);
    this.#say(`${progressText(course, width())}\n${exerciseText(course, exercise, width())}\n`);
    await this.check();
  }

  #textNow(exercise: CourseExercise): string | null {
    try {
      return readFileSync(this.#parts.course.work.pathOf(exercise.id), "utf8");
    } catch {
      // An editor may be replacing it just now; its next event comes.
      return null;
    }
  }

  /** The work folder has changed. @returns once the check that this has started is done */
  async saved(): Promise<void> {
    if (this.#exercise === null) return;
    const text = this.#textNow(this.#exercise);
    if (text !== null && text !== this.#checked) await this.check();
  }

  /** Checks the exercise's file now, in place of a check that is going on. */
  async check(): Promise<void> {
    const exercise = this.#exercise;
    if (exercise === null) return;
    const { course, grade, width } = this.#parts;
    this.#running?.cancel();
    this.#checked = this.#textNow(exercise);
    this.#say(`Checking ${shownPath(course.work.pathOf(exercise.id))} ...\n`);
    const running = grade(exercise, course.work.pathOf(exercise.id));
    this.#running = running;
    const found = await running.grade;
    // A later save has begun another check.
    if (this.#running !== running) return;
    this.#running = null;
    this.#say(gradeText(exercise.spec, found, width(), "brief"));
    await this.#graded(exercise, found);
  }

  async #graded(exercise: CourseExercise, grade: Grade): Promise<void> {
    const { course } = this.#parts;
    const isFirst = course.graded(exercise, grade);
    if (isFirst) {
      this.#say(`\n${exercise.id} is passed.\n`);
      course.goOn();
      await this.#goTo(course.next);
    } else this.#say(`\n${KEYS_TEXT}\n`);
  }

  /** @returns false where the learner wants to end. */
  async key(key: string): Promise<boolean> {
    const { course, width } = this.#parts;
    const wasAsked = this.#asked;
    this.#asked = false;
    if (key === "q" || key === "\u0003" || key === "\u0004") return false;
    if (key === "l") this.#say(listText(course, width()));
    else if (this.#exercise === null) this.#say(`${KEYS_TEXT}\n`);
    else if (key === "h") {
      const { shown, count } = course.hints(this.#exercise);
      this.#say(hintText(this.#exercise, shown, count, width()));
    } else if (key === "n") await this.#skip(this.#exercise);
    else if (key === "r" || key === "\r" || key === "\n") await this.check();
    else if (key === "x") this.#ask(this.#exercise);
    else if (key === "y" && wasAsked) await this.#reset(this.#exercise);
    else this.#say(`${KEYS_TEXT}\n`);
    return true;
  }

  async #skip(exercise: CourseExercise): Promise<void> {
    const { course } = this.#parts;
    const other = course.openAfter(exercise);
    if (other === null) {
      this.#say("No other exercise is open.\n");
      return;
    }
    this.stop();
    course.goOn();
    await this.#goTo(other);
  }

  #ask({ id }: CourseExercise): void {
    this.#asked = true;
    this.#line(`Begin ${id} anew? Your file is kept beside it. y yes, any other key no`);
  }

  async #reset(exercise: CourseExercise): Promise<void> {
    const kept = this.#parts.course.work.reset(exercise);
    this.#line(resetText(exercise, kept));
    await this.check();
  }

  /** Ends a check that is going on. */
  stop(): void {
    const running = this.#running;
    this.#running = null;
    running?.cancel();
  }
}

export function resetText({ id }: CourseExercise, kept: string | null): string {
  return kept === null ? `${id} begins.` : `${id} begins anew. Your file is kept as ${shownPath(kept)}.`;
}
