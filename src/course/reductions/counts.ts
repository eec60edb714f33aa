/** Counters of several launches in one table: a row a launch, a column a quantity. */

import { InputError } from "../../core/base/errors.js";
import { nearest } from "../../core/base/nearest.js";
import { checkArgument, checkOptions, either, listOf, optional, string } from "../../core/base/shape.js";
import type { LaunchResult } from "../../core/host/launch-result.js";
import { launchShape } from "../../core/profile/launch-shape.js";
import { countsByLine } from "../../core/profiler/line-counts.js";
import { count, type NumberFormat } from "../../core/show/number-format.js";
import { type Table, table } from "../../core/show/table.js";
import type { Reduction } from "./reduction.js";
import { runShape } from "./reduction.js";

interface Quantity {
  readonly title: string;
  readonly unit?: string;
  readonly format: NumberFormat;
  readonly of: (launch: LaunchResult) => number | null;
}

const one: NumberFormat = { decimals: 1, grouping: true };
const percent: NumberFormat = { decimals: 1, suffix: " %" };

/** The worst line's wavefronts over the least possible; null without shared memory. */
function conflictDegree(launch: LaunchResult): number | null {
  const degrees = countsByLine(launch).flatMap((line) => (line.conflictDegree === null ? [] : [line.conflictDegree]));
  return degrees.length === 0 ? null : Math.max(...degrees);
}

/** The quantities that `counts` can show. */
export type QuantityName =
  | "timeMs"
  | "warpInstructions"
  | "instructionsPerWarp"
  | "branches"
  | "divergentBranches"
  | "branchEfficiency"
  | "activeLanes"
  | "barriersPerWarp"
  | "sharedRequestsPerBlock"
  | "sharedWavefronts"
  | "bankConflicts"
  | "conflictDegree"
  | "globalLoadRequests"
  | "sectorsPerRequest"
  | "atomics"
  | "shuffles"
  | "warps"
  | "registers"
  | "occupancy";

const QUANTITIES: Readonly<Record<QuantityName, Quantity>> = {
  timeMs: { title: "Event time, predicted", unit: "ms", format: { decimals: 4 }, of: ({ timeMs }) => timeMs },
  warpInstructions: { title: "Warp instructions", format: count, of: ({ counters: c }) => c.warpInstructions },
  instructionsPerWarp: { title: "Instructions a warp", format: one, of: ({ metrics }) => metrics.instructionsPerWarp },
  branches: { title: "Branches", format: count, of: ({ counters: c }) => c.branches },
  divergentBranches: { title: "Divergent branches", format: count, of: ({ counters: c }) => c.divergentBranches },
  branchEfficiency: {
    title: "Branch efficiency",
    format: percent,
    of: ({ metrics }) => metrics.branchEfficiencyPercent,
  },
  activeLanes: {
    title: "Active lanes (warp execution efficiency)",
    format: percent,
    of: ({ metrics }) => metrics.warpExecutionEfficiencyPercent,
  },
  barriersPerWarp: { title: "Barriers a warp", format: one, of: ({ counters: c }) => c.barriers / c.warps },
  sharedRequestsPerBlock: {
    title: "Shared requests a block",
    format: one,
    of: ({ counters: c }) => (c.sharedLoadRequests + c.sharedStoreRequests) / c.blocks,
  },
  sharedWavefronts: {
    title: "Shared wavefronts",
    format: count,
    of: ({ counters: c }) => c.sharedLoadWavefronts + c.sharedStoreWavefronts,
  },
  bankConflicts: {
    title: "Wavefronts by bank conflicts",
    format: count,
    of: ({ counters: c }) => c.sharedLoadBankConflicts + c.sharedStoreBankConflicts,
  },
  conflictDegree: { title: "Worst conflict degree", format: one, of: conflictDegree },
  globalLoadRequests: { title: "Global load requests", format: count, of: ({ counters: c }) => c.globalLoadRequests },
  sectorsPerRequest: {
    title: "Sectors a global load",
    format: one,
    of: ({ metrics }) => metrics.globalLoadSectorsPerRequest,
  },
  atomics: { title: "Global atomic requests", format: count, of: ({ counters: c }) => c.globalAtomicRequests },
  shuffles: { title: "Shuffles", format: count, of: ({ counters: c }) => c.shuffles },
  warps: { title: "Warps", format: count, of: ({ counters: c }) => c.warps },
  registers: { title: "Registers a thread", format: count, of: ({ registersPerThread }) => registersPerThread },
  occupancy: {
    title: "Occupancy, theoretical",
    format: percent,
    of: ({ occupancy }) => 100 * occupancy.theoreticalOccupancy,
  },
};

/** A launch, or a run that holds one. */
export type Counted = LaunchResult | Reduction;

const launchOf = (run: Counted): LaunchResult => ("launch" in run ? run.launch : run);

function quantity(name: string): Quantity {
  if (Object.hasOwn(QUANTITIES, name)) return QUANTITIES[name as QuantityName];
  const names = Object.keys(QUANTITIES);
  const near = nearest(name, names);
  throw new InputError({
    what: `counts knows no quantity "${name}".`,
    cure: `${near === null ? "" : `Did you mean ${near}? `}It knows ${names.join(", ")}.`,
  });
}

/**
 * A row a launch, a column a quantity. Counts are exact; the time is predicted.
 * @throws InputError for no launch or an unknown quantity.
 * @example
 * display(counts([first, second], ["instructionsPerWarp", "barriersPerWarp"]));
 */
export function counts(
  runs: readonly Counted[],
  names: readonly QuantityName[],
  texts: { readonly title?: string; readonly note?: string } = {},
): Table {
  checkArgument("counts", "runs", runs, listOf(either(launchShape, runShape)));
  checkArgument("counts", "names", names, listOf(string));
  checkOptions<typeof texts>("counts", texts, { title: optional(string), note: optional(string) });
  if (runs.length === 0 || names.length === 0) {
    throw new InputError({
      what: `counts was given ${runs.length} runs and ${names.length} quantities.`,
      cure: 'Give at least one of each: counts([run], ["warpInstructions"]).',
    });
  }
  const chosen = names.map((name) => ({ key: name, ...quantity(name) }));
  const rows = runs.map((run): Record<string, string | number | null> => {
    const launch = launchOf(run);
    return { kernel: launch.kernel, ...Object.fromEntries(chosen.map(({ key, of }) => [key, of(launch)])) };
  });
  const columns = chosen.map(({ key, title, unit, format }) => ({
    key,
    title,
    format,
    align: "right" as const,
    ...(unit === undefined ? {} : { unit }),
  }));
  const gpus = [...new Set(runs.map((run) => launchOf(run).device.name))].join(", ");
  return table({
    title: texts.title ?? `Counted on ${gpus}`,
    columns: [{ key: "kernel", title: "Kernel" }, ...columns],
    rows,
    ...(texts.note === undefined ? {} : { note: texts.note }),
  });
}
