/** The operations of a GPU's streams and their times: the data of a GPU trace. Predicted. */
import { finite, listOf, objectWith, recordOf, type Shape, string, whole } from "../../base/shape.js";
import { summarized } from "../../base/summary.js";
import type { DeviceSpec } from "../../device/index.js";
import type { Engine, TracedOperation } from "./operation.js";

export interface StreamTrace {
  readonly device: DeviceSpec;
  /** In the order of the calls; times count from the first call. */
  readonly operations: readonly TracedOperation[];
  /** From the first operation's start to the last one's end. */
  readonly microseconds: number;
  /** The sum of what the operations take alone: their time one after the other. */
  readonly aloneMicroseconds: number;
  /** Time in which each engine has work. */
  readonly busyMicroseconds: Readonly<Record<Engine, number>>;
  /** Copies of cudaMemcpyAsync for which the host waited, since its memory is not page-locked. */
  readonly pageableAsyncCopies: number;
}

const operation: Shape = objectWith({
  name: string,
  kind: string,
  stream: objectWith({ number: finite, name: string }),
  startMicroseconds: finite,
  endMicroseconds: finite,
  aloneMicroseconds: finite,
});

export const traceShape: Shape = objectWith(
  {
    device: objectWith({ id: string, name: string }),
    operations: listOf(operation),
    microseconds: finite,
    aloneMicroseconds: finite,
    busyMicroseconds: recordOf(finite),
    pageableAsyncCopies: whole(0),
  },
  "what gpu.trace() returns",
);

/** The time that intervals cover together. */
export function covered(
  intervals: readonly { readonly startMicroseconds: number; readonly endMicroseconds: number }[],
): number {
  let sum = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const { startMicroseconds, endMicroseconds } of [...intervals].sort(
    (a, b) => a.startMicroseconds - b.startMicroseconds,
  )) {
    sum += Math.max(0, endMicroseconds - Math.max(reached, startMicroseconds));
    reached = Math.max(reached, endMicroseconds);
  }
  return sum;
}

export function streamTrace(
  device: DeviceSpec,
  operations: readonly TracedOperation[],
  pageableAsyncCopies: number,
): StreamTrace {
  const starts = operations.map(({ startMicroseconds }) => startMicroseconds);
  const ends = operations.map(({ endMicroseconds }) => endMicroseconds);
  const busy = (engine: Engine): number => covered(operations.filter((each) => each.engine === engine));
  return summarized(
    {
      device,
      operations,
      microseconds: operations.length === 0 ? 0 : Math.max(...ends) - Math.min(...starts),
      aloneMicroseconds: operations.reduce((sum, { aloneMicroseconds }) => sum + aloneMicroseconds, 0),
      busyMicroseconds: { HtoD: busy("HtoD"), DtoH: busy("DtoH"), SMs: busy("SMs") },
      pageableAsyncCopies,
    },
    traceSummary,
  );
}

function traceSummary({ operations, microseconds, aloneMicroseconds }: StreamTrace): string {
  const alone = `${aloneMicroseconds.toFixed(1)} us one after the other`;
  return `${operations.length} operations in ${microseconds.toFixed(1)} us (predicted; ${alone}); streamsText(trace) prints them`;
}
