/**
 * The values of a seeded schedule where CUDA promises none. These are unwritten memory of blocks and threads, and shuffles
 * from lanes that do not take part. No value is neutral for a sum, a minimum or a bit operation, and as floats all
 * are finite.
 */

/** The kinds of reads: the same index of two kinds gives two values. */
export const PLACE = { shared: 1, local: 2, lane: 3 } as const;

/** Exponents of 2^29 to 2^32 as f32; in the high word of an f64 finite, too; as integers a large part of the range. */
const EXPONENT = 0x4e000000;
const REST = 0x01ffffff;

function mix(hash: number, value: number): number {
  // The finalizer of MurmurHash3 spreads each bit of the sum.
  let h = (Math.imul(hash, 0x9e3779b1) + value) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** One 32-bit word, as an i32. The sign changes from each seed to the next, so that neighbours try a minimum and a maximum. */
export function garbageWord(seed: number, block: number, place: number, index: number): number {
  const where = mix(mix(mix(0, place), block), index);
  const sign = (where ^ seed) & 1;
  return (sign << 31) | EXPONENT | (mix(where, seed) & REST);
}
