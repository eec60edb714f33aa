/** A stream trace as rows of pieces: the copy engines and the SMs first, then each stream. Figures and texts draw the same. */
import { InputError } from "../../base/errors.js";
import type { Engine, TracedOperation } from "./operation.js";
import type { StreamTrace } from "./stream-trace.js";

export interface StreamRow {
  readonly name: string;
  readonly operations: readonly TracedOperation[];
}

const ENGINES: readonly (readonly [engine: Engine, name: string])[] = [
  ["HtoD", "copies HtoD"],
  ["SMs", "SMs"],
  ["DtoH", "copies DtoH"],
];

/** The unit that a trace's times are shown in. */
export interface TimeUnit {
  readonly name: "us" | "ms";
  readonly microseconds: number;
}

export function timeUnit({ microseconds }: StreamTrace): TimeUnit {
  return microseconds >= 1000 ? { name: "ms", microseconds: 1000 } : { name: "us", microseconds: 1 };
}

/** @throws InputError for a trace of no operations. */
export function streamRows({ operations }: StreamTrace): readonly StreamRow[] {
  if (operations.length === 0) {
    throw new InputError({
      what: "This trace has no operations.",
      cure: "Make the first stream or event before the work, and call gpu.trace() after it.",
    });
  }
  const engines = ENGINES.map(([engine, name]) => ({
    name,
    operations: operations.filter((each) => each.engine === engine),
  }));
  const streams = [...new Set(operations.map(({ stream }) => stream))].sort((a, b) => a.number - b.number);
  return [
    ...engines.filter((row) => row.operations.length > 0),
    ...streams.map((stream) => ({
      name: stream.name,
      operations: operations.filter((each) => each.stream === stream),
    })),
  ];
}
