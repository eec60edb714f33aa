/** The validation's errors as figures of a table, and what test/DEVIATIONS.md states that they stay within. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { courseRoot } from "../../../node/course-root.js";
import { meanAbsolute, type ShareQuantity } from "../compared-numbers.js";
import type { ValidatedTable, ValidationReport, ValidationRow } from "./validate.js";

/** One table's error; null where its source does not say. */
export interface TableFigures {
  readonly rows: number;
  readonly timeMeanPercent: number | null;
  /** Without its sign. */
  readonly timeWorstPercent: number | null;
  readonly worstRow: string;
  readonly kendallTau: number | null;
  readonly instructionsMeanPercent: number | null;
  readonly occupancyMeanPoints: number | null;
  readonly sameStall: number | null;
}

export interface ValidationFigures {
  readonly tables: Readonly<Record<string, TableFigures>>;
  /** The H200's launches with emptied caches: mean errors in points, over how many launches. */
  readonly hitRates: Readonly<Record<HitRate, { readonly rows: number; readonly meanPoints: number | null }>>;
  /** The labs: errors without their sign, of the launch with the greatest. */
  readonly labs: { readonly sectorsWorstPercent: number | null; readonly dramReadWorstPercent: number | null };
  /** Load and store efficiencies that profilers gave on three GPUs. */
  readonly efficiencies: { readonly rows: number; readonly worstPoints: number | null };
}

type HitRate = "l1HitRatePercent" | "l2HitRatePercent";

/** In points, of the mean. */
const HIT_RATES: Readonly<Record<HitRate, number>> = { l1HitRatePercent: 1.3, l2HitRatePercent: 2.9 };
const LEAST_HIT_RATES = 1000;
const LEAST_EFFICIENCIES = 16;

function greatest(errors: readonly (number | undefined)[]): number | null {
  if (errors.length === 0 || errors.includes(undefined)) return null;
  return Math.max(...errors.map((error) => Math.abs(error ?? 0)));
}

function tableFigures({ summary }: ValidatedTable): TableFigures {
  const { timeMs, instructionsPerWarp, achievedOccupancyPercent } = summary.errors;
  const { rows, of } = summary.sameDominantStall;
  return {
    rows: summary.rows,
    timeMeanPercent: timeMs?.meanAbsolute ?? null,
    timeWorstPercent: timeMs === undefined ? null : Math.abs(timeMs.worst),
    worstRow: timeMs?.worstRow ?? "",
    kendallTau: summary.kendallTau,
    instructionsMeanPercent: instructionsPerWarp?.meanAbsolute ?? null,
    occupancyMeanPoints: achievedOccupancyPercent?.meanAbsolute ?? null,
    sameStall: of === 0 ? null : rows,
  };
}

export function figuresOf({ tables }: ValidationReport): ValidationFigures {
  const rowsOf = (wanted: (id: string) => boolean): readonly ValidationRow[] =>
    tables.filter(({ id }) => wanted(id)).flatMap(({ rows }) => rows);
  const errorsOf = (rows: readonly ValidationRow[], key: ShareQuantity): readonly number[] =>
    rows.flatMap(({ errors }) => errors[key] ?? []);
  const cold = rowsOf((id) => id.startsWith("h200-") && !id.endsWith("-warm"));
  const hits = (rate: HitRate): { readonly rows: number; readonly meanPoints: number | null } => {
    const errors = errorsOf(cold, rate);
    return { rows: errors.length, meanPoints: meanAbsolute(errors) };
  };
  const labs = rowsOf((id) => id === "h200-labs").map(({ errors }) => errors);
  const profiled = rowsOf((id) => id.endsWith("in-place")).filter(
    ({ errors }) => errors.globalLoadEfficiencyPercent !== undefined,
  );
  return {
    tables: Object.fromEntries(tables.map((table) => [table.id, tableFigures(table)])),
    hitRates: { l1HitRatePercent: hits("l1HitRatePercent"), l2HitRatePercent: hits("l2HitRatePercent") },
    labs: {
      sectorsWorstPercent: greatest(labs.flatMap((errors) => [errors.globalLoadSectors, errors.globalStoreSectors])),
      dramReadWorstPercent: greatest(labs.map((errors) => errors.dramBytesRead)),
    },
    efficiencies: {
      rows: profiled.length,
      worstPoints: greatest(
        profiled.flatMap(({ errors }) => [errors.globalLoadEfficiencyPercent, errors.globalStoreEfficiencyPercent]),
      ),
    },
  };
}

/** A line of test/DEVIATIONS.md that begins with a table's id. */
export interface StatedErrors {
  readonly table: string;
  readonly rows: number;
  readonly timeMeanPercent: number;
  readonly timeWorstPercent: number;
  readonly kendallTau: number;
  readonly instructionsMeanPercent: number | null;
  readonly occupancyMeanPoints: number | null;
  readonly sameStall: number | null;
}

export function deviations(): string {
  return readFileSync(join(courseRoot(), "test/DEVIATIONS.md"), "utf8");
}

export function statedErrors(text: string = deviations()): readonly StatedErrors[] {
  return [...text.matchAll(/^\| `([\w-]+)` \|(.*)\|$/gm)].map(([, table = "", cells = ""]) => {
    const numbers = cells.split("|").map((cell) => Number.parseFloat(cell));
    const at = (index: number): number | null => {
      const value = numbers[index];
      return value === undefined || Number.isNaN(value) ? null : value;
    };
    return {
      table,
      rows: at(0) ?? Number.NaN,
      timeMeanPercent: at(1) ?? Number.NaN,
      timeWorstPercent: at(2) ?? Number.NaN,
      kendallTau: at(3) ?? Number.NaN,
      instructionsMeanPercent: at(4),
      occupancyMeanPoints: at(5),
      sameStall: at(6),
    };
  });
}

/** A figure that has to be there and to be within its bound; what is wrong, or nothing. */
function above(what: string, figure: number | null | undefined, bound: number): readonly string[] {
  if (typeof figure === "number" && figure <= bound) return [];
  return [`${what}: ${figure?.toPrecision(4) ?? "not there"}, stated ${bound}`];
}

function below(what: string, figure: number | null | undefined, bound: number): readonly string[] {
  if (typeof figure === "number" && figure >= bound) return [];
  return [`${what}: ${figure?.toPrecision(4) ?? "not there"}, stated at least ${bound}`];
}

/** The figures beyond the stated ones, a line each; empty where all hold. */
export function exceeded(figures: ValidationFigures, stated: readonly StatedErrors[]): readonly string[] {
  const unstated = Object.keys(figures.tables).filter((id) => !stated.some(({ table }) => table === id));
  const { hitRates, labs, efficiencies } = figures;
  const worstRow = (id: string): string => figures.tables[id]?.worstRow ?? "no launch";
  return [
    ...unstated.map((id) => `${id}: test/DEVIATIONS.md states nothing of it`),
    ...stated.flatMap((bound) => {
      const { table: id, instructionsMeanPercent, occupancyMeanPoints, sameStall } = bound;
      const of = figures.tables[id];
      return [
        ...(of?.rows === bound.rows ? [] : [`${id}: ${of?.rows ?? 0} launches, stated ${bound.rows}`]),
        ...above(`${id}: error of the time in the mean, %`, of?.timeMeanPercent, bound.timeMeanPercent),
        ...above(`${id}: error of the time of ${worstRow(id)}, %`, of?.timeWorstPercent, bound.timeWorstPercent),
        ...below(`${id}: rank correlation of the times`, of?.kendallTau, bound.kendallTau),
        ...(instructionsMeanPercent === null
          ? []
          : above(`${id}: error of the instructions, %`, of?.instructionsMeanPercent, instructionsMeanPercent)),
        ...(occupancyMeanPoints === null
          ? []
          : above(`${id}: error of the occupancy, points`, of?.occupancyMeanPoints, occupancyMeanPoints)),
        ...(sameStall === null ? [] : below(`${id}: launches with the same stall`, of?.sameStall, sameStall)),
      ];
    }),
    ...Object.entries(HIT_RATES).flatMap(([rate, points]) => {
      const { rows, meanPoints } = hitRates[rate as HitRate];
      return [
        ...above(`the H200's ${rate}, points`, meanPoints, points),
        ...below(`launches with ${rate}`, rows, LEAST_HIT_RATES),
      ];
    }),
    ...above("h200-labs: error of the sectors, %", labs.sectorsWorstPercent, 0),
    ...above("h200-labs: error of the bytes read from DRAM, %", labs.dramReadWorstPercent, 1),
    ...above("load and store efficiencies of sums in place, points", efficiencies.worstPoints, 1),
    ...below("launches with load and store efficiencies", efficiencies.rows, LEAST_EFFICIENCIES),
  ];
}
