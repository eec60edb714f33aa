/** Exercises of a teacher's own whose output is not a sum a block: right answers pass, and wrong ones are told what is wrong. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { i32, type Kernel, kernel, ptr } from "../../src/core/frontend/index.js";
import { checkExercise } from "../../src/course/exercises/check.js";
import { validExercise } from "../../src/node/exercise-schema.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-outputs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const POWERS = { least: 32, most: 1024, powersOfTwo: true } as const;
const SPEC = {
  id: "mine",
  title: "Mine",
  task: "Do it.",
  guarded: true,
  elementsPerThread: 1,
  paddingEvery: 0,
  sums: "scan",
  devices: [["v100"], ["h200"]],
  blocks: { named: [64, 256], drawn: POWERS },
  sizes: { named: [1, 1000], drawn: { least: 1, most: 5000 } },
  drawn: 2,
  schedules: 3,
  measured: { n: { least: 50_000, most: 60_000 }, block: POWERS },
  checks: [
    { kind: "result", points: 8 },
    { kind: "hazards", points: 2 },
  ],
};
const HISTOGRAM = { ...SPEC, sums: "histogram", bins: 64, outputBegins: "zeros" };

function check(spec: object, answer: Kernel): { readonly points: number; readonly said: string } {
  mkdirSync(join(folder, "mine"), { recursive: true });
  writeFileSync(join(folder, "mine", "exercise.json"), JSON.stringify(spec));
  const { points, checks } = checkExercise(join(folder, "mine"), answer, { seed: 3 });
  return { points, said: checks.map(({ sentence }) => sentence).join(" ") };
}

const params = { input: ptr(i32), output: ptr(i32), n: i32 };

const scan = kernel(
  "scan",
  params,
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sums = externShared(i32);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x) + tid;
    let sum = i < n ? input[i] : 0;
    sums[tid] = sum;
    syncthreads();
    for (let s = 1; s < i32(blockDim.x); s *= 2) {
      const other = tid >= s ? sums[tid - s] : 0;
      syncthreads();
      sum += other;
      sums[tid] = sum;
      syncthreads();
    }
    if (i < n) output[i] = sum;
  },
);

const exclusive = kernel("exclusive", params, ({ input, output, n }, { threadIdx, blockIdx, blockDim }) => {
  const first = i32(blockIdx.x * blockDim.x);
  const i = first + i32(threadIdx.x);
  let sum = 0;
  for (let k = first; k < i && k < n; k++) sum += input[k];
  if (i < n) output[i] = sum;
});

const racing = kernel(
  "racing",
  params,
  ({ input, output, n }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const sums = externShared(i32);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x) + tid;
    sums[tid] = i < n ? input[i] : 0;
    syncthreads();
    for (let s = 1; s < i32(blockDim.x); s *= 2) {
      if (tid >= s) sums[tid] += sums[tid - s];
      syncthreads();
    }
    if (i < n) output[i] = sums[tid];
  },
);

const counts = kernel("counts", params, ({ input, output, n }, { threadIdx, blockIdx, blockDim, atomicAdd }) => {
  const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) atomicAdd(output, input[i] & 63, 1);
});

const lost = kernel("lost", params, ({ input, output, n }, { threadIdx, blockIdx, blockDim }) => {
  const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) output[input[i] & 63] += 1;
});

const negatives = kernel("negatives", params, ({ input, output, n }, { threadIdx, blockIdx, blockDim, atomicAdd }) => {
  const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && input[i] >= 0) atomicAdd(output, input[i] & 63, 1);
});

describe("an exercise of one's own", () => {
  test("may ask for a block's scan, which counts in full", () => {
    expect(check(SPEC, scan)).toMatchObject({
      points: 10,
      said: expect.stringContaining("Every element's sum is right"),
    });
  });
  test("says which element of a scan is wrong, and what it should be", () => {
    const { points, said } = check(SPEC, exclusive);
    expect(points).toBeLessThan(5);
    expect(said).toMatch(/output\[0\] is 0.*the first 1 element of block 0 add up to -?\d+\./);
  });
  test("finds the race of a scan in place", () => {
    expect(check(SPEC, racing).points).toBeLessThan(10);
  });
  test("may ask for a histogram, which counts in full", () => {
    expect(check(HISTOGRAM, counts)).toMatchObject({
      points: 10,
      said: expect.stringContaining("Every count is right"),
    });
  });
  test("says which count of a histogram is wrong", () => {
    expect(check(HISTOGRAM, lost).points).toBeLessThan(5);
    expect(check(HISTOGRAM, negatives).said).toMatch(
      /output\[\d+\] is \d+.*; the elements that are \d+ modulo 64 number \d+\./,
    );
  });
  test.each([
    ["bins", { ...SPEC, bins: 64 }],
    ["bins", { ...HISTOGRAM, bins: 48 }],
    ["bins", { ...SPEC, sums: "histogram", outputBegins: "zeros" }],
    ["outputBegins", { ...HISTOGRAM, outputBegins: "garbage" }],
    ["checks[1].kind", { ...SPEC, checks: [SPEC.checks[0], { kind: "order", points: 2 }] }],
  ])("with another %s is refused, with the field", (field, spec) => {
    expect(() => validExercise("x.json", spec)).toThrow(`x.json: ${field}`);
  });
});
