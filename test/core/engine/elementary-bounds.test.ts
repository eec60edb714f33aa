/**
 * Hyperbolic and exponential functions of doubles against sums of their series in 200 binary places, within the errors that
 * the CUDA C++ Programming Guide states (appendix "Mathematical Functions", double precision).
 */
import { describe, expect, test } from "vitest";
import { ELEMENTARY } from "../../../src/core/engine/semantics/elementary.js";

const PLACES = 200n;
const ONE = 1n << PLACES;

/** The double as a number of 2^-200. */
function fixed(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const mantissa = (bits & ((1n << 52n) - 1n)) | (exponent === 0 ? 0n : 1n << 52n);
  const shift = PLACES + BigInt(Math.max(1, exponent) - 1075);
  const magnitude = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  return x < 0 ? -magnitude : magnitude;
}

function exponential(x: bigint): bigint {
  const reduced = x >> 8n;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; n < 50n; n++) {
    term = (term * reduced) / (n << PLACES);
    sum += term;
  }
  for (let k = 0; k < 8; k++) sum = (sum * sum) >> PLACES;
  return sum;
}

const inverse = (x: bigint): bigint => (ONE * ONE) / x;
const EXACT = {
  exp: exponential,
  expm1: (x: bigint) => exponential(x) - ONE,
  sinh: (x: bigint) => (exponential(x) - inverse(exponential(x))) / 2n,
  cosh: (x: bigint) => (exponential(x) + inverse(exponential(x))) / 2n,
  tanh: (x: bigint) => ((exponential(2n * x) - ONE) * ONE) / (exponential(2n * x) + ONE),
} as const;

/** Largest error in units of the last place. */
const STATED = { exp: 1, expm1: 1, sinh: 2, cosh: 1, tanh: 1 } as const;

describe.each(Object.keys(STATED) as (keyof typeof STATED)[])("%s of a double", (name) => {
  test("is within the error that CUDA states at 8,192 inputs of every size", () => {
    let worst = 0;
    for (let i = 0; i < 8192; i++) {
      const x = (i % 2 === 0 ? 1 : -1) * 2 ** (-12 + (16 * (i + 0.37)) / 8192);
      const value = ELEMENTARY[name](x);
      const error = Math.abs(Number(fixed(value) - EXACT[name](fixed(x)))) / 2 ** 200;
      worst = Math.max(worst, error / 2 ** (Math.floor(Math.log2(Math.abs(value))) - 52));
    }
    expect(worst).toBeLessThanOrEqual(STATED[name]);
    expect(worst).toBeGreaterThan(0.4);
  });
});

test("cosh overflows where it must, and not before", () => {
  const { cosh } = ELEMENTARY;
  expect(cosh(0)).toBe(1);
  expect(cosh(710.4758600739439) / Number.MAX_VALUE).toBeCloseTo(1, 9);
  for (const x of [710.5, -720, Infinity]) expect(cosh(x)).toBe(Infinity);
  expect(cosh(Number.NaN)).toBeNaN();
});

test("tanh keeps zeros, their sign, NaN, tiny numbers and the limits", () => {
  const { tanh } = ELEMENTARY;
  for (const x of [0, -0, Number.NaN, 1e-300, -1e-300]) expect(tanh(x)).toBe(x);
  for (const x of [22.5, 800, Infinity]) expect([tanh(x), tanh(-x)]).toEqual([1, -1]);
});
