/** The validation on all threads of the machine: the same rows as in one, in the order in which they are ready. */

import type { KernelIr } from "../../../core/ir/ir.js";
import { runOnThreads } from "../../../node/thread-pool.js";
import {
  chooseLaunches,
  launchesByKernel,
  reportOf,
  type ValidationOptions,
  type ValidationReport,
  type ValidationRow,
} from "./validate.js";

/** A launch by its table's id and its own. */
export type NamedLaunch = readonly [table: string, launch: string];

export interface ValidationThreadData {
  readonly probes: ReadonlyMap<string, KernelIr> | null;
  readonly exact: boolean;
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
  const tasks = launchesByKernel(tables).map((group) => group.map(([{ id }, launch]): NamedLaunch => [id, launch.id]));
  await runOnThreads<readonly NamedLaunch[], readonly ValidationRow[]>(
    "tools/accuracy/validate/thread.js",
    data,
    tasks,
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
