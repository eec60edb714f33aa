/**
 * The sectors of one request as the memory path reads them: `count` ascending encoded sectors (`sector-marks.ts`) from
 * `at` in a trace's memory stream.
 */
import { COMMON, SECTOR_BITS } from "./sector-marks.js";

/** The low SECTOR_BITS bits of an encoded sector are marks; two more bits give the sector's position in its line. */
const LINE_BITS: number = SECTOR_BITS + 2;
/** 8 and 64 KiB. */
const CAMPING_FROM_SECTORS = 256;
const CAMPING_TO_SECTORS = 2048;
/** Each instance of a traced block has its own copy of the sectors: key = sector + instance * INSTANCE_STRIDE. */
const INSTANCE_STRIDE = 2 ** 28;

/**
 * Sectors of local memory are encoded less this number, so that they are negative. Their keys lie between those of two
 * instances: the simulated memory has no more than so many sectors.
 */
export const LOCAL_SECTORS: number = 2 ** 27;

/** Whether a request of `count` sectors is one of local memory. */
export function isLocal(memory: Int32Array, at: number, count: number): boolean {
  return count > 0 && memory[at]! < 0;
}

/** Stands for the block's instance in requests of local memory, whose place depends on the warp's slot alone. */
export function instanceOfSlot(slot: number, sectorsOfWarp: number): number {
  return 1 + (slot * sectorsOfWarp) / INSTANCE_STRIDE;
}

/** A key that is unique for a sector of block `instance`, unless all blocks share the sector. */
export function keyOf(encoded: number, instance: number): number {
  const sector = encoded >> SECTOR_BITS;
  return (encoded & COMMON) !== 0 ? sector : sector + instance * INSTANCE_STRIDE;
}

/** The number of a sector, unique within its block and in address order. */
export function sectorOf(encoded: number): number {
  return encoded >> SECTOR_BITS;
}

/** The number of a sector's line, unique within its block. */
export function lineOf(encoded: number): number {
  return encoded >> LINE_BITS;
}

/** The number of lines that a request accesses. */
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

/** Whether the stride of a request's lines is so large that only a few slices of L2 serve it (partition camping). */
export function camps(memory: Int32Array, at: number, count: number): boolean {
  if (count < 2) return false;
  const distance = (memory[at + 1]! >> SECTOR_BITS) - (memory[at]! >> SECTOR_BITS);
  return distance >= CAMPING_FROM_SECTORS && distance <= CAMPING_TO_SECTORS;
}

/** Whether sector `i` is the only one of its line in the request. */
export function isLone(memory: Int32Array, at: number, count: number, i: number): boolean {
  const line = lineOf(memory[at + i]!);
  if (i > 0 && lineOf(memory[at + i - 1]!) === line) return false;
  return i + 1 >= count || lineOf(memory[at + i + 1]!) !== line;
}
