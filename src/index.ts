/**
 * warplab: what notebooks and programs import, wherever they run. A name here is public; everything else may change.
 * node/index.ts adds what only Node has: display in Jupyter or a terminal, and PNG.
 *
 * - kernels: kernel, device, ptr, i32 ... and CUDA's words, the language of kernels
 * - GPUs: devices, Gpu, launches and what they return
 * - show: tables, figures, display
 * - course: the ladders of reductions, published numbers, exercises
 */

// Errors: all say what happened, where, and the cure.
export {
  CompileError,
  type FaultPlace,
  InputError,
  KernelFault,
  LaunchError,
  type SourceText,
  type Span,
  WarplabError,
} from "./core/base/errors.js";
// GPUs as data
// An SM and its blocks
export {
  type BlockLimits,
  type ComputeCapability,
  type DeviceChanges,
  type DeviceEntry,
  type DeviceId,
  type DeviceJson,
  type DeviceRow,
  type DeviceSpec,
  deviceById,
  deviceFrom,
  deviceRows,
  deviceSchema,
  devices,
  deviceToJson,
  type LaunchLimits,
  type LimitingFactor,
  modifyDevice,
  type Occupancy,
  type OccupancyDeviceId,
  type OccupancyInput,
  type OccupancySpec,
  occupancy,
  occupancyDeviceById,
  occupancyDevices,
  type SmParts,
  type SmUnit,
  type SmUnitName,
  type SourceRow,
  smParts,
  sourceRows,
} from "./core/device/index.js";
// A simulated GPU
export type { Dim3, PrintfRecord, RawCounters } from "./core/engine/engine.js";
export type { LaneGroup, RegisterView, StepPosition, WarpView } from "./core/engine/reference/index.js";
// Kernels
export {
  type BlockGroup,
  type ConstantInput,
  type Constants,
  type Cuda,
  type DeviceArray,
  type DeviceFunction,
  device,
  type GridGroup,
  Kernel,
  type KernelDeclaration,
  type KernelFunction,
  kernel,
  type Long,
  type Parameter,
  type Parameters,
  type PointerParameter,
  ptr,
  type ScalarType,
  sharedPtr,
  type Template,
  type TileGroup,
  type TypedConstant,
  type ValueType,
  type Vector2,
  type Vector4,
  type VectorElement,
} from "./core/frontend/index.js";
// CUDA's words and the types of the kernel language: threadIdx, syncthreads, shfl_down_sync, i32, float4 ...
export * from "./core/frontend/words/index.js";
export { type BlockStay, type BlocksOnSms, blocksOnSms, idleShareOfSms, workOfSms } from "./core/host/blocks-on-sms.js";
export { DeviceBuffer, type HostArray } from "./core/host/buffer.js";
export type { ChildGridsResult, ChildKernelResult } from "./core/host/children/child-grids.js";
// Limits of child grids.
export type { DeviceLimit } from "./core/host/children/device-limits.js";
export type { LaunchedGrid } from "./core/host/children/launch-tree.js";
export { type CudaProgramLaunch, toCudaProgram } from "./core/host/cuda-program.js";
export { Gpu, type GpuOptions } from "./core/host/gpu.js";
export type { Extent, LaunchConfig } from "./core/host/launch.js";
export type { LaunchArgument, LaunchArguments } from "./core/host/launch-arguments.js";
export { bandwidthGBps, type LaunchResult } from "./core/host/launch-result.js";
export type { ChildTurn, LaunchSchedule, ScheduleHold } from "./core/host/launch-schedule.js";
export type { LaunchWarning, LaunchWarningKind } from "./core/host/launch-warning.js";
export type { LaunchStepper, SteppingOptions } from "./core/host/stepping.js";
// Streams and events
export type { DeviceProperties } from "./core/host/streams/device-properties.js";
export type { EventOptions, GpuEvent } from "./core/host/streams/event.js";
export type { Engine, TracedOperation } from "./core/host/streams/operation.js";
export type { PitchedBuffer } from "./core/host/streams/pitched-buffer.js";
export type { Stream, StreamOptions } from "./core/host/streams/stream.js";
export type { StreamKey, StreamKind } from "./core/host/streams/stream-key.js";
export type { StreamTrace } from "./core/host/streams/stream-trace.js";
// Timelines, pictures and explanations
export {
  lineOfStretch,
  type SchedulerIssues,
  schedulerIssues,
  type Timeline,
  type TimelineOptions,
  timeline,
} from "./core/host/timeline.js";
export type { Warning } from "./core/ir/ir.js";
export type { ElementType, Scalar, VectorType } from "./core/ir/types.js";
export type { Instruction, Program } from "./core/lower/program.js";
// The profiler
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
// The sanitizers
export type { FindingPlace, SanitizerFinding, SanitizerTool, Severity } from "./core/sanitizer/finding.js";
export { type SanitizeOptions, type SanitizerReport, sanitize } from "./core/sanitizer/sanitize.js";
export type { HeldSchedule, ScheduleSearch, WrongSchedule } from "./core/sanitizer/schedules.js";
export {
  type ComparedVersion,
  comparisonTable,
  deviationPercent,
  deviations,
  type Quantity,
  type VersionDeviation,
} from "./core/show/comparison.js";
export type { Shown, View } from "./core/show/display-data.js";
// Tables and figures
export { type BarFigureSpec, type BarSeries, barFigure } from "./core/show/figures/bar-figure.js";
export { type Figure, plotlyJson } from "./core/show/figures/figure.js";
export type { FigureTexts } from "./core/show/figures/frame.js";
export {
  type LaneFigureSpec,
  type LaneKind,
  type LaneStep,
  type LaneValuesFigureSpec,
  laneFigure,
  laneValuesFigure,
} from "./core/show/figures/lane-figure.js";
export {
  type LineFigureSpec,
  type LineSeries,
  lineFigure,
  type OccupancyFigureSpec,
  occupancyFigure,
  type Point,
} from "./core/show/figures/line-figure.js";
export { type MemoryTraffic, memoryFigure, memoryTraffic } from "./core/show/figures/memory-figure.js";
export { type RooflineFigureSpec, type RooflinePoint, rooflineFigure } from "./core/show/figures/roofline-figure.js";
export { type PredictedPoint, type ScatterFigureSpec, scatterFigure } from "./core/show/figures/scatter-figure.js";
export { type ShuffleFigureSpec, type ShuffleStep, shuffleFigure } from "./core/show/figures/shuffle-figure.js";
export { smFigure } from "./core/show/figures/sm-figure.js";
export { type NamedLaunch, type StallFigureOptions, stallFigure } from "./core/show/figures/stall-figure.js";
export { streamsFigure } from "./core/show/figures/streams-figure.js";
export { type TimelineFigureOptions, timelineFigure } from "./core/show/figures/timeline-figure.js";
export {
  bandwidthFigure,
  comparisonFigure,
  type Peak,
  speedupFigure,
  timeFigure,
} from "./core/show/figures/version-figures.js";
export { wavesFigure } from "./core/show/figures/waves-figure.js";
export {
  count,
  formatNumber,
  gigabytesPerSecond,
  milliseconds,
  type NumberFormat,
  percentOfOne,
  signedPercent,
  times,
} from "./core/show/number-format.js";
export { toCsv } from "./core/show/output/csv.js";
export { toHtml } from "./core/show/output/html.js";
export { toJson } from "./core/show/output/json.js";
export { toMarkdown } from "./core/show/output/markdown.js";
export { type TextStyle, toText } from "./core/show/output/plain-text.js";
export { toSvg } from "./core/show/output/svg.js";
export { smTable } from "./core/show/sm-table.js";
export { type MeasuredVersion, speedups, speedupTable, type VersionSpeed } from "./core/show/speedup.js";
export type { LanesElsewhere, RecordedStep, StepAccess, StepRecord } from "./core/show/steps.js";
export { type Cell, type Column, type ColumnSpec, type Table, type TableSpec, table } from "./core/show/table.js";
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
// The course
export type { Answer } from "./course/exercises/answer.js";
export { type CheckOptions, checkExercise } from "./course/exercises/check.js";
export type { ExerciseId } from "./course/exercises/exercise.js";
export { exercise, exerciseIds } from "./course/exercises/exercise.js";
export type { CheckSpec, DrawRange, ExerciseSpec, Limit } from "./course/exercises/spec.js";
export { type CheckResult, type Verdict, verdictTable } from "./course/exercises/verdict.js";
export { type DetectiveCase, detectiveCase } from "./course/lesson/detective-case.js";
export { type Guess, guessTable } from "./course/lesson/guess-table.js";
export {
  type LanesOverTimeOptions,
  type LineStretch,
  lanesOverTime,
  lineStretches,
} from "./course/lesson/lanes-over-time.js";
export { type Found, type Prediction, predict } from "./course/lesson/prediction.js";
export { watchShuffles } from "./course/lesson/watch-shuffles.js";
export { besidePublished } from "./course/reductions/beside-published.js";
export { type Comparison, compare } from "./course/reductions/compare.js";
export { type Counted, counts, type QuantityName } from "./course/reductions/counts.js";
export { type AccessChoice, bankFigure, elementFigure, workFigure } from "./course/reductions/lane-pictures.js";
export { partialSumsFigure } from "./course/reductions/partial-sums.js";
export { type PublishedRow, type PublishedTable, publishedTable } from "./course/reductions/published.js";
export { type PublishedSweep, publishedSweep, type SweepRow } from "./course/reductions/published-sweep.js";
export type { Reduction } from "./course/reductions/reduction.js";
export {
  ones,
  type ReductionOptions,
  type ReductionRun,
  randomFloats,
  randomInts,
  runVersion,
  sumInt32,
} from "./course/reductions/reduction-run.js";
export {
  example03Reductions,
  labReductions,
  lastWarpWithSyncwarp,
  noteReductions,
  type ReductionVersion,
  reductionById,
  warpReductions,
} from "./course/reductions/reductions.js";
export { type RunReductionOptions, runReduction } from "./course/reductions/run-reduction.js";
export { sectorFigure } from "./course/reductions/sector-figure.js";
export { type LineAccess, type LineVisit, type WatchOptions, watchLine } from "./course/reductions/watch-line.js";
export {
  type Ladder,
  type LadderId,
  type LadderOptions,
  type LadderRow,
  simulateLadder,
} from "./course/tables/ladder.js";
export {
  ladderFigures,
  type NamedFigure,
  publishedComparison,
  speedupsTable,
  timesTable,
} from "./course/tables/ladder-tables.js";
