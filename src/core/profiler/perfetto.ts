/**
 * A timeline in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open. A process is the SM, a thread is a
 * warp, a slice is a stretch of cycles in one state. The format counts microseconds; here one of them is one cycle.
 * Format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 */
import { checkArgument, either } from "../base/shape.js";
import { writtenLine } from "../base/written-line.js";
import type { StreamTrace } from "../host/streams/stream-trace.js";
import { traceShape } from "../host/streams/stream-trace.js";
import { lineOfStretch, type Timeline, timelineShape } from "../host/timeline.js";
import type { WarpStretch } from "../timing/index.js";
import { streamPerfettoTrace, type TraceMetadataEvent } from "./perfetto-streams.js";

/** A slice: `ts` is its first cycle, `dur` its length in cycles. */
export interface TraceSliceEvent {
  readonly ph: "X";
  readonly name: string;
  readonly cat: "issue" | "eligible" | "stall";
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: { readonly pc: number; readonly line: number; readonly text: string };
}

export interface PerfettoTrace {
  readonly traceEvents: readonly (TraceMetadataEvent | TraceSliceEvent)[];
  readonly displayTimeUnit: "ns";
  readonly otherData: Readonly<Record<string, string>>;
}

const SM = 1;

function categoryOf({ state }: WarpStretch): TraceSliceEvent["cat"] {
  return state === "selected" ? "issue" : state === "not_selected" ? "eligible" : "stall";
}

/** The trace as an object; `toPerfetto` is its text. */
export function perfettoTrace(timeline: Timeline): PerfettoTrace {
  checkArgument("perfettoTrace", "timeline", timeline, timelineShape);
  const { kernel, device, smClockMHz, program, warps } = timeline;
  const named = (name: "process_name" | "thread_name", tid: number, text: string): TraceMetadataEvent => ({
    ph: "M",
    name,
    pid: SM,
    tid,
    args: { name: text },
  });
  const textOf = (stretch: WarpStretch): string => {
    const source = program.sources[program.instructions[stretch.pc]?.source ?? 0];
    return source === undefined ? "" : (writtenLine(source, lineOfStretch(timeline, stretch)) ?? "").trim();
  };
  return {
    traceEvents: [
      named("process_name", 0, `SM 0: ${kernel} on ${device} (1 us is 1 cycle)`),
      ...warps.flatMap(({ block, warp, scheduler, stretches }, index) => [
        named("thread_name", index + 1, `block ${block} warp ${warp} (scheduler ${scheduler})`),
        { ph: "M", name: "thread_sort_index", pid: SM, tid: index + 1, args: { sort_index: index } } as const,
        ...stretches.map(
          (stretch): TraceSliceEvent => ({
            ph: "X",
            name: stretch.state,
            cat: categoryOf(stretch),
            pid: SM,
            tid: index + 1,
            ts: stretch.from,
            dur: stretch.to - stretch.from,
            args: { pc: stretch.pc, line: lineOfStretch(timeline, stretch), text: textOf(stretch) },
          }),
        ),
      ]),
    ],
    displayTimeUnit: "ns",
    otherData: { kernel, device, smClockMHz: String(smClockMHz), source: "predicted by the timing model" },
  };
}

/**
 * JSON for ui.perfetto.dev, of a timeline of warps or a trace of streams: save it in a file and open that there.
 * @example
 * writeFileSync("sum.json", toPerfetto(timeline(launch)));
 * writeFileSync("streams.json", toPerfetto(gpu.trace()));
 */
export function toPerfetto(shown: Timeline | StreamTrace): string {
  checkArgument("toPerfetto", "shown", shown, either(timelineShape, traceShape));
  return JSON.stringify("operations" in shown ? streamPerfettoTrace(shown) : perfettoTrace(shown));
}
