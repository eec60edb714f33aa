/**
 * Addresses of shared and local memory. The machine's have 32 bits. A sum or product of 32-bit indices is added to them
 * term by term, so it is right only as far as those bits go: term by term u32 indices may sum to 2^32 and more. The
 * engines keep two bits more, so that an index of 2^30 words does not come round into bounds.
 */
const ADDRESS_BITS = 34;

/** Upper bits of a 64-bit number that do not count in an address of shared or local memory. */
export const IGNORED_BITS: number = 64 - ADDRESS_BITS;

/** The address as a signed number of its own bits. */
export function wrappedAddress(sum: number): number {
  const whole = 2 ** ADDRESS_BITS;
  return sum - whole * Math.floor(sum / whole + 0.5);
}
