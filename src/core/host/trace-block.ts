/** One sampled block for the timing model: traced whole, or, where it is long, its beginning, and run in the plain engine. */
import {
  addRawCounters,
  type BlockWork,
  createRawCounters,
  type Engine,
  type PreparedLaunch,
  type RawCounters,
} from "../engine/engine.js";
import type { ReferenceEngine } from "../engine/reference/index.js";
import { lastBlocks, type PredictInput, type SmPlaces, type TraceRecorder } from "../timing/index.js";

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
  recorder.onlyBegan(block, whole, (most) => observed.rehearse(launch, block, most));
  addRawCounters(counters, whole);
  return result;
}

/**
 * Where blocks differ, traces some of those that decide how long the launch lasts. All have run, so memory is as they have
 * left it, and a block that does something else now is left out. For blocks that start no grids.
 * @returns what the prediction would work out again.
 */
export function traceFurther(
  launch: PreparedLaunch,
  work: BlockWork,
  observed: ReferenceEngine,
  recorder: TraceRecorder,
  { smCount, residentBlocks }: SmPlaces,
): Pick<PredictInput, "work" | "lastSms"> {
  const last = lastBlocks(work, smCount, residentBlocks, recorder.traced());
  for (const { block, most } of last?.further ?? []) {
    recorder.retrace(block, work[block]!, () => observed.rehearse(launch, block, () => most));
  }
  return last === null ? { work } : { work, lastSms: last.sms };
}
