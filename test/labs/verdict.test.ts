import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { i32, Kernel, kernel, ptr } from "../../src/core/frontend/index.js";
import { WARP_PRIMITIVES } from "../../src/core/lower/program.js";
import { toText } from "../../src/core/show/output/plain-text.js";
import { type CheckOptions, checkExercise } from "../../src/course/exercises/check.js";
import { exercise, exerciseIds } from "../../src/course/exercises/exercise.js";
import { drawPlan } from "../../src/course/exercises/plan/draw.js";
import { type Verdict, verdictTable } from "../../src/course/exercises/verdict.js";
import { validExercise } from "../../src/node/exercise-schema.js";
import { nonDivergent } from "../kernels/labs.js";
import { sum } from "./answers/answer.js";
import { answers as lab25 } from "./answers/lab-25.js";
import { answers as lab28 } from "./answers/lab-28.js";

const right = lab25.right[0]?.answer;

/** Sums all but the first element of block 3, where there is one. */
const forgetful = kernel(
  "answer",
  { params: sum },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, u32 }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const own = input[blockIdx.x * blockDim.x + tid];
    sdata[tid + (tid >> 5)] = blockIdx.x === 3 && tid === 0 ? 0 : own;
    syncthreads();
    for (let s = u32(1); s < blockDim.x; s *= 2) {
      const left = 2 * s * tid;
      const right = left + s;
      if (left < blockDim.x) sdata[left + (left >> 5)] += sdata[right + (right >> 5)];
      syncthreads();
    }
    if (tid === 0) output[blockIdx.x] = sdata[0];
  },
);

const resultOf = (verdict: Verdict) => verdict.checks.find(({ check }) => check === "result");
const check = (answer: unknown, options: CheckOptions = { seed: 1 }): Verdict =>
  checkExercise("lab-25", answer as typeof forgetful, options);

describe("a verdict", () => {
  test("is the same for the same seed, and data that JSON keeps", () => {
    const [once, again] = [check(forgetful), check(forgetful)];
    expect(again).toEqual(once);
    expect(JSON.parse(JSON.stringify(once))).toEqual(once);
    expect(once.seed).toBe(1);
  });

  test("has a seed of its own where none is given, which repeats it", () => {
    const first = checkExercise("lab-25", forgetful);
    expect(Number.isSafeInteger(first.seed)).toBe(true);
    expect(checkExercise("lab-25", forgetful, { seed: first.seed })).toEqual(first);
    expect(toText(verdictTable(first)).replace(/\s+/g, " ")).toContain(`seed: ${first.seed}`);
  });

  test("takes the seed of WARPLAB_CHECK_SEED where that is set, and refuses one that is no number", () => {
    vi.stubEnv("WARPLAB_CHECK_SEED", "5");
    try {
      expect(check(forgetful, {}).seed).toBe(5);
      expect(check(forgetful, { seed: 6 }).seed).toBe(6);
      vi.stubEnv("WARPLAB_CHECK_SEED", "often");
      expect(() => check(forgetful, {})).toThrow(/seed is NaN/);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("is of other sizes, blocks, data, schedules and another measured launch for another seed", () => {
    const spec = exercise("lab-26");
    const [a, b] = [drawPlan(spec, forgetful.ir, 1), drawPlan(spec, forgetful.ir, 2)];
    expect(a).toEqual(drawPlan(spec, forgetful.ir, 1));
    for (const part of ["named", "drawn", "scheduled", "measured"] as const) expect(a[part]).not.toEqual(b[part]);
    expect(a.scheduled).toHaveLength(5);
  });

  test("tells the first wrong block of a wrong sum by what it makes of ones", () => {
    const { sentence = "" } = resultOf(check(forgetful)) ?? {};
    expect(sentence).toMatch(/^With 1024 elements and blocks of 64 threads: block 3 sums 63 of its 64 ones\. \(\d+ of/);
  });

  test("tells how to repeat the schedule under which a sum is wrong", () => {
    const lucky = lab28.wrong.find(({ what }) => what.startsWith("has no barrier"))?.answer;
    const { look = "", sentence = "" } = resultOf(checkExercise("lab-28", lucky, { seed: 1 })) ?? {};
    expect(sentence).toMatch(/under the schedule of seed \d+/);
    const [, seed] = /seed (\d+)/.exec(sentence) ?? [];
    expect(look).toContain(`schedule: { seed: ${seed} }`);
  });

  test("tells of an output that is never written, or added onto", () => {
    const idle = kernel("idle", { params: sum }, () => {});
    expect(resultOf(check(idle))?.sentence).toContain("output[0] is never written");
  });

  test("tells a kernel's fault as a finding, with a call that stops before it", () => {
    const beyond = kernel("beyond", { params: sum }, ({ input, output }, { blockIdx }) => {
      output[blockIdx.x] = input[1 << 20];
    });
    const result = resultOf(check(beyond));
    expect(result?.passed).toBe(false);
    expect(result?.sentence).toContain("cudaErrorIllegalAddress");
    expect(result?.look).toContain("lab.step(beyond,");
  });

  test("names the line with the worst bank conflicts", () => {
    const found = check(nonDivergent).checks.find((each) => each.check === "conflict-degree");
    expect(found?.sentence).toMatch(/^line \d+ \(.*sdata\[index\] \+= sdata\[index \+ s\];\) has a conflict degree of/);
  });
});

describe("what cannot be checked", () => {
  const reason = (answer: unknown): string => {
    const verdict = check(answer);
    expect(verdict.points).toBe(0);
    expect(verdict.passed).toBe(false);
    expect(toText(verdictTable(verdict))).toContain("0 of 10 points");
    return resultOf(verdict)?.sentence ?? "";
  };

  test("gets a sentence and no points: nothing, no kernel, a kernel of another name", () => {
    expect(reason(undefined)).toMatch(/^Nothing was handed in/);
    expect(reason({})).toMatch(/no kernel/);
    expect(reason(7)).toMatch(/A number was handed in/);
    expect(reason({ mine: forgetful })).toMatch(/no kernel named answer, but mine/);
    expect(reason({ answer: undefined })).toMatch(/^Nothing was handed in/);
  });

  test("gets a sentence and no points: other parameters, or of other types", () => {
    const other = kernel("other", { params: { data: ptr(i32) } }, ({ data }) => {
      data[0] = 1;
    });
    expect(reason(other)).toMatch(/has the parameters data\. Declare input as ptr\(i32\), output as ptr\(i32\)\./);
    const scalar = kernel("scalar", { params: { input: ptr(i32), output: i32 } }, () => {});
    expect(reason(scalar)).toMatch(/Declare input as ptr\(i32\)/);
  });

  test("gets a sentence and no points: a text that is no kernel, with line and cure", () => {
    const broken = (): unknown => kernel("broken", { params: sum }, () => missing);
    expect(reason(broken)).toMatch(/missing.* At line \d+ \(\(\) => missing\)\. Cure: /);
    expect(
      reason(() => {
        throw new SyntaxError("Unexpected token");
      }),
    ).toContain("SyntaxError: Unexpected token");
  });

  test("gets a sentence and no points: an endless loop", () => {
    const endless = kernel("endless", { params: sum }, ({ input, output }) => {
      let total = 1;
      while (total !== 0) total = (total | 1) + 2;
      output[0] = total + input[0];
    });
    expect(reason(endless)).toMatch(/cudaErrorLaunchTimeout.*line \d+/);
    expect(reason(endless)).toMatch(
      /Cure: check the condition of this loop, or share its work among more threads\. \(/,
    );
  });

  test("names no cure that is the host's: an access beyond the end", () => {
    const beyond = kernel("beyond", { params: sum }, ({ input, output }, { blockIdx, gridDim }) => {
      output[blockIdx.x + gridDim.x] = input[0];
    });
    expect(reason(beyond)).toMatch(/Cure: guard the access with the number of elements \(if \(i < n\) \.\.\.\)\. \(/);
  });

  test("is compiled from its text alone: what is put onto the kernel object does not count", () => {
    const patched = Object.defineProperties(new Kernel(forgetful.spec), {
      ir: { value: right?.ir },
      name: { value: "patched" },
    });
    expect(check(patched).points).toBe(check(forgetful).points);
  });

  test("is an error of the caller's where the exercise or the seed does not exist", () => {
    expect(() => checkExercise("lab-99", forgetful)).toThrow(/lab-25, lab-26, lab-27, lab-28, lab-29, lab-30/);
    expect(() => checkExercise("lab-25", forgetful, { seed: 0.5 })).toThrow(/seed is 0.5/);
  });
});

describe("an exercise's data", () => {
  const spec = exercise("lab-28");

  test("comes back as it is where it is sound", () => {
    expect(validExercise("x.json", JSON.parse(JSON.stringify(spec)))).toEqual(spec);
  });

  test.each([
    ["guarded is missing", { ...spec, guarded: undefined }],
    ['sums is "warp"', { ...spec, sums: "warp" }],
    ["starterPoints is 10", { ...spec, starterPoints: 10 }],
    ["sizes.drawn is", { ...spec, sizes: { named: [1], drawn: { least: 5, most: 2 } } }],
    ["blocks.named[0] is 2000", { ...spec, blocks: { ...spec.blocks, named: [2000] } }],
    ["devices is []", { ...spec, devices: [] }],
    ["padding is 3", { ...spec, padding: 3 }],
    ["checks is", { ...spec, checks: spec.checks.slice(1) }],
    [`checks[${spec.checks.length}] is`, { ...spec, checks: [...spec.checks, spec.checks[1]] }],
    ['checks[1].kind is "speed"', { ...spec, checks: [spec.checks[0], { kind: "speed", points: 1 }] }],
    ["checks[1].most is missing", { ...spec, checks: [spec.checks[0], { kind: "barriers", points: 1 }] }],
    [
      'checks[1].none[0] is "add"',
      { ...spec, checks: [spec.checks[0], { kind: "primitives", points: 1, executed: [], none: ["add"] }] },
    ],
  ])("is refused with its file and field: %s", (what, data) => {
    expect(() => validExercise("x.json", data)).toThrow(`x.json: ${what}`);
  });

  test.each([
    ["Add it: needed are id, title", { ...spec, guarded: undefined }],
    ["Give a whole number.", { ...spec, drawn: 1.5 }],
    ["Give a number from 1 on, up to 1024.", { ...spec, blocks: { ...spec.blocks, named: [2000] } }],
    ["Leave it out: known are kind, points.", { ...spec, checks: [{ ...spec.checks[0], most: 1 }] }],
    ["Give one of result, hazards, order, loads, additions", { ...spec, checks: [{ kind: "speed", points: 1 }] }],
    ["Give one of block, total, first, scan, histogram.", { ...spec, sums: "warp" }],
    ["Leave it out: checks[0] is of the same kind.", { ...spec, checks: [spec.checks[0], spec.checks[0]] }],
  ])("is refused with a cure: %s", (cure, data) => {
    expect(() => validExercise("x.json", data)).toThrow(cure);
  });

  test("may name every primitive of warps", () => {
    const none = [...WARP_PRIMITIVES];
    const checks = [spec.checks[0], { kind: "primitives", points: 1, executed: [], none }];
    expect(validExercise("x.json", { ...spec, starterPoints: 0, checks }).checks[1]).toMatchObject({ none });
  });

  test("is complete for editors: each exercise names the schema", () => {
    const folder = join(import.meta.dirname, "../../labs");
    for (const id of exerciseIds()) {
      const { $schema } = JSON.parse(readFileSync(join(folder, id, "exercise.json"), "utf8"));
      expect(existsSync(join(folder, id, $schema)), id).toBe(true);
    }
  });
});

declare const missing: number;
