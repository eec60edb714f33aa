/**
 * The fixed sixteenth of launches and microbenchmarks that the tests compare with what was recorded. A larger part would
 * take minutes, and tell little more: `.ci/run` has all of them checked whenever the model or its data have changed.
 */

const ONE_IN = 16;

/** FNV-1a with Murmur's finalizer: names that differ in one character lie anywhere. */
function hash(name: string): number {
  let bits = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) bits = Math.imul(bits ^ byte, 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * One in sixteen of those with names, and at least one: the ones whose names have the least hashes, in their own order.
 * Tables of the same launches give the same ones.
 */
export function sampleOf<T extends { readonly id: string }>(all: readonly T[]): readonly T[] {
  const byHash = [...all].sort((a, b) => hash(a.id) - hash(b.id) || (a.id < b.id ? -1 : 1));
  const chosen = new Set(byHash.slice(0, Math.ceil(all.length / ONE_IN)));
  return all.filter((each) => chosen.has(each));
}
