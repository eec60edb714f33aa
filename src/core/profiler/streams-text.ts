/** A stream trace as text of at most 60 columns. */
import { checkArgument } from "../base/shape.js";
import type { TracedOperation } from "../host/streams/operation.js";
import { streamRows, timeUnit } from "../host/streams/stream-rows.js";
import type { StreamTrace } from "../host/streams/stream-trace.js";
import { traceShape } from "../host/streams/stream-trace.js";

const COLUMNS = 60;
const NAME = 15;
const BAR = COLUMNS - NAME;

const SIGNS: Readonly<Record<TracedOperation["kind"], string>> = {
  HtoD: ">",
  kernel: "#",
  DtoH: "<",
  DtoD: "=",
  memset: "=",
};

/** Breaks a text into lines of at most 60 columns. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * The rows of `streamsFigure` in characters, a sign for each kind of operation. Predicted.
 * @throws InputError for a trace of no operations.
 * @example
 * console.log(streamsText(gpu.trace()));
 */
export function streamsText(trace: StreamTrace): string {
  checkArgument("streamsText", "trace", trace, traceShape);
  const { device, operations, microseconds, aloneMicroseconds, busyMicroseconds, pageableAsyncCopies } = trace;
  const rows = streamRows(trace);
  const unit = timeUnit(trace);
  const end = Math.max(...operations.map(({ endMicroseconds }) => endMicroseconds));
  const time = (value: number): string => `${(value / unit.microseconds).toFixed(2)} ${unit.name}`;
  const column = (value: number): number => (value / end) * BAR;
  const bars = rows.map(({ name, operations: own }) => {
    const cells = Array<string>(BAR).fill(".");
    for (const { kind, startMicroseconds, endMicroseconds } of own) {
      const from = Math.min(BAR - 1, Math.floor(column(startMicroseconds)));
      const to = Math.max(from + 1, Math.round(column(endMicroseconds)));
      cells.fill(SIGNS[kind], from, to);
    }
    return `${name.slice(0, NAME - 1).padEnd(NAME)}${cells.join("")}`;
  });
  const used = new Set(operations.map(({ kind }) => SIGNS[kind]));
  const legend = [
    ["> HtoD", ">"],
    ["# kernel", "#"],
    ["< DtoH", "<"],
    ["= DtoD, memset", "="],
  ]
    .filter(([, sign]) => used.has(sign ?? ""))
    .map(([text]) => text);
  const busy = (["HtoD", "SMs", "DtoH"] as const)
    .filter((engine) => busyMicroseconds[engine] > 0)
    .map((engine) => `${engine} ${Math.round((100 * busyMicroseconds[engine]) / microseconds)} %`);
  const last = time(end);
  return [
    ...wrapped(`${device.name}: ${operations.length} operations of streams, predicted.`),
    `${"".padEnd(NAME)}0${last.padStart(BAR - 1)}`,
    ...bars,
    ...wrapped(legend.join("  ")),
    ...wrapped(`Together ${time(microseconds)}, one after the other ${time(aloneMicroseconds)}.`),
    ...wrapped(`With work: ${busy.join(", ")} of the time.`),
    ...(pageableAsyncCopies === 0
      ? []
      : wrapped(
          `The host waited for ${pageableAsyncCopies} asynchronous ${pageableAsyncCopies === 1 ? "copy" : "copies"}: of pageable memory. Use gpu.hostAlloc for page-locked memory.`,
        )),
  ].join("\n");
}
