/**
 * The roofline: attainable rate = min(peak rate, bandwidth * intensity), with the kernels as points under it.
 * Williams, Waterman, Patterson: "Roofline: an insightful visual performance model" (CACM 52, 2009).
 */

import { InputError } from "../../base/errors.js";
import { checkOptions, type Fields, fieldsOf, listOf, positive, string } from "../../base/shape.js";
import { formatNumber } from "../number-format.js";
import type { Figure, ScatterTrace } from "./figure.js";
import { plotText } from "./figure.js";
import { type FigureTexts, makeFigure, withFreeTexts } from "./frame.js";
import { logRange, markerSymbol } from "./line-figure.js";
import { guideColor, seriesColor } from "./palette.js";
import { logTicks } from "./ticks.js";

export interface RooflinePoint {
  readonly label: string;
  /** Operations a byte moved from DRAM. */
  readonly intensityOpsPerByte: number;
  /** 10^9 operations a second. */
  readonly rateGops: number;
}

export interface RooflineFigureSpec extends Partial<FigureTexts> {
  readonly device: string;
  readonly peakGBps: number;
  /** Peak rate of the counted operation, 10^9 a second. */
  readonly peakGops: number;
  /** The operation that is counted: "integer additions", "FLOP". */
  readonly operation: string;
  readonly points: readonly RooflinePoint[];
}

/** The highest rate that the device's bandwidth and pipes allow, 10^9 operations a second. */
export function attainableGops(intensityOpsPerByte: number, peakGBps: number, peakGops: number): number {
  return Math.min(peakGops, peakGBps * intensityOpsPerByte);
}

/** Points nearer than that, as a ratio in both coordinates, would cover each other. */
const NEAR = 1.03;

const near = (a: number, b: number): boolean => Math.max(a, b) / Math.min(a, b) < NEAR;

/** Points that would cover each other share a sign, that of the first of them, and an entry of the legend. */
function signs(points: readonly RooflinePoint[]): readonly (RooflinePoint & { readonly labels: readonly string[] })[] {
  const groups: (RooflinePoint & { readonly labels: string[] })[] = [];
  for (const point of points) {
    const { intensityOpsPerByte, rateGops, label } = point;
    const group = groups.find(
      (each) => near(each.intensityOpsPerByte, intensityOpsPerByte) && near(each.rateGops, rateGops),
    );
    if (group === undefined) groups.push({ ...point, labels: [label] });
    else group.labels.push(label);
  }
  return groups;
}

const ROOFLINE_FIGURE: Fields<RooflineFigureSpec> = withFreeTexts({
  device: string,
  peakGBps: positive,
  peakGops: positive,
  operation: string,
  points: listOf(fieldsOf<RooflinePoint>({ label: string, intensityOpsPerByte: positive, rateGops: positive })),
});

/** @throws InputError for a value that is not positive. */
export function rooflineFigure(spec: RooflineFigureSpec): Figure {
  checkOptions("rooflineFigure", spec, ROOFLINE_FIGURE);
  const { device, peakGBps, peakGops, operation, points, ...texts } = spec;
  const given: readonly (readonly [string, number])[] = [
    ["peakGBps", peakGBps],
    ["peakGops", peakGops],
    ...points.flatMap((point) => [
      [`${point.label}: intensityOpsPerByte`, point.intensityOpsPerByte] as const,
      [`${point.label}: rateGops`, point.rateGops] as const,
    ]),
  ];
  const wrong = given.find(([, value]) => !(value > 0 && Number.isFinite(value)));
  if (wrong !== undefined) {
    throw new InputError({ what: `${wrong[0]} is ${wrong[1]}.`, cure: "Give a positive, finite number." });
  }
  const ridge = peakGops / peakGBps;
  const xRange = logRange([ridge, ...points.map((point) => point.intensityOpsPerByte)], 4);
  const [from, to] = [10 ** xRange[0], 10 ** xRange[1]];
  const roofX = [from, ridge, to];
  const yRange = logRange(
    [peakGops, attainableGops(from, peakGBps, peakGops), ...points.map((point) => point.rateGops)],
    1.8,
  );
  const roof: ScatterTrace = {
    type: "scatter",
    mode: "lines",
    name: "roof",
    showlegend: false,
    x: roofX,
    y: roofX.map((x) => attainableGops(x, peakGBps, peakGops)),
    line: { color: guideColor, width: 3, dash: "solid" },
  };
  const marks = signs(points).map(
    (point, index): ScatterTrace => ({
      type: "scatter",
      mode: "markers",
      name: plotText(point.labels.join(", ")),
      x: [point.intensityOpsPerByte],
      y: [point.rateGops],
      marker: { symbol: markerSymbol(index), size: 12, color: seriesColor(index) },
      cliponaxis: false,
    }),
  );
  const limits = `roof: ${formatNumber(peakGBps, { significant: 5, grouping: true })} GB/s, ${formatNumber(peakGops, { significant: 5, grouping: true })} Gop/s`;
  const shares = points.map((point) => {
    const share = point.rateGops / attainableGops(point.intensityOpsPerByte, peakGBps, peakGops);
    return `${point.label}: ${formatNumber(share, { scale: 100, decimals: 1, suffix: " %" })} of the roof`;
  });
  return makeFigure({
    texts: {
      title: `Roofline of ${device}`,
      ...texts,
      subtitle: texts.subtitle === undefined ? limits : `${texts.subtitle}; ${limits}`,
    },
    alt: `Roofline of ${device}, ${operation}. ${shares.join("; ")}.`,
    data: [roof, ...marks],
    plotHeight: 360,
    xaxis: {
      type: "log",
      title: `Intensity (${operation} per byte from DRAM)`,
      range: xRange,
      ticks: logTicks(from, to),
      grid: true,
    },
    yaxis: {
      type: "log",
      title: `Rate (10⁹ ${operation} per second)`,
      range: yRange,
      ticks: logTicks(10 ** yRange[0], 10 ** yRange[1]),
      grid: true,
    },
  });
}
