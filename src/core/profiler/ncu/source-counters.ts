/** The counters of each source line, as the Source page has them, by the line numbers of `explain`. All are exact. */
import type { LaunchResult } from "../../host/launch-result.js";
import { countsByLine } from "../line-counts.js";

const HEAD = ["Line", "Instructions", "Share", "Divergent", "Sectors/Req", "Conflicts"] as const;
const WIDTHS = [5, 14, 7, 10, 12, 10] as const;

/** One line of text for each line of the kernel that has code. */
export function sourceCounters(launch: LaunchResult): string {
  const ratio = (value: number | null): string => (value === null ? "-" : value.toFixed(2));
  const aligned = (cells: readonly string[]): string =>
    cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 0)).join("");
  const rows = countsByLine(launch).map((counts) => {
    const cells = [
      String(counts.line),
      String(counts.warpInstructions),
      launch.counters.warpInstructions === 0 ? "-" : `${(100 * counts.share).toFixed(1)}%`,
      String(counts.divergentBranches),
      ratio(counts.sectorsPerRequest),
      ratio(counts.conflictDegree),
    ];
    return `    ${aligned(cells)}  ${counts.text}`;
  });
  return [`    ${aligned(HEAD)}  Source`, ...rows, ""].join("\n");
}
