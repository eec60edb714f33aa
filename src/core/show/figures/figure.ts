/**
 * A plotly figure as plain data: the part of plotly's schema that the course's pictures need. plotly draws it in a page or
 * in VS Code, and `svg.ts` draws the same picture without plotly. Every range and tick is given; nothing is left to a
 * renderer's defaults. Schema: https://plotly.com/javascript/reference/
 */

import { InputError } from "../../base/errors.js";
import {
  checkArgument,
  either,
  finite,
  listOf,
  object,
  objectWith,
  oneOf,
  optional,
  orNull,
  type Shape,
  shape,
  string,
} from "../../base/shape.js";

/** A coordinate: a number, or the name of a category. Texts here are plotly's: see `plotText`. */
export type Datum = number | string;

export interface LineStyle {
  readonly color: string;
  readonly width: number;
  readonly dash?: "solid" | "dot" | "dash" | "dashdot";
  /** "hv": steps. */
  readonly shape?: "linear" | "hv";
  /** Whether plotly leaves out points that are hardly apart; it does unless false. */
  readonly simplify?: boolean;
}

export type MarkerSymbol =
  | "circle"
  | "square"
  | "diamond"
  | "triangle-up"
  | "triangle-down"
  | "cross"
  | "x"
  | "circle-open"
  | "square-open"
  | "diamond-open";

export interface Font {
  readonly size?: number;
  readonly color?: string;
  readonly family?: string;
  /** From 600 on bold. */
  readonly weight?: number;
}

/** Horizontal bars: `x` the values, `y` the categories. */
export interface BarTrace {
  readonly type: "bar";
  readonly orientation: "h";
  readonly name: string;
  readonly x: readonly (number | null)[];
  readonly y: readonly string[];
  /** Labels at the bars' ends. */
  readonly text: readonly string[];
  /** Inside where an outer label would meet the limit's line. */
  readonly textposition: readonly ("outside" | "inside")[];
  readonly insidetextanchor: "end";
  readonly insidetextfont: Font;
  readonly cliponaxis: false;
  readonly textfont: Font;
  readonly hovertemplate: string;
  readonly marker: {
    readonly color: string;
    /** `fillmode` "overlay": stripes over `color`; plotly's default would leave `color` out. */
    readonly pattern: { readonly shape: "" | "/"; readonly fgcolor: string; readonly fillmode: "overlay" };
  };
}

export interface ScatterTrace {
  readonly type: "scatter";
  readonly mode: "lines" | "markers" | "lines+markers" | "markers+text" | "text";
  readonly name: string;
  /** A line breaks at null. */
  readonly x: readonly (Datum | null)[];
  readonly y: readonly (Datum | null)[];
  readonly text?: readonly string[];
  readonly hovertext?: readonly string[];
  readonly hovertemplate?: string;
  readonly hoverinfo?: "skip";
  readonly textposition?: "top center" | "middle center" | "middle right" | "middle left" | "bottom center";
  /** `color` may be given for each point. */
  readonly textfont?: { readonly size: number; readonly color?: string | readonly string[] };
  readonly line?: LineStyle;
  readonly marker?: {
    readonly symbol: MarkerSymbol;
    /** Pixels across. */
    readonly size: number;
    readonly color: string | readonly string[];
    readonly line?: { readonly width: number; readonly color: string };
  };
  readonly showlegend?: boolean;
  readonly cliponaxis?: boolean;
}

export type Trace = BarTrace | ScatterTrace;

export interface Axis {
  readonly type: "linear" | "log" | "category";
  readonly title: { readonly text: string; readonly standoff?: number; readonly font?: Font };
  /** Ends; decimal logarithms on a log axis, positions of categories (0, 1, ..) on a category axis. */
  readonly range: readonly [number, number];
  readonly tickmode: "array";
  /** Values, not logarithms. */
  readonly tickvals: readonly Datum[];
  readonly ticktext: readonly string[];
  readonly showgrid: boolean;
  readonly zeroline: false;
  readonly showline: boolean;
  readonly gridcolor: string;
  readonly linecolor: string;
  readonly tickfont: Font;
  readonly ticks: "" | "outside";
  readonly tickcolor: string;
  /** Pixels between a tick and its label. */
  readonly ticklabelstandoff: number;
  /** For a category axis: its categories in their order. */
  readonly categoryorder?: "array";
  readonly categoryarray?: readonly Datum[];
}

/** A straight line across the plot at an x of the axis, over the whole height. */
export interface LineShape {
  readonly type: "line";
  readonly xref: "x";
  readonly yref: "paper";
  readonly x0: number;
  readonly x1: number;
  readonly y0: 0;
  readonly y1: 1;
  readonly line: LineStyle;
}

/** Text above the plot at an x of a linear axis. */
export interface Annotation {
  readonly xref: "x";
  readonly yref: "paper";
  readonly x: number;
  readonly y: 1;
  readonly text: string;
  readonly showarrow: false;
  readonly xanchor: "left" | "center" | "right";
  readonly yanchor: "bottom";
  readonly font: Font;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly title: {
    readonly text: string;
    readonly subtitle: { readonly text: string; readonly font: Font };
    readonly x: number;
    readonly xref: "container";
    readonly xanchor: "left";
    readonly y: number;
    readonly yref: "container";
    readonly yanchor: "top";
    readonly font: Font;
  };
  readonly font: { readonly family: string; readonly size: number; readonly color: string };
  readonly margin: { readonly l: number; readonly r: number; readonly t: number; readonly b: number };
  readonly xaxis: Axis;
  readonly yaxis: Axis;
  readonly barmode: "group";
  readonly bargap: number;
  readonly bargroupgap: number;
  readonly showlegend: boolean;
  readonly legend: {
    readonly orientation: "h";
    readonly x: 0;
    readonly xanchor: "left";
    readonly y: 1;
    readonly yanchor: "bottom";
    readonly font: Font;
    readonly traceorder: "normal";
  };
  readonly shapes: readonly LineShape[];
  readonly annotations: readonly Annotation[];
  readonly paper_bgcolor: string;
  readonly plot_bgcolor: string;
  readonly hovermode: "closest";
  readonly modebar: { readonly bgcolor: string; readonly color: string; readonly activecolor: string };
  /** `fixedWidth`: the picture is right in this width only (cells as wide as lanes, a diagonal at 45 degrees). */
  readonly meta: { readonly fixedWidth: boolean };
}

export interface Figure {
  readonly kind: "figure";
  /** Plain text, as given. */
  readonly title: string;
  /** The content of the picture, with its numbers, for those who cannot see it. */
  readonly alt: string;
  readonly data: readonly Trace[];
  readonly layout: Layout;
}

const size: Shape = shape(
  "a number of pixels above 0, up to 100000",
  (value) => typeof value === "number" && value > 0 && value <= 1e5,
);
const font: Shape = objectWith({
  size: optional(finite),
  color: optional(string),
  family: optional(string),
  weight: optional(finite),
});
const axis: Shape = objectWith({
  type: string,
  title: objectWith({ text: string, font: optional(font) }),
  range: listOf(finite, 2),
  tickvals: listOf(either(finite, string)),
  ticktext: listOf(string),
  tickfont: font,
});
const layout: Shape = objectWith({
  width: size,
  height: size,
  title: objectWith({ text: string, x: finite, subtitle: objectWith({ text: string, font }), font }),
  bargap: finite,
  bargroupgap: finite,
  font,
  margin: objectWith({ l: finite, r: finite, t: finite, b: finite }),
  xaxis: axis,
  yaxis: axis,
  legend: objectWith({ font }),
  shapes: listOf(objectWith({ x0: finite, line: object })),
  annotations: listOf(objectWith({ x: finite, text: string, font })),
  meta: object,
});
/** A line breaks at null. */
const places: Shape = listOf(orNull(either(finite, string)));
const bar: Shape = objectWith({
  type: oneOf("bar"),
  name: string,
  x: listOf(orNull(finite)),
  y: listOf(string),
  text: listOf(string),
  textposition: listOf(oneOf("outside", "inside")),
  textfont: font,
  insidetextfont: font,
  marker: objectWith({ color: string, pattern: objectWith({ shape: string }) }),
});
const colors: Shape = either(string, listOf(string));
const scatter: Shape = objectWith({
  type: oneOf("scatter"),
  mode: string,
  name: string,
  x: places,
  y: places,
  text: optional(listOf(string)),
  textposition: optional(string),
  textfont: optional(objectWith({ size: optional(finite), color: optional(colors) })),
  marker: optional(objectWith({ size: optional(finite) })),
  line: optional(objectWith({ color: string, width: finite })),
});

export const figureShape: Shape = objectWith(
  { kind: oneOf("figure"), title: string, alt: string, data: listOf(either(bar, scatter)), layout },
  "what barFigure(...) or another figure's function returns",
);

/** Escapes a text for plotly, which reads tags, entities and TeX between dollars in every text. */
export function plotText(text: string): string {
  return text.replace(/[&<>$]/g, (mark) => `&#${mark.charCodeAt(0)};`).replace(/\r?\n/g, "<br>");
}

/** The lines of a text made by `plotText`. */
export function plotTextLines(text: string): readonly string[] {
  return text.split("<br>").map((line) => line.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
}

/** The figure as plotly takes it: `Plotly.newPlot(div, data, layout, config)`; a JSON text. */
export function plotlyJson(figure: Figure): string {
  checkArgument("plotlyJson", "figure", figure, figureShape);
  // Without showSendToCloud: false plotly offers to send the figure to its makers.
  const config = { displaylogo: false, showSendToCloud: false, responsive: !figure.layout.meta.fixedWidth };
  try {
    return JSON.stringify({ data: figure.data, layout: figure.layout, config });
  } catch {
    throw new InputError({
      what: "plotlyJson: the figure holds a value that JSON has no form for, such as a bigint.",
      cure: "Give a figure as the package's functions return it, or one of plain numbers, texts and lists.",
    });
  }
}
