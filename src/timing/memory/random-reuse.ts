/** Random loads from more data than L2 keeps of them: which find theirs driven out again. */

/** Of L2, what random loads find again (h200/micro/pattern.json, randomLoad: of 32 and 64 MiB 66 and 646 MB are read; ncu). */
const KEPT_AT_RANDOM = 0.53;

/**
 * Of L2, the lines stored to at random that it still has (ibid., randomStore: of 64 MiB, 8 stores a sector, 221 MB are read, 442 written).
 */
const STORED_KEPT_AT_RANDOM = 0.95;

/**
 * Share of random loads from `own` bytes whose data L2 has let go since the last one of their piece, while each round of them
 * brings `others` bytes along: in x rounds own * (1 - e^-x) + others * x bytes come in, and e^-x of the pieces are not asked for. `beside`: what
 * else is read at random, in so many rounds of its own meanwhile.
 */
export function missedAtRandom(
  own: number,
  others: number,
  l2Bytes: number,
  beside: readonly { readonly bytes: number; readonly rounds: number }[] = [],
): number {
  return missedOf([{ bytes: own, rounds: 1 }, ...beside], others, KEPT_AT_RANDOM * l2Bytes);
}

/** Share of random stores that find their line gone. */
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

/** Whether the load of `sector` by traced block `block` is of the `share` that miss. */
export function isMissed(sector: number, block: number, share: number): boolean {
  return share > 0 && (Math.imul(sector + block * 7919, 0x85ebca6b) >>> 8) / 16777216 < share;
}
