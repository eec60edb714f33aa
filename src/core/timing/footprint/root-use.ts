/** Counts of what blocks touch of one parameter. */

export interface RootUse {
  lo: number;
  hi: number;
  /** Distinct sectors and lines, summed over the traced blocks. */
  distinct: number;
  lines: number;
  written: number;
  readFirst: number;
  /** Distinct bursts of 64 bytes, sectors stored to, summed over the traced blocks. */
  pieces: number;
  storedSectors: number;
  /** Distinct lines and bursts written, and bytes stored. */
  writtenLines: number;
  writtenPieces: number;
  stored: number;
  /** Sectors that loads request, and those of which random requests need only a part. */
  asked: number;
  scattered: number;
  /** Runs of adjacent sectors without a gap. */
  runs: number;
  /** The sector touched first, and the divisor of all distances to it; 0 if there are none. */
  readonly first: number;
  step: number;
}

const COUNTED = [
  "distinct",
  "lines",
  "written",
  "readFirst",
  "pieces",
  "storedSectors",
  "writtenLines",
  "writtenPieces",
  "stored",
  "asked",
  "scattered",
  "runs",
] as const;

/** An empty use that starts at `sector`. */
export function noUse(sector: number): RootUse {
  const none = { distinct: 0, lines: 0, written: 0, readFirst: 0, pieces: 0 };
  const stored = { storedSectors: 0, writtenLines: 0, writtenPieces: 0, stored: 0 };
  return { lo: sector, hi: sector, ...none, ...stored, asked: 0, scattered: 0, runs: 0, first: sector, step: 0 };
}

/** Adds `times` the growth since `before`. */
export function extrapolate(use: RootUse, before: RootUse | undefined, times: number): void {
  for (const key of COUNTED) {
    use[key] += times * (use[key] - (before?.[key] ?? 0));
  }
  use.lo -= times * ((before?.lo ?? use.lo) - use.lo);
  use.hi += times * (use.hi - (before?.hi ?? use.hi));
}

export function addUse(to: Map<number, RootUse>, root: number, use: RootUse, weight: number): void {
  let sum = to.get(root);
  if (sum === undefined) {
    sum = noUse(use.lo);
    to.set(root, sum);
  }
  for (const key of COUNTED) sum[key] += weight * use[key];
  sum.lo = Math.min(sum.lo, use.lo);
  sum.hi = Math.max(sum.hi, use.hi);
}
