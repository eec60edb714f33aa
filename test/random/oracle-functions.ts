/** The exact functions of the language, from the definitions in the CUDA Math API. */
import { functionsNamed } from "./functions.js";
import { binary, convert, fma, round, type Scalar, wrap } from "./oracle-arithmetic.js";
import type { Type } from "./tree.js";

const isFloat = (t: Type): boolean => t === "f32" || t === "f64";
const isWide = (t: Type): boolean => t === "i64" || t === "u64";

function extreme(t: Type, name: "min" | "max", a: Scalar, b: Scalar): Scalar {
  if (typeof a === "number" && Number.isNaN(a)) return b;
  if (typeof b === "number" && Number.isNaN(b)) return a;
  if (a === b && isFloat(t)) return Object.is(a, -0) === (name === "min") ? a : b;
  return a < b === (name === "min") ? a : b;
}

/** All bits of an integer, the highest first. */
function bitsOf(t: Type, value: Scalar): string {
  const width = isWide(t) ? 64 : 32;
  return BigInt.asUintN(width, BigInt(value)).toString(2).padStart(width, "0");
}

function nearestEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest === 0 || !Number.isFinite(x)) return x;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  const result = up ? floor + 1 : floor;
  return result === 0 && x < 0 ? -0 : result;
}

function awayFromZero(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0);

function fromBytes(low: bigint, selector: bigint): number {
  let result = 0n;
  for (let byte = 0n; byte < 4n; byte++) {
    result |= ((low >> (8n * ((selector >> (4n * byte)) & 7n))) & 255n) << (8n * byte);
  }
  return Number(result);
}

function funnelShift(form: string, low: Scalar, high: Scalar, given: Scalar): Scalar {
  const both = (BigInt.asUintN(32, BigInt(high)) << 32n) | BigInt.asUintN(32, BigInt(low));
  const count = form.endsWith("c") ? (given > 32 ? 32n : BigInt(given)) : BigInt(given) & 31n;
  return wrap("u32", form.startsWith("l") ? (both << count) >> 32n : both >> count);
}

const CONVERSION = /^__(float|double)2(int|uint|ll|ull)_(rn|rz|rd|ru)$/;
const INTEGER: Readonly<Record<string, Type>> = { int: "i32", uint: "u32", ll: "i64", ull: "u64" };
const ROUNDING: Readonly<Record<string, (x: number) => number>> = {
  rn: nearestEven,
  rz: Math.trunc,
  rd: Math.floor,
  ru: Math.ceil,
};

/** `t` is the arguments' type. */
export function intrinsic(given: string, t: Type, args: readonly Scalar[]): Scalar {
  const name = functionsNamed(given)[0]?.names[0] ?? given;
  const [a = 0, b = 0, c = 0] = args;
  const x = Number(a);
  const [, , to = "", rounding = ""] = CONVERSION.exec(name) ?? [];
  if (to !== "") return convert(ROUNDING[rounding]?.(x) ?? x, t, INTEGER[to] ?? "i32");
  const rounded = /^__[fd](add|sub|mul|div)_rn$/.exec(name)?.[1] as "add" | "sub" | "mul" | "div" | undefined;
  if (rounded !== undefined)
    return binary(({ add: "+", sub: "-", mul: "*", div: "/" } as const)[rounded], t as "f32", a, b);
  switch (name) {
    case "min":
    case "fmin":
      return extreme(t, "min", a, b);
    case "max":
    case "fmax":
      return extreme(t, "max", a, b);
    case "abs":
    case "fabs":
      if (isFloat(t)) return Math.abs(x);
      return wrap(t, a < 0 ? -BigInt(a) : BigInt(a));
    case "fma":
    case "__fmaf_rn":
    case "__fma_rn":
      return fma(t as "f32", x, Number(b), Number(c));
    case "sqrt":
    case "__fsqrt_rn":
    case "__dsqrt_rn":
      return round(t, Math.sqrt(x));
    case "rcp":
    case "__frcp_rn":
    case "__drcp_rn":
      return round(t, 1 / x);
    case "fmod":
      return x % Number(b);
    case "fdim":
      return x <= Number(b) ? 0 : round(t, x - Number(b));
    case "copysign":
      return isNegative(Number(b)) ? -Math.abs(x) : Math.abs(x);
    case "floor":
      return Math.floor(x);
    case "ceil":
      return Math.ceil(x);
    case "trunc":
      return Math.trunc(x);
    case "rint":
    case "nearbyint":
      return nearestEven(x);
    case "round":
      return awayFromZero(x);
    case "saturate":
      return Number.isNaN(x) || x <= 0 ? 0 : Math.min(x, 1);
    case "isnan":
      return Number.isNaN(x) ? 1 : 0;
    case "isinf":
      return Math.abs(x) === Number.POSITIVE_INFINITY ? 1 : 0;
    case "isfinite":
      return Number.isFinite(x) ? 1 : 0;
    case "signbit":
      return isNegative(x) ? 1 : 0;
    case "popc":
    case "popcll":
      return bitsOf(t, a).replaceAll("0", "").length;
    case "clz":
    case "clzll":
      return `${bitsOf(t, a)}1`.indexOf("1");
    case "ffs":
    case "ffsll": {
      const at = [...bitsOf(t, a)].reverse().indexOf("1");
      return at + 1;
    }
    case "brev":
    case "brevll":
      return wrap(t, BigInt(`0b${[...bitsOf(t, a)].reverse().join("")}`));
    case "byte_perm":
      return fromBytes((BigInt(b) << 32n) | BigInt(a), BigInt(c));
    case "umulhi":
    case "mul64hi":
    case "umul64hi":
    case "mulhi":
      return wrap(t, (BigInt(a) * BigInt(b)) >> (isWide(t) ? 64n : 32n));
    case "mul24":
      if (t === "i32") return wrap(t, BigInt.asIntN(24, BigInt(a)) * BigInt.asIntN(24, BigInt(b)));
      return wrap(t, BigInt.asUintN(24, BigInt(a)) * BigInt.asUintN(24, BigInt(b)));
    case "umul24":
      return wrap(t, BigInt.asUintN(24, BigInt(a)) * BigInt.asUintN(24, BigInt(b)));
    case "funnelshift_l":
    case "funnelshift_r":
    case "funnelshift_lc":
    case "funnelshift_rc":
      return funnelShift(name.slice("funnelshift_".length), a, b, c);
    case "float_as_int":
      return new Int32Array(new Float32Array([x]).buffer)[0] ?? 0;
    case "float_as_uint":
      return new Uint32Array(new Float32Array([x]).buffer)[0] ?? 0;
    case "double_as_longlong":
      return new BigInt64Array(new Float64Array([x]).buffer)[0] ?? 0n;
    case "int_as_float":
    case "uint_as_float":
      return new Float32Array(new Int32Array([x | 0]).buffer)[0] ?? 0;
    case "longlong_as_double":
      return new Float64Array(new BigInt64Array([BigInt(a)]).buffer)[0] ?? 0;
    default:
      throw new Error(`the oracle has no ${given}`);
  }
}
