/**
 * Wavefronts of a warp's access to shared memory: the cycles that its data stage takes. The rules agree with an H200
 * (test/reference/values/corners.jsonl, all 45 patterns) and, for 4 bytes, with the CUDA C++ Programming Guide.
 * - The banks are 4 bytes wide and serve one word each a cycle. Lanes that read the same word share it. A pass takes as
 *   many wavefronts as its busiest bank has distinct words, one at least.
 * - Accesses of 4 bytes and less are one pass of 32 lanes. Lanes at parts of one word share it. 8-byte accesses are two
 *   passes of a half-warp each, 16-byte ones four passes of 8 lanes. There are half as many passes of twice the lanes if
 *   every lane's neighbour is inactive or has the same address. The neighbour is lane xor 1 for all, or lane xor 2 for all.
 * - An atomic accesses its word once for each lane. Increments whose result nobody reads (ATOMS.POPC.INC) count a word's
 *   lanes and take it once, as loads do (test/reference/h200/micro/increments.json: all 15 patterns).
 */
import type { Instruction } from "../../lower/program.js";
import { spins, spinWavefronts } from "./spin.js";

/** Words that one pass can put on one bank: 32 lanes of 16 bytes. */
const MAX_WORDS = 128;
let bankCount = new Int32Array(64);
let bankWords = new Int32Array(64 * MAX_WORDS);
const FULL = -1;
/** Bytes from lane to lane beyond which addresses of 32 bits might come round to the same word. */
const MOST_STRIDE = 2 ** 26;
/** No distance of lanes. */
const UNEVEN: number = 2 * MOST_STRIDE;

/** Lanes that meet at a word: served together, one by one, or one a bank and the others not at all (`spin.ts`). */
export const TOGETHER = 0;
export const APART = 1;
export const ONE_A_BANK = 2;

/** Which of these an instruction does. */
export function serviceOf(instruction: Instruction): number {
  const { op, issue } = instruction;
  if (op !== "atom" || issue.some(({ mnemonic }) => mnemonic.startsWith("ATOMS.POPC.INC"))) return TOGETHER;
  return spins(instruction) ? ONE_A_BANK : APART;
}

/**
 * Wavefronts of the lanes in `mask`, which is not 0. `addresses[lane]` are bytes, multiples of `size`, which is 1, 2, 4, 8
 * or 16. `banks` is a power of two.
 */
export function sharedWavefronts(
  addresses: Int32Array,
  mask: number,
  size: number,
  banks: number,
  service: number,
): number {
  if (service === ONE_A_BANK) return spinWavefronts(mask, size);
  if (banks > bankCount.length) {
    bankCount = new Int32Array(banks);
    bankWords = new Int32Array(banks * MAX_WORDS);
  }
  if (mask === FULL && service === TOGETHER) {
    const stride = strideOf(addresses);
    if (stride === 0) return Math.max(1, size >> 3);
    if (stride !== UNEVEN && size === 4) return lanesOfBank(stride >> 2, banks);
    // A pass of adjacent lanes takes each of 32 banks once.
    if (stride === size && banks >= 32) return Math.max(1, size >> 2);
  }
  const passes = sharedPasses(addresses, mask, size);
  const lanes = 32 / passes;
  let total = 0;
  for (let first = 0; first < 32; first += lanes)
    total += passWavefronts(addresses, mask, first, lanes, size, banks, service === APART);
  return total;
}

/** The distance in bytes of each lane from the one before it; UNEVEN where the distances differ. */
function strideOf(addresses: Int32Array): number {
  const stride = addresses[1]! - addresses[0]!;
  if (stride > MOST_STRIDE || stride < -MOST_STRIDE) return UNEVEN;
  for (let lane = 2; lane < 32; lane++) if (addresses[lane]! - addresses[lane - 1]! !== stride) return UNEVEN;
  return stride;
}

/** The number of lanes that share a bank, of 32 lanes `words` words apart. Only the lowest bit of `words` counts. */
function lanesOfBank(words: number, banks: number): number {
  return Math.ceil((32 * Math.min(words & -words, banks)) / banks);
}

/** The least possible wavefronts of the same request: one a pass. */
export function sharedPasses(addresses: Int32Array, mask: number, size: number): number {
  if (size <= 4) return 1;
  const merged = neighboursAgree(addresses, mask, 1) || neighboursAgree(addresses, mask, 2);
  return (size / 4) >> (merged ? 1 : 0);
}

function neighboursAgree(addresses: Int32Array, mask: number, distance: number): boolean {
  for (let lane = 0; lane < 32; lane++) {
    const other = lane ^ distance;
    const both = (mask >>> lane) & (mask >>> other) & 1;
    if (both === 1 && addresses[lane] !== addresses[other]) return false;
  }
  return true;
}

function passWavefronts(
  addresses: Int32Array,
  mask: number,
  first: number,
  lanes: number,
  size: number,
  banks: number,
  apart: boolean,
): number {
  for (let bank = 0; bank < banks; bank++) bankCount[bank] = 0;
  const words = Math.max(1, size >> 2);
  let busiest = 1;
  let before = -1;
  for (let lane = first; lane < first + lanes; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    const word = addresses[lane]! >>> 2;
    if (!apart && word === before) continue;
    before = word;
    for (let k = 0; k < words; k++) {
      const bank = (word + k) & (banks - 1);
      const count = bankCount[bank]!;
      if (!apart && holds(bank * MAX_WORDS, count, word + k)) continue;
      bankWords[bank * MAX_WORDS + count] = word + k;
      bankCount[bank] = count + 1;
      if (count >= busiest) busiest = count + 1;
    }
  }
  return busiest;
}

function holds(start: number, count: number, word: number): boolean {
  for (let k = start; k < start + count; k++) if (bankWords[k] === word) return true;
  return false;
}
