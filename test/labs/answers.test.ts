import { describe, expect, test } from "vitest";
import { toText } from "../../src/core/show/output/plain-text.js";
import { checkExercise } from "../../src/course/exercises/check.js";
import { type Verdict, verdictTable } from "../../src/course/exercises/verdict.js";
import { ANSWERS } from "./answers/all.js";
import type { WrongAnswer } from "./answers/answer.js";
import { cheats } from "./answers/cheats.js";
import { oneInThree } from "./answers/one-in-three.js";

/** Any draw will do; one is taken so that a failure can be seen again. */
const SEED = 20_260_401;

const shown = (verdict: Verdict): string => toText(verdictTable(verdict), { width: 160 });

function expectCaught(id: string, { answer, caughtBy }: WrongAnswer): void {
  const verdict = checkExercise(id, answer, { seed: SEED, untilWrong: true });
  expect(verdict.points, shown(verdict)).toBeLessThan(verdict.outOf);
  const check = verdict.checks.find(({ check: name, passed }) => name.split(" ")[0] === caughtBy && !passed);
  expect(check?.passed, shown(verdict)).toBe(false);
  expect(check?.waits, shown(verdict)).toBeUndefined();
}

describe.each(ANSWERS)("the exercise of %s", (id, { right, wrong }) => {
  test("is tried with at least five right forms and ten wrong answers", () => {
    expect(right.length).toBeGreaterThanOrEqual(5);
    expect(wrong.length).toBeGreaterThanOrEqual(10);
  });

  test.each(oneInThree(right).map((each) => [each.how, each] as const))("gives all points for %s", (_, { answer }) => {
    const verdict = checkExercise(id, answer, { seed: SEED });
    expect(verdict.points, shown(verdict)).toBe(verdict.outOf);
  });

  test.each(oneInThree(wrong).map((each) => [each.what, each] as const))("sees what %s", (_, answer) => {
    expectCaught(id, answer);
  });
});

test.each(oneInThree(cheats).map((each) => [each.exercise, each.what, each] as const))(
  "%s sees what %s",
  (id, _, cheat) => {
    expectCaught(id, cheat);
  },
);

test("a mask of lanes that are not there costs no point, where CUDA defines it, and has a note", () => {
  const answer = ANSWERS.find(([id]) => id === "day-37")?.[1].right.find(({ how }) => how.startsWith("a full mask"));
  const verdict = checkExercise("day-37", answer?.answer, { seed: SEED });
  expect(verdict.points, shown(verdict)).toBe(verdict.outOf);
  const hazards = verdict.checks.find(({ check }) => check === "hazards");
  expect(hazards?.sentence).toMatch(/A note that costs no point: .*the mask 0xffffffff of this shfl_down names lanes/);
});
