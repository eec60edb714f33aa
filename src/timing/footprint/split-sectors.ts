/**
 * Sectors that two blocks complete: rows of a tile that begin or end inside one. Where what L2 makes room for has to be written back, such
 * a sector costs DRAM as much as several, the longer it waits for its other part; nothing where it drives out nothing
 * (h200/micro/split.json: tiles of matrices whose rows are 0 to 8 words longer than whole lines, the second part 1 to 128 blocks later).
 */
import type { Dim3 } from "../../engine/engine.js";
import { type Points, valueAt } from "../base/piecewise.js";
import { SECTOR_BYTES } from "../base/sector-sizes.js";
import type { BlockPlace } from "../memory/segments.js";
import { blocksUntilBeside } from "./apart-lines.js";
import type { RootUse } from "./root-use.js";

/**
 * Of what a sector costs whose other part comes late, the share by the binary logarithm of the bytes written in between (ibid., 4096 x 4096 and 8192 x 8192): of
 * blocks that only write, and of those that wait for what they read, which meet less often.
 */
const WRITTEN_ALONE: Points = [
  [0, 0],
  [12, 0.3],
  [14, 0.75],
  [19, 1],
];
const WRITTEN_BEHIND_READS: Points = [
  [0, 0],
  [12, 0.6],
  [14, 0.8],
  [19, 1],
];
/** Sectors of a stretch, at the least: shorter ones, as of matrices stored by columns, are parts of sectors of many blocks; stretches of four were measured. */
const SHORTEST_RUN = 2;
/** A stretch ends in two such sectors at the most, of which half is another block's; with more, stores go anywhere. */
const MOST_SPLIT = 1.1;
/** Blocks that follow each other go along their rows together: so much at the most lies between their parts. */
const NEXT_BYTES = 2 ** 12;
/** What is read before it is written is in L2 as a whole. */
const READ_BEFORE = 0.5;

/**
 * What sectors in two parts cost DRAM more, in sectors, for each sector that a traced block writes of a parameter, of which `blocks`
 * blocks, each `shift` sectors behind the one before, have made `use`; `reads`: they read about as much; `sectorCost`: of one whose other
 * part comes late, against whole ones.
 */
export function costOfSplitSectors(
  use: RootUse,
  blocks: number,
  places: readonly BlockPlace[],
  shift: number,
  grid: Dim3,
  reads: boolean,
  sectorCost: number,
): number {
  if (sectorCost === 1 || use.written === 0 || use.readFirst > READ_BEFORE * use.written) return 0;
  const run = Math.round(use.stored / SECTOR_BYTES / Math.max(1, use.runs));
  if (run < SHORTEST_RUN) return 0;
  const split = use.written - use.stored / SECTOR_BYTES;
  if (split <= 0 || split > MOST_SPLIT * use.runs) return 0;
  const later = blocksUntilBeside(places, shift, run, grid);
  const bytes = (later * use.stored) / blocks;
  const between = later > 1 ? bytes : Math.min(bytes, NEXT_BYTES);
  const share = valueAt(reads ? WRITTEN_BEHIND_READS : WRITTEN_ALONE, Math.log2(between));
  return ((sectorCost - 1) * share * split) / use.written;
}
