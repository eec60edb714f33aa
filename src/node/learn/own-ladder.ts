/** The end of the course: the predicted time of each of the learner's own kernels for one array, beside where they began. */
import { existsSync } from "node:fs";
import { WarplabError } from "../../core/base/errors.js";
import { deviceById } from "../../core/device/index.js";
import { Gpu } from "../../core/host/gpu.js";
import { gigabytesPerSecond, milliseconds, percentOfOne } from "../../core/show/number-format.js";
import { bandwidthGBps } from "../../core/show/speedup.js";
import { type Table, table } from "../../core/show/table.js";
import { handedIn } from "../../course/exercises/answer.js";
import { exercise } from "../../course/exercises/exercise.js";
import { runTrial, withTrial } from "../../course/exercises/trial.js";
import { Refused } from "../grade/refused.js";
import { submissionAnswer } from "../grade/submission-answer.js";
import { readSubmission } from "../grade/submission-file.js";

/** Elements that each kernel sums. */
export const LADDER_ELEMENTS: number = 2 ** 22;
const BLOCK = 256;
const DEVICE = "v100";

export interface LadderEntry {
  readonly id: string;
  readonly path: string;
  /** Its name in the table. */
  readonly name: string;
}

export interface LadderStep {
  readonly name: string;
  /** null where the file has no kernel that runs. */
  readonly predictedMs: number | null;
}

/** Predicted milliseconds of the kernel in a file. */
function timeOf({ id, path }: LadderEntry, count: number): number | null {
  if (!existsSync(path)) return null;
  const spec = exercise(id);
  try {
    const kernel = handedIn(spec, submissionAnswer(readSubmission(path), id));
    if (typeof kernel === "string") return null;
    // The capstone's kernel says its threads itself.
    const { threadsConstant } = spec;
    const block = threadsConstant === null ? BLOCK : Number(kernel.spec.constants[threadsConstant]);
    const tried = { n: count, block, dataSeed: 1, traced: 0 };
    return withTrial({ gpu: new Gpu(DEVICE), spec, kernel, tried }, (trial) => {
      const { launch, wrong } = runTrial(trial);
      return wrong === null ? launch.timeMs : null;
    });
  } catch (problem) {
    if (problem instanceof WarplabError || problem instanceof Refused) return null;
    throw problem;
  }
}

/** Runs the kernels; one that is not right for this array has no time. */
export function ladderSteps(entries: readonly LadderEntry[], count: number = LADDER_ELEMENTS): readonly LadderStep[] {
  return entries.map((entry) => ({ name: entry.name, predictedMs: timeOf(entry, count) }));
}

/** The steps as a table; bandwidth counts the elements alone. */
export function ladderTable(steps: readonly LadderStep[], count: number = LADDER_ELEMENTS): Table {
  const device = deviceById(DEVICE);
  const peak = device.dram.peakBandwidthGBps;
  const bandwidth = (ms: number): number => bandwidthGBps(count * 4, ms);
  return table({
    title: `The sum of ${count} ints on a ${device.name}: predicted times`,
    columns: [
      { key: "name", title: "Kernel" },
      { key: "ms", title: "Predicted ms", align: "right", format: milliseconds },
      { key: "rate", title: "GB/s", align: "right", format: gigabytesPerSecond },
      { key: "share", title: "Of the peak", align: "right", format: percentOfOne },
    ],
    rows: steps.map(({ name, predictedMs: ms }) => ({
      name,
      ms,
      rate: ms === null ? null : bandwidth(ms),
      share: ms === null ? null : bandwidth(ms) / peak,
    })),
    note: `Blocks of ${BLOCK} threads, each leaving its own sum; the capstone's choice makes one sum of all. The peak is ${peak} GB/s.`,
  });
}
