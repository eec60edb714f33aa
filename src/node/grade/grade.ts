/** The grade of a submission: a verdict, or the reason why there is none. */

import { createHash } from "node:crypto";
import { InputError } from "../../core/base/errors.js";
import { isStackOverflow } from "../../core/base/stack-overflow.js";
import type { Kernel } from "../../core/frontend/index.js";
import type { Answer } from "../../course/exercises/answer.js";
import { checkExercise } from "../../course/exercises/check.js";
import { exercise } from "../../course/exercises/exercise-files.js";
import type { Verdict } from "../../course/exercises/verdict.js";
import { cudaText } from "../clang/cuda.js";
import { answerOfFile } from "./file-answer.js";
import type { Stopped } from "./limited-child.js";
import { answerOfNotebook } from "./notebook-answer.js";
import { Refused, type RefusedLine } from "./refused.js";
import { readSubmission, type Submission } from "./submission-file.js";

export type Grade =
  | { readonly kind: "verdict"; readonly verdict: Verdict }
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
}

/** The same text gets the same draws, whenever and wherever it is graded: a submission's, or the salt of a class. */
export function seedOfText(exercise: string, text: string): number {
  const hash = createHash("sha256").update(`${exercise}\n`).update(text).digest();
  return hash.readUInt32BE(0) >>> 1;
}

function seedOption(seed: GradeRequest["seed"], id: string, text: string): { readonly seed?: number } {
  if (seed === "new") return {};
  return { seed: seed === "text" ? seedOfText(id, text) : seed };
}

/** The kernel `answer` of a CUDA C++ text, or the only one. The text is compiled; its host part is not looked at. */
function answerOfCuda(name: string, text: string): Kernel {
  const kernels = cudaText(text, name);
  const [only, ...others] = Object.keys(kernels);
  const found = kernels.answer ?? (others.length === 0 && only !== undefined ? kernels[only] : undefined);
  if (found !== undefined) return found;
  throw new InputError({ what: `${name} has no kernel named answer.`, cure: "Name the kernel answer." });
}

/** @throws Refused with the line, for text that is no answer */
function answerOf({ kind, name, text }: Submission, id: string): Answer {
  if (kind === "cuda") return () => answerOfCuda(name, text);
  return kind === "notebook" ? answerOfNotebook(name, text, id) : answerOfFile(name, text);
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
    const answer = answerOf(submission, id);
    onAnswer(answer);
    const options = seedOption(request.seed, id, submission.text);
    return { kind: "verdict", verdict: checkExercise(request.exercise, answer, options) };
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
