/** The layout that all figures share: title, axes, legend, and margins measured so that no text is cut. */

import { InputError } from "../../base/errors.js";
import { checkOptions, type Fields, optional, string, whole } from "../../base/shape.js";
import { summarized } from "../../base/summary.js";
import { fontStack, textWidth, wrapText } from "../text-width.js";
import type { Annotation, Axis, Datum, Figure, Layout, LineShape, Trace } from "./figure.js";
import { plotText, plotTextLines } from "./figure.js";
import { okabeIto } from "./palette.js";

/** Sizes in pixels; none below 12, which is what stays readable when a notebook is printed. */
export const sizes = { tick: 13, label: 13, axisTitle: 14, legend: 13, subtitle: 13, title: 18, line: 17 } as const;

export const ink = "#222222";
const GRID = "#d9d9d9";
const AXIS = "#888888";
const EDGE = 16;

/** The texts and sizes that every figure takes. */
export interface FigureTexts {
  readonly title: string;
  /** Conditions: device, size, block. */
  readonly subtitle?: string;
  /** Pixels; default 760. */
  readonly width?: number;
}

/** The page and the pictures have so many pixels at most. */
const TEXT_FIELDS: Fields<FigureTexts> = {
  title: string,
  subtitle: optional(string),
  width: optional(whole(1, 10_000)),
};
/** Where the title has a default. */
const FREE_TEXTS: Fields<FigureTexts> = { ...TEXT_FIELDS, title: optional(string) };

/** The fields of a figure's specification that every figure has, with its own. */
export function withTexts<T>(fields: T): Fields<FigureTexts> & T {
  return { ...TEXT_FIELDS, ...fields };
}

/** The same where the title may be left out. */
export function withFreeTexts<T>(fields: T): Fields<FigureTexts> & T {
  return { ...FREE_TEXTS, ...fields };
}

export function checkTexts(call: string, texts: Partial<FigureTexts>): void {
  checkOptions(call, texts, FREE_TEXTS);
}

export interface AxisSpec {
  readonly type: Axis["type"];
  /** With its unit: "Kernel time (ms)"; empty for an axis of names. */
  readonly title: string;
  readonly range: readonly [number, number];
  readonly ticks: { readonly values: readonly Datum[]; readonly texts: readonly string[] };
  readonly grid: boolean;
}

export interface FrameSpec {
  readonly texts: FigureTexts;
  readonly alt: string;
  readonly data: readonly Trace[];
  readonly plotHeight: number;
  readonly xaxis: AxisSpec;
  readonly yaxis: AxisSpec;
  readonly shapes?: readonly LineShape[];
  readonly annotations?: readonly Annotation[];
  readonly fixedWidth?: boolean;
  /** Texts break, and the legend has room, such that the figure also reads on a phone. */
  readonly narrow?: boolean;
}

/** Pixels across that a phone shows of a figure, and that its page gives a figure (site/page/style.css: 30rem). */
const PHONE_WIDTH = 360;
const PHONE_FIGURE_WIDTH = 480;

/** Rows of plotly's legend in a page of a phone: columns as wide as the widest entry. */
function phoneRows(names: readonly string[], besidePlot: number): number {
  const widestEntry = Math.max(...names.map((name) => entryWidth(name)));
  return Math.ceil(names.length / Math.max(1, Math.floor((PHONE_FIGURE_WIDTH - besidePlot) / widestEntry)));
}

function axis(spec: AxisSpec, standoff: number): Axis {
  return {
    type: spec.type,
    title: { text: plotText(spec.title), standoff, font: { size: sizes.axisTitle } },
    range: spec.range,
    tickmode: "array",
    tickvals: spec.ticks.values,
    ticktext: spec.ticks.texts,
    showgrid: spec.grid,
    zeroline: false,
    showline: true,
    gridcolor: GRID,
    linecolor: AXIS,
    tickfont: { size: sizes.tick },
    ticks: spec.type === "category" ? "" : "outside",
    tickcolor: AXIS,
    ticklabelstandoff: spec.type === "category" ? 6 : 2,
    // Without it plotly orders categories as the traces first name them.
    ...(spec.type === "category" ? { categoryorder: "array" as const, categoryarray: spec.ticks.values } : {}),
  };
}

/** The traces that stand in the legend. */
export function legendTraces(data: readonly Trace[]): readonly Trace[] {
  return data.filter((trace) => trace.type === "bar" || trace.showlegend !== false);
}

/** Pixels of a legend's entry with its sign and the gap that follows. */
function entryWidth(name: string): number {
  return 36 + textWidth(name, sizes.legend) + 18;
}

export interface LegendPlace {
  readonly x: number;
  readonly row: number;
}

/** Where each legend entry stands, from left to right in rows of at most `widthPx`. */
export function legendPlaces(names: readonly string[], widthPx: number): readonly LegendPlace[] {
  let [x, row] = [0, 0];
  return names.map((name) => {
    const width = entryWidth(name);
    if (x > 0 && x + width > widthPx) [x, row] = [0, row + 1];
    const place = { x, row };
    x += width;
    return place;
  });
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.flatMap(plotTextLines).map((line) => textWidth(line, sizes.tick)));
}

/** Pixels left of the plot for tick labels and the axis title. */
export function leftMargin(texts: readonly string[], title: string): number {
  return Math.ceil(EDGE + (title === "" ? 0 : sizes.line + 8) + widest(texts) + 10);
}

export const rightMargin = 28;
export const defaultWidth = 760;

/** @throws InputError when the width leaves no room for the plot. */
export function makeFigure(spec: FrameSpec): Figure {
  const { texts, data, xaxis, yaxis, annotations = [] } = spec;
  const width = texts.width ?? defaultWidth;
  const l = leftMargin(yaxis.ticks.texts, yaxis.title);
  const plotWidth = width - l - rightMargin;
  if (!(plotWidth >= 100)) {
    throw new InputError({
      what: `A figure of ${width} pixels leaves no room to plot.`,
      cure: "Give width 400 or more.",
    });
  }
  const textWidthPx = spec.narrow === true ? Math.min(width, PHONE_WIDTH) : width;
  const titleLines = wrapText(texts.title ?? "", textWidthPx - 2 * EDGE, sizes.title, true);
  const subtitle = texts.subtitle ?? "";
  const subtitleLines = subtitle === "" ? [] : wrapText(subtitle, textWidthPx - 2 * EDGE, sizes.subtitle);
  const entries = legendTraces(data);
  const showlegend = entries.length > 1;
  const names = showlegend ? entries.map(({ name }) => plotTextLines(name).join(" ")) : [];
  const rows = legendPlaces(names, plotWidth).reduce((most, place) => Math.max(most, place.row + 1), 0);
  const legendRows = showlegend && spec.narrow === true ? Math.max(rows, phoneRows(names, l + rightMargin)) : rows;
  const t =
    14 + titleLines.length * 24 + subtitleLines.length * 19 + legendRows * 24 + (annotations.length > 0 ? 24 : 0) + 16;
  const xLines = Math.max(1, ...xaxis.ticks.texts.map((text) => plotTextLines(text).length));
  const b = 10 + xLines * sizes.line + (xaxis.title === "" ? 0 : 10 + sizes.line) + 12;
  const height = t + spec.plotHeight + b;
  const layout: Layout = {
    width,
    height,
    title: {
      text: titleLines.map(plotText).join("<br>"),
      subtitle: { text: subtitleLines.map(plotText).join("<br>"), font: { size: sizes.subtitle } },
      x: EDGE / width,
      xref: "container",
      xanchor: "left",
      y: 1 - 14 / height,
      yref: "container",
      yanchor: "top",
      font: { size: sizes.title, weight: 700 },
    },
    font: { family: fontStack, size: sizes.label, color: ink },
    margin: { l, r: rightMargin, t, b },
    xaxis: axis(xaxis, 10),
    yaxis: axis(yaxis, 8),
    barmode: "group",
    bargap: 0.3,
    bargroupgap: 0.08,
    showlegend,
    legend: {
      orientation: "h",
      x: 0,
      xanchor: "left",
      y: 1,
      yanchor: "bottom",
      font: { size: sizes.legend },
      traceorder: "normal",
    },
    shapes: spec.shapes ?? [],
    annotations,
    paper_bgcolor: "#ffffff",
    plot_bgcolor: "#ffffff",
    hovermode: "closest",
    modebar: { bgcolor: "rgba(0,0,0,0)", color: AXIS, activecolor: okabeIto.blue },
    meta: { fixedWidth: spec.fixedWidth ?? false },
  };
  const figure: Figure = { kind: "figure", title: texts.title, alt: spec.alt, data, layout };
  return summarized(figure, ({ title, alt }) => `Figure "${title}": ${alt}\ndisplay(figure) shows it`);
}
