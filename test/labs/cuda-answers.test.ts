/** Exercises in CUDA C++: the starters and solutions that learners are given are worth what those in TypeScript are. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toText } from "../../src/core/show/output/plain-text.js";
import { handedIn } from "../../src/course/exercises/answer.js";
import { checkExercise } from "../../src/course/exercises/check.js";
import { exercise, exerciseIds } from "../../src/course/exercises/exercise.js";
import { starterOf } from "../../src/course/exercises/starter.js";
import { verdictTable } from "../../src/course/exercises/verdict.js";
import { hasClang } from "../../src/node/clang/clang.js";
import { submissionAnswer } from "../../src/node/grade/submission-answer.js";
import { readSubmission } from "../../src/node/grade/submission-file.js";

const folder = join(import.meta.dirname, "../../labs");
const answerIn = (id: string, file: string) => submissionAnswer(readSubmission(join(folder, id, file)), id);

describe.runIf(hasClang()).each(exerciseIds())("the exercise of %s in CUDA C++", (id) => {
  test("has the starter that npm run starters makes of the solution", () => {
    const read = (name: string): string => readFileSync(join(folder, id, name), "utf8");
    expect(read("starter.cu")).toBe(starterOf(read("solution.cu")));
  });

  test("is passed by its solution, with all points", () => {
    const verdict = checkExercise(id, answerIn(id, "solution.cu"), { seed: 1 });
    expect(verdict.passed, toText(verdictTable(verdict))).toBe(true);
    expect(verdict.points).toBe(10);
  });

  test("loses with its starter what the starter in TypeScript loses", () => {
    const [cuda, own] = ["starter.cu", "starter.ts"].map((file) => checkExercise(id, answerIn(id, file), { seed: 1 }));
    expect(cuda!.points).toBe(0);
    const lost = (verdict: typeof cuda) => verdict!.checks.map(({ check, passed, points }) => [check, passed, points]);
    expect(lost(cuda), toText(verdictTable(cuda!))).toEqual(lost(own));
  });
});

test("every exercise of the course stands in both languages, with the same parameters", () => {
  for (const id of exerciseIds()) {
    expect(existsSync(join(folder, id, "solution.cu")), id).toBe(true);
    if (!hasClang()) continue;
    const given = ["solution.cu", "solution.ts"].map((file) => handedIn(exercise(id), answerIn(id, file)));
    const [cuda, own] = given.map((kernel) =>
      typeof kernel === "string" ? kernel : kernel.ir.params.map(({ name, kind }) => `${kind} ${name}`),
    );
    expect(cuda).toEqual(own);
  }
});
