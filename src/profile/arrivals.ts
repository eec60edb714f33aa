/**
 * Lanes that a jump has parted come to the point of reconvergence in groups, and each group issues the BSYNC: one with its
 * own test for each jump that parted lanes there. (Bitonic sorts in shared memory have one instruction more for each
 * divergent `if` on an H200, exactly: 25 in blocks of 128, 35 in blocks of 512.)
 */
import type { RawCounters } from "../engine/engine.js";
import { meetingPlaces } from "../lower/machine/reconvergence.js";
import type { Program } from "../lower/program.js";

/** Of each pc how often warps issued it beyond the first group of lanes; only BSYNCs have such. */
export function furtherArrivals(program: Program, raw: RawCounters): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  for (const [pc, place] of meetingPlaces(program.instructions).entries()) {
    const parted = raw.divergent[pc] ?? 0;
    if (place >= 0 && parted > 0) result.set(place, (result.get(place) ?? 0) + parted);
  }
  return result;
}
