/** The fixed eighth of launches and microbenchmarks that is recorded, and the parts of it that a test run compares. */

/**
 * "recorded" is one in eight, "quick" one in sixteen, "few" one in 128. A test run compares a few where the sources are
 * those of the last check of everything: the same sources give the same predictions.
 */
export type Sample = "recorded" | "quick" | "few";

const ONE_IN: Readonly<Record<Sample, number>> = { recorded: 8, quick: 16, few: 128 };

/** FNV-1a with Murmur's finalizer: names that differ in one character lie anywhere. */
function hash(name: string): number {
  let bits = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) bits = Math.imul(bits ^ byte, 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * A fixed part of those with names, and at least one: the ones whose names have the least hashes, in their own order.
 * Tables of the same launches give the same ones.
 */
export function sampleOf<T extends { readonly id: string }>(all: readonly T[], sample: Sample): readonly T[] {
  const byHash = [...all].sort((a, b) => hash(a.id) - hash(b.id) || (a.id < b.id ? -1 : 1));
  const chosen = new Set(byHash.slice(0, Math.ceil(all.length / ONE_IN[sample])));
  return all.filter((each) => chosen.has(each));
}
