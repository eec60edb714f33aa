/** Which random loads miss L2 again because their data was evicted, where they read more than L2 keeps. */

/**
 * Share of L2 in which random loads hit. Measured: random loads of 32 and 64 MiB read 66 and 646 MB from DRAM
 * (h200/micro/pattern.json, randomLoad, ncu).
 */
const KEPT_AT_RANDOM = 0.53;

/**
 * Share of L2 in which random stores find their line (h200/micro/pattern.json, randomStore: of 64 MiB, 221 MB are read
 * and 442 written).
 */
const STORED_KEPT_AT_RANDOM = 0.95;

/**
 * Share of random loads from `own` bytes whose data L2 has evicted since the last load of the same burst. Each pass of
 * random loads also brings in `others` bytes. After x passes, own * (1 - e^-x) + others * x bytes have come in, and
 * e^-x of the bursts were not requested. `beside`: other random loads, with their passes in the meantime.
 */
export function missedAtRandom(
  own: number,
  others: number,
  l2Bytes: number,
  beside: readonly { readonly bytes: number; readonly rounds: number }[] = [],
): number {
  return missedOf([{ bytes: own, rounds: 1 }, ...beside], others, KEPT_AT_RANDOM * l2Bytes);
}

/** Share of random stores whose line was evicted. */
export function goneAtRandom(own: number, others: number, l2Bytes: number): number {
  return missedOf([{ bytes: own, rounds: 1 }], others, STORED_KEPT_AT_RANDOM * l2Bytes);
}

function missedOf(
  random: readonly { readonly bytes: number; readonly rounds: number }[],
  others: number,
  kept: number,
): number {
  const comeIn = (x: number): number =>
    random.reduce((sum, { bytes, rounds }) => sum + bytes * (1 - Math.exp(-x * rounds)), others * x);
  let low = 0;
  let high = 16;
  if (comeIn(high) <= kept) return 0;
  for (let i = 0; i < 24; i++) {
    const rounds = (low + high) / 2;
    if (comeIn(rounds) < kept) low = rounds;
    else high = rounds;
  }
  return Math.exp(-low);
}

/** Whether the load of `sector` by traced block `block` is among the `share` that miss. */
export function isMissed(sector: number, block: number, share: number): boolean {
  return share > 0 && (Math.imul(sector + block * 7919, 0x85ebca6b) >>> 8) / 16777216 < share;
}
