/** `warplab/profile`: counters, metrics, nvprof's and Nsight Compute's pages, lines, timelines, explanations. */

export {
  lineOfStretch,
  type SchedulerIssues,
  schedulerIssues,
  type Timeline,
  type TimelineOptions,
  timeline,
} from "./core/host/timeline.js";
export type { MetricKind, MetricSpec, MetricUnit, ProfiledLaunch } from "./core/profile/catalog/metric-spec.js";
export type { Counters } from "./core/profile/counters.js";
export type { ExpectedWavefronts } from "./core/profile/fill-collisions.js";
export {
  event,
  eventNames,
  eventTable,
  type MetricValue,
  metric,
  metricNames,
  metricTable,
  type ProfilerTool,
} from "./core/profile/metric.js";
export type { Metrics } from "./core/profile/metrics.js";
export { type ComparedLaunch, compareMetrics } from "./core/profiler/compare-metrics.js";
export { type Difference, explainDifference, type MetricChange } from "./core/profiler/explain/difference.js";
export { type Explanation, explain } from "./core/profiler/explain/explain.js";
export type { Evidence, Finding, RuleName } from "./core/profiler/explain/finding.js";
export { fidelity } from "./core/profiler/fidelity/fidelity.js";
export { launchTreeFigure } from "./core/profiler/launch-tree/launch-tree-figure.js";
export { launchTreeText } from "./core/profiler/launch-tree/launch-tree-text.js";
export { countsByLine, type LineCounts, lineTable } from "./core/profiler/line-counts.js";
export { lineHeatFigure } from "./core/profiler/line-heat-figure.js";
export {
  annotatedText,
  type LineProfile,
  type LineStall,
  lineProfile,
  type ProfiledLine,
} from "./core/profiler/line-profile.js";
export { ncu } from "./core/profiler/ncu/details-page.js";
export { type NvprofOptions, nvprof } from "./core/profiler/nvprof/nvprof.js";
export { type OccupancyCalculation, occupancyCalculator } from "./core/profiler/occupancy-calculator.js";
export type { OccupancyCurves, OccupancyPoint } from "./core/profiler/occupancy-curves.js";
export type { OccupancyChoice, OccupancyFacts, OccupancyLimit } from "./core/profiler/occupancy-facts.js";
export {
  type PerfettoTrace,
  perfettoTrace,
  type TraceSliceEvent,
  toPerfetto,
} from "./core/profiler/perfetto.js";
export {
  type StreamPerfettoTrace,
  type StreamSliceEvent,
  streamPerfettoTrace,
  type TraceMetadataEvent,
} from "./core/profiler/perfetto-streams.js";
export { type PtxasReport, type PtxasReportOptions, ptxasReport } from "./core/profiler/ptxas-report.js";
export type { SourceLine } from "./core/profiler/source-lines.js";
export { type StepViewOptions, stepView } from "./core/profiler/step-record.js";
export { streamsText } from "./core/profiler/streams-text.js";
export { type WatchedLine, watchAccesses } from "./core/profiler/watch-accesses.js";
export { type Variant, type WhatIf, type WhatIfRow, whatIf } from "./core/profiler/what-if.js";
export type { SmShare } from "./core/timing/index.js";
export {
  type Bound,
  type LaunchTime,
  type SamplingReport,
  type SmRecord,
  STALL_REASONS,
  type StallRatios,
  type StallReason,
  type StallSamples,
  type WarpStates,
  type WarpStretch,
} from "./core/timing/index.js";
