/** Where lanes that a jump has parted meet again: the BSYNC of the innermost BSSY around it. */
import type { Instruction } from "./program.js";

/** By pc: of jumps within a BSSY the pc of its BSYNC, else -1. */
export function meetingPlaces(instructions: readonly Instruction[]): Int32Array {
  const places = new Int32Array(instructions.length).fill(-1);
  const open: number[] = [];
  for (const { pc, op, target } of instructions) {
    const innermost = open.at(-1);
    if (op === "bssy" && target !== undefined) open.push(target);
    else if (op === "bra" && innermost !== undefined) places[pc] = innermost;
    else if (innermost === pc) open.pop();
  }
  return places;
}
