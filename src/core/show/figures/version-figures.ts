/** The pictures of a ladder of kernel versions: time, speed-up, bandwidth against the peak, simulated beside published. */

import {
  amount,
  checkArgument,
  checkOptions,
  fieldsOf,
  listOf,
  objectWith,
  optional,
  positive,
  string,
} from "../../base/shape.js";
import type { ComparedVersion, Quantity } from "../comparison.js";
import { comparedRows, quantityShape } from "../comparison.js";
import { formatNumber, gigabytesPerSecond, milliseconds, times } from "../number-format.js";
import type { VersionSpeed } from "../speedup.js";
import { barFigure } from "./bar-figure.js";
import type { Figure } from "./figure.js";
import type { FigureTexts } from "./frame.js";
import { checkTexts, withFreeTexts } from "./frame.js";

type Texts = Partial<FigureTexts>;

/** Event time a version, in milliseconds. */
export function timeFigure(rows: readonly Pick<VersionSpeed, "version" | "timeMs">[], texts: Texts = {}): Figure {
  checkArgument("timeFigure", "rows", rows, listOf(objectWith({ version: string, timeMs: amount })));
  checkTexts("timeFigure", texts);
  return barFigure({
    title: "Event time",
    ...texts,
    versions: rows.map((row) => row.version),
    series: [{ name: "Event time", values: rows.map((row) => row.timeMs) }],
    axisTitle: "Event time (ms)",
    format: milliseconds,
  });
}

/** Time speed-up a version over the baseline; a line marks the baseline's 1×. */
export function speedupFigure(
  rows: readonly Pick<VersionSpeed, "version" | "timeSpeedup">[],
  texts: Texts = {},
): Figure {
  checkArgument("speedupFigure", "rows", rows, listOf(objectWith({ version: string, timeSpeedup: amount })));
  checkTexts("speedupFigure", texts);
  return barFigure({
    title: "Speed-up over the baseline",
    ...texts,
    versions: rows.map((row) => row.version),
    series: [{ name: "Speed-up", values: rows.map((row) => row.timeSpeedup) }],
    axisTitle: "Time speed-up (×)",
    format: times,
    limit: { value: 1, label: "baseline 1×" },
  });
}

/** The device's peak DRAM bandwidth and its name. */
export interface Peak {
  readonly device: string;
  readonly peakGBps: number;
}

/** Bandwidth a version in GB/s (10^9 bytes a second); the device's peak as a labelled line. */
export function bandwidthFigure(
  rows: readonly Pick<VersionSpeed, "version" | "bandwidthGBps">[],
  peak?: Peak,
  texts: Texts = {},
): Figure {
  checkArgument("bandwidthFigure", "rows", rows, listOf(objectWith({ version: string, bandwidthGBps: amount })));
  checkArgument("bandwidthFigure", "peak", peak, optional(fieldsOf<Peak>({ device: string, peakGBps: positive })));
  checkTexts("bandwidthFigure", texts);
  const limit =
    peak === undefined
      ? {}
      : {
          limit: {
            value: peak.peakGBps,
            label: `peak of ${peak.device}: ${formatNumber(peak.peakGBps, { significant: 5, grouping: true })} GB/s`,
          },
        };
  return barFigure({
    title: "Effective bandwidth",
    ...texts,
    versions: rows.map((row) => row.version),
    series: [{ name: "Bandwidth", values: rows.map((row) => row.bandwidthGBps) }],
    axisTitle: "Bandwidth (GB/s)",
    format: gigabytesPerSecond,
    ...limit,
  });
}

/** Two bars a version: simulated (plain) and published or measured (hatched). */
export function comparisonFigure(
  rows: readonly ComparedVersion[],
  quantity: Quantity,
  texts: Texts & { readonly publishedName?: string } = {},
): Figure {
  checkArgument("comparisonFigure", "rows", rows, comparedRows);
  checkArgument("comparisonFigure", "quantity", quantity, quantityShape);
  checkOptions<typeof texts>("comparisonFigure", texts, withFreeTexts({ publishedName: optional(string) }));
  const { publishedName = "published", ...rest } = texts;
  return barFigure({
    title: `${quantity.name}: simulated and ${publishedName}`,
    ...rest,
    versions: rows.map((row) => row.version),
    series: [
      { name: "simulated", values: rows.map((row) => row.simulated) },
      { name: publishedName, values: rows.map((row) => row.published) },
    ],
    axisTitle: quantity.unit === "" ? quantity.name : `${quantity.name} (${quantity.unit})`,
    format: { decimals: quantity.decimals },
  });
}
