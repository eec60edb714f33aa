/**
 * The meaning of every operation that a lane computes by itself: `scalarFunction(instruction)` gives the function from
 * operand values to the result. Values are numbers for bool (0, 1), i32, u32, f32, f64, and bigints for i64, u64. Results are
 * wrapped or rounded to the result's type. mov, selp and bitcast move bits. Other operations do not carry the bits of a
 * NaN: a NaN result is stored as 0x7fffffff (f32) or 0xfff8000000000000 (f64). A GPU hands on the payload of a NaN f64
 * operand; this model does not.
 */
import type { CompareOp } from "../../ir/ir.js";
import type { Scalar } from "../../ir/types.js";
import type { Instruction, Op, RegisterType } from "../../lower/program.js";
import { converter } from "./conversion.js";
import { copysign, ELEMENTARY, fastPow, fdim, hypot, pow, type UnaryElementary } from "./elementary.js";
import { fastDivide32, fma32, maxFloat, minFloat } from "./float32.js";
import { fma64 } from "./float64.js";
import * as int32 from "./integer32.js";
import * as int64 from "./integer64.js";
import { slowPathFunction } from "./slow-path.js";

export const CANONICAL_NAN_F64 = 0xfff8000000000000n;

/** Arguments and results are numbers, or bigints where the type is i64 or u64. */
export type NumberFunction = (a: number, b: number, c: number, d: number) => number;
export type BigFunction = (a: bigint, b: bigint, c: bigint) => bigint;
export type ScalarFunction = NumberFunction | BigFunction | MixedFunction;
/** Operands or result differ in being bigints: conversions, compares, shifts by a count. */
export type MixedFunction = (a: never, b: never, c: never) => number | bigint;

/** The part of an instruction that decides its meaning. */
export type Meaning = Pick<Instruction, "op" | "type" | "sourceType" | "compare" | "combine">;

/** null for operations that are no function of one lane's operands (memory, control, warp, bar, printf, mov and the like). */
export function scalarFunction(meaning: Meaning): ScalarFunction | null {
  const { op, type } = meaning;
  switch (op) {
    case "setp":
      return compareFunction(meaning);
    case "cvt":
      return converter(scalar(meaning.sourceType ?? type), scalar(type)) as MixedFunction;
    case "isnan":
      return (a: number) => (Number.isNaN(a) ? 1 : 0);
    case "isinf":
      return (a: number) => (a === Number.POSITIVE_INFINITY || a === Number.NEGATIVE_INFINITY ? 1 : 0);
    case "slowQuotient":
    case "slowReciprocal":
    case "slowRoot":
      return slowPathFunction(op, type);
    case "pand":
      return (a: number, b: number) => a & b;
    case "por":
      return (a: number, b: number) => a | b;
    case "pxor":
      return (a: number, b: number) => a ^ b;
    case "pnot":
      return (a: number) => a ^ 1;
    default:
      break;
  }
  switch (type) {
    case "i32":
    case "u32":
      return integer32(op, type === "u32");
    case "i64":
    case "u64":
      return integer64(op, type === "u64");
    case "f32":
    case "f64":
      return float(op, type === "f32");
    default:
      return null;
  }
}

function scalar(type: RegisterType): Scalar {
  return type === "addr" ? "f64" : type;
}

function integer32(op: Op, unsigned: boolean): NumberFunction | null {
  const signed = integer32Bits(op, unsigned);
  if (signed === null || !unsigned) return signed;
  return (a, b, c, d) => signed(a, b, c, d) >>> 0;
}

/** For u32 the result may still be negative: its bits count. */
function integer32Bits(op: Op, unsigned: boolean): NumberFunction | null {
  switch (op) {
    case "add":
      return int32.addI32;
    case "sub":
      return int32.subI32;
    case "mul":
      return int32.mulI32;
    case "mad":
      return int32.madI32;
    case "add3":
      return (a, b, c) => (a + b + c) | 0;
    case "neg":
      return (a) => -a | 0;
    case "abs":
      return unsigned ? (a) => a : int32.absI32;
    case "min":
      return (a, b) => Math.min(a, b);
    case "max":
      return (a, b) => Math.max(a, b);
    case "and":
      return (a, b) => a & b;
    case "or":
      return (a, b) => a | b;
    case "xor":
      return (a, b) => a ^ b;
    case "not":
      return (a) => ~a;
    case "shl":
      return int32.shl32;
    case "shr":
      return unsigned ? int32.shrU32 : int32.shrI32;
    case "lea":
      return (a, b, shift) => (int32.shl32(a, shift) + b) | 0;
    case "lop3":
      return int32.lop3;
    case "mulhi":
      return unsigned ? int32.mulhiU32 : int32.mulhiI32;
    case "div":
      return unsigned ? int32.divU32 : int32.divI32;
    case "rem":
      return unsigned ? int32.remU32 : int32.remI32;
    case "popc":
      return int32.popc32;
    case "ffs":
      return int32.ffs32;
    case "clz":
      return int32.clz32;
    case "brev":
      return int32.brev32;
    case "bytePerm":
      return int32.bytePerm;
    default:
      return null;
  }
}

function integer64(op: Op, unsigned: boolean): BigFunction | MixedFunction | null {
  const wrap = unsigned ? int64.wrapU64 : int64.wrapI64;
  switch (op) {
    case "add":
      return (a: bigint, b: bigint) => wrap(a + b);
    case "sub":
      return (a: bigint, b: bigint) => wrap(a - b);
    case "mul":
      return (a: bigint, b: bigint) => wrap(a * b);
    case "mad":
      return (a: bigint, b: bigint, c: bigint) => wrap(a * b + c);
    case "add3":
      return (a: bigint, b: bigint, c: bigint) => wrap(a + b + c);
    case "neg":
      return (a: bigint) => wrap(-a);
    case "abs":
      return (a: bigint) => (a < 0n ? wrap(-a) : a);
    case "min":
      return int64.min64;
    case "max":
      return int64.max64;
    case "and":
      return (a: bigint, b: bigint) => a & b;
    case "or":
      return (a: bigint, b: bigint) => a | b;
    case "xor":
      return (a: bigint, b: bigint) => a ^ b;
    case "not":
      return (a: bigint) => wrap(~a);
    case "shl":
      return (a: bigint, count: number) => wrap(int64.shl64(a, count));
    case "shr":
      return int64.shr64;
    case "lea":
      return (a: bigint, b: bigint, shift: number) => wrap(int64.shl64(a, shift) + b);
    case "mulhi":
      return int64.mulhi64;
    case "div":
      return (a: bigint, b: bigint) => wrap(a / b);
    case "rem":
      return (a: bigint, b: bigint) => a % b;
    case "popc":
      return int64.popc64;
    case "ffs":
      return int64.ffs64;
    case "clz":
      return int64.clz64;
    case "brev":
      return (a: bigint) => wrap(int64.brev64(a));
    default:
      return null;
  }
}

function float(op: Op, single: boolean): NumberFunction | null {
  const round = single ? Math.fround : (a: number): number => a;
  switch (op) {
    case "add":
      return (a, b) => round(a + b);
    case "sub":
      return (a, b) => round(a - b);
    case "mul":
      return (a, b) => round(a * b);
    case "div":
      return (a, b) => round(a / b);
    case "rem":
      return (a, b) => round(a % b);
    case "mad":
      return single ? fma32 : fma64;
    case "min":
      return minFloat;
    case "max":
      return maxFloat;
    case "pow":
      return (a, b) => round(pow(a, b));
    case "atan2":
      return (a, b) => round(Math.atan2(a, b));
    case "hypot":
      return (a, b) => round(hypot(a, b));
    case "copysign":
      return copysign;
    case "fdim":
      return (a, b) => round(fdim(a, b));
    case "fastPow":
      return (a, b) => round(fastPow(a, b));
    case "fastDivide":
      return single ? fastDivide32 : (a, b) => a / b;
    default: {
      const elementary = ELEMENTARY[op as UnaryElementary] as ((a: number) => number) | undefined;
      if (elementary === undefined) return null;
      return single ? (a) => Math.fround(elementary(a)) : elementary;
    }
  }
}

/** Compares of floats are false where one is NaN, but for `ne`, which is true. */
function compareFunction({ compare, combine }: Meaning): MixedFunction {
  const test = COMPARE[compare ?? "eq"];
  if (combine === "and") return (a: number, b: number, c: number) => (test(a, b) ? c : 0);
  if (combine === "or") return (a: number, b: number, c: number) => (test(a, b) ? 1 : c);
  return (a: number, b: number) => (test(a, b) ? 1 : 0);
}

const COMPARE: Readonly<Record<CompareOp, (a: number | bigint, b: number | bigint) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
};
