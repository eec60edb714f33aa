/**
 * Addresses of shared and local memory. The machine's have 32 bits. The compiler adds the terms of a 32-bit index to them
 * one by one. Their sum may pass 2^32 where the index has wrapped. The engines keep two bits more, so that an
 * index of 2^30 words does not come round into bounds.
 */
const ADDRESS_BITS = 34;

/** Upper bits of a 64-bit number that do not count in an address of shared or local memory. */
export const IGNORED_BITS: number = 64 - ADDRESS_BITS;

/** The address as a signed number of its own bits. */
export function wrappedAddress(sum: number): number {
  const whole = 2 ** ADDRESS_BITS;
  return sum - whole * Math.floor(sum / whole + 0.5);
}
