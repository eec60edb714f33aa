/** Runs of several kernels over the same elements: speed-up over the first, bandwidth, share of the peak. */

import { InputError } from "../../core/base/errors.js";
import { checkArgument, checkOptions, listOf, optional, string } from "../../core/base/shape.js";
import type { Figure } from "../../core/show/figures/figure.js";
import { bandwidthFigure, speedupFigure } from "../../core/show/figures/version-figures.js";
import { gigabytesPerSecond, milliseconds, percentOfOne, times } from "../../core/show/number-format.js";
import { speedups, type VersionSpeed } from "../../core/show/speedup.js";
import { type Table, table } from "../../core/show/table.js";
import { conditionsOf, type Reduction, runShape, wrongText } from "./reduction.js";

/** The result of `compare`. `display` shows the table and both plots; `table` and the plots can be shown alone. */
export interface Comparison {
  readonly kind: "comparison";
  readonly rows: readonly (VersionSpeed & { readonly right: boolean })[];
  readonly table: Table;
  readonly speedup: Figure;
  readonly bandwidth: Figure;
  readonly views: readonly (Table | Figure)[];
}

function checkRuns(runs: readonly Reduction[]): Reduction {
  const [first] = runs;
  if (first === undefined) {
    throw new InputError({
      what: "compare was given no run.",
      cure: "Give it runs: compare([runReduction(...), runReduction(...)]).",
    });
  }
  for (const run of runs) {
    const { launch, n, cache } = run;
    if (n === first.n && launch.device.id === first.launch.device.id && cache === first.cache) continue;
    throw new InputError({
      what: `compare was given ${first.kernel} (${conditionsOf(first)}) and ${run.kernel} (${conditionsOf(run)}).`,
      cure: "Run all of them over the same elements on one GPU, with the same state of the caches.",
    });
  }
  return first;
}

/** Kernels of one name are told apart by their block and grid. */
function nameOf(run: Reduction, runs: readonly Reduction[], names: readonly string[] | undefined, at: number): string {
  const given = names?.[at];
  if (given !== undefined) return given;
  return runs.filter(({ kernel }) => kernel === run.kernel).length === 1
    ? run.kernel
    : `${run.kernel}, ${run.grid} blocks of ${run.block}`;
}

/**
 * Compares runs; the first is the baseline.
 * @throws InputError for no run, runs under different conditions, or two of one name.
 * @example
 * display(compare([runReduction(gpu, first, n), runReduction(gpu, second, n)]));
 */
export function compare(
  runs: readonly Reduction[],
  options: { readonly title?: string; readonly names?: readonly string[] } = {},
): Comparison {
  checkArgument("compare", "runs", runs, listOf(runShape));
  const shapes = { title: optional(string), names: optional(listOf(string)) };
  checkOptions<typeof options>("compare", options, shapes);
  const first = checkRuns(runs);
  const { name: device, dram } = first.launch.device;
  const peakGBps = dram.peakBandwidthGBps;
  const speeds = speedups(
    runs.map((run, at) => ({
      version: nameOf(run, runs, options.names, at),
      timeMs: run.timeMs,
      bytes: run.bandwidthGBps * run.timeMs * 1e6,
    })),
    { peakGBps },
  );
  const rows = speeds.map((speed, at) => ({ ...speed, right: runs[at]?.right ?? false }));
  const sameBlock = runs.every(({ block }) => block === first.block);
  const conditions = sameBlock
    ? conditionsOf(first)
    : conditionsOf(first).replace(`block ${first.block}`, "several blocks");
  const title = options.title ?? "Compared";
  const shown = table({
    title: `${title}: ${conditions}`,
    columns: [
      { key: "version", title: "Version" },
      { key: "right", title: "Sum right" },
      { key: "timeMs", title: "Event time", unit: "ms", format: milliseconds },
      { key: "timeSpeedup", title: "Speed-up", format: times },
      { key: "bandwidthGBps", title: "Bandwidth", unit: "GB/s", format: gigabytesPerSecond },
      { key: "peakShare", title: "Share of peak", format: percentOfOne },
    ],
    rows,
    note: `Times are predicted. Bandwidth: bytes of the input over the time; the peak is ${peakGBps} GB/s. ${wrongText(runs)}`.trim(),
  });
  const texts = { subtitle: conditions };
  const speedup = speedupFigure(rows, { ...texts, title: `${title}: speed-up over ${rows[0]?.version ?? ""}` });
  const bandwidth = bandwidthFigure(rows, { device, peakGBps }, { ...texts, title: `${title}: bandwidth` });
  return { kind: "comparison", rows, table: shown, speedup, bandwidth, views: [shown, speedup, bandwidth] };
}
