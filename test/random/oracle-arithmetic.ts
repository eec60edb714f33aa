/**
 * CUDA's arithmetic written a second time, for the oracle, from the definitions: integers through BigInt and two's
 * complement, floats by JavaScript's doubles rounded once, fma by exact rational arithmetic. It shares nothing with the
 * engines.
 */
import type { AtomicName, BinaryOp, CompareOp, Numeric, Type } from "./tree.js";

export type Scalar = number | bigint;

const WIDTH: Readonly<Record<string, number>> = { i32: 32, u32: 32, i64: 64, u64: 64 };

const isFloat = (t: Type): boolean => t === "f32" || t === "f64";
const isSigned = (t: Type): boolean => t === "i32" || t === "i64";

/** The low bits of an integer, as a value of the type. */
export function wrap(t: Type, value: bigint): Scalar {
  const width = WIDTH[t] ?? 32;
  const low = isSigned(t) ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);
  return width === 64 ? low : Number(low);
}

export function round(t: Type, value: number): number {
  return t === "f32" ? Math.fround(value) : value;
}

/** numerator * 2^exponent rounded to `bits` bits, nearest even, denormals as IEEE has them. */
export function roundExact(numerator: bigint, exponent: number, t: "f32" | "f64"): number {
  if (numerator === 0n) return 0;
  const [bits, least] = t === "f32" ? [24, -149] : [53, -1074];
  const magnitude = numerator < 0n ? -numerator : numerator;
  const length = magnitude.toString(2).length;
  const last = Math.max(exponent + length - bits, least);
  const shift = last - exponent;
  let kept = magnitude;
  if (shift > 0) {
    kept = magnitude >> BigInt(shift);
    const rest = magnitude - (kept << BigInt(shift));
    const half = 1n << BigInt(shift - 1);
    if (rest > half || (rest === half && (kept & 1n) === 1n)) kept += 1n;
  }
  const value = scaled(Number(kept), Math.max(last, exponent));
  const rounded = t === "f32" ? Math.fround(value) : value;
  return numerator < 0n ? -rounded : rounded;
}

function scaled(value: number, exponent: number): number {
  if (exponent > 1000) return value * 2 ** 1000 * 2 ** Math.min(exponent - 1000, 1000);
  return value * 2 ** exponent;
}

function exactParts(value: number): readonly [bigint, number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & ((1n << 52n) - 1n);
  const power = Number((bits >> 52n) & 0x7ffn);
  const magnitude = power === 0 ? fraction : fraction | (1n << 52n);
  return [bits >> 63n === 1n ? -magnitude : magnitude, Math.max(power, 1) - 1075];
}

function fma(t: "f32" | "f64", a: number, b: number, c: number): number {
  if (![a, b, c].every(Number.isFinite)) {
    // Without infinities in the operands the exact product is finite.
    return Number.isFinite(a) && Number.isFinite(b) ? c : round(t, a * b + c);
  }
  const [ma, ea] = exactParts(a);
  const [mb, eb] = exactParts(b);
  const [mc, ec] = exactParts(c);
  const low = Math.min(ea + eb, ec);
  const sum = ((ma * mb) << BigInt(ea + eb - low)) + (mc << BigInt(ec - low));
  if (sum !== 0n) return roundExact(sum, low, t);
  // An exact zero: of like signs keeps the sign, else +0.
  const productNegative = (a < 0 || Object.is(a, -0)) !== (b < 0 || Object.is(b, -0));
  const zeros = ma * mb === 0n && mc === 0n;
  return zeros && productNegative && Object.is(c, -0) ? -0 : 0;
}

export function convert(value: Scalar, from: Type, to: Type): Scalar {
  if (from === to) return value;
  if (to === "bool") return Number(value) === 0 ? 0 : 1;
  if (isFloat(to)) {
    if (typeof value === "bigint") return roundExact(value, 0, to as "f32" | "f64");
    return round(to, value);
  }
  if (!isFloat(from)) return wrap(to, BigInt(value));
  const x = Number(value);
  const width = BigInt(WIDTH[to] ?? 32);
  const top = 1n << (width - 1n);
  if (Number.isNaN(x)) return from === "f32" && width === 32n ? 0 : wrap(to, top);
  const [least, most] = isSigned(to) ? [-top, top - 1n] : [0n, 2n * top - 1n];
  if (x >= Number(most)) return wrap(to, most);
  return x <= Number(least) ? wrap(to, least) : wrap(to, BigInt(Math.trunc(x)));
}

const BIG: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  idiv: (a, b) => a / b,
  "%": (a, b) => a % b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
};

/** Both operands are of the type, but a shift's count. */
export function binary(op: BinaryOp, t: Numeric, a: Scalar, b: Scalar): Scalar {
  if (isFloat(t)) {
    const [x, y] = [Number(a), Number(b)];
    return round(t, op === "+" ? x + y : op === "-" ? x - y : op === "*" ? x * y : x / y);
  }
  // A count of the width and more leaves zeros, or the sign.
  const count = b > 64 ? 64n : BigInt(b);
  if (op === "<<") return wrap(t, BigInt(a) << count);
  if (op === ">>" || op === ">>>") return wrap(t, BigInt(a) >> count);
  const operation = BIG[op];
  if (operation === undefined) throw new Error(`no ${op} of ${t}`);
  return wrap(t, operation(BigInt(a), BigInt(b)));
}

export function compare(op: CompareOp, a: Scalar, b: Scalar): boolean {
  switch (op) {
    case "===":
      return a === b;
    case "!==":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
  }
}

function extreme(t: Type, name: "min" | "max", a: Scalar, b: Scalar): Scalar {
  if (typeof a === "number" && Number.isNaN(a)) return b;
  if (typeof b === "number" && Number.isNaN(b)) return a;
  if (a === b && isFloat(t)) return Object.is(a, -0) === (name === "min") ? a : b;
  return a < b === (name === "min") ? a : b;
}

function bitsOf(value: Scalar): string {
  return (Number(value) >>> 0).toString(2).padStart(32, "0");
}

function nearestEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest === 0 || !Number.isFinite(x)) return x;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  const result = up ? floor + 1 : floor;
  return result === 0 && x < 0 ? -0 : result;
}

/** The functions of the language that the generator uses where all is defined. `t` is the arguments' type. */
export function intrinsic(name: string, t: Type, args: readonly Scalar[]): Scalar {
  const [a = 0, b = 0, c = 0] = args;
  const x = Number(a);
  switch (name) {
    case "min":
    case "fmin":
      return extreme(t, "min", a, b);
    case "max":
    case "fmax":
      return extreme(t, "max", a, b);
    case "abs":
    case "fabs":
      return typeof a === "bigint"
        ? a < 0n
          ? wrap(t, -a)
          : a
        : t === "i32"
          ? wrap(t, BigInt(Math.abs(a)))
          : Math.abs(a);
    case "fma":
      return fma(t as "f32", x, Number(b), Number(c));
    case "sqrt":
      return round(t, Math.sqrt(x));
    case "rcp":
      return round("f32", 1 / x);
    case "floor":
      return Math.floor(x);
    case "ceil":
      return Math.ceil(x);
    case "trunc":
      return Math.trunc(x);
    case "rint":
      return nearestEven(x);
    case "saturate":
      return Number.isNaN(x) || x <= 0 ? 0 : Math.min(x, 1);
    case "isnan":
      return Number.isNaN(x) ? 1 : 0;
    case "isinf":
      return Math.abs(x) === Number.POSITIVE_INFINITY ? 1 : 0;
    case "popc":
      return bitsOf(a).replaceAll("0", "").length;
    case "clz":
      return `${bitsOf(a)}1`.indexOf("1");
    case "ffs": {
      const at = bitsOf(a).lastIndexOf("1");
      return at < 0 ? 0 : 32 - at;
    }
    case "brev":
      return Number.parseInt([...bitsOf(a)].reverse().join(""), 2);
    case "byte_perm": {
      const bytes = (BigInt(b) << 32n) | BigInt(a);
      let result = 0n;
      for (let byte = 0n; byte < 4n; byte++) {
        const selector = (BigInt(c) >> (4n * byte)) & 7n;
        result |= ((bytes >> (8n * selector)) & 255n) << (8n * byte);
      }
      return Number(result);
    }
    case "umulhi":
      return wrap("u32", (BigInt(a) * BigInt(b)) >> 32n);
    case "mulhi":
      return wrap(t, (BigInt(a) * BigInt(b)) >> BigInt(WIDTH[t] ?? 32));
    case "float_as_int":
      return new Int32Array(new Float32Array([x]).buffer)[0] ?? 0;
    case "float_as_uint":
      return new Uint32Array(new Float32Array([x]).buffer)[0] ?? 0;
    case "int_as_float":
    case "uint_as_float":
      return new Float32Array(new Int32Array([x | 0]).buffer)[0] ?? 0;
    default:
      throw new Error(`the oracle has no ${name}`);
  }
}

/** Float adds of L2 take and give a zero of its sign for a subnormal (PTX ISA, atom); those of shared memory do not. */
function withoutSubnormal(value: Scalar): Scalar {
  return typeof value === "number" && Math.abs(value) < 2 ** -126 ? value * 0 : value;
}

/** What an atomic operation leaves in place of `old`; `global`: in global memory. */
export function updated(op: AtomicName, t: Numeric, old: Scalar, [a = 0, b = 0]: readonly Scalar[], global: boolean): Scalar {
  switch (op) {
    case "atomicAdd":
      return t === "f32" && global
        ? withoutSubnormal(binary("+", t, withoutSubnormal(old), withoutSubnormal(a)))
        : binary("+", t, old, a);
    case "atomicSub":
      return binary("-", t, old, a);
    case "atomicMin":
      return a < old ? a : old;
    case "atomicMax":
      return a > old ? a : old;
    case "atomicAnd":
      return binary("&", t, old, a);
    case "atomicOr":
      return binary("|", t, old, a);
    case "atomicXor":
      return binary("^", t, old, a);
    case "atomicExch":
      return a;
    case "atomicCAS":
      return old === a ? b : old;
    case "atomicInc":
      return Number(old) >= Number(a) ? 0 : Number(old) + 1;
    case "atomicDec":
      return Number(old) === 0 || Number(old) > Number(a) ? a : Number(old) - 1;
  }
}
