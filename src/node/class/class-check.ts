/** Checks of a class in this process: one submission, or the published kernels of an exercise. No limits of time and memory. */
import { WarplabError } from "../../core/base/errors.js";
import { isStackOverflow } from "../../core/base/stack-overflow.js";
import { type Answer, handedIn } from "../../course/exercises/answer.js";
import { exercise } from "../../course/exercises/exercise.js";
import { exerciseFolder, givenFiles } from "../files-on-disk.js";
import { gradeSubmission } from "../grade/grade.js";
import { submissionAnswer } from "../grade/submission-answer.js";
import { readSubmission, readSubmissionBytes, sha256Of, submissionText } from "../grade/submission-file.js";
import type { ClassRequest, Given, Graded } from "./class-request.js";
import { fingerprintOf } from "./similar/fingerprint.js";

/** null where the answer has no kernel with the exercise's parameters. */
function fingerprintIn(id: string, answer: Answer): readonly string[] | null {
  try {
    const kernel = handedIn(exercise(id), answer);
    return typeof kernel === "string" ? null : fingerprintOf(kernel.ir);
  } catch (problem) {
    if (problem instanceof WarplabError || isStackOverflow(problem)) return null;
    throw problem;
  }
}

function graded(id: string, path: string, seed: number): Graded {
  let [sha256, fingerprint]: [string | null, readonly string[] | null] = [null, null];
  const grade = gradeSubmission(
    { exercise: id, path, seed },
    () => {
      const read = readSubmissionBytes(path);
      sha256 = sha256Of(read);
      return submissionText(read);
    },
    (answer) => {
      fingerprint = fingerprintIn(id, answer);
    },
  );
  return { sha256, fingerprint, grade };
}

/** Hashes of the starters and the solutions. */
function given(id: string): Given {
  const files = givenFiles(exerciseFolder(id)).map((path) => readSubmission(path));
  const prints = files.map((file) => fingerprintIn(id, submissionAnswer(file, id)) ?? []);
  return { given: [...new Set(prints.flat())].sort() };
}

/** The answer of a child process. @throws InputError for an unknown exercise */
export function answerRequest(request: ClassRequest): Graded | Given {
  return request.kind === "given" ? given(request.exercise) : graded(request.exercise, request.path, request.seed);
}
