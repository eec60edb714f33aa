/**
 * Counters of segments: blocks that follow each other add to the same sectors, so that at any time only those of the resident blocks are
 * added to. From test/reference/h200/micro/segments.json, adds without loads (b = 0), one for each warp or block of 2^24 threads, a counter
 * for each 2^10 to 2^20 of them.
 */

/** A block's number and the first of its sectors of a parameter, both counted from the first traced block. */
export type BlockPlace = readonly [number, number];

/** Fewer blocks that share a sector are borders; fewer traced blocks tell no order. */
const LEAST_SHARERS = 2;
const LEAST_TRACED = 6;
/** Of more live sectors L2's units do as many at a time as of any others. */
const MOST_SECTORS = 64;
/**
 * Of the live sectors as many are added to at a time, beside the one that is always: of 8.25, 2.06 and .52 live ones 6.5, 2.4 and 1.2 adds
 * of integers follow each other at a time, and of floats, which wait for those to the same word alone, 11.2, 3.8 and 1.4.
 */
const INTEGERS_AT_A_TIME = 0.66;
const FLOATS_AT_A_TIME = 1.25;

/**
 * Sectors of a parameter that the `residentBlocks` of the whole GPU are at, where each block has `distinct` sectors, which `sharers` blocks share; 0 if
 * blocks do not go through it in order, or so many are no limit. `places`: how far a traced block, and its lowest sector, lie behind the first one.
 */
export function liveSectors(
  places: readonly BlockPlace[],
  distinct: number,
  sharers: number,
  residentBlocks: number,
): number {
  if (sharers < LEAST_SHARERS || places.length < LEAST_TRACED) return 0;
  const [lastBlock, lastLow] = places.at(-1)!;
  const pace = lastLow / lastBlock;
  const inOrder = places.every(([block, low]) => Math.abs(low - pace * block) <= 1);
  if (!inOrder || lastLow <= 0 || Math.abs(Math.log((pace * sharers) / distinct)) > Math.LN2) return 0;
  const live = (residentBlocks * distinct) / sharers;
  return live > MOST_SECTORS ? 0 : live;
}

/** How many adds L2 does at a time on so many live sectors. */
export function addsAtATime(live: number, float: boolean): number {
  return 1 + (float ? FLOATS_AT_A_TIME : INTEGERS_AT_A_TIME) * live;
}
