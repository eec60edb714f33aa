/** A thread of `threads.ts`: simulates one microbenchmark after another. */

import "../../../node/platform.js";
import { serveTasks } from "../../../node/thread-pool.js";
import { benchmarkSimulator, type CalibrationOptions, type CalibrationRow, chooseBenchmarks } from "./calibrate.js";
import type { BenchmarkTask } from "./threads.js";

serveTasks((options: CalibrationOptions) => {
  const benchmarks = chooseBenchmarks(options);
  const simulate = benchmarkSimulator();
  return (task: BenchmarkTask): readonly CalibrationRow[] =>
    task.map((index) => {
      const benchmark = benchmarks[index];
      if (benchmark === undefined) throw new Error(`There is no microbenchmark ${index}.`);
      return simulate(benchmark);
    });
});
