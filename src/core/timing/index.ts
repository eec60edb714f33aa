/** The timing model's public part. */

export type { PipeName } from "./base/pipe-names.js";
export { STALL_REASONS, type StallRatios, type StallReason } from "./base/stalls.js";
export { type SmShare, smShares } from "./launch/block-schedule.js";
export {
  type ChildBound,
  type ChildGridsTime,
  childGridSpans,
  childGridsTime,
  type GridLaunch,
  type GridRun,
  type GridSpan,
} from "./launch/child-grid-times.js";
export { coldStartCycles } from "./launch/cold-start.js";
export type { Bound, LaunchTime } from "./launch/launch-time.js";
export { predictLaunch } from "./launch/predict.js";
export type { PredictInput } from "./launch/predict-input.js";
export { lastBlocks } from "./launch/uneven.js";
export {
  type AtomicMeeting,
  recordSm,
  type SmRecord,
  type StallSamples,
  sampleStalls,
  type WarpStates,
  type WarpStretch,
} from "./launch/watch-sm.js";
export { recordOf } from "./program/microcode.js";
export {
  type BlockTrace,
  createTraceRecorder,
  type LaunchTraces,
  RECORD_HEADER,
  RECORD_OF_SECTORS,
  RETURNED_SHIFT,
  type SmPlaces,
  TraceRecorder,
} from "./trace/trace.js";
export {
  DIFFERING_SPREAD,
  type SampleInput,
  type SamplingReport,
  sampleAhead,
  sampleBlocks,
  spreadOf,
} from "./trace/trace-sampling.js";
