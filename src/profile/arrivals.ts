/**
 * Lanes that a jump has parted come to the point of reconvergence in groups, and each group issues the BSYNC: one with its
 * own test for each jump that parted lanes there. (Bitonic sorts in shared memory have one instruction more for each
 * divergent `if` on an H200, exactly: 25 in blocks of 128, 35 in blocks of 512.)
 */
import type { RawCounters } from "../engine/engine.js";
import type { Program } from "../lower/program.js";

/** Of each pc how often warps issued it beyond the first group of lanes; only BSYNCs have such. */
export function furtherArrivals(program: Program, raw: RawCounters): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  const open: { readonly end: number; parted: number }[] = [];
  for (const { pc, op, target } of program.instructions) {
    const innermost = open.at(-1);
    if (op === "bssy" && target !== undefined) open.push({ end: target, parted: 0 });
    else if (op === "bra" && innermost !== undefined) innermost.parted += raw.divergent[pc] ?? 0;
    else if (innermost?.end === pc) {
      open.pop();
      if (innermost.parted > 0) result.set(pc, innermost.parted);
    }
  }
  return result;
}
