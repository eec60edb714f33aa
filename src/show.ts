/** `warplab/show`: tables and figures as data, and the forms that they are written in. */

export {
  type ComparedVersion,
  comparisonTable,
  deviationPercent,
  deviations,
  type Quantity,
  type VersionDeviation,
} from "./core/show/comparison.js";
export type { Shown, View } from "./core/show/display-data.js";
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
