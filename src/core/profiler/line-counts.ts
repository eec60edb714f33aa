/** A launch by the lines of its kernel's text: where the instructions, the wavefronts and the divergence are. */
import { checkArgument } from "../base/shape.js";
import type { LaunchResult } from "../host/launch-result.js";
import { furtherArrivals } from "../profile/arrivals.js";
import { launchShape } from "../profile/launch-shape.js";
import { type Table, table } from "../show/table.js";
import { codeLines, placeOfLine, type SourceLine } from "./source-lines.js";

export interface LineCounts extends SourceLine {
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

/** Counts a line of the text, in the text's order; lines without code are left out. */
export function countsByLine(launch: LaunchResult): readonly LineCounts[] {
  checkArgument("countsByLine", "launch", launch, launchShape);
  const { program, rawCounters: raw } = launch;
  const all = launch.counters.warpInstructions;
  const arrivals = furtherArrivals(program, raw);
  return codeLines(program).map((line): LineCounts => {
    const sums = {
      warpInstructions: 0,
      branches: 0,
      divergentBranches: 0,
      barriers: 0,
      sharedRequests: 0,
      globalRequests: 0,
    };
    let [wavefronts, idealWavefronts, sectors] = [0, 0, 0];
    for (const { pc, op, space, issue } of line.instructions) {
      const executed = raw.executed[pc] ?? 0;
      sums.warpInstructions += executed * issue.length + (arrivals.get(pc) ?? 0);
      if (op === "bra") {
        sums.branches += executed;
        sums.divergentBranches += raw.divergent[pc] ?? 0;
      }
      if (op === "bar") sums.barriers += executed;
      if (space === "shared") {
        sums.sharedRequests += raw.requests[pc] ?? 0;
        wavefronts += raw.wavefronts[pc] ?? 0;
        idealWavefronts += raw.idealWavefronts[pc] ?? 0;
      }
      if (space === "global") {
        sums.globalRequests += raw.requests[pc] ?? 0;
        sectors += raw.sectors[pc] ?? 0;
      }
    }
    return {
      ...placeOfLine(program, line),
      ...sums,
      share: all === 0 ? 0 : sums.warpInstructions / all,
      conflictDegree: idealWavefronts === 0 ? null : wavefronts / idealWavefronts,
      sectorsPerRequest: sums.globalRequests === 0 ? null : sectors / sums.globalRequests,
    };
  });
}

/** The lines of a launch with their instructions a warp, their share, and conflicts; for display. */
export function lineTable(launch: LaunchResult): Table {
  checkArgument("lineTable", "launch", launch, launchShape);
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
