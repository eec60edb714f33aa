/**
 * float32 operations. Values are JavaScript numbers that are float32 values. Sums, differences, products, quotients and
 * square roots computed in double and rounded once more are correctly rounded (double has more than 2 * 24 + 2 bits:
 * Figueroa, "When is double rounding innocuous?", 1995).
 *
 * A NaN result of float32 arithmetic is always 0x7fffffff on a GPU (CUDA C++ Programming Guide, "Floating-Point
 * Standard"; measured). JavaScript's NaN has no bits: who stores a result writes CANONICAL_NAN_F32 for NaN. Moves,
 * loads, stores, selects, shuffles and bit casts keep the bits of a NaN.
 */

export const CANONICAL_NAN_F32 = 0x7fffffff;

const scratch = new DataView(new ArrayBuffer(8));
const double = new Float64Array(1);
/** The lower half of its bits, on the little-endian machines that there are. */
const lowHalf = new Int32Array(double.buffer);
/** The bits of a double below those of a float32, and their value halfway between two float32. */
const BEHIND = 0x1fffffff;
const HALFWAY = 0x10000000;
const LEAST_NORMAL = 2 ** -126;

/** a * b + c with one rounding. */
export function fma32(a: number, b: number, c: number): number {
  const product = a * b; // exact: 24 + 24 bits
  const sum = product + c;
  double[0] = sum;
  // Elsewhere a sum that is rounded to double first is rounded to the same float32.
  if ((lowHalf[0]! & BEHIND) !== HALFWAY && Math.abs(sum) >= LEAST_NORMAL) return Math.fround(sum);
  if (!Number.isFinite(sum)) return Math.fround(sum);
  // The error of the sum, exactly (Knuth's TwoSum).
  const part = sum - product;
  const error = product - (sum - part) + (c - part);
  return Math.fround(error === 0 ? sum : roundToOdd(sum, error));
}

/**
 * `sum` is sum + error rounded to nearest. The result is the same rounded to odd, which a second rounding to fewer bits
 * does not spoil (Boldo and Melquiond, 2008).
 */
export function roundToOdd(sum: number, error: number): number {
  scratch.setFloat64(0, sum);
  const low = scratch.getInt32(4);
  if ((low & 1) === 1) return sum;
  if (error > 0 === sum > 0) scratch.setInt32(4, low | 1);
  else {
    scratch.setInt32(4, low - 1);
    if (low === 0) scratch.setInt32(0, scratch.getInt32(0) - 1);
  }
  return scratch.getFloat64(0);
}

/** fmin: the other operand if one is NaN; -0 is less than +0. */
export function minFloat(a: number, b: number): number {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) ? a : Math.min(a, b);
}
/** fmax: the other operand if one is NaN; +0 is more than -0. */
export function maxFloat(a: number, b: number): number {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) ? a : Math.max(a, b);
}
/** Clamps to 0..1; NaN gives 0 (PTX .sat). */
export function saturate(a: number): number {
  return a > 0 ? Math.min(a, 1) : 0;
}
/** Round to an integer, ties to even. Exact for float32 and float64. */
export function rint(a: number): number {
  if (!(Math.abs(a) < 4503599627370496)) return a;
  const magnitude = Math.abs(a) + 4503599627370496 - 4503599627370496;
  return a < 0 || Object.is(a, -0) ? -magnitude : magnitude;
}
/**
 * __fdividef: 0 where 2^126 < |b| < 2^128 and a is finite, as the CUDA guide says; else the quotient, here correctly
 * rounded (CUDA allows 2 ulp).
 */
export function fastDivide32(a: number, b: number): number {
  const magnitude = Math.abs(b);
  if (magnitude > 2 ** 126 && magnitude < 2 ** 128) {
    if (!Number.isFinite(a)) return Number.NaN;
    return (a < 0 || Object.is(a, -0)) === b < 0 ? 0 : -0;
  }
  return Math.fround(a / b);
}
