/**
 * Lanes that diverged come to the point of reconvergence in groups, and each group issues the BSYNC. There is one more for
 * each jump that diverged there. An H200 shows exactly one instruction more for each divergent `if`
 * of a bitonic sort in shared memory. These are 25 in blocks of 128, and 35 in blocks of 512.
 */
import type { RawCounters } from "../engine/engine.js";
import { meetingPlaces } from "../lower/machine/reconvergence.js";
import type { Program } from "../lower/program.js";

/** For each pc, how often warps issued it after the first group of lanes. Only BSYNCs have such issues. */
export function furtherArrivals(program: Program, raw: RawCounters): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  for (const [pc, place] of meetingPlaces(program.instructions).entries()) {
    const parted = raw.divergent[pc] ?? 0;
    if (place >= 0 && parted > 0) result.set(place, (result.get(place) ?? 0) + parted);
  }
  return result;
}
