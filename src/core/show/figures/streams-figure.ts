/** Streams over time: when the copy engines and the SMs have work, and which stream gave it. */
import { checkArgument } from "../../base/shape.js";
import type { TracedOperation } from "../../host/streams/operation.js";
import { type StreamRow, streamRows, type TimeUnit, timeUnit } from "../../host/streams/stream-rows.js";
import type { StreamTrace } from "../../host/streams/stream-trace.js";
import { traceShape } from "../../host/streams/stream-trace.js";
import { formatNumber } from "../number-format.js";
import type { Figure, ScatterTrace } from "./figure.js";
import { plotText } from "./figure.js";
import { checkTexts, type FigureTexts, makeFigure } from "./frame.js";
import { okabeIto } from "./palette.js";
import { stateTrace } from "./state-traces.js";
import { linearTicks } from "./ticks.js";

const ROW_HEIGHT = 30;
/** Share of a row's height. */
const BAR = 0.62;
/** Share of the time axis between bars that follow one another, so that two operations look like two. */
const GAP = 1 / 400;

interface Kind {
  readonly name: string;
  readonly color: string;
  readonly kinds: readonly TracedOperation["kind"][];
}

const KINDS: readonly Kind[] = [
  { name: "copy HtoD", color: okabeIto.blue, kinds: ["HtoD"] },
  { name: "kernel", color: okabeIto.green, kinds: ["kernel"] },
  { name: "copy DtoH", color: okabeIto.orange, kinds: ["DtoH"] },
  { name: "copy DtoD, memset", color: okabeIto.purple, kinds: ["DtoD", "memset"] },
];

function tracesOf(rows: readonly StreamRow[], unit: TimeUnit, end: number): readonly ScatterTrace[] {
  return KINDS.flatMap(({ name, color, kinds }) => {
    const pieces = rows.flatMap(({ operations }, row) =>
      operations
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ startMicroseconds, endMicroseconds }) => {
          const from = startMicroseconds / unit.microseconds;
          const to = endMicroseconds / unit.microseconds;
          return { row, from, to: to - Math.min(GAP * end, (to - from) / 4) };
        }),
    );
    const hover = `${name}: %{x} ${unit.name}<extra></extra>`;
    return pieces.length === 0 ? [] : [stateTrace({ name, color, width: BAR * ROW_HEIGHT, pieces, hover })];
  });
}

const inUnit = (microseconds: number, unit: TimeUnit): string =>
  `${formatNumber(microseconds / unit.microseconds, { decimals: 2 })} ${unit.name}`;

function altText(trace: StreamTrace, rows: readonly StreamRow[], unit: TimeUnit): string {
  const { device, operations, microseconds, aloneMicroseconds } = trace;
  const shown = rows.map(({ name, operations: own }) => {
    const parts = own.map(
      ({ kind, startMicroseconds: from, endMicroseconds: to }) =>
        `${kind} ${formatNumber(from / unit.microseconds, { decimals: 2 })} to ${formatNumber(to / unit.microseconds, { decimals: 2 })}`,
    );
    const few = parts.length > 8 ? [...parts.slice(0, 8), `${parts.length - 8} more`] : parts;
    return `${name}: ${few.join(", ")}`;
  });
  return `${operations.length} operations of streams on ${device.name}, predicted, in ${unit.name}. Together they take ${inUnit(microseconds, unit)}, one after the other ${inUnit(aloneMicroseconds, unit)}. ${shown.join("; ")}.`;
}

/**
 * Draws a stream trace: a row for each copy engine and the SMs, then a row for each stream. Predicted.
 * @throws InputError for a trace of no operations.
 * @example
 * display(streamsFigure(gpu.trace(), { title: "Four streams" }));
 */
export function streamsFigure(trace: StreamTrace, texts: Partial<FigureTexts> = {}): Figure {
  checkArgument("streamsFigure", "trace", trace, traceShape);
  checkTexts("streamsFigure", texts);
  const rows = streamRows(trace);
  const unit = timeUnit(trace);
  const { device, operations, microseconds, aloneMicroseconds } = trace;
  const end = Math.max(...operations.map(({ endMicroseconds }) => endMicroseconds)) / unit.microseconds;
  return makeFigure({
    texts: {
      title: "Streams over time",
      subtitle: `${device.name}, predicted; ${inUnit(microseconds, unit)}, one after the other ${inUnit(aloneMicroseconds, unit)}`,
      ...texts,
    },
    alt: altText(trace, rows, unit),
    data: tracesOf(rows, unit, end),
    plotHeight: rows.length * ROW_HEIGHT,
    xaxis: {
      type: "linear",
      title: `Time (${unit.name})`,
      range: [0, end],
      ticks: linearTicks(0, end),
      grid: true,
    },
    yaxis: {
      type: "linear",
      title: "",
      range: [rows.length - 0.5, -0.5],
      ticks: { values: rows.map((_, row) => row), texts: rows.map(({ name }) => plotText(name)) },
      grid: false,
    },
    narrow: true,
  });
}
