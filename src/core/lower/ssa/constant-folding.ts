/**
 * Folds operations on constants: integer arithmetic wraps as in CUDA, float arithmetic rounds as in IEEE 754. A
 * second rounding of an f32 result computed in double is exact (Figueroa, "When is double rounding innocuous?",
 * 1995). A division by zero is not folded: it faults at run time.
 */
import type { CompareOp } from "../../ir/ir.js";
import type { RegisterType } from "../program.js";
import type { Inst, Modifiers } from "./ssa.js";

type Constant = number | bigint;

function wrap(type: RegisterType, value: number): number {
  return type === "u32" ? value >>> 0 : value | 0;
}

/** The compare that holds exactly where this one fails. */
export const INVERTED: Record<CompareOp, CompareOp> = { eq: "ne", ne: "eq", lt: "ge", le: "gt", gt: "le", ge: "lt" };

export function compareConstants(op: CompareOp, a: Constant, b: Constant): number {
  switch (op) {
    case "eq":
      return a === b ? 1 : 0;
    case "ne":
      return a !== b ? 1 : 0;
    case "lt":
      return a < b ? 1 : 0;
    case "le":
      return a <= b ? 1 : 0;
    case "gt":
      return a > b ? 1 : 0;
    case "ge":
      return a >= b ? 1 : 0;
  }
}

/** Reads a constant of the other signedness as `type`. */
export function readAs(type: RegisterType, value: Constant): Constant {
  switch (type) {
    case "i32":
      return Number(value) | 0;
    case "u32":
      return Number(value) >>> 0;
    case "i64":
      return BigInt.asIntN(64, BigInt(value));
    case "u64":
      return BigInt.asUintN(64, BigInt(value));
    default:
      return value;
  }
}

function fold32(op: string, type: "i32" | "u32", a: number, b: number, c: number): number | null {
  const count = b >>> 0;
  switch (op) {
    case "add":
      return wrap(type, a + b);
    case "sub":
      return wrap(type, a - b);
    case "mul":
      return wrap(type, Math.imul(a, b));
    case "mad":
      return wrap(type, Math.imul(a, b) + c);
    case "div":
      return b === 0 ? null : wrap(type, a / b);
    case "rem":
      return b === 0 ? null : wrap(type, a % b);
    case "and":
      return wrap(type, a & b);
    case "or":
      return wrap(type, a | b);
    case "xor":
      return wrap(type, a ^ b);
    case "shl":
      return count > 31 ? 0 : wrap(type, a << count);
    case "shr":
      if (type === "u32") return count > 31 ? 0 : a >>> count;
      return a >> Math.min(count, 31);
    case "min":
      return Math.min(a, b);
    case "max":
      return Math.max(a, b);
    case "not":
      return wrap(type, ~a);
    case "neg":
      return wrap(type, -a);
    case "abs":
      return wrap(type, Math.abs(a));
    case "brev": {
      let result = 0;
      for (let bit = 0; bit < 32; bit++) if ((a >>> bit) & 1) result |= 1 << (31 - bit);
      return wrap(type, result);
    }
    default:
      return null;
  }
}

function fold64(op: string, type: "i64" | "u64", a: bigint, b: bigint): bigint | null {
  const clip = (value: bigint): bigint => (type === "i64" ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value));
  switch (op) {
    case "add":
      return clip(a + b);
    case "sub":
      return clip(a - b);
    case "mul":
      return clip(a * b);
    case "div":
      return b === 0n ? null : clip(a / b);
    case "rem":
      return b === 0n ? null : clip(a % b);
    case "and":
      return clip(a & b);
    case "or":
      return clip(a | b);
    case "xor":
      return clip(a ^ b);
    case "neg":
      return clip(-a);
    case "not":
      return clip(~a);
    default:
      return null;
  }
}

function foldFloat(op: string, round: (value: number) => number, a: number, b: number): number | null {
  switch (op) {
    case "add":
      return round(a + b);
    case "sub":
      return round(a - b);
    case "mul":
      return round(a * b);
    case "rcp":
      return round(1 / a);
    case "div":
      return round(a / b);
    case "neg":
      return -a;
    case "abs":
      return Math.abs(a);
    default:
      return null;
  }
}

function convert(to: RegisterType, from: RegisterType, value: Constant): Constant | null {
  switch (to) {
    case "i32":
    case "u32":
      if (from === "f32" || from === "f64") return null;
      return readAs(to, typeof value === "bigint" ? Number(BigInt.asIntN(32, value)) : value);
    case "i64":
    case "u64":
      if (from === "f32" || from === "f64") return null;
      return readAs(to, value);
    case "f32":
      return typeof value === "bigint" ? null : Math.fround(value);
    case "f64":
      return typeof value === "bigint" ? null : value;
    default:
      return null;
  }
}

const bits = new DataView(new ArrayBuffer(8));

/** The value whose bits are those of `value`; null for a NaN, whose bits a number does not keep. */
function reinterpret(to: RegisterType, from: RegisterType, value: Constant): Constant | null {
  if (from === "f64") bits.setFloat64(0, Number(value));
  else if (from === "f32") bits.setFloat32(0, Number(value));
  else if (typeof value === "bigint") bits.setBigUint64(0, BigInt.asUintN(64, value));
  else bits.setUint32(0, value);
  if (to !== "f32" && to !== "f64") {
    if (Number.isNaN(value)) return null;
    return readAs(to, to === "i64" || to === "u64" ? bits.getBigUint64(0) : bits.getUint32(0));
  }
  const result = to === "f64" ? bits.getFloat64(0) : bits.getFloat32(0);
  return Number.isNaN(result) ? null : result;
}

/** The result of `inst` on constant operands, or null where only run time can give it. */
export function foldConstants(inst: Inst, operands: readonly Constant[]): Constant | null {
  const { op, type } = inst;
  const mods: Modifiers = inst.mods;
  const a = operands[0];
  if (a === undefined) return null;
  const b = operands[1] ?? 0;
  switch (op) {
    case "setp": {
      const source = mods.sourceType ?? type;
      if (operands.length > 2) return null;
      return compareConstants(mods.compare ?? "eq", readAs(source, a), readAs(source, b));
    }
    case "cvt":
      return convert(type, mods.sourceType ?? type, readAs(mods.sourceType ?? type, a));
    case "bitcast":
      return reinterpret(type, mods.sourceType ?? type, a);
    case "selp":
      return operands[2] === 0 ? b : a;
    case "pand":
      return Number(a) & Number(b);
    case "por":
      return Number(a) | Number(b);
    case "pxor":
      return Number(a) ^ Number(b);
    case "pnot":
      return Number(a) ^ 1;
    case "popc": {
      let bits = BigInt.asUintN(mods.sourceType === "u64" || mods.sourceType === "i64" ? 64 : 32, BigInt(a));
      let count = 0;
      for (; bits !== 0n; bits >>= 1n) count += Number(bits & 1n);
      return count;
    }
    default:
      break;
  }
  switch (type) {
    case "i32":
    case "u32":
      return fold32(op, type, Number(readAs(type, a)), Number(readAs(type, b)), Number(operands[2] ?? 0));
    case "i64":
    case "u64":
      if (op === "shl" || op === "shr") {
        const count = Number(b) >>> 0;
        const value = readAs(type, a) as bigint;
        if (op === "shl") return readAs(type, count > 63 ? 0n : value << BigInt(count));
        return value >> BigInt(Math.min(count, type === "u64" ? 64 : 63));
      }
      return fold64(op, type, readAs(type, a) as bigint, readAs(type, b) as bigint);
    case "f32":
      return foldFloat(op, Math.fround, Number(a), Number(b));
    case "f64":
      return foldFloat(op, (value) => value, Number(a), Number(b));
    default:
      return null;
  }
}
