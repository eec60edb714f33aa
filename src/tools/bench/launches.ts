/** The cost of whole launches on this machine: the labs end to end, and compiling. */

import type { Kernel } from "../../core/frontend/index.js";
import { Gpu } from "../../core/host/gpu.js";
import type { LaunchConfig } from "../../core/host/launch.js";
import type { LaunchArguments } from "../../core/host/launch-arguments.js";
import type { LaunchResult } from "../../core/host/launch-result.js";
import { ones } from "../../course/reductions/reduction-run.js";
import { labReductions, type ReductionVersion, reductionShape } from "../../course/reductions/reductions.js";
import { type BenchLine, benchLine, peakBytes, timed } from "./measure.js";

const MIB = 2 ** 20;

interface Prepared {
  readonly title: string;
  readonly kernel: Kernel;
  readonly config: LaunchConfig;
  readonly args: LaunchArguments;
}

/** Uploads the data once and readies each version's launch. */
function prepare(
  gpu: Gpu,
  versions: readonly ReductionVersion[],
  data: Int32Array,
  block: number,
): readonly Prepared[] {
  const input = gpu.upload(data);
  const output = gpu.alloc({ type: "i32" }, Math.ceil(data.length / block));
  return versions.map((version) => ({
    title: version.title,
    kernel: version.kernel,
    config: { grid: reductionShape(version, data.length, block).blocks, block, sharedBytes: block * 4 },
    args: { input, output },
  }));
}

function launch(gpu: Gpu, { kernel, config, args }: Prepared): LaunchResult {
  return gpu.launch(kernel, config, args);
}

/** (a) Labs 25 to 28 as a notebook's cell sees them: the first launch of each, everything included. */
export function benchLabs(n: number): readonly BenchLine[] {
  const before = peakBytes();
  const data = ones(n);
  const gpu = new Gpu("h200");
  const prepared = prepare(gpu, labReductions, data, 1024);
  const dataBytes = 2 * data.byteLength;
  const runs = prepared.map((each) => ({ each, run: timed(() => launch(gpu, each)) }));
  const peak = peakBytes();
  const seconds = runs.reduce((sum, { run }) => sum + run.seconds, 0);
  const cpu = runs.reduce((sum, { run }) => sum + run.cpuSeconds, 0);
  const lowering = runs.reduce((sum, { run }) => sum + run.result.hostMs.compile, 0) / 1000;
  const timing = runs.reduce((sum, { run }) => sum + run.result.hostMs.timing, 0) / 1000;
  // The second launches compile nothing and trace and time as the first: what they save is compiling.
  const again = prepared.map((each) => timed(() => launch(gpu, each)));
  const compiling = Math.max(0, cpu - again.reduce((sum, run) => sum + run.cpuSeconds, 0));
  gpu.reset();
  return [
    ...runs.map(({ each, run }, index) =>
      benchLine(
        `labs.${labReductions[index]?.id}`,
        `${each.title}, first launch`,
        run.seconds,
        "s",
        {},
        `timing ${(run.result.hostMs.timing / 1000).toFixed(3)} s`,
      ),
    ),
    benchLine(
      "labs.together",
      "Labs 25 to 28, five launches, counters and timing on: CPU seconds",
      cpu,
      "s",
      n === 2 ** 24 ? { atMost: 2.5 } : {},
      `${seconds.toFixed(2)} s by the clock; of these timing ${timing.toFixed(2)} s, lowering ${lowering.toFixed(3)} s`,
    ),
    benchLine(
      "labs.compiling",
      "share of compiling in it",
      (100 * compiling) / cpu,
      "%",
      {},
      "first launches less second ones",
    ),
    benchLine(
      "labs.memory",
      "peak memory above the data",
      (peak - dataBytes) / MIB,
      "MiB",
      { atMost: 512 },
      `${(peak / MIB).toFixed(0)} MiB in all, ${(dataBytes / MIB).toFixed(0)} MiB of data, ${(before / MIB).toFixed(0)} MiB before the first launch`,
    ),
  ];
}

/**
 * (c) Compiling: front end and lowering of a kernel that was never run, and the extra time of its first run, by the clock.
 * Then the same of launches with other grids, the median of three. The timing model compiles nothing, so it is left out.
 */
export function benchCompile(): readonly BenchLine[] {
  return labReductions.flatMap((version) => {
    const gpu = new Gpu("h200");
    const [small] = prepare(gpu, [version], ones(2 * 1024 * 2), 1024);
    if (small === undefined) return [];
    const before = performance.now();
    const kernel = version.kernel.with({});
    const frontEnd = performance.now() - before;
    const compiling = (each: Prepared): number => {
      const runs = Array.from({ length: 4 }, () => launch(gpu, { ...each, kernel }).hostMs);
      const [first, ...later] = runs;
      if (first === undefined) return Number.NaN;
      return first.compile + Math.max(0, first.run - Math.min(...later.map(({ run }) => run)));
    };
    const cold = frontEnd + compiling(small);
    const others = [6, 10, 14].flatMap((blocks) =>
      prepare(gpu, [version], ones(2 * 1024 * blocks), 1024).map(compiling),
    );
    const otherSize = others.sort((a, b) => a - b)[1] ?? Number.NaN;
    gpu.reset();
    return [
      benchLine(`compile.${version.id}.cold`, `${version.title}: compiling, cold`, cold, "ms", { atMost: 50 }),
      benchLine(`compile.${version.id}.second`, `${version.title}: second launch, another size`, otherSize, "ms", {
        atMost: 5,
      }),
    ];
  });
}
