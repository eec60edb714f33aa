/** The cost of the reference engine and of the timing model, and the error of sampled times against full simulation. */

import { deviceById } from "../../core/device/index.js";
import { createRawCounters, type PreparedLaunch } from "../../core/engine/engine.js";
import { createReferenceEngine } from "../../core/engine/reference/index.js";
import { predictTime, programFor, readyFor, runSample } from "../../core/host/timed-launch.js";
import { labReductions, type ReductionVersion, reductionShape } from "../../course/reductions/reductions.js";
import { ValidationArrays } from "../accuracy/measured-arrays.js";
import { type BenchLine, benchLine, fastest, timed } from "./measure.js";

const device = deviceById("h200");

function preparedLaunch(version: ReductionVersion, arrays: ValidationArrays, n: number, block: number): PreparedLaunch {
  return readyFor(device, {
    program: programFor(version.kernel.ir, device),
    grid: [reductionShape(version, n, block).blocks, 1, 1],
    block: [block, 1, 1],
    dynamicSharedBytes: block * 4,
    args: [arrays.place("I"), arrays.place("O")],
    memory: arrays.memory,
    stepLimit: 1e8,
  });
}

/** (e) Operations of single lanes a second in the reference engine. */
export function benchReference(blocks: number): readonly BenchLine[] {
  const arrays = new ValidationArrays();
  return labReductions.slice(0, 3).map((version) => {
    const launch = preparedLaunch(version, arrays, 2 ** 24, 1024);
    const engine = createReferenceEngine({});
    engine.run(launch, { first: 0, end: 2, step: 1 }, createRawCounters(launch.program));
    const counters = createRawCounters(launch.program);
    const { cpuSeconds } = timed(() => engine.run(launch, { first: 0, end: blocks, step: 1 }, counters));
    const lanes = counters.activeLanes.reduce((sum, each) => sum + each, 0);
    return benchLine(
      `reference.${version.id}`,
      `Reference engine, ${version.title}: lane operations a CPU second`,
      lanes / cpuSeconds / 1e6,
      "M/s",
      {
        atLeast: 20,
      },
    );
  });
}

/** (f) The cycle model: simulated warp instructions a second, the cost of one launch's timing, tracing included. */
export function benchTiming(n: number): readonly BenchLine[] {
  const arrays = new ValidationArrays();
  const runs = labReductions.flatMap((version) =>
    [256, 1024].map((block) => {
      const launch = preparedLaunch(version, arrays, n, block);
      const traced = fastest(2, () => runSample(launch));
      const predicted = fastest(2, () => predictTime(device, traced.result, "cold"));
      return { label: `${version.title}, block ${block}`, traced, predicted };
    }),
  );
  const rates = runs.map(({ predicted }) => predicted.result.simulatedWarpInstructions / predicted.cpuSeconds / 1e6);
  const total = runs.reduce((sum, { predicted }) => sum + predicted.result.simulatedWarpInstructions, 0);
  const seconds = runs.reduce((sum, { predicted }) => sum + predicted.cpuSeconds, 0);
  const costs = runs.map(({ label, traced, predicted }) => ({
    label,
    seconds: traced.cpuSeconds + predicted.cpuSeconds,
  }));
  const mostExpensive = costs.reduce((most, each) => (each.seconds > most.seconds ? each : most));
  return [
    benchLine(
      "timing.rate",
      "Timing model: simulated warp instructions a CPU second",
      total / seconds / 1e6,
      "M/s",
      { atLeast: 2 },
      `${Math.min(...rates).toFixed(2)} to ${Math.max(...rates).toFixed(2)} by kernel and block`,
    ),
    benchLine(
      "timing.launch",
      "Timing of one launch, tracing included, the most expensive: CPU seconds",
      mostExpensive.seconds,
      "s",
      { atMost: 0.5 },
      `${mostExpensive.label}; ${(costs.reduce((sum, each) => sum + each.seconds, 0) / costs.length).toFixed(3)} s in the mean of ${costs.length}`,
    ),
  ];
}

/** (f) The sampled time of a small launch against that of all its blocks, traced and simulated. */
export function benchSampling(versions: number, n: number): readonly BenchLine[] {
  const arrays = new ValidationArrays();
  return labReductions.slice(-versions).map((version) => {
    const launch = preparedLaunch(version, arrays, n, 256);
    const every = Array.from({ length: launch.grid[0] }, (_, index) => index);
    const full = predictTime(device, runSample(launch, undefined, every), "cold", "gpu");
    const sampled = predictTime(device, runSample(launch), "cold");
    const error = (100 * (sampled.cycles - full.cycles)) / full.cycles;
    return benchLine(
      `sampling.${version.id}`,
      `${version.title}, ${n} elements: sampling error against full simulation`,
      error,
      "%",
      {},
      `${sampled.simulatedBlocks} of ${full.simulatedBlocks} blocks of an SM, ${sampled.sampling.blocks} of ${launch.grid[0]} traced`,
    );
  });
}
