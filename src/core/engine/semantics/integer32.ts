/**
 * 32-bit integer operations. i32 values are numbers -2^31..2^31-1, u32 values 0..2^32-1. Source: CUDA C++ Programming
 * Guide (integer intrinsics), PTX ISA; the corners measured on an H200 (test/reference/values/golden.jsonl).
 */

export function addI32(a: number, b: number): number {
  return (a + b) | 0;
}
export function subI32(a: number, b: number): number {
  return (a - b) | 0;
}
export function mulI32(a: number, b: number): number {
  return Math.imul(a, b);
}
/** a * b + c, low 32 bits. */
export function madI32(a: number, b: number, c: number): number {
  return (Math.imul(a, b) + c) | 0;
}
/** Rounds towards zero; -2^31 / -1 wraps to -2^31. The caller has refused b = 0. */
export function divI32(a: number, b: number): number {
  return (a / b) | 0;
}
export function remI32(a: number, b: number): number {
  return (a % b) | 0;
}
export function divU32(a: number, b: number): number {
  return ((a >>> 0) / (b >>> 0)) >>> 0;
}
export function remU32(a: number, b: number): number {
  return ((a >>> 0) % (b >>> 0)) >>> 0;
}
/** Counts of 32 and more give 0 (C leaves them undefined; the GPU's shifter clamps). */
export function shl32(a: number, count: number): number {
  return count >>> 0 > 31 ? 0 : a << count;
}
/** Counts of 32 and more give the sign. */
export function shrI32(a: number, count: number): number {
  return count >>> 0 > 31 ? a >> 31 : a >> count;
}
export function shrU32(a: number, count: number): number {
  return count >>> 0 > 31 ? 0 : a >>> count;
}
export function absI32(a: number): number {
  return a < 0 ? -a | 0 : a;
}
/** High 32 bits of the 64-bit product. */
export function mulhiI32(a: number, b: number): number {
  const high = mulhiU32(a, b);
  return (high - (a < 0 ? b : 0) - (b < 0 ? a : 0)) | 0;
}
export function mulhiU32(a: number, b: number): number {
  const aLow = a & 0xffff;
  const bLow = b & 0xffff;
  const aHigh = a >>> 16;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const middle2 = aLow * bHigh + (middle % 65536);
  return aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(middle2 / 65536);
}
export function popc32(a: number): number {
  let n = a - ((a >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
export function clz32(a: number): number {
  return Math.clz32(a);
}
/** One more than the index of the lowest set bit; 0 for 0. */
export function ffs32(a: number): number {
  return a === 0 ? 0 : 32 - Math.clz32(a & -a);
}
export function brev32(a: number): number {
  let n = ((a >>> 1) & 0x55555555) | ((a & 0x55555555) << 1);
  n = ((n >>> 2) & 0x33333333) | ((n & 0x33333333) << 2);
  n = ((n >>> 4) & 0x0f0f0f0f) | ((n & 0x0f0f0f0f) << 4);
  n = ((n >>> 8) & 0x00ff00ff) | ((n & 0x00ff00ff) << 8);
  return (n >>> 16) | (n << 16);
}
/**
 * __byte_perm: each nibble of the selector picks one of the eight bytes of (b, a), a's being 0 to 3. As CUDA has it,
 * only the low three bits of a nibble count.
 */
export function bytePerm(a: number, b: number, selector: number): number {
  let result = 0;
  for (let byte = 0; byte < 4; byte++) {
    const pick = (selector >>> (4 * byte)) & 7;
    const value = ((pick < 4 ? a : b) >>> (8 * (pick & 3))) & 0xff;
    result |= value << (8 * byte);
  }
  return result;
}
/** PTX lop3: bit i of the result is bit (a_i * 4 + b_i * 2 + c_i) of the truth table. */
export function lop3(a: number, b: number, c: number, table: number): number {
  let result = 0;
  if (table & 0x01) result |= ~a & ~b & ~c;
  if (table & 0x02) result |= ~a & ~b & c;
  if (table & 0x04) result |= ~a & b & ~c;
  if (table & 0x08) result |= ~a & b & c;
  if (table & 0x10) result |= a & ~b & ~c;
  if (table & 0x20) result |= a & ~b & c;
  if (table & 0x40) result |= a & b & ~c;
  if (table & 0x80) result |= a & b & c;
  return result;
}
