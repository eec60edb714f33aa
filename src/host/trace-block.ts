/** One sampled block for the timing model: traced whole, or, where it is long, its beginning, and run in the plain engine. */
import {
  addRawCounters,
  createRawCounters,
  type Engine,
  type PreparedLaunch,
  type RawCounters,
} from "../engine/engine.js";
import type { ReferenceEngine } from "../engine/reference/index.js";
import type { TraceRecorder } from "../timing/index.js";

export interface TracingEngines {
  /** Runs what is not traced. */
  readonly plain: Engine;
  /** Runs under `recorder`, in the default schedule. */
  readonly observed: ReferenceEngine;
  readonly recorder: TraceRecorder;
}

/** Runs the block, once as far as memory and counters go. Throws KernelFault. */
export function traceBlock(
  launch: PreparedLaunch,
  block: number,
  { plain, observed, recorder }: TracingEngines,
  counters: RawCounters,
): ReturnType<Engine["run"]> {
  const [x, y, z] = launch.grid;
  const short = observed.runShort(launch, block, counters, recorder.mostOf(x * y * z));
  if (short !== null) return short;
  const whole = createRawCounters(launch.program);
  const result = plain.run(launch, { first: block, end: block + 1, step: 1 }, whole);
  recorder.onlyBegan(block, whole.executed);
  addRawCounters(counters, whole);
  return result;
}
