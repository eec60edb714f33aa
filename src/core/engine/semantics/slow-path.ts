/**
 * Which operands nvcc's code takes out of line (core/lower/machine/two-path-code.ts). The tests of roots and reciprocals are in the machine
 * code; FCHK, which tests quotients of float32, by exponents: all 65536 pairs of them, with four pairs of fractions
 * (test/reference/h200/micro/paths.json).
 */
import type { RegisterType } from "../../lower/program.js";

const floats = new Float32Array(1);
const floatBits = new Uint32Array(floats.buffer);
const doubles = new Float64Array(1);
const doubleBits = new Uint32Array(doubles.buffer);
const HIGH = 1;

function bits32(value: number): number {
  floats[0] = value;
  return floatBits[0]!;
}

/** The upper half of a double's bits. */
function highBits(value: number): number {
  doubles[0] = value;
  return doubleBits[HIGH]!;
}

function exponent32(value: number): number {
  return (bits32(value) >>> 23) & 0xff;
}

/** FCHK, by the fields that hold the exponents. */
const LEAST_NUMERATOR = 25;
const MOST_NUMERATOR = 254;
const LEAST_DENOMINATOR = 2;
const MOST_DENOMINATOR = 251;
/** Denominator's less numerator's. */
const LEAST_DIFFERENCE = -126;
const MOST_DIFFERENCE = 124;

export function slowQuotient32(a: number, b: number): boolean {
  const numerator = exponent32(a);
  const denominator = exponent32(b);
  const difference = denominator - numerator;
  return !(
    numerator >= LEAST_NUMERATOR &&
    numerator <= MOST_NUMERATOR &&
    denominator >= LEAST_DENOMINATOR &&
    denominator <= MOST_DENOMINATOR &&
    difference >= LEAST_DIFFERENCE &&
    difference <= MOST_DIFFERENCE
  );
}

export function slowReciprocal32(a: number): boolean {
  return ((bits32(a) + 0x1800000) & 0x7f800000) <= 0x1ffffff;
}

export function slowRoot32(a: number): boolean {
  return (bits32(a) - 0xd000000) >>> 0 > 0x727fffff;
}

/** The upper halves as float32: of the numerator below 2^-120, of the quotient not above 2^-129, or not a number. */
export function slowQuotient64(a: number, b: number): boolean {
  const quotient = highBits(a / b) & 0x7fffffff;
  const infinite = (highBits(b) & 0x7fffffff) >= 0x7f800000;
  return (highBits(a) & 0x7fffffff) < 0x3600000 || quotient <= 0x100000 || quotient > 0x7f800000 || infinite;
}

export function slowReciprocal64(a: number): boolean {
  return ((highBits(a) + 0x300402) & 0x7fffffff) < 0x400402;
}

export function slowRoot64(a: number): boolean {
  return (highBits(a) - 0x3500000) >>> 0 >= 0x7ca00000;
}

/** One of them does not fit 32 bits without a sign. */
export function slowQuotientLong(a: bigint, b: bigint): boolean {
  return BigInt.asUintN(64, a | b) >> 32n !== 0n;
}

/** The answer, 0 or 1, of an operation of this name for operands of `type`. */
export function slowPathFunction(
  op: "slowQuotient" | "slowReciprocal" | "slowRoot",
  type: RegisterType,
): ((a: number, b: number) => number) | ((a: bigint, b: bigint) => number) {
  if (type === "i64" || type === "u64") return (a: bigint, b: bigint) => Number(slowQuotientLong(a, b));
  const single = type === "f32";
  const test = {
    slowQuotient: single ? slowQuotient32 : slowQuotient64,
    slowReciprocal: single ? slowReciprocal32 : slowReciprocal64,
    slowRoot: single ? slowRoot32 : slowRoot64,
  }[op];
  return (a: number, b: number) => Number(test(a, b));
}
