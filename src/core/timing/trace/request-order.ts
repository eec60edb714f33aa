/** The order of a traced request's sectors: `count` ascending sector numbers from `at`. */

import { SECTORS_PER_BURST, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { RECORD_HEADER } from "./trace.js";

/** In lines: a stride that is not a whole number of lines gives distances that differ by this much. */
export const STRIDE_SLACK = 1;
const FEWEST = 4;

/**
 * Whether a request accesses lines in irregular order. It does if it has four or more runs of neighbouring lines, and
 * the distances of their starts differ by more than `slack` lines. Rows of a block narrower than a warp are regular,
 * however many lines a row has.
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

/** Distinct 64-byte bursts of a request, as a share of all bursts between its first and its last. */
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

/** Whether the requests with records at `one` and `other` access the same sectors. */
export function sameSectors(memory: Int32Array, one: number, other: number): boolean {
  const count = memory[one + 2]!;
  if (memory[other + 2] !== count) return false;
  const end = RECORD_HEADER + count;
  for (let i = RECORD_HEADER; i < end; i++) if (memory[one + i] !== memory[other + i]) return false;
  return true;
}

/** Whether the request with its record at `next` continues, within a line, where the one at `before` was. */
export function goesOn(memory: Int32Array, before: number, next: number): boolean {
  if (memory[before + 2] !== memory[next + 2]) return false;
  return Math.abs(memory[next + RECORD_HEADER]! - memory[before + RECORD_HEADER]!) <= SECTORS_PER_LINE;
}
