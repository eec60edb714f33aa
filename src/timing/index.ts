/** The timing model's public part. */
export { type ChildBound, type ChildGridsTime, childGridsTime, type GridLaunch, type GridRun } from "./child-grids.js";
export { coldStartCycles } from "./cold-start.js";
export type { Bound, LaunchTime } from "./launch-time.js";
export { predictLaunch } from "./predict.js";
export type { PredictInput } from "./predict-input.js";
export { DIFFERING_SPREAD, type SampleInput, type SamplingReport, sampleBlocks, spreadOf } from "./sampling.js";
export { STALL_REASONS, type StallRatios, type StallReason } from "./stalls.js";
export { type BlockTrace, createTraceRecorder, type LaunchTraces, type SmPlaces, TraceRecorder } from "./trace.js";
export { lastBlocks } from "./uneven.js";
