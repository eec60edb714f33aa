import { describe, expect, test } from "vitest";
import { checkExercise } from "../../src/course/exercises/check.js";
import { answerWith, NARROW } from "./answers/narrow.js";
import { oneInThree } from "./answers/one-in-three.js";
import { TASK_WORDS } from "./answers/task-words.js";

describe("an answer to", () => {
  test.each(oneInThree([...NARROW, ...TASK_WORDS]))(
    "%s that %s loses points for it",
    (exercise, _what, change, caughtBy) => {
      const verdict = checkExercise(exercise, answerWith(exercise, change), { seed: 11, untilWrong: true });
      const failed = verdict.checks.filter(({ passed, waits }) => !passed && waits === undefined);
      expect(
        failed.map(({ check }) => check),
        JSON.stringify(verdict.checks, null, 1),
      ).toContain(caughtBy);
    },
  );
});
