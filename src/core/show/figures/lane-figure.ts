/** A warp's lanes over steps: one cell a lane and step, telling what the lane did or which value it held. */

import { InputError } from "../../base/errors.js";
import {
  checkOptions,
  either,
  type Fields,
  fieldsOf,
  finite,
  listOf,
  objectWith,
  optional,
  string,
} from "../../base/shape.js";
import { formatNumber, formatShape, type NumberFormat } from "../number-format.js";
import { textWidth, wrapText } from "../text-width.js";
import type { Figure, MarkerSymbol, ScatterTrace } from "./figure.js";
import { plotText } from "./figure.js";
import { type FigureTexts, leftMargin, makeFigure, rightMargin, withTexts } from "./frame.js";
import { guideColor, sequentialColor, seriesColor, textOn } from "./palette.js";
import { colouredCells } from "./text-traces.js";

export const LANES = 32;
const TEXT_SIZE = 11;
const NAME_WIDTH = 200;

/** A thing that a lane can do in a step, with its name for the legend. Colour and sign follow the order in the list unless given. */
export interface LaneKind {
  readonly name: string;
  readonly color?: string;
  readonly symbol?: MarkerSymbol;
}

export interface LaneStep {
  /** "T=0: s = 16" */
  readonly label: string;
  /** The kind's name, for lanes 0 to 31. */
  readonly lanes: readonly string[];
  /** Short texts in the cells, such as the lane's value. */
  readonly texts?: readonly (string | number)[];
}

export interface LaneFigureSpec extends FigureTexts {
  readonly kinds: readonly LaneKind[];
  readonly steps: readonly LaneStep[];
}

export interface LaneValuesFigureSpec extends FigureTexts {
  readonly steps: readonly { readonly label: string; readonly values: readonly number[] }[];
  readonly format?: NumberFormat;
}

const SYMBOLS: readonly MarkerSymbol[] = [
  "square",
  "square-open",
  "diamond",
  "x",
  "circle-open",
  "cross",
  "triangle-up",
];

/** @throws InputError for no step, a step without 32 lanes, or two steps of one name. */
export function checkSteps(title: string, steps: readonly { readonly label: string; readonly length: number }[]): void {
  if (steps.length === 0) throw new InputError({ what: `Figure "${title}" has no steps.`, cure: "Give at least one." });
  for (const [index, { label, length }] of steps.entries()) {
    if (length !== LANES) {
      throw new InputError({
        what: `Step "${label}" has ${length} lanes.`,
        cure: "A warp has 32 lanes; give each one.",
      });
    }
    if (steps.findIndex((step) => step.label === label) !== index) {
      throw new InputError({ what: `Two steps are named "${label}".`, cure: "Name each step differently." });
    }
  }
}

/** Side of a cell in pixels: as wide as the longest text needs. */
export function cellSize(texts: readonly string[]): number {
  return Math.max(20, Math.ceil(Math.max(0, ...texts.map((text) => textWidth(text, TEXT_SIZE)))) + 5);
}

/** A square for each lane and step, with its text. */
export function laneCells(
  cells: readonly { readonly label: string; readonly lane: number; readonly text: string; readonly color: string }[],
  size: number,
): ScatterTrace {
  const placed = cells.map(({ label, lane, text, color }) => ({ x: lane, y: plotText(label), text, color }));
  return colouredCells(placed, size - 3, "lane %{x}, %{y}: %{text}", TEXT_SIZE);
}

/** A figure with lanes from left to right and steps from top to bottom, each at least `rowHeight` pixels high. */
export function laneFrame(
  spec: FigureTexts,
  alt: string,
  labels: readonly string[],
  cell: number,
  data: readonly ScatterTrace[],
  rowHeight: number = cell,
): Figure {
  const shown = labels.map((label) => wrapText(label, NAME_WIDTH, 13).map(plotText).join("<br>"));
  const lanes = Array.from({ length: LANES }, (_, lane) => lane);
  const ticks = lanes.filter((lane) => lane % 4 === 0 || lane === LANES - 1);
  const lines = Math.max(...shown.map((label) => label.split("<br>").length));
  return makeFigure({
    texts: { ...spec, width: leftMargin(shown, "") + LANES * cell + rightMargin },
    alt,
    data,
    plotHeight: labels.length * Math.max(rowHeight, lines * 17 + 4),
    xaxis: {
      type: "linear",
      title: "Lane",
      range: [-0.5, LANES - 0.5],
      ticks: { values: ticks, texts: ticks.map(String) },
      grid: false,
    },
    yaxis: {
      type: "category",
      title: "",
      range: [labels.length - 0.5, -0.5],
      ticks: { values: labels.map(plotText), texts: shown },
      grid: false,
    },
    fixedWidth: true,
  });
}

const LANE_FIGURE: Fields<LaneFigureSpec> = withTexts({
  kinds: listOf(fieldsOf<LaneKind>({ name: string, color: optional(string), symbol: optional(string) })),
  steps: listOf(
    fieldsOf<LaneStep>({ label: string, lanes: listOf(string), texts: optional(listOf(either(string, finite))) }),
  ),
});

/**
 * One sign a lane and step by what the lane did; the kinds stand in the legend.
 * @throws InputError for a step without 32 lanes, a repeated step, or a lane of an unknown kind.
 */
export function laneFigure(spec: LaneFigureSpec): Figure {
  checkOptions("laneFigure", spec, LANE_FIGURE);
  const { kinds, steps } = spec;
  checkSteps(
    spec.title,
    steps.map(({ label, lanes }) => ({ label, length: lanes.length })),
  );
  const names = new Set(kinds.map((kind) => kind.name));
  for (const { label, lanes } of steps) {
    const unknown = lanes.findIndex((name) => !names.has(name));
    if (unknown >= 0) {
      throw new InputError({
        what: `Lane ${unknown} of step "${label}" is of kind "${lanes[unknown]}".`,
        cure: `The kinds are: ${[...names].join(", ")}.`,
      });
    }
  }
  const cells = steps.flatMap(({ label, lanes, texts }) =>
    lanes.map((kind, lane) => ({ label, lane, kind, text: String(texts?.[lane] ?? "") })),
  );
  const cell = cellSize(cells.map(({ text }) => text));
  const withText = cells.some(({ text }) => text !== "");
  const data = kinds.map((kind, index): ScatterTrace => {
    const members = cells.filter((each) => each.kind === kind.name);
    // The second kind is mostly "idle" or "ignored": grey, so that the others stand out.
    const color = kind.color ?? (index === 1 ? guideColor : seriesColor(Math.max(0, index - 1)));
    const symbol = kind.symbol ?? (withText ? (index === 0 ? "square" : "square-open") : (SYMBOLS[index] ?? "circle"));
    const open = symbol.endsWith("-open");
    return {
      type: "scatter",
      mode: withText ? "markers+text" : "markers",
      name: plotText(kind.name),
      x: members.map(({ lane }) => lane),
      y: members.map(({ label }) => plotText(label)),
      ...(withText
        ? {
            text: members.map(({ text }) => plotText(text)),
            textposition: "middle center",
            textfont: open ? { size: TEXT_SIZE } : { size: TEXT_SIZE, color: textOn(color) },
          }
        : {}),
      hovertemplate: "lane %{x}, %{y}",
      marker: { symbol, size: cell - 5, color, line: { width: 2, color } },
      cliponaxis: false,
    };
  });
  const counts = steps.map(({ label, lanes }) => {
    const each = kinds.map(({ name }) => ({ name, lanes: lanes.filter((kind) => kind === name).length }));
    return `${label}: ${each
      .filter((kind) => kind.lanes > 0)
      .map((kind) => `${kind.lanes} ${kind.name}`)
      .join(", ")}`;
  });
  return laneFrame(
    spec,
    `Lanes of a warp by step. ${counts.join("; ")}.`,
    steps.map(({ label }) => label),
    cell,
    data,
  );
}

const VALUES_FIGURE: Fields<LaneValuesFigureSpec> = withTexts({
  steps: listOf(objectWith({ label: string, values: listOf(finite) })),
  format: optional(formatShape),
});

/**
 * A number a lane and step, darker for higher, written in each cell.
 * @throws InputError for a step without 32 values, a repeated step, or a value that is not finite.
 */
export function laneValuesFigure(spec: LaneValuesFigureSpec): Figure {
  checkOptions("laneValuesFigure", spec, VALUES_FIGURE);
  const { steps, format } = spec;
  checkSteps(
    spec.title,
    steps.map(({ label, values }) => ({ label, length: values.length })),
  );
  const cells = steps.flatMap(({ label, values }) => values.map((value, lane) => ({ label, lane, value })));
  const wrong = cells.find(({ value }) => !Number.isFinite(value));
  if (wrong !== undefined) {
    throw new InputError({
      what: `Lane ${wrong.lane} of step "${wrong.label}" holds ${wrong.value}.`,
      cure: "Give finite numbers.",
    });
  }
  const numbers = cells.map(({ value }) => value);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const shown = cells.map(({ label, lane, value }) => ({
    label,
    lane,
    text: formatNumber(value, format),
    color: sequentialColor(high === low ? 0 : (value - low) / (high - low)),
  }));
  const cell = cellSize(shown.map(({ text }) => text));
  const rows = steps.map(
    ({ label, values }) => `${label}: ${values.map((value) => formatNumber(value, format)).join(" ")}`,
  );
  return laneFrame(
    spec,
    `Values of a warp's lanes by step. ${rows.join("; ")}.`,
    steps.map(({ label }) => label),
    cell,
    [laneCells(shown, cell)],
  );
}
