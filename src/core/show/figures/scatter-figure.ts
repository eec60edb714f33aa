/** Simulated against measured on two logarithmic axes with the diagonal: what lies on it is predicted exactly. */

import { InputError } from "../../base/errors.js";
import {
  amount,
  checkOptions,
  type Fields,
  finite,
  listOf,
  objectWith,
  optional,
  string,
  whole,
} from "../../base/shape.js";
import { deviationPercent } from "../comparison.js";
import { formatNumber, signedPercent } from "../number-format.js";
import type { Figure, ScatterTrace } from "./figure.js";
import { plotText } from "./figure.js";
import { type FigureTexts, leftMargin, makeFigure, rightMargin, withFreeTexts } from "./frame.js";
import { logRange, markerSymbol } from "./line-figure.js";
import { guideColor, seriesColor } from "./palette.js";
import { type LabelPosition, placeLabels } from "./point-labels.js";
import { logTicks } from "./ticks.js";

const WIDTH = 680;

export interface PredictedPoint {
  /** The kernel or version. */
  readonly label: string;
  /** The table or device it belongs to; groups have colours and signs. */
  readonly group: string;
  readonly measured: number;
  readonly simulated: number;
}

export interface ScatterFigureSpec extends Partial<FigureTexts> {
  readonly points: readonly PredictedPoint[];
  /** "Kernel time", "ms". */
  readonly quantity: string;
  readonly unit: string;
  /** Dotted lines at this many percent above and below the diagonal; default 15, 0 for none. */
  readonly bandPercent?: number;
  /** How many of the worst points carry their label in the picture, where there is room; default 3. */
  readonly labelled?: number;
}

function errorShare({ simulated, measured }: PredictedPoint): number {
  return Math.abs(Math.log(simulated / measured));
}

function guide(name: string, ends: readonly [number, number], factor: number, dash: "solid" | "dot"): ScatterTrace {
  return {
    type: "scatter",
    mode: "lines",
    name,
    x: ends,
    y: ends.map((end) => end * factor),
    line: { color: guideColor, width: 1.5, dash },
    hoverinfo: "skip",
    showlegend: factor >= 1,
  };
}

function deviationOf({ simulated, measured }: PredictedPoint): string {
  return formatNumber(deviationPercent(simulated, measured) ?? 0, signedPercent);
}

function checkPoints(points: readonly PredictedPoint[]): void {
  if (points.length === 0) {
    throw new InputError({ what: "A scatter plot has no points.", cure: "Give at least one point." });
  }
  const wrong = points.find(
    ({ simulated, measured }) => !(simulated > 0 && measured > 0 && Number.isFinite(simulated * measured)),
  );
  if (wrong !== undefined) {
    throw new InputError({
      what: `Point "${wrong.label}" is (${wrong.measured}, ${wrong.simulated}).`,
      cure: "Measured and simulated are positive, finite numbers.",
    });
  }
}

/** The points of each group, in its colour and with its sign. */
function groupTraces(points: readonly PredictedPoint[]): readonly ScatterTrace[] {
  const groups = [...new Set(points.map((point) => point.group))];
  return groups.map((group, index): ScatterTrace => {
    const members = points.filter((point) => point.group === group);
    return {
      type: "scatter",
      mode: "markers",
      name: plotText(group),
      x: members.map((point) => point.measured),
      y: members.map((point) => point.simulated),
      hovertext: members.map((point) => plotText(`${point.label} (${deviationOf(point)})`)),
      hovertemplate: "%{hovertext}<br>measured %{x}, simulated %{y}<extra></extra>",
      marker: { symbol: markerSymbol(index), size: 10, color: seriesColor(index) },
      cliponaxis: false,
    };
  });
}

/** A point's text, at the place that was found for it. */
function labelTrace(point: PredictedPoint, position: LabelPosition): ScatterTrace {
  return {
    type: "scatter",
    // An invisible sign keeps the text at the same distance in plotly as here.
    mode: "markers+text",
    name: plotText(point.label),
    x: [point.measured],
    y: [point.simulated],
    text: [plotText(`${point.label} ${deviationOf(point)}`)],
    textposition: position,
    textfont: { size: 12 },
    marker: { symbol: "circle", size: 10, color: "rgba(0,0,0,0)" },
    hoverinfo: "skip",
    showlegend: false,
    cliponaxis: false,
  };
}

const SCATTER_FIGURE: Fields<ScatterFigureSpec> = withFreeTexts({
  points: listOf(objectWith({ label: string, group: string, measured: finite, simulated: finite })),
  quantity: string,
  unit: string,
  bandPercent: optional(amount),
  labelled: optional(whole(0)),
});

/** @throws InputError for no points or a value that is not positive. */
export function scatterFigure(spec: ScatterFigureSpec): Figure {
  checkOptions("scatterFigure", spec, SCATTER_FIGURE);
  const { points, quantity, unit, bandPercent = 15, labelled = 3, ...texts } = spec;
  checkPoints(points);
  const range = logRange(
    points.flatMap(({ simulated, measured }) => [simulated, measured]),
    1.35,
  );
  const ends = [10 ** range[0], 10 ** range[1]] as const;
  const ticks = logTicks(ends[0], ends[1]);
  const axisTitle = (which: string): string => `${quantity}, ${which} (${unit})`;
  const side = (texts.width ?? WIDTH) - leftMargin(ticks.texts, axisTitle("simulated")) - rightMargin;
  const pixel = (value: number): number => (side * (Math.log10(value) - range[0])) / (range[1] - range[0]);
  const centre = ({ measured, simulated }: PredictedPoint) => ({ x: pixel(measured), y: side - pixel(simulated) });
  const worst = [...points].sort((a, b) => errorShare(b) - errorShare(a)).slice(0, labelled);
  const named = worst.map((point) => ({ ...centre(point), label: `${point.label} ${deviationOf(point)}` }));
  const positions = placeLabels(
    named,
    points.map(centre),
    { width: side, height: side },
    { sizePx: 12, gapPx: 10, markPx: 10 },
  );
  const labels = worst.flatMap((point, index) => {
    const position = positions[index];
    return position === undefined ? [] : [labelTrace(point, position)];
  });
  const factor = 1 + bandPercent / 100;
  const guides = [
    guide("exact", ends, 1, "solid"),
    ...(bandPercent > 0
      ? [
          guide(`±${bandPercent} %`, ends, factor, "dot"),
          guide(`-${bandPercent} %`, ends, 1 - bandPercent / 100, "dot"),
        ]
      : []),
  ];
  const errors = points.map((point) => `${point.group}, ${point.label}: ${deviationOf(point)}`);
  const axis = (which: string) => ({ type: "log", title: axisTitle(which), range, ticks, grid: true }) as const;
  return makeFigure({
    texts: { title: `${quantity}: simulated against measured`, width: WIDTH, ...texts },
    alt: `Scatter plot of ${quantity} (${unit}), simulated against measured, with the diagonal. Deviations: ${errors.join("; ")}.`,
    data: [...guides, ...groupTraces(points), ...labels],
    plotHeight: side,
    // A stretched plot would turn the diagonal away from 45 degrees.
    fixedWidth: true,
    xaxis: axis("measured"),
    yaxis: axis("simulated"),
  });
}
