/**
 * Stores to lines in random order, of which no block writes whole sectors. L2 reads the rest of a sector when it needs
 * room among partly written sectors. It writes the sector back when it needs room for lines. A later store to an
 * evicted line starts again.
 */

import { SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { goneAtRandom, missedAtRandom } from "./random-reuse.js";

/**
 * Share of L2 that holds partly written sectors as they are (h200/micro/pattern.json, randomStore: of 8 MiB, 3.5 MB are
 * read).
 */
const PARTS_KEPT = 0.131;
/**
 * The lines that the grid stores to in random order: their bytes, stores per line, and bytes of other lines per store.
 */
export interface RandomLines {
  readonly bytes: number;
  readonly stores: number;
  readonly others: number;
}

/** How often L2 reads a stored sector and writes it back, and how many sectors of a line it writes back at a time. */
export interface RandomTraffic {
  readonly fills: number;
  readonly writeBacks: number;
  readonly sectorsOfLine: number;
}

export function randomTraffic(
  { bytes, stores, others }: RandomLines,
  l2Bytes: number,
  cacheState: "cold" | "warm",
): RandomTraffic {
  if (bytes === 0) return { fills: 0, writeBacks: 0, sectorsOfLine: SECTORS_PER_LINE };
  const lost = missedAtRandom(bytes, others, l2Bytes);
  const cleaned = comeAnew(stores, lost);
  const gone = comeAnew(stores, goneAtRandom(bytes, others, l2Bytes));
  // A repeated launch finds the lines that L2 held at its end.
  const come = cacheState === "warm" ? lost : 1;
  const first = come * (1 - Math.min(1, (PARTS_KEPT * l2Bytes) / bytes) ** stores);
  return { fills: first + gone.anew, writeBacks: first + cleaned.anew, sectorsOfLine: cleaned.sectorsOfLine };
}

/**
 * Each further store finds its line written back or evicted with probability `lost`. Returns the sectors per
 * write-back, and the growth of all written sectors.
 */
function comeAnew(stores: number, lost: number): { readonly anew: number; readonly sectorsOfLine: number } {
  const stays = 1 + (stores - 1) * lost;
  const sectorsOfLine = sectorsAfter(stores / stays);
  return { anew: (stays * sectorsOfLine) / sectorsAfter(stores) - 1, sectorsOfLine };
}

function sectorsAfter(stores: number): number {
  return SECTORS_PER_LINE * (1 - (1 - 1 / SECTORS_PER_LINE) ** stores);
}
