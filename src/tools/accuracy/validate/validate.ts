/** Simulates every launch of the measured tables and sums up how far the model is off. Deterministic. */
import "../../../node/files-on-disk.js";
import "../../../node/platform.js";
import { InputError } from "../../../core/base/errors.js";
import { deviceById } from "../../../core/device/index.js";
import type { KernelIr } from "../../../core/ir/ir.js";
import type { Bound } from "../../../core/timing/index.js";
import {
  type DecidedOrder,
  decidedOrder,
  kendallTau,
  type LaunchNumbers,
  meanAbsolute,
  type NumberErrors,
  numberErrors,
  type RelativeQuantity,
  type ShareQuantity,
} from "../compared-numbers.js";
import { ValidationArrays } from "../measured-arrays.js";
import type { MeasuredLaunch, MeasuredTable } from "../measured-table.js";
import { type Sample, sampleOf } from "../sample.js";
import { LaunchSimulator } from "./simulated-launch.js";
import { validationTables } from "./tables.js";

export interface ValidationRow {
  readonly id: string;
  readonly simulated: LaunchNumbers;
  readonly measured: LaunchNumbers;
  readonly runsMs?: readonly number[];
  /** Simulated less measured: percent of the measured number, points for percentages. */
  readonly errors: NumberErrors;
  /** The launch's bound, as the model has it. */
  readonly bound: Bound;
}

/** The errors of one quantity over the rows that have it. */
export interface ErrorSummary {
  readonly rows: number;
  readonly meanAbsolute: number;
  /** Signed. */
  readonly worst: number;
  readonly worstRow: string;
}

export interface TableSummary {
  readonly rows: number;
  readonly errors: Readonly<Partial<Record<RelativeQuantity | ShareQuantity, ErrorSummary>>>;
  /** Order of the times; null for fewer than two rows. */
  readonly kendallTau: number | null;
  /** Rows in which most warps wait for the same reason, of those where it was measured. */
  readonly sameDominantStall: { readonly rows: number; readonly of: number };
}

export interface ValidatedTable extends Omit<MeasuredTable, "launches"> {
  readonly gpu: string;
  /** Greatest error of the time first. */
  readonly rows: readonly ValidationRow[];
  readonly summary: TableSummary;
  /** Order of the times where the source's own runs agree on it; null where it gives no runs. */
  readonly decidedOrder: DecidedOrder | null;
}

export interface ValidationReport {
  readonly tables: readonly ValidatedTable[];
  /** Over the rows of the counted tables. */
  readonly overall: TableSummary;
}

export interface ValidationOptions {
  /** Kernels of the CUDA texts in test/reference (`validationTables`); without them their tables are left out. */
  readonly probes?: ReadonlyMap<string, KernelIr> | null;
  /** Ids; default all. */
  readonly tables?: readonly string[];
  readonly devices?: readonly string[];
  /** Only the fixed eighth of the launches that is recorded. */
  readonly sample?: Sample;
  /** Only launches whose id contains this. */
  readonly only?: string;
  /** Run every block rather than those that the timing model traces. */
  readonly exact?: boolean;
}

/** Null where the source gives no launch's runs. */
function decidedOrderOf(rows: readonly ValidationRow[]): DecidedOrder | null {
  if (rows.every(({ runsMs }) => runsMs === undefined)) return null;
  return decidedOrder(
    rows.flatMap(({ simulated, measured, runsMs }) =>
      simulated.timeMs === null || measured.timeMs === null
        ? []
        : [{ simulatedMs: simulated.timeMs, runsMs: runsMs ?? [measured.timeMs] }],
    ),
  );
}

function summarize(rows: readonly ValidationRow[]): TableSummary {
  const errors: Partial<Record<RelativeQuantity | ShareQuantity, ErrorSummary>> = {};
  for (const key of new Set(rows.flatMap((row) => Object.keys(row.errors) as (keyof NumberErrors)[]))) {
    const known = rows.flatMap((row) => {
      const error = row.errors[key];
      return error === undefined ? [] : [{ id: row.id, error }];
    });
    const worst = known.reduce((most, each) => (Math.abs(each.error) > Math.abs(most.error) ? each : most));
    errors[key] = {
      rows: known.length,
      meanAbsolute: meanAbsolute(known.map(({ error }) => error)) ?? 0,
      worst: worst.error,
      worstRow: worst.id,
    };
  }
  const timed = rows.flatMap(({ simulated, measured }) =>
    simulated.timeMs === null || measured.timeMs === null ? [] : [[simulated.timeMs, measured.timeMs] as const],
  );
  const stalled = rows.filter(({ measured }) => measured.dominantStall !== null);
  return {
    rows: rows.length,
    errors,
    kendallTau: kendallTau(timed),
    sameDominantStall: {
      rows: stalled.filter(({ simulated, measured }) => simulated.dominantStall === measured.dominantStall).length,
      of: stalled.length,
    },
  };
}

function chosenTables(all: readonly MeasuredTable[], options: ValidationOptions): readonly MeasuredTable[] {
  const { tables = [], devices = [] } = options;
  const known = (kind: string, wanted: readonly string[], ids: readonly string[]): void => {
    const unknown = wanted.find((id) => !ids.includes(id));
    if (unknown === undefined) return;
    throw new InputError({
      what: `There is no ${kind} "${unknown}" in the validation.`,
      cure: `Name one of: ${[...new Set(ids)].join(", ")}.`,
    });
  };
  known(
    "table",
    tables,
    all.map(({ id }) => id),
  );
  known(
    "device",
    devices,
    all.map(({ device }) => device),
  );
  return all.filter(
    ({ id, device }) =>
      (tables.length === 0 || tables.includes(id)) && (devices.length === 0 || devices.includes(device)),
  );
}

/**
 * The tables asked for, with those of their launches that are.
 * @throws InputError for an unknown table or device, and where no launch's name contains `only`.
 */
export function chooseLaunches(options: ValidationOptions): readonly MeasuredTable[] {
  const { only = "", sample } = options;
  const chosen = chosenTables(validationTables(options.probes ?? null), options);
  const tables = chosen
    .map((table) => {
      const launches = sample !== undefined ? sampleOf(table.launches, sample) : table.launches;
      return { ...table, launches: launches.filter(({ id }) => id.includes(only)) };
    })
    .filter(({ launches }) => launches.length > 0);
  if (tables.length > 0) return tables;
  throw new InputError({
    what: `No launch of ${chosen.map(({ id }) => id).join(", ")} has "${only}" in its name.`,
    cure: `Names are written as in "${chosen[0]?.launches[0]?.id}".`,
  });
}

export function simulateRow(simulator: LaunchSimulator, table: MeasuredTable, launch: MeasuredLaunch): ValidationRow {
  const { numbers, time } = simulator.simulate(launch, table.device, table.conditions);
  const { id, measured, runsMs } = launch;
  const errors = numberErrors(numbers, measured);
  return { id, simulated: numbers, measured, ...(runsMs && { runsMs }), errors, bound: time.bound };
}

/** @param rowsOf the rows of a table, in the order of its launches */
export function reportOf(
  tables: readonly MeasuredTable[],
  rowsOf: (table: MeasuredTable) => readonly ValidationRow[],
): ValidationReport {
  const validated = tables.map((each): ValidatedTable => {
    const { launches: _, ...table } = each;
    const rows = rowsOf(each);
    const gpu = deviceById(table.device).name.replace(/^NVIDIA /, "");
    const byError = (row: ValidationRow): number => Math.abs(row.errors.timeMs ?? 0);
    const sorted = [...rows].sort((a, b) => byError(b) - byError(a));
    return { ...table, gpu, rows: sorted, summary: summarize(rows), decidedOrder: decidedOrderOf(rows) };
  });
  const counted = validated.filter((table) => table.counted).flatMap(({ rows }) => rows);
  return { tables: validated, overall: summarize(counted) };
}

type TableLaunch = readonly [table: MeasuredTable, launch: MeasuredLaunch];

/**
 * The launches of each kernel together. A run for a cold table is kept for the warm one, then dropped: the runs of all
 * kernels would fill gigabytes.
 */
export function launchesByKernel(tables: readonly MeasuredTable[]): readonly (readonly TableLaunch[])[] {
  const groups = new Map<KernelIr, TableLaunch[]>();
  for (const table of tables) {
    for (const launch of table.launches) {
      const group = groups.get(launch.kernel) ?? [];
      groups.set(launch.kernel, group);
      group.push([table, launch]);
    }
  }
  return [...groups.values()];
}

/** In this thread, one kernel after the other. @throws InputError as `chooseLaunches` does. */
export function validate(options: ValidationOptions = {}): ValidationReport {
  const arrays = new ValidationArrays();
  const tables = chooseLaunches(options);
  const rows = new Map<MeasuredLaunch, ValidationRow>();
  for (const group of launchesByKernel(tables)) {
    const simulator = new LaunchSimulator(arrays, options.exact === true);
    for (const [table, launch] of group) rows.set(launch, simulateRow(simulator, table, launch));
  }
  return reportOf(tables, ({ launches }) => launches.flatMap((launch) => rows.get(launch) ?? []));
}

/** A launch's outcome, as the terminal shows it. */
export function rowLine({ id, simulated, measured, errors }: ValidationRow): string {
  const ms = (value: number | null): string => (value === null ? "-" : value.toPrecision(4));
  const error = errors.timeMs ?? 0;
  const sign = error < 0 ? "-" : "+";
  return `${id}: ${ms(simulated.timeMs)} ms, measured ${ms(measured.timeMs)} (${sign}${Math.abs(error).toFixed(1)} %)`;
}
