/**
 * The sectors of one request as the memory path reads them: `count` encoded sectors (`sector-marks.ts`), ascending, from `at` on
 * in a trace's memory stream.
 */
import { COMMON, SECTOR_BITS } from "./sector-marks.js";

/** An encoded sector is its number behind SECTOR_BITS bits; so many further bits number the sectors of a line. */
const LINE_BITS: number = SECTOR_BITS + 2;
/** 8 and 64 KiB. */
const CAMPING_FROM_SECTORS = 256;
const CAMPING_TO_SECTORS = 2048;
/** Instances of a traced block have their own copies of its sectors: key = sector + instance * this. */
const INSTANCE_STRIDE = 2 ** 28;

/** What tells a sector of block `instance` from all others. */
export function keyOf(encoded: number, instance: number): number {
  const sector = encoded >> SECTOR_BITS;
  return (encoded & COMMON) !== 0 ? sector : sector + instance * INSTANCE_STRIDE;
}

/** What tells a sector from the other sectors of its block, in their order. */
export function sectorOf(encoded: number): number {
  return encoded >> SECTOR_BITS;
}

/** What tells a sector's line from the other lines of its block. */
export function lineOf(encoded: number): number {
  return encoded >> LINE_BITS;
}

/** Lines that a request's sectors lie in. */
export function linesOf(memory: Int32Array, at: number, count: number): number {
  let lines = 0;
  let last = -1;
  for (let i = 0; i < count; i++) {
    const line = memory[at + i]! >> LINE_BITS;
    if (line !== last) lines++;
    last = line;
  }
  return lines;
}

/** How many of the request's sectors lie in the line of its first one. */
export function sectorsOfLine(memory: Int32Array, at: number, count: number): number {
  const line = lineOf(memory[at]!);
  let sectors = 1;
  while (sectors < count && lineOf(memory[at + sectors]!) === line) sectors++;
  return sectors;
}

/** Whether a request's lines lie so far apart that few of L2's slices serve it. */
export function camps(memory: Int32Array, at: number, count: number): boolean {
  if (count < 2) return false;
  const distance = (memory[at + 1]! >> SECTOR_BITS) - (memory[at]! >> SECTOR_BITS);
  return distance >= CAMPING_FROM_SECTORS && distance <= CAMPING_TO_SECTORS;
}

/** Whether sector `i` of a request is the only one that it takes of its line. */
export function isLone(memory: Int32Array, at: number, count: number, i: number): boolean {
  const line = lineOf(memory[at + i]!);
  if (i > 0 && lineOf(memory[at + i - 1]!) === line) return false;
  return i + 1 >= count || lineOf(memory[at + i + 1]!) !== line;
}
