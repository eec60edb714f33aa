/**
 * Pseudo-random ints over the whole range, the same for the same seed on every machine: mulberry32 (Tommy Ettinger, public
 * domain). A CUDA program makes the same ones, so that data of any size can be named by its seed.
 */

/** `count` values from `seed`. */
export function mulberry32(count: number, seed: number): Int32Array {
  const values = new Int32Array(count);
  let state = seed | 0;
  for (let i = 0; i < count; i++) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    values[i] = mixed ^ (mixed >>> 14);
  }
  return values;
}

/** The upper 24 bits of such a value as a float from 0 to below 1. */
export function unitFloat(bits: number): number {
  return (bits >>> 8) / 2 ** 24;
}
