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

export function fma(t: "f32" | "f64", a: number, b: number, c: number): number {
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

/** Float adds of L2 take and give a zero of its sign for a subnormal (PTX ISA, atom); those of shared memory do not. */
function withoutSubnormal(value: Scalar): Scalar {
  return typeof value === "number" && Math.abs(value) < 2 ** -126 ? value * 0 : value;
}

/** What an atomic operation leaves in place of `old`; `global`: in global memory. */
export function updated(
  op: AtomicName,
  t: Numeric,
  old: Scalar,
  [a = 0, b = 0]: readonly Scalar[],
  global: boolean,
): Scalar {
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
