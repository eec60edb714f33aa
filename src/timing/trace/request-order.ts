/** In what order a request's sectors lie, as they were traced: `count` sector numbers, ascending, from `at` on. */

import { SECTORS_PER_BURST, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { RECORD_HEADER } from "./trace.js";

/** Lines: a stride that is no whole number of lines gives distances that differ by so much. */
export const STRIDE_SLACK = 1;
const FEWEST = 4;

/**
 * Whether a request goes to lines in no regular order: four or more stretches of neighbouring lines, which begin at distances that
 * differ by more than `slack` lines. Rows of a block that is narrower than a warp are in order, however many lines long.
 */
export function isIrregular(memory: Int32Array, at: number, count: number, slack = 0): boolean {
  if (count < FEWEST) return false;
  let stretches = 1;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  let line = Math.floor(memory[at]! / SECTORS_PER_LINE);
  let begin = line;
  for (let i = at + 1; i < at + count; i++) {
    const next = Math.floor(memory[i]! / SECTORS_PER_LINE);
    if (next > line + 1) {
      const distance = next - begin;
      stretches++;
      if (distance < least) least = distance;
      if (distance > most) most = distance;
      begin = next;
    }
    line = next;
  }
  return most > least + slack && stretches >= FEWEST;
}

/** Distinct pieces of 64 bytes over all from the first of a request's to its last. */
export function densityOf(memory: Int32Array, at: number, count: number): number {
  let pieces = 0;
  let last = -1;
  for (let i = 0; i < count; i++) {
    const piece = Math.floor(memory[at + i]! / SECTORS_PER_BURST);
    if (piece !== last) pieces++;
    last = piece;
  }
  return pieces / (last - Math.floor(memory[at]! / SECTORS_PER_BURST) + 1);
}

/** Whether the requests whose records stand at `one` and `other` go to the same sectors. */
export function sameSectors(memory: Int32Array, one: number, other: number): boolean {
  const count = memory[one + 2]!;
  if (memory[other + 2] !== count) return false;
  const end = RECORD_HEADER + count;
  for (let i = RECORD_HEADER; i < end; i++) if (memory[one + i] !== memory[other + i]) return false;
  return true;
}

/** Whether the request whose record stands at `next` goes on, within a line, from where that at `before` was. */
export function goesOn(memory: Int32Array, before: number, next: number): boolean {
  if (memory[before + 2] !== memory[next + 2]) return false;
  return Math.abs(memory[next + RECORD_HEADER]! - memory[before + RECORD_HEADER]!) <= SECTORS_PER_LINE;
}
