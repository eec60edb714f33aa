/** What an answer's checks become in points, and which draws they are of. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exercise } from "../../src/course/exercises/exercise.js";
import { drawPlan } from "../../src/course/exercises/plan/draw.js";
import { pointsOf } from "../../src/course/exercises/spec.js";
import { countingSentence, type Verdict, verdictOf } from "../../src/course/exercises/verdict.js";
import { gradeHere } from "../../src/node/grade/grade.js";
import { exercismResult, gradeText } from "../../src/node/grade/report.js";
import { answers } from "./answers/lab-28.js";

const spec = exercise("lab-25");
/** The starter has all checks but this one. */
const LEFT = "conflict-degree";

function verdictWith(...failed: readonly string[]): Verdict {
  return verdictOf(spec, { seed: 1, devices: ["v100"] }, ({ kind }) => {
    const passed = !failed.includes(kind);
    return { passed, sentence: passed ? "It holds." : "It does not hold." };
  });
}

describe("points", () => {
  test("count from the starter up: all for the reference, none for what the starter has", () => {
    expect(spec.starterPoints).toBe(8);
    expect(verdictWith().points).toBe(pointsOf(spec));
    expect(verdictWith(LEFT).points).toBe(0);
  });

  test("are lost with what the starter had: one of the two that are left is half of all", () => {
    expect(verdictWith("order").points).toBe(5);
    expect(verdictWith("result").points).toBe(0);
    expect(countingSentence(verdictWith("order"))).toBe(
      "The checks give 9, and the untouched starter gets 8 from them. Beyond the starter's that is 1 of 2, which makes 5 of 10.",
    );
    expect(countingSentence(verdictWith())).toBeNull();
  });
});

test("points between halves are rounded down: 6 of the 7 that are left are 8.5 of 10", () => {
  const scaled = verdictOf({ ...spec, starterPoints: 3 }, { seed: 1, devices: ["v100"] }, ({ kind }) => ({
    passed: kind !== "order",
    sentence: "",
  }));
  expect(scaled.points).toBe(8.5);
});

describe("three draws from a seed", () => {
  const kernel = answers.right[0]?.answer;
  const [once, thrice] = [1, 3].map((draws) => drawPlan(exercise("lab-28"), kernel!.ir, 7, draws));

  test("are the first one and two more, with a schedule each; launches that are the same are not made again", () => {
    expect(thrice?.drawn).toEqual(once?.drawn);
    expect(thrice?.named).toEqual(once?.named);
    expect(thrice?.landmarks).toEqual(once?.landmarks);
    expect(once?.further).toEqual({ drawn: [], measured: [] });
    expect(thrice?.further.drawn).toHaveLength(2 * (once?.drawn.length ?? 0));
    expect(thrice?.scheduled).toHaveLength((once?.scheduled.length ?? 0) + 2);
  });

  test("measure a launch again where its block is another", () => {
    const blocks = Array.from({ length: 8 }, (_, seed) => {
      const { measured, further } = drawPlan(exercise("lab-28"), kernel!.ir, seed, 3);
      return [measured, ...further.measured].map(({ block }) => block);
    });
    for (const each of blocks) expect(new Set(each).size).toBe(each.length);
    expect(blocks.some(({ length }) => length > 1)).toBe(true);
  });
});

describe("the report of a starter", () => {
  const path = join(import.meta.dirname, "../../labs/lab-26/starter.ts");
  const grade = gradeHere({ exercise: "lab-26", path, seed: 1 });

  test("calls it unchanged, and names the checks that were not reached", () => {
    const text = gradeText(exercise("lab-26"), grade, 100);
    expect(text).toContain("This is the starter, unchanged.");
    expect(text).toMatch(/not reached {2}0 of 1 +conflict-degree/);
    expect(text).toContain("0 of 10 points");
  });

  test("has both in Exercism's JSON", () => {
    const { unchanged, points, tests } = exercismResult(exercise("lab-26"), grade);
    expect({ unchanged, points }).toEqual({ unchanged: true, points: 0 });
    const waiting = tests.filter((each) => each.not_reached);
    expect(waiting.map(({ name }) => name)).toContain("conflict-degree");
    for (const { message } of waiting) expect(message).toMatch(/^Not reached\. Looked at once/);
    expect(tests[0]).toMatchObject({ name: "result", not_reached: false });
  });
});
