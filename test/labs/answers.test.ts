import { describe, expect, test } from "vitest";
import { toText } from "../../src/core/show/output/plain-text.js";
import { checkExercise } from "../../src/course/exercises/check.js";
import { type Verdict, verdictTable } from "../../src/course/exercises/verdict.js";
import type { WrongAnswer } from "./answers/answer.js";
import { answers as capstone } from "./answers/capstone.js";
import { cheats } from "./answers/cheats.js";
import { answers as day37 } from "./answers/day-37.js";
import { answers as day38 } from "./answers/day-38.js";
import { answers as day39 } from "./answers/day-39.js";
import { answers as day40 } from "./answers/day-40.js";
import { answers as day41 } from "./answers/day-41.js";
import { answers as day42 } from "./answers/day-42.js";
import { answers as day43 } from "./answers/day-43.js";
import { answers as day44 } from "./answers/day-44.js";
import { answers as day45 } from "./answers/day-45.js";
import { answers as day46 } from "./answers/day-46.js";
import { answers as lab25 } from "./answers/lab-25.js";
import { answers as lab26 } from "./answers/lab-26.js";
import { answers as lab27 } from "./answers/lab-27.js";
import { answers as lab28 } from "./answers/lab-28.js";
import { answers as lab29 } from "./answers/lab-29.js";
import { answers as lab30 } from "./answers/lab-30.js";

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

describe.each([
  ["capstone", capstone],
  ["lab-25", lab25],
  ["lab-26", lab26],
  ["lab-27", lab27],
  ["lab-28", lab28],
  ["lab-29", lab29],
  ["lab-30", lab30],
  ["day-37", day37],
  ["day-38", day38],
  ["day-39", day39],
  ["day-40", day40],
  ["day-41", day41],
  ["day-42", day42],
  ["day-43", day43],
  ["day-44", day44],
  ["day-45", day45],
  ["day-46", day46],
] as const)("the exercise of %s", (id, { right, wrong }) => {
  test("is tried with at least five right forms and ten wrong answers", () => {
    expect(right.length).toBeGreaterThanOrEqual(5);
    expect(wrong.length).toBeGreaterThanOrEqual(10);
  });

  test.each(right.map((each) => [each.how, each] as const))("gives all points for %s", (_, { answer }) => {
    const verdict = checkExercise(id, answer, { seed: SEED });
    expect(verdict.points, shown(verdict)).toBe(verdict.outOf);
  });

  test.each(wrong.map((each) => [each.what, each] as const))("sees what %s", (_, answer) => {
    expectCaught(id, answer);
  });
});

test.each(cheats.map((each) => [each.exercise, each.what, each] as const))("%s sees what %s", (id, _, cheat) => {
  expectCaught(id, cheat);
});
