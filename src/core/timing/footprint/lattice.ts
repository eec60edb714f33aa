/**
 * Sectors at equal distances, as `in[i * stride % n]` reads them. However often blocks wrap around, the grid touches no
 * more of each such distance, its period, than the offsets at which blocks begin. Blocks that touch more than this room
 * share sectors (h200/micro/wraps.json, DRAM's bytes by ncu).
 */
import type { RootUse } from "./root-use.js";

export interface Lattice {
  /** Distance in sectors between those that a block touches. */
  readonly period: number;
  /** Sectors of each period that any block touches. */
  readonly stretch: number;
  /** Whether they are not adjacent. */
  readonly apart: boolean;
}

const EVERYWHERE: Lattice = { period: 1, stretch: 1, apart: false };
/** Fewest blocks from which the offsets of all others are inferred. */
const FEWEST = 4;
/** Blocks per offset from which on all offsets are taken as seen. */
const SEEN_OFTEN = 3;

export function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** The lattice of a parameter from the uses of completely traced blocks. */
export function latticeOf(uses: readonly RootUse[]): Lattice {
  const period = uses.reduce((divisor, { step }) => greatestCommonDivisor(divisor, step), 0);
  if (period <= 1 || uses.length < FEWEST || uses.some(({ step }) => step === 0)) return EVERYWHERE;
  const places = [...new Set(uses.map(({ first }) => first % period))].sort((a, b) => a - b);
  // If the same few offsets recur, there are no others.
  if (SEEN_OFTEN * places.length <= uses.length) return { period, stretch: places.length, apart: true };
  const gaps = places.map((place, i) => (places[i + 1] ?? places[0]! + period) - place);
  const seen = period - Math.max(...gaps);
  // The offsets advance with each pass. The outermost of that many random offsets lie inside the true ends by this much
  // in the mean.
  const reach = (seen * (places.length + 1)) / Math.max(1, places.length - 1);
  return { period, stretch: Math.min(period, Math.ceil(reach) + 1), apart: false };
}

/** Number of units of `size` sectors that the grid can touch in `span` sectors. */
export function roomIn({ period, stretch, apart }: Lattice, span: number, size: number): number {
  const units = Math.ceil(span / size);
  if (period === 1) return units;
  const periods = Math.floor(Math.max(0, span - stretch) / period) + 1;
  return Math.min(units, periods * (apart ? stretch : (stretch + size - 1) / size));
}
