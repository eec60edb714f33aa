/** A thread of `threads.ts`: simulates the launches of one kernel after another. */
import "../../../node/files-on-disk.js";
import "../../../node/platform.js";
import { serveTasks } from "../../../node/thread-pool.js";
import { ValidationArrays } from "../measured-arrays.js";
import { LaunchSimulator } from "./simulated-launch.js";
import { validationTables } from "./tables.js";
import type { NamedLaunch, ValidationThreadData } from "./threads.js";
import { simulateRow, type ValidationRow } from "./validate.js";

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
