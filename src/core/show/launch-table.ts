/** A launch as a table, and what its run has warned of. */
import type { LaunchResult } from "../host/launch-result.js";
import { milliseconds } from "./number-format.js";
import { type Table, table } from "./table.js";

/** The warnings of launches, each once, for a table's note; empty for none. */
export function warningText(launches: readonly Pick<LaunchResult, "warnings">[]): string {
  const messages = launches.flatMap(({ warnings }) => warnings.map(({ message }) => message));
  return [...new Set(messages)].map((message) => `Warning: ${message}`).join(" ");
}

export function launchTable(launch: LaunchResult): Table {
  const { kernel, grid, block, device, cache, counters, occupancy, time } = launch;
  const size = (threads: readonly number[]): string => threads.join(" x ").replace(/( x 1)+$/, "");
  return table({
    title: `${kernel}: ${size(grid)} blocks of ${size(block)}, ${device.name}, ${cache} L2`,
    columns: [
      { key: "eventMs", title: "Event time, predicted", unit: "ms", format: milliseconds },
      { key: "durationMs", title: "Kernel duration, predicted", unit: "ms", format: milliseconds },
      { key: "warpInstructions", title: "Warp instructions", format: { grouping: true } },
      { key: "occupancy", title: "Occupancy", unit: "%", format: { decimals: 0 } },
    ],
    rows: [
      {
        eventMs: launch.timeMs,
        durationMs: time.durationMicroseconds / 1000,
        warpInstructions: counters.warpInstructions,
        occupancy: 100 * occupancy.theoreticalOccupancy,
      },
    ],
    note: warningText([launch]),
  });
}
