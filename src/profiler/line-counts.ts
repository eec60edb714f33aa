/** A launch by the lines of its kernel's text: where the instructions, the wavefronts and the divergence are. */
import { writtenLine } from "../base/written-line.js";
import type { LaunchResult } from "../host/launch-result.js";
import { furtherArrivals } from "../profile/arrivals.js";
import { type Table, table } from "../show/table.js";

export interface LineCounts {
  /** The kernel, or the device function that the line belongs to. */
  readonly function: string;
  /** From 1, in that function's text. */
  readonly line: number;
  /** The line without its indentation. */
  readonly text: string;
  /** Warp instructions that the line's code issued. */
  readonly warpInstructions: number;
  /** Their share of the launch's, 0 to 1. */
  readonly share: number;
  /** Jumps of this line, and those at which a warp's lanes went both ways. */
  readonly branches: number;
  readonly divergentBranches: number;
  readonly barriers: number;
  readonly sharedRequests: number;
  /** Wavefronts over the least possible; null where the line touches no shared memory. */
  readonly conflictDegree: number | null;
  readonly globalRequests: number;
  /** null where the line touches no global memory. */
  readonly sectorsPerRequest: number | null;
}

interface Sums {
  warpInstructions: number;
  branches: number;
  divergentBranches: number;
  barriers: number;
  sharedRequests: number;
  wavefronts: number;
  idealWavefronts: number;
  globalRequests: number;
  sectors: number;
}

function noSums(): Sums {
  return {
    warpInstructions: 0,
    branches: 0,
    divergentBranches: 0,
    barriers: 0,
    sharedRequests: 0,
    wavefronts: 0,
    idealWavefronts: 0,
    globalRequests: 0,
    sectors: 0,
  };
}

/** Counts a line of the text, in the text's order; lines without code are left out. */
export function countsByLine(launch: LaunchResult): readonly LineCounts[] {
  const { program, rawCounters: raw } = launch;
  const byLine = new Map<string, Sums>();
  const arrivals = furtherArrivals(program, raw);
  for (const { pc, op, space, issue, source, span } of program.instructions) {
    const key = `${source}:${span.line}`;
    const sums = byLine.get(key) ?? noSums();
    byLine.set(key, sums);
    const executed = raw.executed[pc] ?? 0;
    sums.warpInstructions += executed * issue.length + (arrivals.get(pc) ?? 0);
    if (op === "bra") {
      sums.branches += executed;
      sums.divergentBranches += raw.divergent[pc] ?? 0;
    }
    if (op === "bar") sums.barriers += executed;
    if (space === "shared") {
      sums.sharedRequests += raw.requests[pc] ?? 0;
      sums.wavefronts += raw.wavefronts[pc] ?? 0;
      sums.idealWavefronts += raw.idealWavefronts[pc] ?? 0;
    }
    if (space === "global") {
      sums.globalRequests += raw.requests[pc] ?? 0;
      sums.sectors += raw.sectors[pc] ?? 0;
    }
  }
  const all = [...byLine.values()].reduce((total, each) => total + each.warpInstructions, 0);
  return [...byLine]
    .map(([key, sums]) => ({ place: key.split(":").map(Number), sums }))
    .sort((a, b) => (a.place[0] ?? 0) - (b.place[0] ?? 0) || (a.place[1] ?? 0) - (b.place[1] ?? 0))
    .map(({ place: [source = 0, line = 1], sums }): LineCounts => {
      const { wavefronts, idealWavefronts, sectors, ...counts } = sums;
      const text = program.sources[source];
      return {
        function: text?.name ?? "",
        line,
        text: (text === undefined ? "" : (writtenLine(text, line) ?? "")).trim(),
        ...counts,
        share: all === 0 ? 0 : counts.warpInstructions / all,
        conflictDegree: idealWavefronts === 0 ? null : wavefronts / idealWavefronts,
        sectorsPerRequest: counts.globalRequests === 0 ? null : sectors / counts.globalRequests,
      };
    });
}

/** The lines of a launch with their instructions a warp, their share, and conflicts; for display. */
export function lineTable(launch: LaunchResult): Table {
  return table({
    title: `${launch.kernel}: warp instructions by line`,
    columns: [
      { key: "line", title: "Line" },
      { key: "text", title: "Text" },
      { key: "perWarp", title: "Instructions a warp", format: { decimals: 1 } },
      { key: "share", title: "Share", format: { scale: 100, decimals: 0, suffix: " %" } },
      { key: "conflictDegree", title: "Conflict degree", align: "right", format: { decimals: 2 } },
    ],
    rows: countsByLine(launch).map((each) => ({
      ...each,
      text: each.function === launch.kernel ? each.text : `${each.function}: ${each.text}`,
      perWarp: each.warpInstructions / launch.counters.warps,
    })),
  });
}
