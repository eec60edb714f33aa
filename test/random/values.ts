/** Values that find mistakes: zeros, ones, extremes, NaN, infinities, denormals, and plain numbers between. */
import type { Choices } from "./prng.js";
import type { Numeric } from "./tree.js";

/** Elements of an input array that an index expression can reach by masking; SLACK more lie behind. */
export const INPUT_LENGTH = 512;
export const SLACK = 64;

const I32 = [
  0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 255, 256, 65535, 65536, 0x7fffffff, -0x80000000, 0x7ffffffe, -0x7fffffff,
];
const I64 = [0n, 1n, -1n, 2n, -7n, 63n, 1n << 31n, -(1n << 31n), (1n << 32n) - 1n, 1n << 32n, (1n << 53n) + 1n];
const I64_EXTREMES = [(1n << 63n) - 1n, -(1n << 63n), 0x123456789abcdefn, -(1n << 62n) - 3n];
const FLOAT = [
  0, -0, 1, -1, 0.5, 1.5, -2.5, 3, 1e-3, 1e6, 16777217, 2147483648, -2147483648, 4294967296, 9e18, -1e19, 1e20,
];
const F32_EXTREMES = [
  NaN,
  Infinity,
  -Infinity,
  1.17549435e-38,
  1e-45,
  -1e-45,
  3.40282347e38,
  -3.40282347e38,
  5.877e-39,
];
const F64_EXTREMES = [
  NaN,
  Infinity,
  -Infinity,
  2.2250738585072014e-308,
  5e-324,
  -5e-324,
  1.7976931348623157e308,
  1e-310,
];

/** One value of the type; a third of them are corner cases. */
export function someValue(choices: Choices, t: Numeric): number | bigint {
  const corner = choices.chance(0.35);
  switch (t) {
    case "i32":
      return corner ? choices.pick(I32) : choices.chance(0.5) ? choices.bits() | 0 : choices.between(-100, 100);
    case "u32":
      return corner ? choices.pick(I32) >>> 0 : choices.chance(0.5) ? choices.bits() : choices.below(200);
    case "i64":
    case "u64": {
      const wide = (BigInt(choices.bits()) << 32n) | BigInt(choices.bits());
      const value = corner
        ? choices.pick([...I64, ...I64_EXTREMES])
        : choices.chance(0.5)
          ? wide
          : BigInt(choices.between(-1000, 1000));
      return t === "i64" ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
    }
    case "f32":
      return Math.fround(corner ? choices.pick([...FLOAT, ...F32_EXTREMES]) : plainFloat(choices));
    case "f64":
      return corner ? choices.pick([...FLOAT, ...F64_EXTREMES]) : plainFloat(choices);
  }
}

function plainFloat(choices: Choices): number {
  const fraction = choices.bits() / 2 ** 32 - 0.5;
  return choices.chance(0.2) ? choices.between(-50, 50) : fraction * 2 ** choices.between(-3, 12);
}

export type DataArray = Int32Array | Uint32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array;

export function createArray(t: Numeric, length: number): DataArray {
  switch (t) {
    case "i32":
      return new Int32Array(length);
    case "u32":
      return new Uint32Array(length);
    case "i64":
      return new BigInt64Array(length);
    case "u64":
      return new BigUint64Array(length);
    case "f32":
      return new Float32Array(length);
    case "f64":
      return new Float64Array(length);
  }
}

/** The values as an array of the type; numbers become bigints where the type is 64 bits wide. */
export function arrayOf(t: Numeric, values: readonly (number | bigint)[]): DataArray {
  const array = createArray(t, values.length);
  values.forEach((value, index) => {
    array[index] = t === "i64" || t === "u64" ? BigInt(value) : (value as never);
  });
  return array;
}
