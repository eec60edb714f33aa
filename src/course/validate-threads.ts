/** The validation on all threads of the machine: the same rows as in one, in the order in which they are ready. */
import type { KernelIr } from "../ir/ir.js";
import { runOnThreads } from "./thread-pool.js";
import {
  chooseLaunches,
  reportOf,
  type ValidationOptions,
  type ValidationReport,
  type ValidationRow,
} from "./validate.js";
import type { MeasuredTable } from "./validate-measured.js";

/** A launch by its table's id and its own. */
export type NamedLaunch = readonly [table: string, launch: string];

export interface ValidationThreadData {
  readonly probes: ReadonlyMap<string, KernelIr> | null;
  readonly exact: boolean;
}

/** The launches of one kernel together: what is run once for a cold and a warm table is run by one thread. */
function launchesByKernel(tables: readonly MeasuredTable[]): readonly (readonly NamedLaunch[])[] {
  const groups = new Map<KernelIr, NamedLaunch[]>();
  for (const { id, launches } of tables) {
    for (const launch of launches) {
      const group = groups.get(launch.kernel) ?? [];
      groups.set(launch.kernel, group);
      group.push([id, launch.id]);
    }
  }
  return [...groups.values()];
}

/**
 * @param onRow told of each row, with its table and how many are there
 * @throws InputError as `chooseLaunches` does.
 */
export async function validateOnThreads(
  options: ValidationOptions,
  onRow: (table: string, row: ValidationRow, done: number, of: number) => void = () => {},
): Promise<ValidationReport> {
  const tables = chooseLaunches(options);
  const rows = new Map(tables.map(({ id }) => [id, new Map<string, ValidationRow>()]));
  const of = tables.reduce((sum, { launches }) => sum + launches.length, 0);
  let done = 0;
  const data: ValidationThreadData = { probes: options.probes ?? null, exact: options.exact === true };
  await runOnThreads<readonly NamedLaunch[], readonly ValidationRow[]>(
    "validate-thread.js",
    data,
    launchesByKernel(tables),
    (task, found) => {
      for (const [index, row] of found.entries()) {
        const [table = ""] = task[index] ?? [];
        rows.get(table)?.set(row.id, row);
        done++;
        onRow(table, row, done, of);
      }
    },
  );
  return reportOf(tables, ({ id, launches }) =>
    launches.map((launch) => {
      const row = rows.get(id)?.get(launch.id);
      if (row === undefined) throw new Error(`${id}: no thread simulated ${launch.id}.`);
      return row;
    }),
  );
}
