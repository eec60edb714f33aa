/** The microbenchmarks on all threads of the machine: the same rows as in one. */

import { runOnThreads } from "../../../node/thread-pool.js";
import {
  type Calibration,
  type CalibrationOptions,
  type CalibrationRow,
  calibrationOf,
  chooseBenchmarks,
} from "./calibrate.js";
import type { MicroBenchmark } from "./groups/benchmarks.js";

/** Indices into all benchmarks, in their groups' order. */
export type BenchmarkTask = readonly number[];

/** How many a thread takes at once: neighbours share kernels, so one at a time would lower each of them twice. */
const AT_ONCE = 8;

/** Those of one name together: they are of one launch in several ways, and of its groups. */
function tasksOf(benchmarks: readonly MicroBenchmark[]): readonly BenchmarkTask[] {
  const byName = new Map<string, number[]>();
  for (const [index, { device, id }] of benchmarks.entries()) {
    const key = `${device?.id ?? ""} ${id}`;
    const same = byName.get(key) ?? [];
    byName.set(key, same);
    same.push(index);
  }
  const groups = [...byName.values()];
  const tasks: number[][] = [];
  for (let first = 0; first < groups.length; first += AT_ONCE) tasks.push(groups.slice(first, first + AT_ONCE).flat());
  return tasks;
}

/**
 * @param onRow told of each row, and of how many are there
 * @throws InputError for a group that there is not.
 */
export async function calibrateOnThreads(
  options: CalibrationOptions,
  onRow: (row: CalibrationRow, done: number, of: number) => void = () => {},
): Promise<Calibration> {
  const benchmarks = chooseBenchmarks(options);
  const rows: CalibrationRow[] = [];
  let done = 0;
  await runOnThreads<BenchmarkTask, readonly CalibrationRow[]>(
    "tools/accuracy/calibrate/thread.js",
    options,
    tasksOf(benchmarks),
    (task, found) => {
      for (const [at, row] of found.entries()) {
        rows[task[at] ?? -1] = row;
        done++;
        onRow(row, done, benchmarks.length);
      }
    },
  );
  return calibrationOf(rows);
}
