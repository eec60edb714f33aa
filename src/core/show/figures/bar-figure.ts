/** Horizontal bars, one group a version, with the number at each bar's end; from zero, so that lengths compare. */

import { InputError } from "../../base/errors.js";
import { amount, checkOptions, type Fields, fieldsOf, listOf, optional, orNull, string } from "../../base/shape.js";
import { formatNumber, formatShape, type NumberFormat } from "../number-format.js";
import { textWidth, wrapText } from "../text-width.js";
import type { Annotation, BarTrace, Figure, LineShape } from "./figure.js";
import { plotText } from "./figure.js";
import { defaultWidth, type FigureTexts, leftMargin, makeFigure, rightMargin, sizes, withTexts } from "./frame.js";
import { okabeIto, seriesColor, textOn } from "./palette.js";
import { linearTicks } from "./ticks.js";

export interface BarSeries {
  readonly name: string;
  /** One a version; null for none. */
  readonly values: readonly (number | null)[];
}

export interface BarFigureSpec extends FigureTexts {
  readonly versions: readonly string[];
  readonly series: readonly BarSeries[];
  /** With its unit. */
  readonly axisTitle: string;
  readonly format: NumberFormat;
  /** A limit, drawn as a line with its label above. */
  readonly limit?: { readonly value: number; readonly label: string };
}

const NAME_WIDTH = 190;

/** The axis' end: every bar's label and the limit's line stay inside the plot. */
function axisEnd(spec: BarFigureSpec, plotWidth: number): number {
  const ends = spec.series.flatMap(({ values }) =>
    values.map((value) => {
      if (value === null) return 0;
      const label = textWidth(formatNumber(value, spec.format), sizes.label) + 10;
      return (value * plotWidth) / Math.max(plotWidth / 3, plotWidth - label);
    }),
  );
  return Math.max(...ends, (spec.limit?.value ?? 0) * 1.04) || 1;
}

/** Where a bar's label stands; `pixels` a unit of the value. */
function labelPosition(spec: BarFigureSpec, value: number, pixels: number): "inside" | "outside" {
  const width = textWidth(formatNumber(value, spec.format), sizes.label);
  const gap = ((spec.limit?.value ?? Number.POSITIVE_INFINITY) - value) * pixels;
  const meetsLine = gap > 2 && gap < width + 9;
  return meetsLine && value * pixels > width + 16 ? "inside" : "outside";
}

function altText(spec: BarFigureSpec): string {
  const bars = spec.versions.map((version, index) => {
    const numbers = spec.series.map(({ name, values }) => {
      const value = values[index] ?? null;
      const text = value === null ? "none" : formatNumber(value, spec.format);
      return spec.series.length === 1 ? text : `${name} ${text}`;
    });
    return `${version}: ${numbers.join(", ")}`;
  });
  const limit = spec.limit === undefined ? "" : ` A line marks ${spec.limit.label}.`;
  return `Bar chart of ${spec.axisTitle}. ${bars.join("; ")}.${limit}`;
}

function limitMarks(limit: NonNullable<BarFigureSpec["limit"]>, end: number): readonly [LineShape, Annotation] {
  const share = limit.value / end;
  return [
    {
      type: "line",
      xref: "x",
      yref: "paper",
      x0: limit.value,
      x1: limit.value,
      y0: 0,
      y1: 1,
      line: { color: okabeIto.vermillion, width: 2, dash: "dash" },
    },
    {
      xref: "x",
      yref: "paper",
      x: limit.value,
      y: 1,
      text: plotText(limit.label),
      showarrow: false,
      xanchor: share > 0.6 ? "right" : share < 0.2 ? "left" : "center",
      yanchor: "bottom",
      font: { size: sizes.label },
    },
  ];
}

const BAR_FIGURE: Fields<BarFigureSpec> = withTexts({
  versions: listOf(string),
  series: listOf(fieldsOf<BarSeries>({ name: string, values: listOf(orNull(amount)) })),
  axisTitle: string,
  format: formatShape,
  limit: optional(fieldsOf<NonNullable<BarFigureSpec["limit"]>>({ value: amount, label: string })),
});

/** @throws InputError for a negative value, a repeated version, or a series of another length than the versions. */
export function barFigure(spec: BarFigureSpec): Figure {
  checkOptions("barFigure", spec, BAR_FIGURE);
  const { versions, series, format } = spec;
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) !== index) {
      throw new InputError({ what: `Two bars are named "${version}".`, cure: "Name each version differently." });
    }
  }
  for (const { name, values } of series) {
    if (values.length !== versions.length) {
      throw new InputError({
        what: `Series "${name}" has ${values.length} values for ${versions.length} versions.`,
        cure: "Give one value (or null) a version.",
      });
    }
    const wrong = values.findIndex((value) => value !== null && !(value >= 0 && Number.isFinite(value)));
    if (wrong >= 0) {
      throw new InputError({
        what: `Series "${name}" has ${values[wrong]} for version "${versions[wrong]}".`,
        cure: "A bar's value is a finite number from 0 up, or null.",
      });
    }
  }
  const names = versions.map(plotText);
  const labels = versions.map((version) => wrapText(version, NAME_WIDTH, sizes.tick).map(plotText).join("<br>"));
  const plotWidth = (spec.width ?? defaultWidth) - leftMargin(labels, "") - rightMargin;
  const end = axisEnd(spec, plotWidth);
  const data = series.map(({ name, values }, index): BarTrace => {
    const texts = values.map((value) => (value === null ? "" : plotText(formatNumber(value, format))));
    return {
      type: "bar",
      orientation: "h",
      name: plotText(name),
      x: values,
      y: names,
      text: texts,
      textposition: values.map((value) => labelPosition(spec, value ?? 0, plotWidth / end)),
      insidetextanchor: "end",
      insidetextfont: { size: sizes.label, color: textOn(seriesColor(index)) },
      cliponaxis: false,
      textfont: { size: sizes.label },
      hovertemplate: "%{y}: %{text}",
      marker: {
        color: seriesColor(index),
        pattern: { shape: index % 2 === 1 ? "/" : "", fgcolor: "#ffffff", fillmode: "overlay" },
      },
    };
  });
  const marks = spec.limit === undefined ? undefined : limitMarks(spec.limit, end);
  const lines = Math.max(1, ...labels.map((label) => label.split("<br>").length));
  const rowHeight = Math.max(series.length * 26 + 16, lines * sizes.line + 10);
  return makeFigure({
    texts: spec,
    alt: altText(spec),
    data,
    plotHeight: Math.max(1, versions.length) * rowHeight + 8,
    xaxis: {
      type: "linear",
      title: spec.axisTitle,
      range: [0, end],
      ticks: linearTicks(0, end),
      grid: true,
    },
    yaxis: {
      type: "category",
      title: "",
      range: [versions.length - 0.5, -0.5],
      ticks: { values: names, texts: labels },
      grid: false,
    },
    ...(marks === undefined ? {} : { shapes: [marks[0]], annotations: [marks[1]] }),
  });
}
