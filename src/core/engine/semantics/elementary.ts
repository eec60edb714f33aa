/**
 * Elementary functions. float32 forms are computed in double and rounded to float32: they err by 0.5 ulp but for
 * rare double rounding. CUDA promises 1 to 4 ulp (CUDA C++ Programming Guide, "Mathematical Functions"), and less for
 * __expf, __logf, __sinf and __cosf. sqrt and rcp are correctly rounded, as nvcc's default (-prec-sqrt, -prec-div). The float64 forms are the JavaScript
 * engine's own, within 1 ulp; its tanh and cosh are not, and have forms here.
 */
import type { UnaryMath } from "../../ir/ir.js";
import { rint, saturate } from "./float32.js";

/** C's pow where JavaScript's differs: 1^y is 1 for every y, (-1)^±inf is 1. */
export function pow(a: number, b: number): number {
  if (a === 1 || (a === -1 && !Number.isFinite(b) && !Number.isNaN(b))) return 1;
  return a ** b;
}

/** C's hypot: an infinity wins over a NaN, as in JavaScript. */
export function hypot(a: number, b: number): number {
  return Math.hypot(a, b);
}

/** The magnitude of a with the sign of b. */
export function copysign(a: number, b: number): number {
  return isNegative(a) === isNegative(b) ? a : -a;
}

function isNegative(a: number): boolean {
  return a < 0 || Object.is(a, -0);
}

/** a - b where that is positive, else +0; NaN where one is. */
export function fdim(a: number, b: number): number {
  return a <= b ? 0 : a - b;
}

/** __powf: 2 to the power of b * log2(a), so NaN for negative a. */
export function fastPow(a: number, b: number): number {
  return 2 ** (b * Math.log2(a));
}

/** To the nearest integer, halves away from zero. */
export function round(a: number): number {
  const whole = Math.trunc(a);
  return Math.abs(a - whole) >= 0.5 ? whole + Math.sign(a) : whole;
}

/** sin(pi a), exact in its argument's reduction; the sign of a where a is whole. */
function sinpi(a: number): number {
  const y = Math.abs(a) % 2;
  const quarter = Math.round(2 * y);
  const rest = Math.PI * (y - quarter / 2);
  const sine = [Math.sin(rest), Math.cos(rest), -Math.sin(rest), -Math.cos(rest)][quarter & 3] ?? Number.NaN;
  const magnitude = sine === 0 ? 0 : sine;
  return a < 0 || Object.is(a, -0) ? -magnitude : magnitude;
}

/** cos(pi a); +0 halfway between whole numbers. */
function cospi(a: number): number {
  const y = Math.abs(a) % 2;
  const quarter = Math.round(2 * y);
  const rest = Math.PI * (y - quarter / 2);
  const cosine = [Math.cos(rest), -Math.sin(rest), -Math.cos(rest), Math.sin(rest)][quarter & 3] ?? Number.NaN;
  return cosine === 0 ? 0 : cosine;
}

/** The exact product of two doubles as a sum of two (Dekker, 1971). */
function product(a: number, b: number): readonly [number, number] {
  const split = (x: number): readonly [number, number] => {
    const scaled = 134217729 * x;
    const high = scaled - (scaled - x);
    return [high, x - high];
  };
  const [aHigh, aLow] = split(a);
  const [bHigh, bLow] = split(b);
  const whole = a * b;
  return [whole, aLow * bLow - (whole - aHigh * bHigh - aLow * bHigh - aHigh * bLow)];
}

/** The exact sum of two doubles, the first of larger magnitude. */
function sum(a: number, b: number): readonly [number, number] {
  const whole = a + b;
  return [whole, b - (whole - a)];
}

const LN2 = [0.6931471803691238, 1.9082149292705877e-10] as const;
/** 1/n! from n = 17 down to 3. */
const INVERSE_FACTORIALS: readonly number[] = Array.from({ length: 15 }, (_, k) => {
  let factorial = 1;
  for (let n = 2; n <= 17 - k; n++) factorial *= n;
  return 1 / factorial;
});

/** e^x as 2^k (1 + m + low), m + low exact to some 2^-60. */
function exponential(x: number): { readonly k: number; readonly m: number; readonly low: number } {
  const k = Math.round(x / Math.LN2);
  // The upper part of ln 2 has 33 bits, so that its product with k is exact.
  const [rest, restLow] = sum(x - k * LN2[0], -k * LN2[1]);
  let tail = 0;
  for (const factor of INVERSE_FACTORIALS) tail = tail * rest + factor;
  const [square, squareLow] = product(rest, rest);
  const [first, second] = sum(rest, square / 2);
  const [m, low] = sum(first, second + (squareLow / 2 + restLow * (1 + rest) + tail * square * rest));
  return { k, m, low };
}

/** (e^2a - 1) / (e^2a + 1), within 1 ulp, as CUDA's. The engine's own is up to 2 ulp off. */
function tanh(a: number): number {
  const x = Math.abs(a);
  if (!(x > 2 ** -28)) return a;
  if (x > 22) return Math.sign(a);
  const { k, m, low } = exponential(2 * x);
  const power = 2 ** k;
  const [above, aboveLow] = k === 0 ? [m, 0] : sum(power - 1, power * m);
  const [below, belowLow] = sum(power + 1, power * m);
  const quotient = above / below;
  const [back, backLow] = product(quotient, below);
  const lacks = above - back - backLow + (aboveLow + power * low) - quotient * (belowLow + power * low);
  return Math.sign(a) * (quotient + lacks / below);
}

/** (e^a + e^-a) / 2, within 1 ulp, as CUDA's. The engine's own is up to 1.2 ulp off. */
function cosh(a: number): number {
  const x = Math.abs(a);
  if (!(x < 711)) return Math.cosh(a);
  const { k, m, low } = exponential(x);
  const [whole, part] = sum(1, m);
  // Half of it, as e^x itself overflows earlier.
  const power = 2 ** (k - 2);
  const inverse = 2 ** (-k - 2) / whole;
  const [high, rest] = sum(power * whole, inverse);
  return 2 * (high + (rest + (power - inverse / whole) * (part + low)));
}

/** The functions of one operand, on doubles; for float32 the caller rounds the result. */
export const ELEMENTARY: Readonly<Record<UnaryElementary, (a: number) => number>> = {
  neg: (a) => -a,
  abs: Math.abs,
  sqrt: Math.sqrt,
  rsqrt: (a) => 1 / Math.sqrt(a),
  rcp: (a) => 1 / a,
  exp: Math.exp,
  exp2: (a) => 2 ** a,
  log: Math.log,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tanh,
  exp10: (a) => 10 ** a,
  expm1: Math.expm1,
  log10: Math.log10,
  log1p: Math.log1p,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  cbrt: Math.cbrt,
  sinpi,
  cospi,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  rint,
  round,
  saturate,
  fastExp: Math.exp,
  fastSin: Math.sin,
  fastCos: Math.cos,
  fastLog: Math.log,
  fastTan: Math.tan,
  fastExp10: (a) => 10 ** a,
  fastLog2: Math.log2,
  fastLog10: Math.log10,
};

export type UnaryElementary =
  | "neg"
  | "abs"
  | UnaryMath
  | "floor"
  | "ceil"
  | "trunc"
  | "rint"
  | "round"
  | "saturate"
  | "fastExp"
  | "fastSin"
  | "fastCos"
  | "fastLog"
  | "fastTan"
  | "fastExp10"
  | "fastLog2"
  | "fastLog10";
