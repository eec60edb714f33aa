/** The grade of a submission: a verdict, or the reason why there is none. */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isStackOverflow } from "../../core/base/stack-overflow.js";
import { type Answer, handedIn } from "../../course/exercises/answer.js";
import { checkExercise } from "../../course/exercises/check.js";
import { exercise } from "../../course/exercises/exercise.js";
import type { Verdict } from "../../course/exercises/verdict.js";
import { exerciseFolder } from "../files-on-disk.js";
import type { Stopped } from "./limited-child.js";
import { Refused, type RefusedLine } from "./refused.js";
import { submissionAnswer } from "./submission-answer.js";
import { readSubmission, type Submission } from "./submission-file.js";

export type Grade =
  | {
      readonly kind: "verdict";
      readonly verdict: Verdict;
      /** The answer is the starter as it was handed out, but for its layout, comments and names. */
      readonly unchanged?: true;
    }
  /** The file cannot be graded: it does more than a submission may, or is none. */
  | { readonly kind: "refused"; readonly what: string; readonly cure: string; readonly at: RefusedLine | null }
  /** The check was ended from outside: it took too much time or memory. */
  | Stopped;

export interface GradeRequest {
  /** An id of the course, or the path of an exercise's folder. */
  readonly exercise: string;
  readonly path: string;
  /** Draws sizes, data and schedules. "text": the same for the same text, on every machine. "new": another each time. */
  readonly seed: number | "text" | "new";
  /** So many draws from the seed, of which the worst counts. Default 1. */
  readonly draws?: number;
}

/** Draws of a file that is graded alone: one may be kind to a kernel that is wrong. A class draws once, from its salt. */
export const DRAWS_ALONE = 3;

/** The same text gets the same draws, whenever and wherever it is graded: a submission's, or the salt of a class. */
export function seedOfText(exercise: string, text: string): number {
  const hash = createHash("sha256").update(`${exercise}\n`).update(text).digest();
  return hash.readUInt32BE(0) >>> 1;
}

function seedOption(seed: GradeRequest["seed"], id: string, text: string): { readonly seed?: number } {
  if (seed === "new") return {};
  return { seed: seed === "text" ? seedOfText(id, text) : seed };
}

/** The meaning of a kernel, without the places of its text. */
function meaningOf(id: string, answer: Answer): string | null {
  const kernel = handedIn(exercise(id), answer);
  if (typeof kernel === "string") return null;
  const placed = new Set(["span", "source", "sources", "warnings"]);
  return JSON.stringify(kernel.ir, (key, value: unknown) =>
    placed.has(key) ? undefined : typeof value === "bigint" ? `${value}n` : value,
  );
}

/** Whether an answer is the exercise's starter in its language. */
function isStarter(id: string, answer: Answer, { kind }: Submission): boolean {
  const path = join(exerciseFolder(id), kind === "cuda" ? "starter.cu" : "starter.ts");
  if (!existsSync(path)) return false;
  const own = meaningOf(id, answer);
  return own !== null && meaningOf(id, submissionAnswer(readSubmission(path), id)) === own;
}

/**
 * Grades a text in this process, without limits of time and memory.
 * @param read gives the text; called once
 * @param onAnswer is given the answer before it is checked
 * @throws InputError for an unknown exercise
 */
export function gradeSubmission(
  request: GradeRequest,
  read: () => Submission,
  onAnswer: (answer: Answer) => void = () => {},
): Grade {
  const { id } = exercise(request.exercise);
  try {
    const submission = read();
    const answer = submissionAnswer(submission, id);
    onAnswer(answer);
    const { seed, draws = 1 } = request;
    const verdict = checkExercise(request.exercise, answer, { ...seedOption(seed, id, submission.text), draws });
    return {
      kind: "verdict",
      verdict,
      ...(isStarter(request.exercise, answer, submission) ? { unchanged: true } : {}),
    };
  } catch (problem) {
    if (problem instanceof Refused) {
      const { what, cure, at } = problem;
      return { kind: "refused", what, cure, at };
    }
    if (!isStackOverflow(problem)) throw problem;
    const what = "The text is nested too deeply to be compiled, or its loops are unrolled too often.";
    return { kind: "refused", what, cure: "Write long expressions in several statements.", at: null };
  }
}

/** The same for a file. */
export function gradeHere(request: GradeRequest): Grade {
  return gradeSubmission(request, () => readSubmission(request.path));
}
