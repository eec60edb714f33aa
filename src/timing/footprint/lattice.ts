/**
 * Sectors at equal distances, as `in[i * stride % n]` reads them: however often blocks come round to the beginning, the grid touches
 * of each such distance, its period, no more than the places in it that blocks begin at. If they touch more than there is room
 * for, they share (test/reference/h200/micro/wraps.json, DRAM's bytes by ncu).
 */
import type { RootUse } from "./root-use.js";

export interface Lattice {
  /** Sectors from one that a block touches to the next. */
  readonly period: number;
  /** Of each period, the sectors that any block touches. */
  readonly stretch: number;
  /** They do not lie beside each other. */
  readonly apart: boolean;
}

const EVERYWHERE: Lattice = { period: 1, stretch: 1, apart: false };
/** Blocks that tell where all the others are. */
const FEWEST = 4;
/** Blocks for each place in the period. */
const SEEN_OFTEN = 3;

export function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** Of a parameter that blocks were seen to use so, each in whole. */
export function latticeOf(uses: readonly RootUse[]): Lattice {
  const period = uses.reduce((divisor, { step }) => greatestCommonDivisor(divisor, step), 0);
  if (period <= 1 || uses.length < FEWEST || uses.some(({ step }) => step === 0)) return EVERYWHERE;
  const places = [...new Set(uses.map(({ first }) => first % period))].sort((a, b) => a - b);
  // The same few again and again are all there are.
  if (SEEN_OFTEN * places.length <= uses.length) return { period, stretch: places.length, apart: true };
  const gaps = places.map((place, i) => (places[i + 1] ?? places[0]! + period) - place);
  const seen = period - Math.max(...gaps);
  // They move on from lap to lap: of so many at random the outermost ones lie within the ends by so much in the mean.
  const reach = (seen * (places.length + 1)) / Math.max(1, places.length - 1);
  return { period, stretch: Math.min(period, Math.ceil(reach) + 1), apart: false };
}

/** How many units of `size` sectors the grid has room in, of `span` sectors. */
export function roomIn({ period, stretch, apart }: Lattice, span: number, size: number): number {
  const units = Math.ceil(span / size);
  if (period === 1) return units;
  const periods = Math.floor(Math.max(0, span - stretch) / period) + 1;
  return Math.min(units, periods * (apart ? stretch : (stretch + size - 1) / size));
}
