/** The counters of each source line, as the Source page has them. All are exact. */
import { editorLine } from "../../base/errors.js";
import { writtenLine } from "../../base/written-line.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { furtherArrivals } from "../../profile/arrivals.js";

interface LineSums {
  readonly source: number;
  readonly line: number;
  instructions: number;
  divergent: number;
  requests: number;
  sectors: number;
  wavefronts: number;
  ideal: number;
}

function lineSums({ program, rawCounters: raw }: LaunchResult): readonly LineSums[] {
  const lines = new Map<string, LineSums>();
  const arrivals = furtherArrivals(program, raw);
  for (const { pc, issue, source, space, span } of program.instructions) {
    const key = `${source}:${span.line}`;
    const zero = { instructions: 0, divergent: 0, requests: 0, sectors: 0, wavefronts: 0, ideal: 0 };
    const sums = lines.get(key) ?? { source, line: span.line, ...zero };
    lines.set(key, sums);
    sums.instructions += (raw.executed[pc] ?? 0) * issue.length + (arrivals.get(pc) ?? 0);
    sums.divergent += raw.divergent[pc] ?? 0;
    if (space === "global") {
      sums.requests += raw.requests[pc] ?? 0;
      sums.sectors += raw.sectors[pc] ?? 0;
    }
    if (space === "shared") {
      sums.wavefronts += raw.wavefronts[pc] ?? 0;
      sums.ideal += raw.idealWavefronts[pc] ?? 0;
    }
  }
  return [...lines.values()].sort((a, b) => a.source - b.source || a.line - b.line);
}

const HEAD = ["Line", "Instructions", "Share", "Divergent", "Sectors/Req", "Conflicts"] as const;
const WIDTHS = [5, 14, 7, 10, 12, 10] as const;

/** One line of text for each line of the kernel that has code. */
export function sourceCounters(launch: LaunchResult): string {
  const all = launch.counters.warpInstructions;
  const ratio = (over: number, under: number): string => (under === 0 ? "-" : (over / under).toFixed(2));
  const aligned = (cells: readonly string[]): string =>
    cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 0)).join("");
  const rows = lineSums(launch).map((sums) => {
    const source = launch.program.sources[sums.source];
    const text = source === undefined ? "" : (writtenLine(source, sums.line) ?? "").trim();
    const line = source === undefined ? sums.line : editorLine(source, sums.line);
    const cells = [
      String(line),
      String(sums.instructions),
      all === 0 ? "-" : `${((100 * sums.instructions) / all).toFixed(1)}%`,
      String(sums.divergent),
      ratio(sums.sectors, sums.requests),
      ratio(sums.wavefronts, sums.ideal),
    ];
    return `    ${aligned(cells)}  ${text}`;
  });
  return [`    ${aligned(HEAD)}  Source`, ...rows, ""].join("\n");
}
