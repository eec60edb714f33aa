/**
 * 64-bit integer operations on BigInt: i64 values are -2^63..2^63-1, u64 values 0..2^64-1. Results are not yet wrapped
 * unless said: `wrapI64` and `wrapU64` do so (a BigInt64Array wraps by itself).
 */

export function wrapI64(a: bigint): bigint {
  return BigInt.asIntN(64, a);
}
export function wrapU64(a: bigint): bigint {
  return BigInt.asUintN(64, a);
}
/** Counts of 64 and more give 0. */
export function shl64(a: bigint, count: number): bigint {
  return count >>> 0 > 63 ? 0n : a << BigInt(count >>> 0);
}
/** Arithmetic for signed values, logical for unsigned ones; counts of 64 and more give the sign, or 0. */
export function shr64(a: bigint, count: number): bigint {
  return a >> BigInt(Math.min(count >>> 0, 64));
}
/** High 64 bits of the 128-bit product. */
export function mulhi64(a: bigint, b: bigint): bigint {
  return (a * b) >> 64n;
}
export function min64(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
export function max64(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
export function popc64(a: bigint): number {
  let count = 0;
  for (let rest = wrapU64(a); rest !== 0n; rest &= rest - 1n) count++;
  return count;
}
export function clz64(a: bigint): number {
  const unsigned = wrapU64(a);
  return unsigned === 0n ? 64 : 64 - unsigned.toString(2).length;
}
/** One more than the index of the lowest set bit; 0 for 0. */
export function ffs64(a: bigint): number {
  return a === 0n ? 0 : 64 - clz64(a & -a);
}
export function brev64(a: bigint): bigint {
  return BigInt(`0b${wrapU64(a).toString(2).padStart(64, "0").split("").reverse().join("")}`);
}
