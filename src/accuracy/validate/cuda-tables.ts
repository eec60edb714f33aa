/**
 * The tables of kernels in CUDA C++ that were measured on an H200 as they stand: the probes, which were looked at while
 * the timing model was made, seventeen holdouts, which were not (holdout, holdout-2 to -17 in test/reference), and
 * kernels whose blocks differ (uneven).
 */
import { InputError } from "../../base/errors.js";
import { deviceById } from "../../device/index.js";
import type { Dim3 } from "../../engine/engine.js";
import type { KernelIr } from "../../ir/ir.js";
import type { StallReason } from "../../timing/index.js";
import { NO_NUMBERS } from "../compared-numbers.js";
import type { ArrayName } from "../measured-arrays.js";
import {
  AS_MODELLED,
  type Counters,
  type MeasuredLaunch,
  type MeasuredTable,
  numbersOf,
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

interface MeasuredFile {
  readonly device: string;
  /** What two events around an empty kernel showed in the same session, behind the same small memset. */
  readonly emptyKernelMs: number;
  readonly rows: readonly MeasuredRow[];
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

/** What tells one launch of a table from another. */
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
  name: string,
  file: MeasuredFile,
  kernels: ReadonlyMap<string, KernelIr>,
  cache: "cold" | "warm",
  exact: boolean,
): readonly MeasuredLaunch[] {
  const { smCount } = deviceById("h200");
  return file.rows.map((row): MeasuredLaunch => {
    const kernel = kernels.get(row.kernel);
    if (kernel === undefined) {
      throw new InputError({
        what: `${name} has a row of ${row.kernel}, which is not among the kernels of probes.cu and the holdouts' texts.`,
        cure: "Add it there.",
      });
    }
    const numbers = numbersOf(countersOf(row), warpsOf(row.grid, row.block), smCount, row.timeMsCold.median);
    return {
      id: idOf(row, file.rows),
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
 * The model's warm launch is alone on an idle GPU. These were queued behind a memset of a few KiB, which hides some of
 * what the events show of an empty kernel.
 */
function behindMemset(emptyMicroseconds: number): number {
  return emptyMicroseconds - deviceById("h200").launch.emptyKernelEventMicroseconds;
}

interface CudaTable {
  readonly path: string;
  readonly id: string;
  readonly title: string;
  readonly exact?: boolean;
}

function cudaTable(
  { path, id, title, exact = false }: CudaTable,
  kernels: ReadonlyMap<string, KernelIr>,
  cache: "cold" | "warm",
): MeasuredTable {
  const file = readReference(path) as MeasuredFile;
  return {
    id: cache === "cold" ? id : `${id}-warm`,
    title: cache === "cold" ? title : `${title}, warm`,
    device: "h200",
    source: `measured for this project on an ${file.device}`,
    counted: true,
    note:
      cache === "cold"
        ? "Counters are of another run, by Nsight Compute."
        : "Each launch repeated behind a small memset: its data is in L2 as far as it fits.",
    conditions:
      cache === "cold" ? AS_MODELLED : { ...AS_MODELLED, timerMicroseconds: behindMemset(file.emptyKernelMs * 1000) },
    launches: launchesOf(path, file, kernels, cache, exact),
  };
}

/** The tables, and where what was measured stands; `exact`: blocks differ, so every block of its launches is run. */
const TABLES: readonly CudaTable[] = [
  { path: "h200/measured/probes.json", id: "h200-probes", title: "Reductions, scans, histograms, tiles, control flow" },
  { path: "h200/measured/holdout.json", id: "h200-holdout", title: "Other kernels, sizes and blocks (holdout)" },
  {
    path: "h200/measured/textbook.json",
    id: "h200-textbook",
    title: "Textbooks' and samples' kernels (second holdout)",
  },
  { path: "h200/measured/judge.json", id: "h200-judge", title: "What a judge would try (third holdout)" },
  {
    path: "h200/measured/census.json",
    id: "h200-census",
    title: "Further reductions, scans, transposes, strides, histograms (fourth holdout)",
  },
  {
    path: "h200/measured/roster.json",
    id: "h200-roster",
    title: "The well-known kernels as their authors write them (fifth holdout)",
  },
  {
    path: "h200/measured/sweep.json",
    id: "h200-sweep",
    title: "Text book kernels over blocks, grids, sizes, strides and bins (sixth holdout)",
  },
  {
    path: "h200/measured/sizes.json",
    id: "h200-sizes",
    title: "The probes' kernels at other sizes, and further kernels (seventh holdout)",
  },
  {
    path: "h200/measured/examined.json",
    id: "h200-examined",
    title: "Samples' and text books' kernels in forms not drawn on before (eighth holdout)",
  },
  {
    path: "h200/measured/forms.json",
    id: "h200-forms",
    title: "Many small kernels in many forms (ninth holdout)",
  },
  {
    path: "h200/measured/plain.json",
    id: "h200-plain",
    title: "Plain kernels of courses, samples and homework (tenth holdout)",
  },
  {
    path: "h200/measured/lessons.json",
    id: "h200-lessons",
    title: "Kernels as a lesson's exercises ask for them (eleventh holdout)",
  },
  {
    path: "h200/measured/primer.json",
    id: "h200-primer",
    title: "Kernels as a primer introduces them (twelfth holdout)",
  },
  {
    path: "h200/measured/shelf.json",
    id: "h200-shelf",
    title: "Kernels whose code was known, their times not (thirteenth holdout)",
  },
  {
    path: "h200/measured/atelier.json",
    id: "h200-atelier",
    title: "Kernels as many hands write them (fourteenth holdout)",
  },
  {
    path: "h200/measured/workshop.json",
    id: "h200-workshop",
    title: "Kernels as many hands write them (fifteenth holdout)",
  },
  {
    path: "h200/measured/bazaar.json",
    id: "h200-bazaar",
    title: "Kernels as a judge may write them (sixteenth holdout)",
  },
  {
    path: "h200/measured/language.json",
    id: "h200-language",
    title: "Kernels of the kernel language, by toCuda() (seventeenth holdout)",
  },
  { path: "h200/measured/uneven.json", id: "h200-uneven", title: "Kernels whose blocks differ", exact: true },
];

/** Of all launches with cold caches, or repeated. @throws InputError where a file is missing or names an unknown kernel. */
export function cudaTables(kernels: ReadonlyMap<string, KernelIr>, cache: "cold" | "warm"): readonly MeasuredTable[] {
  return TABLES.map((table) => cudaTable(table, kernels, cache));
}
