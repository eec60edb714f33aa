/** The tables of kernels in CUDA C++ that were measured on an H200 as they stand (test/reference/h200), a launch a row. */
import { InputError } from "../../../core/base/errors.js";
import { deviceById } from "../../../core/device/index.js";
import type { Dim3 } from "../../../core/engine/engine.js";
import type { KernelIr } from "../../../core/ir/ir.js";
import type { StallReason } from "../../../core/timing/index.js";
import { NO_NUMBERS } from "../compared-numbers.js";
import { type CorpusTable, h200Corpus } from "../h200-corpus.js";
import type { ArrayName } from "../measured-arrays.js";
import {
  AS_MODELLED,
  type Counters,
  type MeasuredLaunch,
  type MeasuredTable,
  numbersOf,
  REFERENCE,
  readReference,
  type ValidationArgument,
  warpsOf,
} from "../measured-table.js";

interface MeasuredRow {
  readonly kernel: string;
  readonly args: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly sharedBytes: number;
  readonly timeMsCold: { readonly median: number };
  readonly timeMsWarm: { readonly median: number };
  readonly counters: Counters;
  /** Nsight Compute's smsp__average_warps_issue_stalled_*_per_issue_active.ratio, where not among the counters. */
  readonly stalls?: Readonly<Partial<Record<StallReason, number>>>;
}

/** One argument as the launch wrote it: "(float4 *)F", "M22 - 77", "2.0f". */
function argumentOf(text: string): ValidationArgument {
  const bare = text.replace(/^\([\w ]+\*\)/, "").trim();
  if (/^[A-Z]{1,2}$|^cnt$/.test(bare)) return bare as ArrayName;
  const sum = /^M(\d+)(?: - (\d+))?$/.exec(bare);
  return sum === null ? Number.parseFloat(bare) : 2 ** Number(sum[1]) - Number(sum[2] ?? 0);
}

/** As the launch wrote them, separated by commas. */
export function argumentsOf(text: string): readonly ValidationArgument[] {
  return text.split(", ").map(argumentOf);
}

/** The fields that distinguish the launches of a table. */
type NamedLaunch = Pick<MeasuredRow, "kernel" | "args" | "block"> & Partial<Pick<MeasuredRow, "grid">>;

/** The kernel's name; with its block, its arguments, both, or its grid, too, where it was launched more than once. */
export function idOf(row: NamedLaunch, rows: readonly NamedLaunch[]): string {
  const same = rows.filter(({ kernel }) => kernel === row.kernel);
  const block = `block ${row.block.filter((size) => size > 1).join("x")}`;
  const distinct = (name: (each: NamedLaunch) => string): boolean => new Set(same.map(name)).size === same.length;
  if (same.length === 1) return row.kernel;
  if (distinct((each) => each.block.join("x"))) return `${row.kernel}, ${block}`;
  if (distinct(({ args }) => args)) return `${row.kernel}(${row.args})`;
  if (distinct(({ args, block: size }) => `${args} ${size.join("x")}`)) return `${row.kernel}(${row.args}), ${block}`;
  return `${row.kernel}(${row.args}), ${block}, grid ${row.grid?.join("x")}`;
}

function countersOf(row: MeasuredRow): Counters {
  const stalls = Object.entries(row.stalls ?? {}).map(([reason, ratio]) => [
    `smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio`,
    ratio,
  ]);
  return { ...row.counters, ...Object.fromEntries(stalls) };
}

function launchesOf(
  { kernels: text, measured, exact }: CorpusTable,
  kernels: ReadonlyMap<string, KernelIr>,
  cache: "cold" | "warm",
): readonly MeasuredLaunch[] {
  const { rows } = readReference(measured) as { readonly rows: readonly MeasuredRow[] };
  const { smCount } = deviceById("h200");
  return rows.map((row): MeasuredLaunch => {
    const kernel = kernels.get(row.kernel);
    if (kernel === undefined) {
      throw new InputError({
        what: `${REFERENCE}/${measured} has a row of ${row.kernel}, which no measured text has.`,
        cure: `Add it to ${REFERENCE}/${text}.`,
      });
    }
    const numbers = numbersOf(countersOf(row), warpsOf(row.grid, row.block), smCount, row.timeMsCold.median);
    return {
      id: idOf(row, rows),
      kernel,
      grid: row.grid,
      block: row.block,
      dynamicSharedBytes: row.sharedBytes,
      args: argumentsOf(row.args),
      cache,
      exact,
      measured: cache === "cold" ? numbers : { ...NO_NUMBERS, timeMs: row.timeMsWarm.median },
    };
  });
}

/**
 * The model's warm launch is alone on an idle GPU. These were queued after a memset of a few KiB, which hides a part of the
 * time that events show around an empty kernel.
 */
function behindMemset(emptyMicroseconds: number): number {
  return emptyMicroseconds - deviceById("h200").launch.emptyKernelEventMicroseconds;
}

function cudaTable(table: CorpusTable, kernels: ReadonlyMap<string, KernelIr>, cache: "cold" | "warm"): MeasuredTable {
  const { id, title, device, emptyKernelMs } = table;
  const cold = cache === "cold";
  return {
    id: cold ? id : `${id}-warm`,
    title: cold ? title : `${title}, warm`,
    device: "h200",
    source: `measured for this project on an ${device}`,
    counted: true,
    note: cold
      ? "Counters are of another run, by Nsight Compute."
      : "Each launch repeated behind a small memset: its data is in L2 as far as it fits.",
    conditions: cold ? AS_MODELLED : { ...AS_MODELLED, timerMicroseconds: behindMemset(emptyKernelMs * 1000) },
    launches: launchesOf(table, kernels, cache),
  };
}

/** The tables of all launches with cold caches, or repeated. @throws InputError where a file is missing or names an unknown kernel. */
export function cudaTables(kernels: ReadonlyMap<string, KernelIr>, cache: "cold" | "warm"): readonly MeasuredTable[] {
  return h200Corpus().map((table) => cudaTable(table, kernels, cache));
}
