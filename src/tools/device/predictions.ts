/**
 * Times that the model predicts of the course's kernels on a GPU, for a file that is kept before anybody measures: a blind
 * test. The corpus is the launches that an H200 was measured with; no measured number comes in.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DeviceSpec } from "../../core/device/index.js";
import { Gpu } from "../../core/host/gpu.js";
import { handedIn, withChoices } from "../../course/exercises/answer.js";
import { exercise, exerciseIds } from "../../course/exercises/exercise.js";
import { withTrial } from "../../course/exercises/trial.js";
import { simulateLadder } from "../../course/tables/ladder.js";
import { ladderIds } from "../../course/tables/ladder-ids.js";
import { courseRoot } from "../../node/course-root.js";
import { answerOfFile } from "../../node/grade/file-answer.js";
import { ValidationArrays } from "../accuracy/measured-arrays.js";
import { measuredKernels } from "../accuracy/measured-kernels.js";
import { AS_MODELLED, type MeasuredTable } from "../accuracy/measured-table.js";
import { LaunchSimulator } from "../accuracy/validate/simulated-launch.js";
import { chooseLaunches, launchesByKernel } from "../accuracy/validate/validate.js";

const SIZES = [2 ** 20, 2 ** 22, 2 ** 24];
const BLOCKS = [128, 256, 512, 1024];
const CACHES = ["cold", "warm"] as const;

interface Predicted {
  /** The table of the course, or of test/reference/h200. */
  readonly table: string;
  readonly kernel: string;
  readonly n?: number;
  readonly block?: number;
  readonly cache: "cold" | "warm";
  /** Between two events around the launch, as the device's own launch costs have it. */
  readonly timeMs: number;
}

export interface Predictions {
  readonly device: string;
  readonly file: string;
  readonly method: string;
  readonly predictions: readonly Predicted[];
}

const digits = (timeMs: number): number => Number(timeMs.toPrecision(5));

function ofLadders(device: DeviceSpec, say: (line: string) => void): readonly Predicted[] {
  return ladderIds.flatMap((ladder) =>
    SIZES.flatMap((n) =>
      BLOCKS.flatMap((block) =>
        CACHES.flatMap((cache) => {
          say(`${ladder}, ${n} elements, block ${block}, ${cache} ...`);
          const { rows } = simulateLadder({ ladder, device, n, block, cache });
          return rows.map(({ id, timeMs }) => ({ table: ladder, kernel: id, n, block, cache, timeMs: digits(timeMs) }));
        }),
      ),
    ),
  );
}

/** The course's own solutions of its exercises, launched as the exercises say. */
function ofExercises(device: DeviceSpec, say: (line: string) => void): readonly Predicted[] {
  const gpu = new Gpu(device);
  const specs = exerciseIds().map(exercise);
  // A chain of child grids over 2^24 elements has tens of thousands of grids.
  const plain = specs.filter(({ checks }) => checks.every(({ kind }) => kind !== "child-grids"));
  return plain.flatMap((spec) => {
    const { id } = spec;
    say(`${id} ...`);
    const text = readFileSync(join(courseRoot(), "labs", id, "solution.ts"), "utf8");
    const kernel = handedIn(spec, answerOfFile("solution.ts", text));
    if (typeof kernel === "string") throw new Error(`${id}: ${kernel}`);
    const { blocks } = withChoices(spec, kernel);
    const fits = BLOCKS.filter((block) => block >= blocks.drawn.least && block <= blocks.drawn.most);
    return SIZES.flatMap((n) =>
      (fits.length === 0 ? [...blocks.named] : fits).flatMap((block) =>
        CACHES.map((cache): Predicted => {
          const tried = { n, block, dataSeed: 1, traced: 0 };
          const timeMs = withTrial(
            { gpu, spec, kernel, tried },
            ({ kernel: sized, config, args }) => gpu.launch(sized, { ...config, cache }, args).timeMs,
          );
          return { table: "exercises", kernel: id, n, block, cache, timeMs: digits(timeMs) };
        }),
      ),
    );
  });
}

type CorpusPart = "corpus" | "sample" | "others";

function launchesOf(part: CorpusPart): readonly MeasuredTable[] {
  const all = { devices: ["h200"], probes: measuredKernels() };
  if (part === "corpus") return chooseLaunches(all);
  const sample = chooseLaunches({ ...all, sample: "recorded" });
  if (part === "sample") return sample;
  const taken = new Set(sample.flatMap(({ id, launches }) => launches.map((launch) => `${id} ${launch.id}`)));
  return chooseLaunches(all).map((table) => ({
    ...table,
    launches: table.launches.filter(({ id }) => !taken.has(`${table.id} ${id}`)),
  }));
}

function ofCorpus(path: string, part: CorpusPart, say: (line: string) => void): readonly Predicted[] {
  const arrays = new ValidationArrays();
  const groups = launchesByKernel(launchesOf(part));
  return groups.flatMap((group, index) => {
    const simulator = new LaunchSimulator(arrays, false);
    if (index % 50 === 0) say(`${index} of ${groups.length} kernels ...`);
    return group.map(([table, launch]): Predicted => {
      const { numbers } = simulator.simulate(launch, path, AS_MODELLED);
      const { cache } = launch;
      return { table: table.id, kernel: launch.id, cache, timeMs: digits(numbers.timeMs ?? 0) };
    });
  });
}

/**
 * The course's tables; the solutions of its exercises; all launches of test/reference/h200; the eighth of them that `npm
 * run validate` records; and all but that eighth.
 */
export const PREDICTED_SETS = ["ladders", "exercises", "corpus", "sample", "others"] as const;

export type PredictedSet = (typeof PREDICTED_SETS)[number];

/** @param path the device's id or file */
export function predictions(
  path: string,
  device: DeviceSpec,
  sets: readonly PredictedSet[],
  say: (line: string) => void,
): Predictions {
  return {
    device: device.name,
    file: path,
    method:
      "predicted by `npx warplab predict`, before any comparison; times between two CUDA events; cold: other data was written before, warm: the launch is repeated; the empty kernel's times are the device's",
    predictions: sets.flatMap((set) => {
      if (set === "ladders") return ofLadders(device, say);
      return set === "exercises" ? ofExercises(device, say) : ofCorpus(path, set, say);
    }),
  };
}
