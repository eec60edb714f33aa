/**
 * A stream trace in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open. A process is the GPU's engines or its
 * streams, a thread one of them, a slice an operation. Times are microseconds, as the format counts them.
 */
import { checkArgument } from "../base/shape.js";
import type { Engine, TracedOperation } from "../host/streams/operation.js";
import type { StreamKey } from "../host/streams/stream-key.js";
import type { StreamTrace } from "../host/streams/stream-trace.js";
import { traceShape } from "../host/streams/stream-trace.js";

/** Names a process or a thread, or gives a thread its place. */
export interface TraceMetadataEvent {
  readonly ph: "M";
  readonly name: "process_name" | "thread_name" | "thread_sort_index";
  readonly pid: number;
  readonly tid: number;
  readonly args: { readonly name: string } | { readonly sort_index: number };
}

/** A slice: `ts` and `dur` in microseconds. */
export interface StreamSliceEvent {
  readonly ph: "X";
  readonly name: string;
  readonly cat: TracedOperation["kind"];
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: { readonly stream: string; readonly bytes: number | null; readonly alone: number };
}

export interface StreamPerfettoTrace {
  readonly traceEvents: readonly (TraceMetadataEvent | StreamSliceEvent)[];
  readonly displayTimeUnit: "ns";
  readonly otherData: Readonly<Record<string, string>>;
}

const ENGINES_PID = 1;
const STREAMS_PID = 2;
const ENGINES: readonly Engine[] = ["HtoD", "SMs", "DtoH"];

function named(name: "process_name" | "thread_name", pid: number, tid: number, text: string): TraceMetadataEvent {
  return { ph: "M", name, pid, tid, args: { name: text } };
}

/** The trace as an object; `toPerfetto` is its text. */
export function streamPerfettoTrace(trace: StreamTrace): StreamPerfettoTrace {
  checkArgument("streamPerfettoTrace", "trace", trace, traceShape);
  const { device, operations } = trace;
  const streams: readonly StreamKey[] = [...new Set(operations.map(({ stream }) => stream))].sort(
    (a, b) => a.number - b.number,
  );
  const slice = (operation: TracedOperation, pid: number, tid: number): StreamSliceEvent => ({
    ph: "X",
    name: operation.name,
    cat: operation.kind,
    pid,
    tid,
    ts: operation.startMicroseconds,
    dur: operation.endMicroseconds - operation.startMicroseconds,
    args: { stream: operation.stream.name, bytes: operation.bytes, alone: operation.aloneMicroseconds },
  });
  return {
    traceEvents: [
      named("process_name", ENGINES_PID, 0, `${device.name}: engines`),
      ...ENGINES.map((engine, index) => named("thread_name", ENGINES_PID, index + 1, engine)),
      named("process_name", STREAMS_PID, 0, `${device.name}: streams`),
      ...streams.map(({ name }, index) => named("thread_name", STREAMS_PID, index + 1, name)),
      ...operations.flatMap((operation) => [
        slice(operation, ENGINES_PID, ENGINES.indexOf(operation.engine) + 1),
        slice(operation, STREAMS_PID, streams.indexOf(operation.stream) + 1),
      ]),
    ],
    displayTimeUnit: "ns",
    otherData: { device: device.name, source: "predicted" },
  };
}
