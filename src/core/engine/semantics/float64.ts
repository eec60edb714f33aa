/** a * b + c of float64 with one rounding, correct for every operand: overflow, underflow and subnormals included. */
import { roundToOdd } from "./float32.js";

const scratch = new DataView(new ArrayBuffer(8));

/** Fused multiply-add, correctly rounded to nearest even. */
export function fma64(a: number, b: number, c: number): number {
  const product = a * b;
  if (!(Number.isFinite(a) && Number.isFinite(b))) return product + c;
  if (!Number.isFinite(c)) return c; // also where the rounded product would overflow
  if (a === 0 || b === 0) return product + c;
  if (c === 0 && product !== 0 && safe(product) && splittable(a) && splittable(b)) return product;
  if (safe(product) && safe(c) && splittable(a) && splittable(b)) return fmaByErrorTerms(a, b, c, product);
  return fmaByIntegers(a, b, c);
}

/** Far enough from overflow and underflow that all error terms are exact. */
function safe(a: number): boolean {
  const magnitude = Math.abs(a);
  return magnitude > 1e-200 && magnitude < 1e200;
}
function splittable(a: number): boolean {
  const magnitude = Math.abs(a);
  return magnitude > 1e-140 && magnitude < 1e140;
}

/** Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008, figure 5. */
function fmaByErrorTerms(a: number, b: number, c: number, product: number): number {
  const productError = errorOfProduct(a, b, product);
  const t = c + productError;
  const tError = errorOfSum(c, productError, t);
  const v = product + t;
  const vError = errorOfSum(product, t, v);
  const rest = tError + vError;
  const restError = errorOfSum(tError, vError, rest);
  return v + (restError === 0 ? rest : roundToOdd(rest, restError));
}

/** Knuth's TwoSum: (a + b) - sum, exactly. */
function errorOfSum(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

/** Dekker's product: a * b - product, exactly. */
function errorOfProduct(a: number, b: number, product: number): number {
  const aSplit = 134217729 * a;
  const aHigh = aSplit - (aSplit - a);
  const aLow = a - aHigh;
  const bSplit = 134217729 * b;
  const bHigh = bSplit - (bSplit - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** A finite number as integer * 2^exponent. */
function decompose(a: number): { mantissa: bigint; exponent: number } {
  scratch.setFloat64(0, a);
  const bits = scratch.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: bits >> 63n === 1n ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 };
}

function fmaByIntegers(a: number, b: number, c: number): number {
  const x = decompose(a);
  const y = decompose(b);
  const z = decompose(c);
  const exponent = Math.min(x.exponent + y.exponent, z.exponent);
  const product = (x.mantissa * y.mantissa) << BigInt(x.exponent + y.exponent - exponent);
  const sum = product + (z.mantissa << BigInt(z.exponent - exponent));
  // An exact zero: of two operands of opposite sign, so +0.
  return sum === 0n ? 0 : compose(sum, exponent);
}

/** integer * 2^exponent rounded to nearest even. */
function compose(value: bigint, exponent: number): number {
  const negative = value < 0n;
  let mantissa = negative ? -value : value;
  const bits = mantissa.toString(2).length;
  // A double keeps 53 bits, none of them below 2^-1074.
  const drop = Math.max(bits - 53, -1074 - exponent);
  let power = exponent;
  if (drop > 0) {
    const low = mantissa & ((1n << BigInt(drop)) - 1n);
    const half = 1n << BigInt(drop - 1);
    mantissa >>= BigInt(drop);
    if (low > half || (low === half && (mantissa & 1n) === 1n)) mantissa += 1n;
    power += drop;
  }
  let result = Number(mantissa);
  // In steps, so that no power of two overflows or is subnormal; each product is exact or truly overflows.
  for (; power > 900; power -= 900) result *= 2 ** 900;
  if (power < -1000) {
    result *= 2 ** (power + 1000);
    power = -1000;
  }
  result *= 2 ** power;
  return negative ? -result : result;
}
