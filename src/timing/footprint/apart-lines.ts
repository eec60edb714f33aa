/**
 * Lines that are written whole, but apart: a block writes rows of a tile, and the blocks that write beside them come later. DRAM asks more
 * for those, the fewer lines lie in a row and the more is written in between (h200/micro/tiles.json: tiles of a matrix one below the other,
 * all the way down and in panels of 2 to 128).
 */
import type { Dim3 } from "../../engine/engine.js";
import { type Points, valueAt } from "../base/piecewise.js";
import { SECTOR_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import type { BlockPlace } from "../memory/segments.js";
import type { RootUse } from "./root-use.js";

/** Of what a single line costs more, the share where so many lie in a row (ibid., tiles of 32, 64 and 128 words: 1.25, 1.14 and 1.14). */
const MORE_BY_LINES: Points = [
  [1, 1],
  [2, 0.56],
  [4, 0.56],
  [32, 0],
];
/** Of that, nothing up to so many bytes written in between, all from so many on (ibid., panels of 4 and 256 tiles of 4 KiB). */
const SOON_BYTES = 2 ** 14;
const LATE_BYTES = 2 ** 20;

/** Where rows begin inside sectors, these are no exact multiples. */
const NEARLY = 0.01;

/** The next block's lines lie beside a block's if they begin within so many times as many sectors as lie in a row. */
const BESIDE = 1.5;

/**
 * What whole lines of a parameter cost DRAM to write back against lines in a row, of which `blocks` traced blocks, each `shift` sectors behind
 * the one before, have made `use`; `lineCost`: of a single one beside which others are written much later.
 */
export function costOfLinesApart(
  use: RootUse,
  blocks: number,
  places: readonly BlockPlace[],
  shift: number,
  grid: Dim3,
  lineCost: number,
): number {
  if (lineCost === 1) return 1;
  const run = Math.round(use.distinct / Math.max(1, use.runs));
  const later = blocksUntilBeside(places, shift, run, grid);
  if (later === 1) return 1;
  const bytes = (later * use.written * SECTOR_BYTES) / blocks;
  const late = Math.log2(bytes / SOON_BYTES) / Math.log2(LATE_BYTES / SOON_BYTES);
  return 1 + (lineCost - 1) * valueAt(MORE_BY_LINES, run / SECTORS_PER_LINE) * Math.min(1, Math.max(0, late));
}

/**
 * How many blocks after a block one writes beside it: the next where that begins behind its `run` sectors. Where blocks lie `shift` sectors
 * behind each other down a column, and the next column begins `run` sectors behind the last: as two neighbours tell that stand in two columns,
 * as the distances of all blocks do, or by the grid's width; infinite where there is none.
 */
export function blocksUntilBeside(
  places: readonly BlockPlace[],
  shift: number,
  run: number,
  [width, height]: Dim3,
): number {
  if (Math.abs(shift) <= BESIDE * run) return 1;
  const turns = places.flatMap(([block, low], i) => {
    const [before, lowBefore] = places[i - 1] ?? [block, low];
    return block === before + 1 && low - lowBefore !== shift ? [1 + (run - (low - lowBefore)) / shift] : [];
  });
  const distances = places.map(([block, low]) => Math.abs(block * shift - low)).filter((sectors) => sectors > 0);
  const common = distances.length === 0 ? 0 : distances.reduce(divisorOf);
  const column = (common + Math.sign(shift) * run) / Math.abs(shift);
  const found = [...turns, ...(common === 0 ? [] : [column])].filter(
    (each) => Math.round(each) >= 2 && Math.abs(each - Math.round(each)) < NEARLY,
  );
  if (found.length > 0) return Math.round(Math.min(...found));
  return height > 1 ? width : Number.POSITIVE_INFINITY;
}

function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b);
}
