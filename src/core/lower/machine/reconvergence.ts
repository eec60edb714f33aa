/**
 * The reconvergence point of each divergent jump: the BSYNC of the innermost BSSY around it, or an earlier
 * WARPSYNC.ALL.
 */

import type { Instruction } from "../program.js";
import { OVERHEAD } from "./machine-instructions.js";

/** For each jump's pc the pc of its reconvergence point, or -1. */
export function meetingPlaces(instructions: readonly Instruction[]): Int32Array {
  const places = new Int32Array(instructions.length).fill(-1);
  const syncs = instructions.filter(({ issue }) => issue === OVERHEAD.warpSync).map(({ pc }) => pc);
  const open: number[] = [];
  for (const { pc, op, target } of instructions) {
    const innermost = open.at(-1);
    if (op === "bssy" && target !== undefined) open.push(target);
    else if (op === "bra" && target !== undefined) {
      const sync = syncs.find((place) => place >= Math.max(pc, target));
      places[pc] = Math.min(innermost ?? sync ?? -1, sync ?? innermost ?? -1);
    } else if (innermost === pc) open.pop();
  }
  return places;
}
