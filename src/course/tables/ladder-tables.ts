/** The tables and figures of a simulated ladder: Lab 28's table, its speed-ups, and both beside published numbers. */

import { InputError } from "../../core/base/errors.js";
import { checkArgument } from "../../core/base/shape.js";
import { meanAbsoluteDeviationPercent } from "../../core/show/comparison.js";
import type { Figure } from "../../core/show/figures/figure.js";
import {
  bandwidthFigure,
  comparisonFigure,
  speedupFigure,
  timeFigure,
} from "../../core/show/figures/version-figures.js";
import {
  count,
  gigabytesPerSecond,
  milliseconds,
  percentOfOne,
  signedPercent,
  sizeText,
  times,
} from "../../core/show/number-format.js";
import { type Table, table } from "../../core/show/table.js";
import { publishedNote } from "../reductions/published.js";
import type { Ladder } from "./ladder.js";
import { ladderShape } from "./ladder.js";

/** GPU, size, block and input of a ladder in a line. */
export function conditions(ladder: Ladder): string {
  const element = ladder.element === "i32" ? "int" : "float";
  return `${ladder.device.name}, ${sizeText(ladder.n)} ${element}, block ${ladder.block}, ${ladder.cache === "cold" ? "cold L2" : "after a warm-up run"}`;
}

/** Time, bandwidth, share of the peak, and whether the sum is right. */
export function timesTable(ladder: Ladder): Table {
  checkArgument("timesTable", "ladder", ladder, ladderShape);
  const { peakBandwidthGBps } = ladder.device.dram;
  return table({
    title: `${ladder.title}: event time and bandwidth, simulated (${conditions(ladder)})`,
    columns: [
      { key: "version", title: "Version" },
      { key: "timeMs", title: "Event time", unit: "ms", format: milliseconds },
      { key: "bandwidthGBps", title: "Bandwidth", unit: "GB/s", format: gigabytesPerSecond },
      { key: "peakShare", title: "Share of peak", format: percentOfOne },
      { key: "result", title: "Sum", format: ladder.element === "i32" ? count : { decimals: 2, grouping: true } },
      { key: "correct", title: "Right" },
    ],
    rows: ladder.rows,
    note: `Bandwidth: the bytes of the input over the event time. Peak of this GPU: ${peakBandwidthGBps} GB/s. Right: equal to a plain JavaScript sum${ladder.element === "i32" ? "" : " within float's rounding"}.`,
  });
}

/** Time and bandwidth speed-up over the first version. */
export function speedupsTable(ladder: Ladder): Table {
  checkArgument("speedupsTable", "ladder", ladder, ladderShape);
  return table({
    title: `${ladder.title}: speed-up over ${ladder.rows[0]?.version ?? "the first"}, simulated (${conditions(ladder)})`,
    columns: [
      { key: "version", title: "Version" },
      { key: "speedup", title: "Time speed-up", format: times },
      { key: "bandwidthSpeedup", title: "Bandwidth speed-up", format: times },
      { key: "step", title: "Over the version before", align: "right", format: times },
    ],
    rows: ladder.rows.map((row, index) => {
      const before = ladder.rows[index - 1];
      return { ...row, step: before === undefined ? null : before.timeMs / row.timeMs };
    }),
  });
}

/** Simulated beside published, with deviations in percent; null where nothing was published for these conditions. */
export function publishedComparison(ladder: Ladder): Table | null {
  checkArgument("publishedComparison", "ladder", ladder, ladderShape);
  if (ladder.unpublished !== "") return null;
  const rows = ladder.rows.map((row) => ({
    version: row.shortTitle,
    timeMs: row.timeMs,
    publishedMs: row.published?.timeMs ?? null,
    timeDeviation: row.deviationPercent?.timeMs ?? null,
    speedup: row.speedup,
    publishedSpeedup: row.published?.speedup ?? null,
    speedupDeviation: row.deviationPercent?.speedup ?? null,
  }));
  const mean = meanAbsoluteDeviationPercent(
    rows.map((row) => ({
      version: row.version,
      simulated: row.timeMs,
      published: row.publishedMs,
      deviationPercent: row.timeDeviation,
    })),
  );
  const meanText = mean === null ? "" : ` Mean absolute deviation of the times: ${mean.toFixed(1)} %.`;
  return table({
    title: `${ladder.title}: simulated beside published (${conditions(ladder)})`,
    columns: [
      { key: "version", title: "Version" },
      { key: "timeMs", title: "Time", unit: "ms", format: milliseconds },
      { key: "publishedMs", title: "Published", unit: "ms", align: "right", format: milliseconds },
      { key: "timeDeviation", title: "Deviation", align: "right", format: signedPercent },
      { key: "speedup", title: "Speed-up", format: times },
      { key: "publishedSpeedup", title: "Published", align: "right", format: times },
      { key: "speedupDeviation", title: "Deviation", align: "right", format: signedPercent },
    ],
    rows,
    note: `${publishedNote(ladder.published)}${meanText}`,
  });
}

/** One ladder on several GPUs: a row a version, time and speed-up of each GPU. */
export function sideBySide(ladders: readonly Ladder[]): Table {
  const [first] = ladders;
  if (first === undefined) throw new InputError({ what: "No ladder was given.", cure: "Give at least one." });
  const columns = ladders.flatMap(({ device: { id } }) => [
    { key: `${id} time`, title: id, unit: "ms", format: milliseconds },
    { key: `${id} speedup`, title: `${id}`, unit: "speed-up", format: times },
  ]);
  return table({
    title: `${first.title} on several GPUs, simulated (${sizeText(first.n)} elements, block ${first.block})`,
    columns: [{ key: "version", title: "Version" }, ...columns],
    rows: first.rows.map(
      (row, at): Record<string, string | number | null> => ({
        version: row.shortTitle,
        ...Object.fromEntries(
          ladders.flatMap(({ device: { id }, rows }) => [
            [`${id} time`, rows[at]?.timeMs ?? null],
            [`${id} speedup`, rows[at]?.speedup ?? null],
          ]),
        ),
      }),
    ),
  });
}

/** All numbers of a ladder, one row a version, for CSV and JSON. */
export function ladderTable(ladder: Ladder): Table {
  return table({
    title: `${ladder.title} (${conditions(ladder)})`,
    columns: [
      { key: "version", title: "Version" },
      { key: "id" },
      { key: "device", title: "GPU" },
      { key: "n", title: "Elements" },
      { key: "block", title: "Threads a block" },
      { key: "timeMs", title: "Event time", unit: "ms" },
      { key: "bandwidthGBps", title: "Bandwidth", unit: "GB/s" },
      { key: "speedup", title: "Time speed-up" },
      { key: "bandwidthSpeedup", title: "Bandwidth speed-up" },
      { key: "peakShare", title: "Share of peak" },
      { key: "result", title: "Sum" },
      { key: "expected", title: "Expected" },
      { key: "publishedTimeMs", title: "Published event time", unit: "ms" },
      { key: "timeDeviationPercent", title: "Deviation of the time", unit: "%" },
      { key: "publishedBandwidthGBps", title: "Published bandwidth", unit: "GB/s" },
      { key: "bandwidthDeviationPercent", title: "Deviation of the bandwidth", unit: "%" },
      { key: "publishedSpeedup", title: "Published speed-up" },
      { key: "speedupDeviationPercent", title: "Deviation of the speed-up", unit: "%" },
    ],
    rows: ladder.rows.map((row) => ({
      ...row,
      device: ladder.device.id,
      n: ladder.n,
      block: ladder.block,
      publishedTimeMs: row.published?.timeMs ?? null,
      timeDeviationPercent: row.deviationPercent?.timeMs ?? null,
      publishedBandwidthGBps: row.published?.bandwidthGBps ?? null,
      bandwidthDeviationPercent: row.deviationPercent?.bandwidthGBps ?? null,
      publishedSpeedup: row.published?.speedup ?? null,
      speedupDeviationPercent: row.deviationPercent?.speedup ?? null,
    })),
    note: ladder.unpublished === "" ? publishedNote(ladder.published) : ladder.unpublished,
  });
}

export interface NamedFigure {
  readonly name: string;
  readonly figure: Figure;
}

/** Time, speed-up and bandwidth a version, and the first two beside published numbers where there are some. */
export function ladderFigures(ladder: Ladder): readonly NamedFigure[] {
  checkArgument("ladderFigures", "ladder", ladder, ladderShape);
  const texts = { subtitle: conditions(ladder) };
  const speeds = ladder.rows.map((row) => ({ ...row, timeSpeedup: row.speedup }));
  const peak = { device: ladder.device.name, peakGBps: ladder.device.dram.peakBandwidthGBps };
  const figures: NamedFigure[] = [
    { name: "1-time", figure: timeFigure(ladder.rows, { ...texts, title: `${ladder.title}: event time` }) },
    { name: "2-speedup", figure: speedupFigure(speeds, { ...texts, title: `${ladder.title}: speed-up` }) },
    {
      name: "3-bandwidth",
      figure: bandwidthFigure(ladder.rows, peak, { ...texts, title: `${ladder.title}: effective bandwidth` }),
    },
  ];
  if (ladder.unpublished !== "") return figures;
  const publishedName = ladder.published.quality;
  return [
    ...figures,
    {
      name: "4-time-published",
      figure: comparisonFigure(
        ladder.rows.map((row) => ({
          version: row.version,
          simulated: row.timeMs,
          published: row.published?.timeMs ?? null,
        })),
        { name: "Event time", unit: "ms", decimals: 3 },
        { ...texts, title: `${ladder.title}: event time, simulated and published`, publishedName },
      ),
    },
    {
      name: "5-speedup-published",
      figure: comparisonFigure(
        ladder.rows.map((row) => ({
          version: row.version,
          simulated: row.speedup,
          published: row.published?.speedup ?? null,
        })),
        { name: "Time speed-up", unit: "", decimals: 2 },
        { ...texts, title: `${ladder.title}: speed-up, simulated and published`, publishedName },
      ),
    },
  ];
}
