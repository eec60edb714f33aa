/** The validation's report as tables and figures. */
import type { Figure } from "../../../core/show/figures/figure.js";
import { type PredictedPoint, scatterFigure } from "../../../core/show/figures/scatter-figure.js";
import { signedPercent } from "../../../core/show/number-format.js";
import { type Table, table } from "../../../core/show/table.js";
import type { RelativeQuantity, ShareQuantity } from "../compared-numbers.js";
import type { TableSummary, ValidatedTable, ValidationReport, ValidationRow } from "./validate.js";

const points = { decimals: 1, sign: true } as const;

type Quantity = RelativeQuantity | ShareQuantity;

function mean(summary: TableSummary, key: Quantity): number | null {
  return summary.errors[key]?.meanAbsolute ?? null;
}

interface SummaryRow {
  readonly table: string;
  readonly gpu: string;
  readonly rows: number;
  readonly time: number | null;
  readonly worst: number | null;
  readonly worstRow: string;
  readonly tau: number | null;
  readonly duration: number | null;
  readonly instructions: number | null;
  readonly occupancy: number | null;
  readonly stall: string | null;
}

function summaryRow(title: string, gpu: string, summary: TableSummary): SummaryRow {
  const { timeMs } = summary.errors;
  const { rows, of } = summary.sameDominantStall;
  return {
    table: title,
    gpu,
    rows: summary.rows,
    time: mean(summary, "timeMs"),
    worst: timeMs?.worst ?? null,
    worstRow: timeMs?.worstRow ?? "",
    tau: summary.kendallTau,
    duration: mean(summary, "durationMicroseconds"),
    instructions: mean(summary, "instructionsPerWarp"),
    occupancy: mean(summary, "achievedOccupancyPercent"),
    stall: of === 0 ? null : `${rows} of ${of}`,
  };
}

/** The errors of the times alone: one line a table, and one over all that count last. It fits a terminal. */
export function timesTable({ tables, overall }: ValidationReport): Table {
  return table({
    title: "Errors of the predicted times",
    columns: [
      { key: "rows", title: "Rows" },
      { key: "time", title: "Mean", unit: "%", align: "right", format: { decimals: 1 } },
      { key: "worst", title: "Worst", align: "right", format: signedPercent },
      { key: "table", title: "Table" },
    ],
    rows: [
      ...tables.map(({ title, gpu, summary }) => summaryRow(`${gpu}: ${title}`, "", summary)),
      summaryRow("All that count", "", overall),
    ],
  });
}

/** The first sentence of a report. */
export function overallSentence({ tables, overall }: ValidationReport): string {
  const time = mean(overall, "timeMs");
  const launches = `${overall.rows} launches of ${tables.length} ${tables.length === 1 ? "table" : "tables"}`;
  if (time === null) return `${launches}: none has a measured time.`;
  const { worst, worstRow } = overall.errors.timeMs!;
  return `${launches}: times are off by ${time.toFixed(1)} % in the mean, ${signed(worst)} % at worst (${worstRow}).`;
}

function signed(percent: number): string {
  return `${percent < 0 ? "-" : "+"}${Math.abs(percent).toFixed(1)}`;
}

/** One line a table, and one over all that count. */
export function summaryTable({ tables, overall }: ValidationReport): Table {
  return table({
    title: "Errors of the model",
    note:
      "Mean absolute errors: of the time between two events, of the kernel alone (duration), of the instructions a warp, in " +
      "percent of the measured number; of the achieved occupancy in points. Order: Kendall's rank correlation (tau-b) of " +
      "the times. Stall: rows in which most warps wait for the same reason.",
    columns: [
      { key: "table", title: "Table" },
      { key: "gpu", title: "GPU" },
      { key: "rows", title: "Rows" },
      { key: "time", title: "Time", unit: "%", align: "right", format: { decimals: 1 } },
      { key: "worst", title: "Worst", align: "right", format: signedPercent },
      { key: "worstRow", title: "Worst row" },
      { key: "tau", title: "Order", align: "right", format: { decimals: 3 } },
      { key: "duration", title: "Duration", unit: "%", align: "right", format: { decimals: 1 } },
      { key: "instructions", title: "Instructions", unit: "%", align: "right", format: { decimals: 1 } },
      { key: "occupancy", title: "Occupancy", unit: "points", align: "right", format: { decimals: 1 } },
      { key: "stall", title: "Stall", align: "right" },
    ],
    rows: [
      ...tables.map(({ title, gpu, summary }) => summaryRow(title, gpu, summary)),
      summaryRow("All that count", "", overall),
    ],
  });
}

function rowOf({
  id,
  simulated,
  measured,
  errors,
  bound,
}: ValidationRow): Readonly<Record<string, string | number | null>> {
  return {
    launch: id,
    simulatedMs: simulated.timeMs,
    measuredMs: measured.timeMs,
    timeError: errors.timeMs ?? null,
    durationError: errors.durationMicroseconds ?? null,
    instructionsError: errors.instructionsPerWarp ?? null,
    occupancyError: errors.achievedOccupancyPercent ?? null,
    branchError: errors.branchEfficiencyPercent ?? null,
    loadError: errors.globalLoadEfficiencyPercent ?? null,
    storeError: errors.globalStoreEfficiencyPercent ?? null,
    wavefrontsError: errors.sharedWavefronts ?? null,
    l1Error: errors.l1HitRatePercent ?? null,
    l2Error: errors.l2HitRatePercent ?? null,
    simulatedStall: measured.dominantStall === null ? null : simulated.dominantStall,
    measuredStall: measured.dominantStall,
    bound,
  };
}

const ROW_COLUMNS = [
  { key: "launch", title: "Launch" },
  { key: "simulatedMs", title: "Simulated", unit: "ms", align: "right", format: { decimals: 4 } },
  { key: "measuredMs", title: "Measured", unit: "ms", align: "right", format: { decimals: 4 } },
  { key: "timeError", title: "Error", align: "right", format: signedPercent },
  { key: "durationError", title: "Duration", align: "right", format: signedPercent },
  { key: "instructionsError", title: "Instructions", align: "right", format: signedPercent },
  { key: "occupancyError", title: "Occupancy", unit: "points", align: "right", format: points },
  { key: "branchError", title: "Branch efficiency", unit: "points", align: "right", format: points },
  { key: "loadError", title: "Load efficiency", unit: "points", align: "right", format: points },
  { key: "storeError", title: "Store efficiency", unit: "points", align: "right", format: points },
  { key: "wavefrontsError", title: "Shared wavefronts", align: "right", format: signedPercent },
  { key: "l1Error", title: "L1 hits", unit: "points", align: "right", format: points },
  { key: "l2Error", title: "L2 hits", unit: "points", align: "right", format: points },
  { key: "simulatedStall", title: "Stall, simulated" },
  { key: "measuredStall", title: "Stall, measured" },
  { key: "bound", title: "Bound by" },
] as const;

/** The columns that a terminal has room for. */
const BRIEF: ReadonlySet<string> = new Set([
  "launch",
  "simulatedMs",
  "measuredMs",
  "timeError",
  "durationError",
  "instructionsError",
  "occupancyError",
  "measuredStall",
  "simulatedStall",
  "bound",
]);

/** The order by the source's own runs, after the other notes. */
function decidedWords({ decidedOrder }: ValidatedTable): string {
  if (decidedOrder === null) return "";
  const { pairs, of, tau } = decidedOrder;
  return ` The source's runs put ${pairs} of ${of} pairs of launches in one order; Kendall's tau of these is ${tau?.toFixed(3) ?? "-"}.`;
}

/** A table's launches, the worst first; columns that the source has nothing for are left out, in brief others too. */
export function rowsTable(validated: ValidatedTable, extent: "all" | "brief" = "all"): Table {
  const rows = validated.rows.map(rowOf);
  const columns = ROW_COLUMNS.filter(
    ({ key }) => rows.some((row) => row[key] !== null) && (extent === "all" || BRIEF.has(key)),
  );
  const note = validated.note === "" ? "" : ` ${validated.note}`;
  const decided = decidedWords(validated);
  return table({
    title: `${validated.gpu}: ${validated.title}`,
    note: `Errors: simulated less measured. Source: ${validated.source}.${note}${decided}`,
    columns,
    rows,
  });
}

/** Points of the rows that have the quantity on both sides. */
function pointsOf(
  rows: readonly ValidationRow[],
  group: string,
  key: "timeMs" | "instructionsPerWarp",
): readonly PredictedPoint[] {
  return rows.flatMap(({ id, simulated, measured }) => {
    const [is, should] = [simulated[key], measured[key]];
    return is === null || should === null || is <= 0 || should <= 0
      ? []
      : [{ label: id, group, simulated: is, measured: should }];
  });
}

const QUANTITIES = {
  timeMs: { quantity: "Event time", unit: "ms" },
  instructionsPerWarp: { quantity: "Instructions a warp", unit: "instructions" },
} as const;

/** One table's row; null where nothing was measured. */
export function tableFigure(validated: ValidatedTable, key: "timeMs" | "instructionsPerWarp"): Figure | null {
  const shown = pointsOf(validated.rows, validated.gpu, key);
  if (shown.length === 0) return null;
  return scatterFigure({ ...QUANTITIES[key], points: shown, subtitle: `${validated.gpu}: ${validated.title}` });
}

/** The row of all tables that count. */
export function overallFigure(report: ValidationReport, key: "timeMs" | "instructionsPerWarp"): Figure | null {
  const shown = report.tables.filter(({ counted }) => counted).flatMap(({ rows, id }) => pointsOf(rows, id, key));
  if (shown.length === 0) return null;
  return scatterFigure({ ...QUANTITIES[key], points: shown, subtitle: "All tables that count" });
}
