/**
 * Whether blocks wrap around in a parameter, touching it from end to end again and again, as `in[i * stride % n]` does.
 */

import type { LaunchTraces } from "../trace/trace.js";
import type { BlockUse } from "./block-use.js";

/** A block's number and its first sector of a parameter, both relative to the first traced block. */
export type BlockPlace = readonly [number, number];

export function placesOf(
  { blocks: traces }: LaunchTraces,
  blocks: readonly BlockUse[],
  root: number,
): readonly BlockPlace[] {
  const places = traces.flatMap(({ block }, index): BlockPlace[] => {
    const lowest = blocks[index]!.lowest.get(root);
    return lowest === undefined ? [] : [[block, lowest]];
  });
  const [first] = places;
  return first === undefined ? [] : places.map(([block, low]) => [block - first[0], low - first[1]]);
}

/**
 * Sectors after which blocks wrap around, if each block is `shift` after the one before and the blocks start again at
 * the end of `span`. All traced blocks must fall short of `shift` a block by whole passes; else null.
 */
export function lapSectors(places: readonly BlockPlace[], shift: number, span: number): number | null {
  const step = Math.abs(shift);
  const short = places.map(([block, sector]) => Math.abs(block * shift - sector)).filter((sectors) => sectors > step);
  const least = Math.min(...short);
  const lap = least / Math.max(1, Math.round(least / span));
  const whole = short.every((sectors) => {
    const laps = Math.round(sectors / lap);
    return Math.abs(sectors - laps * lap) <= laps * step;
  });
  return short.length > 0 && whole && 2 * lap >= span ? lap : null;
}

/** Tolerances for a block's position: a share of the distance between blocks, and a number of sectors. */
const OFF_PLACE = 1 / 16;
const FEW_SECTORS = 4;

/**
 * Whether a block's position in a grid `width` blocks wide does not predict its sectors, assuming equal distances
 * within a row and between rows.
 */
export function areInNoOrder(places: readonly BlockPlace[], width: number): boolean {
  const sectors = places.map(([, sector]) => sector);
  const slack = FEW_SECTORS + OFF_PLACE * (Math.max(...sectors) - Math.min(...sectors));
  const columns = places.map(([block]) => block % width);
  const rows = places.map(([block]) => Math.floor(block / width));
  const inRows = slopeOf(columns, sectors);
  const offRows = sectors.map((sector, index) => sector - inRows * columns[index]!);
  const between = slopeOf(rows, offRows);
  const base = meanOf(offRows) - between * meanOf(rows);
  return meanOf(offRows.map((sector, index) => Math.abs(sector - base - between * rows[index]!))) > slack;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Slope of the regression line through the points. */
function slopeOf(xs: readonly number[], ys: readonly number[]): number {
  const x0 = meanOf(xs);
  const y0 = meanOf(ys);
  const square = xs.reduce((sum, x) => sum + (x - x0) ** 2, 0);
  return square === 0 ? 0 : xs.reduce((sum, x, index) => sum + (x - x0) * (ys[index]! - y0), 0) / square;
}
