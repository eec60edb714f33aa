import { describe, expect, test } from "vitest";
import { checkExercise } from "../../src/course/exercises/check.js";
import { drawPlan } from "../../src/course/exercises/draw.js";
import { type ExerciseId, exercise, exerciseIds } from "../../src/course/exercises/exercise-files.js";
import { elementsOf } from "../../src/course/exercises/trial.js";
import { verdictTable } from "../../src/course/exercises/verdict.js";
import { i32, type Kernel, kernel, ptr } from "../../src/frontend/index.js";
import { toText } from "../../src/show/output/plain-text.js";

interface Answered {
  readonly answer: Kernel;
}

const load = async (id: string, file: string): Promise<Answered> =>
  (await import(`../../labs/${id}/${file}.ts`)) as Answered;

const IDS = [
  "capstone",
  "day-37",
  "day-38",
  "day-39",
  "day-40",
  "day-41",
  "day-42",
  "day-43",
  "day-44",
  "day-45",
  "day-46",
  "lab-25",
  "lab-26",
  "lab-27",
  "lab-28",
  "lab-29",
  "lab-30",
] as const satisfies readonly ExerciseId[];

describe("the exercises", () => {
  test("are those of the notebooks, of ten points each; editors complete their ids", () => {
    const complete: Exclude<ExerciseId, (typeof IDS)[number]> extends never ? true : false = true;
    expect(complete).toBe(true);
    expect(exerciseIds()).toEqual(IDS);
    for (const id of IDS) expect(exercise(id).checks.reduce((sum, { points }) => sum + points, 0)).toBe(10);
  });

  test("have a size that is no multiple of any block where the kernel guards, and whole blocks where it does not", () => {
    for (const id of IDS) {
      const spec = exercise(id);
      const { blocks, sizes, guarded, elementsPerThread } = spec;
      const large = blocks.named.filter((block) => block > 1);
      expect(sizes.named.some((n) => n > 1 && large.every((block) => n % block !== 0))).toBe(true);
      const [tried] = drawPlan(spec, 1).named;
      if (tried === undefined) throw new Error("no case");
      expect(elementsOf(spec, tried)).toBe(guarded ? tried.n : tried.block * elementsPerThread);
    }
  });
});

describe.each(IDS)("the exercise of %s", (id) => {
  test("is passed by its solution, with all points, whatever is drawn", async () => {
    const module = await load(id, "solution");
    for (const seed of [1, 2]) {
      const verdict = checkExercise(id, module, { seed });
      expect(verdict.passed, toText(verdictTable(verdict))).toBe(true);
      expect(verdict.points).toBe(10);
    }
  });

  test("is not passed by its starter, and says what is missing with the learner's line", async () => {
    const { answer } = await load(id, "starter");
    const verdict = checkExercise(id, answer, { seed: 1 });
    expect(verdict.passed).toBe(false);
    expect(verdict.points).toBeLessThan(10);
    const failed = verdict.checks.filter((check) => !check.passed);
    expect(failed[0]?.sentence).toMatch(/line \d+ \(|of its \d+ ones?\b|is added 0 times/);
  });

  test("gives no points for the figures of a kernel that adds nothing", () => {
    const params = { input: ptr(i32), output: ptr(i32), ...(exercise(id).guarded ? { n: i32 } : {}) };
    const nothing = kernel("nothing", { params }, ({ output }, { blockIdx }) => {
      output[blockIdx.x] = 0;
    });
    const verdict = checkExercise(id, nothing, { seed: 1 });
    for (const check of verdict.checks) if (check.check !== "result") expect(check.points).toBe(0);
    expect(verdict.points).toBeLessThan(1);
  });
});
