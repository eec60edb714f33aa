import { expect, test } from "vitest";
import { kernel } from "../../src/core/frontend/index.js";
import { checkExercise } from "../../src/course/exercises/check.js";
import { exercise } from "../../src/course/exercises/exercise.js";
import { instanceFor } from "../../src/course/exercises/instance.js";
import { gridFor } from "../../src/course/exercises/spec.js";
import { guardedSum, sum } from "./answers/answer.js";

const template = kernel("answer", sum, { BLOCK: 256 }, ({ output }, { BLOCK }) => {
  output[0] = BLOCK;
});

test("a template gets one instance for each block, with its constant set to it", () => {
  const instance = instanceFor(template, "BLOCK", 512);
  expect(instance.spec.constants).toEqual({ BLOCK: 512 });
  expect(instanceFor(template, "BLOCK", 512)).toBe(instance);
  expect(instanceFor(template, "BLOCK", 64)).not.toBe(instance);
});

test("a kernel of an exercise without a block constant is launched as it is", () => {
  expect(instanceFor(template, null, 512)).toBe(template);
});

test("an answer without the block constant is told to declare it, and gets no points", () => {
  const without = kernel("answer", sum, ({ output }) => {
    output[0] = 1;
  });
  const verdict = checkExercise("lab-29", without, { seed: 1 });
  expect(verdict.points).toBe(0);
  expect(verdict.checks[0]?.sentence).toContain("Declare BLOCK, a number");
});

test("an answer that is to choose the number of blocks is told to, and how many it may choose", () => {
  const chosen = (constants: Readonly<Record<string, number>>): string | undefined =>
    checkExercise(
      "day-40",
      kernel("answer", guardedSum, constants, ({ output }) => {
        output[0] = 1;
      }),
      { seed: 1 },
    ).checks[0]?.sentence;
  expect(chosen({ WIDTH: 4 })).toContain("no template constant BLOCKS. Declare it as the number of blocks, 1 to 1024");
  expect(chosen({ BLOCKS: 0 })).toContain("BLOCKS: 0.");
});

test("the lead of a wrong template names the instance that went wrong", () => {
  const look = checkExercise("lab-29", template, { seed: 1 }).checks.find((each) => each.look !== undefined)?.look;
  expect(look).toMatch(/lab\.step\(answer\.with\(\{ BLOCK: \d+ \}\)/);
});

test("a limited grid has as many blocks as the elements need, and no more than the limit", () => {
  const spec = exercise("lab-30");
  expect(gridFor(spec, 1, 256)).toBe(1);
  expect(gridFor(spec, 257, 256)).toBe(2);
  expect(gridFor(spec, 2 ** 24, 256)).toBe(1024);
  expect(gridFor(exercise("lab-29"), 2 ** 24, 256)).toBe(2 ** 24 / 512);
});
