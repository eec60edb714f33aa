/**
 * Stores to lines in no order, of which no block writes whole sectors: L2 takes each as part of a sector. It reads the rest
 * of a sector when it has to make room among the parts, and writes the sector back when it has to make room for lines; what comes
 * later to a line that is gone begins anew.
 */

import { SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { goneAtRandom, missedAtRandom } from "./random-reuse.js";

/** Of L2, parts of sectors that it keeps as they are (h200/micro/pattern.json, randomStore: of 8 MiB 3.5 MB are read; ncu). */
const PARTS_KEPT = 0.131;
/** Lines that the grid's stores go to in no order: how many bytes, and how many stores each; bytes of other lines, a store. */
export interface RandomLines {
  readonly bytes: number;
  readonly stores: number;
  readonly others: number;
}

/** How often L2 reads a sector that is stored to, and writes it back, and how many of a line it writes back at a time. */
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
  // Of a launch that is repeated the lines are there that it had at its end.
  const come = cacheState === "warm" ? lost : 1;
  const first = come * (1 - Math.min(1, (PARTS_KEPT * l2Bytes) / bytes) ** stores);
  return { fills: first + gone.anew, writeBacks: first + cleaned.anew, sectorsOfLine: cleaned.sectorsOfLine };
}

/** Where each further store finds its line written back or gone with the chance `lost`: sectors of it each time, and how much more all are. */
function comeAnew(stores: number, lost: number): { readonly anew: number; readonly sectorsOfLine: number } {
  const stays = 1 + (stores - 1) * lost;
  const sectorsOfLine = sectorsAfter(stores / stays);
  return { anew: (stays * sectorsOfLine) / sectorsAfter(stores) - 1, sectorsOfLine };
}

function sectorsAfter(stores: number): number {
  return SECTORS_PER_LINE * (1 - (1 - 1 / SECTORS_PER_LINE) ** stores);
}
