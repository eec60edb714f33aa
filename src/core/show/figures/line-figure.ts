/** Lines of a quantity against block size, array size or another number; occupancy against a resource among them. */

import { InputError } from "../../base/errors.js";
import {
  amount,
  boolean,
  checkOptions,
  type Fields,
  fieldsOf,
  finite,
  listOf,
  oneOf,
  optional,
  orNull,
  positive,
  type Shape,
  string,
} from "../../base/shape.js";
import { formatNumber } from "../number-format.js";
import type { Figure, LineStyle, MarkerSymbol, ScatterTrace } from "./figure.js";
import { plotText } from "./figure.js";
import { type FigureTexts, makeFigure, withFreeTexts, withTexts } from "./frame.js";
import { okabeIto, seriesColor } from "./palette.js";
import { linearTicks, logTicks, type Ticks, ticksAt, tickText, warpTicks } from "./ticks.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface LineSeries {
  readonly name: string;
  /** The line breaks at a point whose y is null: nothing was found there. */
  readonly points: readonly { readonly x: number; readonly y: number | null }[];
}

export interface LineFigureSpec extends FigureTexts {
  readonly series: readonly LineSeries[];
  /** With their units. */
  readonly xTitle: string;
  readonly yTitle: string;
  /** "log2": ticks at the given x, evenly spaced when they double. Default "linear". */
  readonly xScale?: "linear" | "log2";
  readonly yScale?: "linear" | "log";
  /** End of a linear y axis; default a little above the highest point. */
  readonly yMax?: number;
  /** Values hold until the next x, as a limit that jumps does. */
  readonly steps?: boolean;
  /** One point to point out; its label stands in the legend. */
  readonly mark?: Point & { readonly label: string };
}

const DASHES: readonly NonNullable<LineStyle["dash"]>[] = ["solid", "dash", "dot", "dashdot"];
const SYMBOLS: readonly MarkerSymbol[] = ["circle", "square", "diamond", "triangle-up", "x", "cross", "triangle-down"];

/** Lines and signs differ beside the colour. */
export function markerSymbol(index: number): MarkerSymbol {
  return SYMBOLS[index % SYMBOLS.length] ?? "circle";
}

function checkPoints(spec: LineFigureSpec): void {
  const points = spec.series.flatMap(({ name, points: each }) => each.map((point) => ({ name, ...point })));
  if (points.length === 0) {
    throw new InputError({ what: `Figure "${spec.title}" has no points.`, cure: "Give at least one point." });
  }
  for (const { name, x, y } of points) {
    const positive = (spec.xScale !== "log2" || x > 0) && (spec.yScale !== "log" || y === null || y > 0);
    if (Number.isFinite(x) && (y === null || Number.isFinite(y)) && positive) continue;
    throw new InputError({
      what: `Series "${name}" has the point (${x}, ${y}).`,
      cure: "Coordinates are finite numbers, and positive on a logarithmic axis.",
    });
  }
}

function altText(spec: LineFigureSpec): string {
  const series = spec.series.map(({ name, points }) => {
    const shown = (y: number | null): string => (y === null ? "none" : formatNumber(y, { significant: 4 }));
    const pairs = points.map(({ x, y }) => `${tickText(x)}: ${shown(y)}`);
    return `${name}: ${pairs.join(", ")}`;
  });
  const mark = spec.mark === undefined ? "" : ` Marked: ${spec.mark.label}.`;
  return `Line chart of ${spec.yTitle} against ${spec.xTitle}. ${series.join("; ")}.${mark}`;
}

/** The logarithmic axis' ends, a little outside the values. */
export function logRange(values: readonly number[], around = 1.25): readonly [number, number] {
  return [Math.log10(Math.min(...values) / around), Math.log10(Math.max(...values) * around)];
}

function xAxis(spec: LineFigureSpec, xs: readonly number[]): { range: readonly [number, number]; ticks: Ticks } {
  const sorted = [...new Set(xs)].sort((a, b) => a - b);
  if (spec.xScale === "log2") return { range: logRange(sorted), ticks: ticksAt(sorted) };
  const [low = 0, high = low] = [sorted[0], sorted.at(-1)];
  const pad = (high - low || Math.abs(high) || 1) * 0.04;
  const range = [low - pad, high + pad] as const;
  const threads = high >= 128 && sorted.every((value) => value % 32 === 0);
  return { range, ticks: threads ? warpTicks(...range) : linearTicks(...range, 10) };
}

const point: Fields<Point> = { x: finite, y: finite };

const LINE_FIGURE: Fields<LineFigureSpec> = withTexts({
  series: listOf(fieldsOf<LineSeries>({ name: string, points: listOf(fieldsOf({ x: finite, y: orNull(finite) })) })),
  xTitle: string,
  yTitle: string,
  xScale: optional(oneOf("linear", "log2")),
  yScale: optional(oneOf("linear", "log")),
  yMax: optional(finite),
  steps: optional(boolean),
  mark: optional(fieldsOf<NonNullable<LineFigureSpec["mark"]>>({ ...point, label: string })),
});

/** @throws InputError for no points, or points that an axis cannot show. */
export function lineFigure(spec: LineFigureSpec): Figure {
  checkOptions("lineFigure", spec, LINE_FIGURE);
  checkPoints(spec);
  const points = [...spec.series.flatMap((series) => series.points), ...(spec.mark === undefined ? [] : [spec.mark])];
  const x = xAxis(
    spec,
    points.map((point) => point.x),
  );
  const ys = points.flatMap(({ y }) => (y === null ? [] : [y]));
  const bottom = Math.min(0, ...ys) * 1.08;
  const highest = spec.yMax ?? Math.max(0, ...ys) * 1.08;
  const top = highest > bottom ? highest : bottom + 1;
  const yRange = spec.yScale === "log" ? logRange(ys) : ([bottom, top] as const);
  const data = spec.series.map(
    (series, index): ScatterTrace => ({
      type: "scatter",
      mode: "lines+markers",
      name: plotText(series.name),
      x: series.points.map((point) => point.x),
      y: series.points.map((point) => point.y),
      line: {
        color: seriesColor(index),
        width: 2.5,
        dash: DASHES[index % DASHES.length] ?? "solid",
        shape: spec.steps === true ? "hv" : "linear",
      },
      marker: { symbol: markerSymbol(index), size: 8, color: seriesColor(index) },
      cliponaxis: false,
    }),
  );
  const mark = spec.mark;
  const markTrace: readonly ScatterTrace[] =
    mark === undefined
      ? []
      : [
          {
            type: "scatter",
            mode: "markers",
            name: plotText(mark.label),
            x: [mark.x],
            y: [mark.y],
            marker: {
              symbol: "circle-open",
              size: 16,
              color: okabeIto.vermillion,
              line: { width: 3, color: okabeIto.vermillion },
            },
            cliponaxis: false,
          },
        ];
  return makeFigure({
    texts: spec,
    alt: altText(spec),
    data: [...data, ...markTrace],
    plotHeight: 320,
    xaxis: { type: spec.xScale === "log2" ? "log" : "linear", title: spec.xTitle, ...x, grid: true },
    yaxis: {
      type: spec.yScale === "log" ? "log" : "linear",
      title: spec.yTitle,
      range: yRange,
      ticks: spec.yScale === "log" ? logTicks(10 ** yRange[0], 10 ** yRange[1]) : linearTicks(bottom, top, 7),
      grid: true,
    },
  });
}

export interface OccupancyFigureSpec extends Partial<FigureTexts> {
  /** The varied resource with its unit: "Threads per block", "Registers per thread", "Shared memory per block (bytes)". */
  readonly xTitle: string;
  readonly curve: readonly { readonly x: number; readonly activeWarps: number }[];
  /** Warps that an SM can hold. */
  readonly maxWarps: number;
  /** The launch at hand. */
  readonly current?: { readonly x: number; readonly activeWarps: number };
}

const warpsAt: Shape = fieldsOf<OccupancyFigureSpec["curve"][number]>({ x: finite, activeWarps: amount });

const OCCUPANCY_FIGURE: Fields<OccupancyFigureSpec> = withFreeTexts({
  xTitle: string,
  curve: listOf(warpsAt),
  maxWarps: positive,
  current: optional(warpsAt),
});

/** Active warps an SM against one resource, as the occupancy calculator draws it, the launch at hand marked. */
export function occupancyFigure(spec: OccupancyFigureSpec): Figure {
  checkOptions("occupancyFigure", spec, OCCUPANCY_FIGURE);
  const { curve, maxWarps, current, ...texts } = spec;
  const share = (warps: number): string => formatNumber((100 * warps) / maxWarps, { decimals: 0, suffix: " %" });
  return lineFigure({
    title: "Theoretical occupancy",
    ...texts,
    series: [{ name: "Active warps", points: curve.map(({ x, activeWarps }) => ({ x, y: activeWarps })) }],
    yTitle: `Active warps per SM (of ${maxWarps})`,
    yMax: maxWarps * 1.06,
    ...(current === undefined
      ? {}
      : {
          mark: {
            x: current.x,
            y: current.activeWarps,
            label: `this launch: ${share(current.activeWarps)} at ${tickText(current.x)}`,
          },
        }),
  });
}
