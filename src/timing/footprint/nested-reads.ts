/**
 * Parameters of which each block reads all that blocks with less to read do: the sums of all blocks before it, a triangle's rows. What the
 * longest block reads alone of those traced the blocks beside it read, too, though no traced one is among them.
 */

import type { SectorPages } from "../trace/sector-pages.js";
import type { BlockUse } from "./block-use.js";

/** Blocks that tell; of the longest's sectors so many are read by the shortest, at the most, and so many of all blocks' are its. */
const LEAST_BLOCKS = 3;
const UNLIKE = 0.75;
const NESTED_SHARE = 0.95;

/** `blocks` are traced in whole; `blocksOf`: how many of them touch each sector. */
export function nestedRoots(blocks: readonly BlockUse[], blocksOf: SectorPages<Int32Array>): ReadonlySet<number> {
  const nested = new Set<number>();
  if (blocks.length < LEAST_BLOCKS) return nested;
  for (const root of new Set(blocks.flatMap(({ ofRoot }) => [...ofRoot.keys()]))) {
    const counts = blocks.map(({ ofRoot }) => ofRoot.get(root)?.distinct ?? 0);
    const most = Math.max(...counts);
    const longest = blocks[counts.indexOf(most)]!;
    const { lo, hi, written } = longest.ofRoot.get(root)!;
    if (written > 0 || Math.min(...counts) > UNLIKE * most || hi - lo >= 2 * most) continue;
    let touches = 0;
    for (let sector = lo; sector <= hi; sector++) {
      if (longest.sectors.values[longest.sectors.find(sector)]! !== 0)
        touches += blocksOf.values[blocksOf.find(sector)]!;
    }
    const all = counts.reduce((sum, count) => sum + count, 0);
    if (touches >= NESTED_SHARE * all) nested.add(root);
  }
  return nested;
}
