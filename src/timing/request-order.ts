/** In what order a request's sectors lie, as they were traced: `count` sector numbers, ascending, from `at` on. */

import { SECTORS_PER_LINE, SECTORS_PER_PIECE } from "./sector-sizes.js";

/** Lines: a stride that is no whole number of lines gives distances that differ by so much. */
export const STRIDE_SLACK = 1;

/** Whether a request goes to lines in no regular order: four or more at distances that differ by more than `slack` lines. */
export function isIrregular(memory: Int32Array, at: number, count: number, slack = 0): boolean {
  if (count < 4) return false;
  let lines = 1;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  let line = Math.floor(memory[at]! / SECTORS_PER_LINE);
  for (let i = at + 1; i < at + count; i++) {
    const next = Math.floor(memory[i]! / SECTORS_PER_LINE);
    const step = next - line;
    if (step === 0) continue;
    lines++;
    if (step < least) least = step;
    if (step > most) most = step;
    line = next;
  }
  return most > least + slack && lines >= 4;
}

/** Distinct pieces of 64 bytes over all from the first of a request's to its last. */
export function densityOf(memory: Int32Array, at: number, count: number): number {
  let pieces = 0;
  let last = -1;
  for (let i = 0; i < count; i++) {
    const piece = Math.floor(memory[at + i]! / SECTORS_PER_PIECE);
    if (piece !== last) pieces++;
    last = piece;
  }
  return pieces / (last - Math.floor(memory[at]! / SECTORS_PER_PIECE) + 1);
}

/** Whether the requests whose records stand at `one` and `other` go to the same sectors. */
export function sameSectors(memory: Int32Array, one: number, other: number): boolean {
  const count = memory[one + 2]!;
  if (memory[other + 2] !== count) return false;
  for (let i = 3; i < 3 + count; i++) if (memory[one + i] !== memory[other + i]) return false;
  return true;
}
