/** The issue slots of the warps of all traced blocks, one after the other in one array. */

import type { BlockTrace } from "../trace/trace.js";
import type { Microcode } from "./microcode.js";

/** Marks the end of a warp's instructions. */
export const END = -1;

export interface WarpStreams {
  /** The first slot of each instruction. */
  readonly slots: Int32Array;
  /** By trace: the index in `slots` at which each warp begins, and the end of the last warp. */
  readonly start: readonly Int32Array[];
  /**
   * By trace: its records of memory accesses with encoded sectors (`sector-marks.ts`), and where those of each warp
   * begin.
   */
  readonly memory: readonly Int32Array[];
  readonly memoryStart: readonly Int32Array[];
}

/** Expects `traces` without folded instructions; `memory` has their encoded records. */
export function warpStreams(
  traces: readonly BlockTrace[],
  memory: readonly Int32Array[],
  { slotStart, arrivalOf }: Microcode,
): WarpStreams {
  const length = traces.reduce((sum, { pcs, warps, parted }) => sum + pcs.length + warps + parted.length, 0);
  const slots = new Int32Array(length);
  let to = 0;
  const start = traces.map(({ pcs, pcStart, warps, parted, partedStart }) => {
    const starts = new Int32Array(warps + 1);
    for (let warp = 0; warp < warps; warp++) {
      starts[warp] = to;
      const end = pcStart[warp + 1]!;
      const lastParted = partedStart[warp + 1]!;
      let next = partedStart[warp]!;
      let jumps = 0;
      for (let i = pcStart[warp]!; i < end; i++) {
        const pc = pcs[i]!;
        slots[to++] = slotStart[pc]!;
        // Lanes diverge here: some arrive at the BSYNC before the others.
        if (arrivalOf[pc]! >= 0 && next < lastParted && jumps++ === parted[next]) {
          slots[to++] = arrivalOf[pc]!;
          next++;
        }
      }
      slots[to++] = END;
    }
    starts[warps] = to;
    return starts;
  });
  return { slots, start, memory, memoryStart: traces.map(({ memoryStart }) => memoryStart) };
}
