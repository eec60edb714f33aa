import { describe, expect, test } from "vitest";
import { exercise, exerciseIds } from "../../src/course/exercise.js";
import { checkExercise, verdictTable } from "../../src/course/exercise-check.js";
import { i32, type Kernel, kernel, ptr } from "../../src/frontend/index.js";
import { toText } from "../../src/show/plain-text.js";

interface Answer {
  readonly answer: Kernel;
}

const load = async (id: string, file: string): Promise<Kernel> =>
  ((await import(`../../labs/${id}/${file}.ts`)) as Answer).answer;

describe("the exercises", () => {
  test("are those of Labs 25 to 28", () => {
    expect(exerciseIds()).toEqual(["lab-25", "lab-26", "lab-27", "lab-28"]);
  });

  test("cover a size that is no multiple of any of their blocks", () => {
    for (const id of exerciseIds()) {
      const { blocks, sizes } = exercise(id);
      const odd = sizes.filter((n) => n > 1 && blocks.filter((block) => block > 1).every((block) => n % block !== 0));
      expect(odd.length, id).toBeGreaterThan(0);
    }
  });
});

describe.each(["lab-25", "lab-26", "lab-27", "lab-28"])("the exercise of %s", (id) => {
  test("is passed by its solution, with all points", async () => {
    const verdict = checkExercise(id, await load(id, "solution"));
    expect(verdict.passed, toText(verdictTable(verdict))).toBe(true);
    expect(verdict.points).toBe(verdict.outOf);
  });

  test("is not passed by its starter, and says what is missing with the learner's line", async () => {
    const starter = await load(id, "starter");
    const verdict = checkExercise(id, starter);
    expect(verdict.passed).toBe(false);
    expect(verdict.points).toBeLessThan(verdict.outOf);
    const failed = verdict.checks.filter((check) => !check.passed);
    expect(failed[0]?.sentence).toMatch(/line \d+|plain sum gives/);
  });

  test("gives no points for the speed of a kernel that adds nothing", () => {
    const nothing = kernel(
      "nothing",
      { params: { input: ptr(i32), output: ptr(i32), ...(exercise(id).guarded ? { n: i32 } : {}) } },
      ({ output }, { blockIdx }) => {
        output[blockIdx.x] = 0;
      },
    );
    const verdict = checkExercise(id, nothing);
    for (const check of verdict.checks) if (check.check !== "result") expect(check.points).toBe(0);
  });
});

describe("a check", () => {
  test("refuses what is no kernel, and one with other parameters, naming what is asked for", () => {
    expect(() => checkExercise("lab-25", {} as Kernel)).toThrow(/no kernel/);
    const other = kernel("other", { params: { data: ptr(i32) } }, ({ data }) => {
      data[0] = 1;
    });
    expect(() => checkExercise("lab-27", other)).toThrow(/Declare input, output, n/);
    expect(() => checkExercise("lab-99", other)).toThrow(/lab-25, lab-26, lab-27, lab-28/);
  });

  test("tells a kernel's fault as a finding, not as an error", () => {
    const beyond = kernel(
      "beyond",
      { params: { input: ptr(i32), output: ptr(i32) } },
      ({ input, output }, { blockIdx }) => {
        output[blockIdx.x] = input[1 << 20];
      },
    );
    const [result] = checkExercise("lab-28", beyond).checks;
    expect(result?.passed).toBe(false);
    expect(result?.sentence).toContain("cudaErrorIllegalAddress");
  });

  test("names the line with the worst bank conflicts", () => {
    const conflicting = kernel(
      "conflicting",
      { params: { input: ptr(i32), output: ptr(i32) } },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        sdata[tid] = input[blockIdx.x * blockDim.x + tid];
        syncthreads();
        for (let s = u32(1); s < blockDim.x; s *= 2) {
          const index = 2 * s * tid;
          if (index < blockDim.x) sdata[index] += sdata[index + s];
          syncthreads();
        }
        if (tid === 0) output[blockIdx.x] = sdata[0];
      },
    );
    const check = checkExercise("lab-25", conflicting).checks.find((each) => each.check === "conflict-degree");
    expect(check?.sentence).toMatch(/line \d+ \(.*sdata\[index\] \+= sdata\[index \+ s\]/);
  });
});
