/** A thread of `validate-threads.ts`: simulates the launches of one kernel after another. */
import { serveTasks } from "./thread-pool.js";
import { simulateRow, type ValidationRow } from "./validate.js";
import { ValidationArrays } from "./validate-arrays.js";
import { LaunchSimulator } from "./validate-launch.js";
import { validationTables } from "./validate-tables.js";
import type { NamedLaunch, ValidationThreadData } from "./validate-threads.js";

serveTasks(({ probes, exact }: ValidationThreadData) => {
  const tables = new Map(
    validationTables(probes).map((table) => {
      const launches = new Map(table.launches.map((launch) => [launch.id, launch]));
      return [table.id, { table, launches }];
    }),
  );
  const arrays = new ValidationArrays();
  return (task: readonly NamedLaunch[]): readonly ValidationRow[] => {
    const simulator = new LaunchSimulator(arrays, exact);
    return task.map(([tableId, launchId]) => {
      const found = tables.get(tableId);
      const launch = found?.launches.get(launchId);
      if (found === undefined || launch === undefined) throw new Error(`There is no launch ${launchId} of ${tableId}.`);
      return simulateRow(simulator, found.table, launch);
    });
  };
});
