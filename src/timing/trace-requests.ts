/** The requests to global memory of a traced block, in order. */
import type { BlockTrace } from "./trace.js";

/** Visits the requests to global memory, by pc and where their records stand. `from`, `to`: the share of each warp's instructions. */
export function walkRequests(
  { warps, pcs, pcStart, memory, memoryStart }: BlockTrace,
  traced: Uint8Array,
  visit: (pc: number, record: number, nth: number) => void,
  from = 0,
  to = 1,
): void {
  for (let warp = 0; warp < warps; warp++) {
    let at = memoryStart[warp]!;
    const start = pcStart[warp]!;
    const length = pcStart[warp + 1]! - start;
    const end = start + Math.floor(to * length);
    const first = start + Math.floor(from * length);
    let nth = 0;
    for (let i = start; i < end; i++) {
      const pc = pcs[i]!;
      if (traced[pc] === 0) continue;
      const count = memory[at + 2]!;
      if (i >= first && count > 0) visit(pc, at, nth);
      nth++;
      at += 3 + count;
    }
  }
}

/** How many times the second half of what was traced of a block is still to come; 0 for a whole trace. */
export function halvesToCome({ pcs, executed }: BlockTrace, slotCount: Int32Array): number {
  if (executed === null) return 0;
  let traced = 0;
  for (let i = 0; i < pcs.length; i++) traced += slotCount[pcs[i]!]!;
  const whole = executed.reduce((sum, count, pc) => sum + count * slotCount[pc]!, 0);
  return Math.max(0, (2 * (whole - traced)) / Math.max(1, traced));
}
