import { describe, expect, test } from "vitest";
import { i32, type Kernel, kernel, ptr } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import { toText } from "../../src/core/show/output/plain-text.js";
import { checkExercise, programOn } from "../../src/course/exercises/check.js";
import { type ExerciseId, exercise, exerciseIds } from "../../src/course/exercises/exercise.js";
import { drawPlan } from "../../src/course/exercises/plan/draw.js";
import { elementsOf, runTrial, withTrial } from "../../src/course/exercises/trial.js";
import { verdictTable } from "../../src/course/exercises/verdict.js";
import { workOf } from "../../src/course/exercises/work.js";

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
  "day-47",
  "day-48",
  "lab-25",
  "lab-26",
  "lab-27",
  "lab-28",
  "lab-29",
  "lab-30",
] as const satisfies readonly ExerciseId[];

function nothing(id: ExerciseId): Kernel {
  const params = { input: ptr(i32), output: ptr(i32), ...(exercise(id).guarded ? { n: i32 } : {}) };
  return kernel("nothing", { params }, ({ output }, { blockIdx }) => {
    output[blockIdx.x] = 0;
  }) as Kernel;
}

/** Of the measured launch of a kernel with so many threads a block. */
function measuredWork(id: ExerciseId, kernel: Kernel, block: number): ReturnType<typeof workOf> {
  const spec = exercise(id);
  const gpus = (spec.devices[0] ?? []).map((device) => new Gpu(device));
  const gpu = gpus.find((each) => programOn(each, kernel) !== null) ?? new Gpu();
  const tried = { n: spec.measured.n.least, block, dataSeed: 1, traced: 0 };
  return withTrial({ gpu, spec, kernel, tried }, (trial) => workOf(runTrial(trial).launch, trial.data.length));
}

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
      const [tried] = drawPlan(spec, nothing(id).ir, 1).named;
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
    expect(verdict.points).toBe(0);
    const given = verdict.checks.reduce((sum, { points }) => sum + points, 0);
    expect(given).toBeLessThanOrEqual(verdict.starter);
    expect(given).toBeGreaterThan(verdict.starter - 1.5);
    const failed = verdict.checks.filter((check) => !check.passed);
    expect(failed[0]?.sentence).toMatch(/line \d+ \(|of its \d+ ones?\b|is added 0 times/);
  });

  test("gives no points for the figures of a kernel that adds nothing", () => {
    const verdict = checkExercise(id, nothing(id), { seed: 1 });
    for (const check of verdict.checks) if (check.check !== "result") expect(check.points).toBe(0);
    expect(verdict.points).toBeLessThan(1);
  });
});

describe.each(IDS.filter((id) => exercise(id).work !== null))("the exercise of %s", (id) => {
  test("states the work of its solution", async () => {
    const { answer } = await load(id, "solution");
    const { work, measured } = exercise(id);
    const found = [measured.block.least, measured.block.most].map((block) => measuredWork(id, answer, block));
    for (const name of ["warpInstructions", "loadRequests", "loadSectors"] as const) {
      const most = Math.max(...found.map((each) => each[name]));
      expect(Math.abs((work?.[name] ?? 0) / most - 1), `${name} ${most}`).toBeLessThan(0.01);
    }
  });
});
