/** The check of bandwidth by steps; the truth for the steps are the course's own versions and the model's known errors. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer as lab30 } from "../../labs/lab-30/solution.js";
import { bandwidthFinding } from "../../src/course/exercises/bandwidth.js";
import { checkExercise } from "../../src/course/exercises/check.js";
import { exercise } from "../../src/course/exercises/exercise.js";
import type { CheckSpec, ExerciseSpec } from "../../src/course/exercises/spec.js";
import { withTrial } from "../../src/course/exercises/trial.js";
import {
  atomicAdd,
  blockDim,
  blockIdx,
  Gpu,
  gridDim,
  i32,
  type Kernel,
  kernel,
  ptr,
  publishedSweep,
  publishedTable,
  randomInts,
  reductionById,
  runReduction,
  runVersion,
  shfl_down_sync,
  threadIdx,
  u32,
} from "../../src/index.js";
import { validExercise } from "../../src/node/exercise-schema.js";

const file = join(import.meta.dirname, "../../labs/capstone/exercise.json");
const written = JSON.parse(readFileSync(file, "utf8"));
const deviations = readFileSync(join(import.meta.dirname, "../DEVIATIONS.md"), "utf8");
const spec = exercise("capstone");
type Bandwidth = Extract<CheckSpec, { readonly kind: "bandwidth" }>;
const checkOn = (gpu: string): Bandwidth => {
  const found = spec.checks.find((check): check is Bandwidth => check.kind === "bandwidth" && check.gpu === gpu);
  if (found === undefined) throw new Error(`no bandwidth on ${gpu}`);
  return found;
};

const params = { input: ptr(i32), output: ptr(i32), n: u32 };

/** One atomic a warp: right with any grid. */
const simple = (BLOCK: number, BLOCKS_PER_SM: number): Kernel =>
  kernel("answer", params, { BLOCK, BLOCKS_PER_SM }, ({ input, output, n }) => {
    let sum = 0;
    for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += input[i];
    for (let s = 16; s > 0; s >>= 1) sum += shfl_down_sync(0xffffffff, sum, s);
    if ((threadIdx.x & 31) === 0) atomicAdd(output, 0, sum);
  });

describe("the capstone's steps", () => {
  /** Percent: the half of the known times is nearer than that. */
  const medianOf = (pattern: RegExp): number => Number(pattern.exec(deviations)?.[1]);
  const medians = {
    h200: medianOf(/Known launches on an H200: half of the times are within ([\d.]+) %/),
    v100: medianOf(/"streams by occupancy, V100" \| \d+ \| ([\d.]+) %/),
  };
  const { n } = publishedTable("capstone-h200");
  const shareOf = (gpu: Gpu, timeMs: number): number => (4 * n) / (timeMs * 1e6) / gpu.device.dram.peakBandwidthGBps;
  const data = randomInts(n);
  const labShare = (gpu: Gpu, id: string): number =>
    shareOf(gpu, runVersion(gpu, reductionById(id), data, { block: 256 }).timeMs);
  const fullGrid = (gpu: Gpu): number => 8 * gpu.device.smCount;
  const ownShare = (gpu: Gpu, own: Kernel): number =>
    shareOf(gpu, runReduction(gpu, own, n, { input: data, grid: fullGrid(gpu) }).timeMs);

  test.each(["h200", "v100"] as const)(
    "on the %s are the labs' shares and the solution's, less the model's median error",
    async (id) => {
      const gpu = new Gpu(id);
      const { answer } = await import("../../labs/capstone/solution.js");
      const [labs, own] =
        id === "h200"
          ? [
              ["lab-27-first-add", "lab-28-last-warp"],
              [lab30 as Kernel, answer as Kernel],
            ]
          : [["lab-26-sequential", "lab-27-first-add"], [answer as Kernel]];
      const shares = [...labs.map((lab) => labShare(gpu, lab)), ...own.map((each) => ownShare(gpu, each))];
      const rounded = shares.map((share) => Math.floor(share * (100 - medians[id])) / 100);
      expect(checkOn(id).steps.map(({ share }) => share)).toEqual(rounded);
    },
  );

  test("stand in the task's sentence as they are checked", () => {
    const percents = (id: string): string =>
      checkOn(id)
        .steps.map(({ share }) => Math.round(100 * share))
        .join(", ")
        .replace(/, (\d+)$/, " and $1 %");
    expect(spec.task).toContain(`on an H200 ${percents("h200")}, on a Tesla V100 ${percents("v100")}.`);
  });

  test("ask for more on the H200 than CUB reaches there, and the solution's predicted time is near the measured one", async () => {
    const { answer } = await import("../../labs/capstone/solution.js");
    const { rows } = publishedTable("capstone-h200");
    const timeOf = (version: string): number => rows.find((row) => row.version === version)?.timeMs ?? Number.NaN;
    const gpu = new Gpu("h200");
    const top = checkOn("h200").steps.at(-1)?.share ?? 0;
    expect(top).toBeGreaterThan(shareOf(gpu, timeOf("cub")));
    expect(top).toBeLessThan(shareOf(gpu, timeOf("two-vectors")));
    const predictedMs = runReduction(gpu, answer, n, { input: data, grid: fullGrid(gpu) }).timeMs;
    expect(Math.abs(predictedMs / timeOf("two-vectors") - 1)).toBeLessThan(0.05);
    const cub = publishedSweep("cub-h200").rows.find((row) => row.n === 2 ** 24 && row.cache === "cold");
    expect(Math.abs((cub?.peakShare ?? 0) * 4814 - 2385.8)).toBeLessThan(1);
  });
});

describe("a check of bandwidth", () => {
  const gpu = new Gpu("v100");
  const n = 2 ** 20;
  const launch = gpu.launch(
    simple(256, 8),
    { grid: 640, block: 256 },
    { input: gpu.upload(randomInts(n)), output: gpu.alloc(i32, 1).fill(0), n },
  );
  const share = (4 * n) / (launch.timeMs * 1e6) / 898;
  const of = (...steps: Bandwidth["steps"]): Bandwidth => ({ kind: "bandwidth", points: 4, gpu: "v100", steps });

  test("gives the points of the highest step that is reached, and says the share, the bound, the line and the next step", () => {
    const steps = [
      { share: share / 2, points: 1 },
      { share: share * 0.999, points: 2.5 },
      { share: share * 1.2, points: 4 },
    ];
    const finding = bandwidthFinding(of(...steps), [launch], n);
    expect(finding).toMatchObject({ passed: false, points: 2.5, reached: { gpu: "v100", timeMs: launch.timeMs } });
    expect(finding.reached?.share).toBeCloseTo(share, 3);
    const next = Math.floor(1000 * share * 1.2) / 10;
    expect(finding.sentence).toContain(`That is 2.5 of 4 points; from ${next} % on it is 4.`);
    expect(finding.sentence).toMatch(/predicted, cold L2: \d+ GB\/s, [\d.]+ % of the peak of 898 GB\/s/);
    expect(finding.sentence).toMatch(/ meet at one address, .* Look at line \d+ \(.*atomicAdd\(output, 0, sum\);\)\.$/);
  });

  test("passes with the last step, and gives nothing below the first", () => {
    expect(bandwidthFinding(of({ share, points: 4 }), [launch], n).passed).toBe(true);
    const none = bandwidthFinding(of({ share: share * 1.01, points: 4 }), [launch], n);
    expect([none.passed, none.points]).toEqual([false, 0]);
  });

  test("does not read as if a step were reached that is not", () => {
    const { sentence } = bandwidthFinding(of({ share: Math.ceil(share * 1000) / 1000, points: 4 }), [launch], n);
    expect(sentence).toContain(`${Math.floor(share * 1000) / 10} % of the peak`);
  });

  test("is looked at once there is a launch on its GPU", () => {
    expect(bandwidthFinding({ ...of({ share, points: 4 }), gpu: "h200" }, [launch], n).sentence).toMatch(/^Looked at/);
  });

  test("keeps its partial points and its share in the verdict, and the exercise is not passed", () => {
    const verdict = checkExercise("capstone", simple(256, 8), { seed: 1 });
    const [, , onH200, onV100] = verdict.checks;
    expect(onH200).toMatchObject({
      check: "bandwidth h200",
      passed: false,
      points: 2,
      outOf: 4,
      reached: { gpu: "h200" },
    });
    expect(onV100).toMatchObject({
      check: "bandwidth v100",
      passed: false,
      points: 2,
      outOf: 3,
      reached: { gpu: "v100" },
    });
    // The checks give 7, of which the starter has 3: 4 of the 7 that are left, in half points.
    expect([verdict.passed, verdict.points]).toEqual([false, 5.5]);
  });
});

describe("a learner's choice of threads and blocks", () => {
  const reasonFor = (constants: Readonly<Record<string, number>>): string => {
    const answer = kernel("answer", params, constants, ({ output }) => {
      output[0] = 0;
    });
    return checkExercise("capstone", answer, { seed: 1 }).checks[0]?.sentence ?? "";
  };

  test.each([
    [{ BLOCKS_PER_SM: 8 }, /no template constant BLOCK\. Declare it as the threads a block, 32 to 1024/],
    [{ BLOCK: 16, BLOCKS_PER_SM: 8 }, /BLOCK: 16/],
    [{ BLOCK: 100.5, BLOCKS_PER_SM: 8 }, /BLOCK: 100\.5/],
    [{ BLOCK: 256 }, /no template constant BLOCKS_PER_SM\. Declare it as the blocks for each SM, 1 to 32/],
    [{ BLOCK: 256, BLOCKS_PER_SM: 33 }, /BLOCKS_PER_SM: 33/],
  ])("is refused with its range: %o", (constants, reason) => {
    expect(reasonFor(constants as Readonly<Record<string, number>>)).toMatch(reason);
  });

  test("says the blocks of a launch: so many an SM, no more than the input fills, few under a seeded schedule", () => {
    const gpu = new Gpu("v100");
    const gridOf = (n: number, schedule?: number): readonly number[] => {
      const tried = { n, block: 256, dataSeed: 1, traced: 0 };
      const plan = { gpu, spec, kernel: simple(256, 2), tried, ...(schedule === undefined ? {} : { schedule }) };
      return withTrial(plan, ({ grid, before }) => [grid, before.length, before.filter((value) => value !== 0).length]);
    };
    expect(gridOf(100_000)).toEqual([160, 162, 0]);
    expect(gridOf(1000)).toEqual([4, 6, 0]);
    expect(gridOf(100_000, 3)).toEqual([5, 7, 0]);
  });
});

describe("an exercise's data", () => {
  const withCheck = (check: object): object => ({
    ...written,
    checks: [...written.checks.slice(0, 3), { ...written.checks[3], ...check }],
  });
  const [, , , onV100] = written.checks;

  test.each([
    ['checks[3].gpu is "b100"', "Its peak is not known. Give one of h200, v100.", withCheck({ gpu: "b100" })],
    ['checks[3].gpu is "a100"', "stands by itself in devices", withCheck({ gpu: "a100" })],
    ["checks[3].steps is []", "Give a list of one or more.", withCheck({ steps: [] })],
    ["checks[3].steps is missing", "Add it", withCheck({ steps: undefined })],
    ["checks[3].steps[0].share is 2", "up to 1", withCheck({ steps: [{ share: 2, points: 3 }] })],
    ["checks[3].steps[1]", "ask for more than the one before", withCheck({ steps: [...onV100.steps].reverse() })],
    ["checks[3].points is 9", "give all of the check's points", withCheck({ points: 9 })],
    ['threadsConstant is "BLOCK"', "both are the threads a block", { ...written, blockConstant: "BLOCK" }],
    ['blocksPerSmConstant is "BLOCKS_PER_SM"', "both say the blocks", { ...written, gridConstant: "B", mostBlocks: 9 }],
    ['outputBegins is "ones"', "Give one of garbage, zeros.", { ...written, outputBegins: "ones" }],
  ])("is refused where %s", (what, cure, data) => {
    expect(() => validExercise("x.json", data)).toThrow(`x.json: ${what}`);
    expect(() => validExercise("x.json", data)).toThrow(cure);
  });

  test("has garbage in the output and no choices unless it says so", () => {
    const plain: ExerciseSpec = exercise("lab-30");
    expect([plain.outputBegins, plain.threadsConstant, plain.blocksPerSmConstant]).toEqual(["garbage", null, null]);
  });
});
