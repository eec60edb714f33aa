/** The data of a figure as SVG: bars, lines, signs and texts, and their samples in the legend. */
import type { BarTrace, Datum, Figure, LineStyle, MarkerSymbol, ScatterTrace, Trace } from "../figures/figure.js";
import { plotTextLines } from "../figures/figure.js";
import { escapeHtml } from "./html.js";

/** Where the plot lies in the picture, in pixels, and how values map to it. */
export interface PlotArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly x: (value: Datum) => number;
  readonly y: (value: Datum) => number;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

const DASHES: Readonly<Record<string, string>> = { dot: "2 4", dash: "9 5", dashdot: "9 4 2 4" };

function stroke({ color, width, dash = "solid" }: LineStyle): string {
  const pattern = DASHES[dash];
  const dashes = pattern === undefined ? "" : ` stroke-dasharray="${pattern}"`;
  return `stroke="${color}" stroke-width="${width}" stroke-linejoin="round"${dashes}`;
}

function polygon(points: readonly (readonly [number, number])[], style: string): string {
  return `<polygon points="${points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ")}" ${style}/>`;
}

/** One sign around a point, about as large as plotly draws it. */
function sign(symbol: MarkerSymbol, x: number, y: number, size: number, color: string, outline: string): string {
  const r = size / 2;
  const style = symbol.endsWith("-open")
    ? `fill="none" stroke="${color}" ${outline || 'stroke-width="1.5"'}`
    : `fill="${color}"`;
  switch (symbol) {
    case "circle":
    case "circle-open":
      return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" ${style}/>`;
    case "square":
    case "square-open":
      return `<rect x="${round(x - r)}" y="${round(y - r)}" width="${round(size)}" height="${round(size)}" ${style}/>`;
    case "diamond":
    case "diamond-open": {
      const d = r * 1.3;
      return polygon(
        [
          [x, y - d],
          [x + d, y],
          [x, y + d],
          [x - d, y],
        ],
        style,
      );
    }
    case "triangle-up":
    case "triangle-down": {
      const turn = symbol === "triangle-up" ? 1 : -1;
      const [half, height] = [(r * 2) / Math.sqrt(3), r * turn];
      return polygon(
        [
          [x - half, y + height / 2],
          [x + half, y + height / 2],
          [x, y - height],
        ],
        style,
      );
    }
    case "cross": {
      const arm = r * 0.4;
      const path = `M${round(x - r)},${round(y - arm)}h${round(r - arm)}v${round(arm - r)}h${round(2 * arm)}v${round(r - arm)}h${round(r - arm)}v${round(2 * arm)}h${round(arm - r)}v${round(r - arm)}h${round(-2 * arm)}v${round(arm - r)}h${round(arm - r)}Z`;
      return `<path d="${path}" ${style}/>`;
    }
    case "x": {
      const d = r * 0.8;
      return `<path d="M${round(x - d)},${round(y - d)}L${round(x + d)},${round(y + d)}M${round(x - d)},${round(y + d)}L${round(x + d)},${round(y - d)}" stroke="${color}" stroke-width="${round(Math.max(2, r * 0.5))}" fill="none"/>`;
    }
  }
}

function each<T>(value: T | readonly T[] | undefined, index: number): T | undefined {
  return Array.isArray(value) ? (value as readonly T[])[index] : (value as T | undefined);
}

function textAt(text: string, x: number, y: number, size: number, anchor: string, color: string): string {
  const lines = plotTextLines(text);
  return lines
    .map((line, index) => {
      const baseline = y + size * 0.36 + (index - (lines.length - 1) / 2) * size * 1.3;
      return `<text x="${round(x)}" y="${round(baseline)}" font-size="${size}" text-anchor="${anchor}" fill="${color}" xml:space="preserve">${escapeHtml(line)}</text>`;
    })
    .join("");
}

function linePath(trace: ScatterTrace, style: LineStyle, area: PlotArea): string {
  let starts = true;
  const path = trace.x.map((at, index) => {
    const height = trace.y[index] ?? null;
    const first = starts;
    starts = at === null || height === null;
    if (at === null || height === null) return "";
    const [x, y] = [area.x(at), area.y(height)];
    if (first) return `M${round(x)},${round(y)}`;
    return style.shape === "hv" ? `H${round(x)}V${round(y)}` : `L${round(x)},${round(y)}`;
  });
  return `<path d="${path.join("")}" fill="none" clip-path="url(#plot)" ${stroke(style)}/>`;
}

function scatterMarks(trace: ScatterTrace, area: PlotArea, textColor: string): string {
  const parts: string[] = [];
  if (trace.mode.includes("lines") && trace.line !== undefined) parts.push(linePath(trace, trace.line, area));
  const { marker, text, textfont } = trace;
  for (const [index, datum] of trace.x.entries()) {
    const height = trace.y[index] ?? null;
    if (datum === null || height === null) continue;
    const [x, y] = [area.x(datum), area.y(height)];
    if (trace.mode.includes("markers") && marker !== undefined) {
      const outline = marker.line === undefined ? "" : `stroke-width="${marker.line.width}"`;
      parts.push(sign(marker.symbol, x, y, marker.size, each(marker.color, index) ?? textColor, outline));
    }
    const label = text?.[index];
    if (!trace.mode.includes("text") || label === undefined || label === "") continue;
    const size = textfont?.size ?? 13;
    const color = each(textfont?.color, index) ?? textColor;
    const away = (trace.mode === "text" ? 0 : (marker?.size ?? 0) / 2) + 5;
    switch (trace.textposition ?? "middle center") {
      case "middle center":
        parts.push(textAt(label, x, y, size, "middle", color));
        break;
      case "middle left":
        parts.push(textAt(label, x - away, y, size, "end", color));
        break;
      case "middle right":
        parts.push(textAt(label, x + away, y, size, "start", color));
        break;
      case "top center":
        parts.push(textAt(label, x, y - away - size / 2, size, "middle", color));
        break;
      case "bottom center":
        parts.push(textAt(label, x, y + away + size / 2, size, "middle", color));
        break;
    }
  }
  return parts.join("");
}

function fillOf(trace: BarTrace): string {
  return trace.marker.pattern.shape === "" ? trace.marker.color : `url(#hatch-${trace.marker.color.slice(1)})`;
}

function barMarks(
  trace: BarTrace,
  place: number,
  of: number,
  figure: Figure,
  area: PlotArea,
  textColor: string,
): string {
  const { bargap, bargroupgap, yaxis } = figure.layout;
  const slot = (area.bottom - area.top) / Math.abs(yaxis.range[1] - yaxis.range[0]);
  const each = (slot * (1 - bargap)) / of;
  const height = each * (1 - bargroupgap);
  return trace.x
    .map((value, index) => {
      if (value === null) return "";
      // Plotly stacks a group's bars along the axis' direction; this axis runs downward.
      const center = area.y(trace.y[index] ?? "") + (place - (of - 1) / 2) * each;
      const [start, end] = [area.x(0), area.x(value)];
      const bar = `<rect x="${round(start)}" y="${round(center - height / 2)}" width="${round(Math.max(0, end - start))}" height="${round(height)}" fill="${fillOf(trace)}"/>`;
      const text = trace.text[index] ?? "";
      if (trace.textposition[index] === "inside") {
        const { size = 13, color = textColor } = trace.insidetextfont;
        return bar + textAt(text, end - 6, center, size, "end", color);
      }
      return bar + textAt(text, end + 5, center, trace.textfont.size ?? 13, "start", textColor);
    })
    .join("");
}

function hatch(trace: Trace): string {
  if (trace.type !== "bar" || trace.marker.pattern.shape === "") return "";
  const { color, pattern } = trace.marker;
  return `<pattern id="hatch-${color.slice(1)}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="${color}"/><path d="M-1,1l2,-2M0,8l8,-8M7,9l2,-2" stroke="${pattern.fgcolor}" stroke-width="1.5"/></pattern>`;
}

/** All traces in their order, later ones above. */
export function traceMarks(figure: Figure, area: PlotArea, textColor: string): string {
  const bars = figure.data.filter((trace) => trace.type === "bar");
  const [width, height] = [area.right - area.left, area.bottom - area.top];
  const clip = `<clipPath id="plot"><rect x="${area.left}" y="${area.top}" width="${width}" height="${height}"/></clipPath>`;
  const marks = figure.data.map((trace) =>
    trace.type === "bar"
      ? barMarks(trace, bars.indexOf(trace), bars.length, figure, area, textColor)
      : scatterMarks(trace, area, textColor),
  );
  return `<defs>${clip}${figure.data.map(hatch).join("")}</defs>${marks.join("")}`;
}

/** A trace's sample in the legend, 28 pixels wide from `x`, around the height `y`. */
export function legendSample(trace: Trace, x: number, y: number): string {
  if (trace.type === "bar") {
    return `<rect x="${round(x)}" y="${round(y - 7)}" width="28" height="14" fill="${fillOf(trace)}"/>`;
  }
  const parts: string[] = [];
  if (trace.mode.includes("lines") && trace.line !== undefined) {
    parts.push(
      `<line x1="${round(x)}" y1="${round(y)}" x2="${round(x + 28)}" y2="${round(y)}" ${stroke({ ...trace.line, width: Math.min(14, trace.line.width) })}/>`,
    );
  }
  if (trace.mode.includes("markers") && trace.marker !== undefined) {
    const outline = trace.marker.line === undefined ? "" : `stroke-width="${trace.marker.line.width}"`;
    const size = Math.min(14, trace.marker.size);
    parts.push(sign(trace.marker.symbol, x + 14, y, size, each(trace.marker.color, 0) ?? "#808080", outline));
  }
  return parts.join("");
}
