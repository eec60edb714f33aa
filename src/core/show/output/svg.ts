/**
 * Draws a figure as SVG without plotly and without a browser. plotly in a simulated DOM (jsdom) needs half a second and 40
 * packages, has no text metrics there, and answers asynchronously. A notebook's cell needs none of that.
 * Follows plotly's meaning of the fields in `figure.ts`.
 */

import { checkArgument, fieldsOf, type Shape, string } from "../../base/shape.js";
import type { Annotation, Axis, Datum, Figure, Font } from "../figures/figure.js";
import { figureShape, plotTextLines } from "../figures/figure.js";
import { legendPlaces, legendTraces, sizes } from "../figures/frame.js";
import { fontStack, textWidth } from "../text-width.js";
import { escapeHtml } from "./html.js";
import { legendSample, type PlotArea, traceMarks } from "./svg-trace.js";

/** Colours of the parts that are no data. */
export interface SvgTheme {
  /** "none" for transparent. */
  readonly paper: string;
  readonly text: string;
  readonly grid: string;
  readonly axisLine: string;
}

const themeShape: Shape = fieldsOf<SvgTheme>({ paper: string, text: string, grid: string, axisLine: string });

export const lightTheme: SvgTheme = { paper: "#ffffff", text: "#222222", grid: "#d9d9d9", axisLine: "#888888" };

/** Pixels as written in SVG: at most two digits after the point. */
export function px(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export interface TextPlace {
  readonly x: number;
  /** The first line's baseline. */
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly color: string;
  readonly rotate?: number;
}

/** Lines of text, one below the other. */
export function svgText(lines: readonly string[], font: Font, place: TextPlace): string {
  const size = font.size ?? sizes.label;
  const weight = (font.weight ?? 400) >= 600 ? ' font-weight="700"' : "";
  const turn = place.rotate === undefined ? "" : ` transform="rotate(${place.rotate} ${px(place.x)} ${px(place.y)})"`;
  return lines
    .map((line, index) => {
      const y = place.y + index * size * 1.3;
      return `<text x="${px(place.x)}" y="${px(y)}" font-size="${size}"${weight} text-anchor="${place.anchor}" fill="${place.color}" xml:space="preserve"${turn}>${escapeHtml(line)}</text>`;
    })
    .join("");
}

/** Maps an axis' values to pixels; a category stands at its index among the ticks. */
function scale(axis: Axis, from: number, to: number): (value: Datum) => number {
  const [low, high] = axis.range;
  return (value) => {
    let at: number;
    if (axis.type === "category") at = axis.tickvals.indexOf(value);
    else at = axis.type === "log" ? Math.log10(Number(value)) : Number(value);
    return from + ((at - low) / (high - low)) * (to - from);
  };
}

function plotArea({ layout }: Figure): PlotArea {
  const { margin, width, height } = layout;
  const [left, top] = [margin.l, margin.t];
  const [right, bottom] = [width - margin.r, height - margin.b];
  return { left, top, right, bottom, x: scale(layout.xaxis, left, right), y: scale(layout.yaxis, bottom, top) };
}

function xAxisMarks(axis: Axis, area: PlotArea, theme: SvgTheme): string {
  const parts: string[] = [];
  const lines = axis.ticktext.map(plotTextLines);
  let freeFrom = Number.NEGATIVE_INFINITY;
  for (const [index, value] of axis.tickvals.entries()) {
    const x = area.x(value);
    if (axis.showgrid) parts.push(line(x, area.top, x, area.bottom, theme.grid));
    const texts = lines[index] ?? [];
    const half = Math.max(...texts.map((text) => textWidth(text, sizes.tick))) / 2;
    // A label that would touch its neighbour is left out; its tick stays.
    parts.push(line(x, area.bottom, x, area.bottom + 5, theme.axisLine));
    if (x - half < freeFrom) continue;
    freeFrom = x + half + 4;
    parts.push(
      svgText(texts, axis.tickfont, { x, y: area.bottom + 9 + sizes.tick, anchor: "middle", color: theme.text }),
    );
  }
  const below = Math.max(1, ...lines.map((each) => each.length)) * sizes.line;
  const y = area.bottom + 10 + below + 10 + 12;
  const x = (area.left + area.right) / 2;
  parts.push(
    svgText(plotTextLines(axis.title.text), axis.title.font ?? {}, { x, y, anchor: "middle", color: theme.text }),
  );
  if (axis.showline) parts.push(line(area.left, area.bottom, area.right, area.bottom, theme.axisLine));
  return parts.join("");
}

function yAxisMarks(axis: Axis, area: PlotArea, theme: SvgTheme): string {
  const parts: string[] = [];
  for (const [index, value] of axis.tickvals.entries()) {
    const y = area.y(value);
    if (axis.showgrid) parts.push(line(area.left, y, area.right, y, theme.grid));
    const texts = plotTextLines(axis.ticktext[index] ?? "");
    const first = y + sizes.tick * 0.36 - ((texts.length - 1) * sizes.tick * 1.3) / 2;
    parts.push(svgText(texts, axis.tickfont, { x: area.left - 9, y: first, anchor: "end", color: theme.text }));
    if (axis.type !== "category") parts.push(line(area.left - 5, y, area.left, y, theme.axisLine));
  }
  const place = {
    x: 16 + 12,
    y: (area.top + area.bottom) / 2,
    anchor: "middle",
    color: theme.text,
    rotate: -90,
  } as const;
  parts.push(svgText(plotTextLines(axis.title.text), axis.title.font ?? {}, place));
  if (axis.showline) parts.push(line(area.left, area.top, area.left, area.bottom, theme.axisLine));
  return parts.join("");
}

function line(x1: number, y1: number, x2: number, y2: number, color: string): string {
  return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" stroke="${color}" stroke-width="1"/>`;
}

function heading({ layout }: Figure, theme: SvgTheme): string {
  const x = layout.title.x * layout.width;
  const title = plotTextLines(layout.title.text);
  const y = 14 + sizes.title * 0.9;
  const below = y + (title.length - 1) * sizes.title * 1.3 + 23;
  const place = { x, anchor: "start", color: theme.text } as const;
  const { text, font } = layout.title.subtitle;
  const subtitle = text === "" ? "" : svgText(plotTextLines(text), font, { ...place, y: below });
  return svgText(title, layout.title.font, { ...place, y }) + subtitle;
}

function legend(figure: Figure, area: PlotArea, theme: SvgTheme): string {
  if (!figure.layout.showlegend) return "";
  const traces = legendTraces(figure.data);
  const names = traces.map(({ name }) => plotTextLines(name).join(" "));
  const places = legendPlaces(names, area.right - area.left);
  const rows = Math.max(...places.map(({ row }) => row)) + 1;
  const bottom = area.top - 10 - (figure.layout.annotations.length > 0 ? 24 : 0);
  return traces
    .map((trace, index) => {
      const { x: offset, row } = places[index] ?? { x: 0, row: 0 };
      const x = area.left + offset;
      const y = bottom - (rows - row) * 24 + 12;
      const text = { x: x + 36, y: y + sizes.legend * 0.36, anchor: "start", color: theme.text } as const;
      return legendSample(trace, x, y) + svgText([names[index] ?? ""], { size: sizes.legend }, text);
    })
    .join("");
}

function annotationMark(annotation: Annotation, area: PlotArea, theme: SvgTheme): string {
  const anchor = ({ left: "start", center: "middle", right: "end" } as const)[annotation.xanchor];
  const place = { x: area.x(annotation.x), y: area.top - 7, anchor, color: annotation.font.color ?? theme.text };
  return svgText(plotTextLines(annotation.text), annotation.font, place);
}

/** The picture as an SVG document of the figure's size; its description is the figure's alt text. */
export function toSvg(figure: Figure, theme: SvgTheme = lightTheme): string {
  checkArgument("toSvg", "figure", figure, figureShape);
  checkArgument("toSvg", "theme", theme, themeShape);
  const { layout } = figure;
  const area = plotArea(figure);
  const shapes = layout.shapes.map(({ x0, line: style }) => {
    const x = px(area.x(x0));
    const dash = style.dash === undefined || style.dash === "solid" ? "" : ' stroke-dasharray="7 4"';
    return `<line x1="${x}" y1="${area.top}" x2="${x}" y2="${area.bottom}" stroke="${style.color}" stroke-width="${style.width}"${dash}/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeHtml(figure.alt)}" width="${layout.width}" height="${layout.height}" viewBox="0 0 ${layout.width} ${layout.height}" font-family="${escapeHtml(fontStack)}">`,
    theme.paper === "none" ? "" : `<rect width="${layout.width}" height="${layout.height}" fill="${theme.paper}"/>`,
    xAxisMarks(layout.xaxis, area, theme),
    yAxisMarks(layout.yaxis, area, theme),
    traceMarks(figure, area, theme.text),
    ...shapes,
    ...layout.annotations.map((annotation) => annotationMark(annotation, area, theme)),
    legend(figure, area, theme),
    heading(figure, theme),
    "</svg>",
  ].join("");
}
