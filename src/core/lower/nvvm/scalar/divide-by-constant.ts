/**
 * Division and modulo by a constant: shifts for powers of two, else a multiplication by the reciprocal. Source:
 * Granlund and Montgomery, "Division by invariant integers using multiplication" (1994); Warren, "Hacker's Delight",
 * chapter 10. The sequences are nvcc's (NVCC-RULES.md).
 */

import { NONE, slot } from "../../analysis/instruction-matcher.js";
import type { RegisterType } from "../../program.js";
import type { Inst, Modifiers, SsaOp, Value } from "../../ssa/ssa.js";

const SHIFT_LOW = slot("SHF.R.S64", "alu");

/** Makes instructions and constants in place. */
export interface InstMaker {
  make(op: SsaOp, type: RegisterType, operands: Value[], mods?: Modifiers): Value;
  constant(type: RegisterType, value: number | bigint): Value;
}

export function divideByConstant(inst: Inst, a: Value, divisor: number | bigint, maker: InstMaker): Value | null {
  const { op, type } = inst;
  if (type === "u64" || type === "i64") return divideWide(inst, a, BigInt(divisor), maker);
  if (type !== "u32" && type !== "i32") return null;
  const value = type === "u32" ? Number(divisor) >>> 0 : Number(divisor) | 0;
  const quotient =
    type === "u32" ? unsignedQuotient(a, value, maker, op === "rem") : signedQuotient(a, value, maker, op === "rem");
  if (quotient === null) return null;
  if (quotient.remainder !== null) return quotient.remainder;
  if (op === "div") return quotient.value;
  const product = maker.make("mul", type, [quotient.value, maker.constant(type, -value)]);
  return maker.make("add", type, [a, product]);
}

interface Quotient {
  readonly value: Value;
  /** Set if there is a cheaper modulo. */
  readonly remainder: Value | null;
}

function log2(value: number): number {
  return Number.isInteger(Math.log2(value)) ? Math.log2(value) : -1;
}

function unsignedQuotient(a: Value, divisor: number, maker: InstMaker, remainder: boolean): Quotient | null {
  const shift = log2(divisor);
  if (shift >= 0) {
    if (remainder) return { value: a, remainder: maker.make("and", "u32", [a, maker.constant("u32", divisor - 1)]) };
    return { value: maker.make("shr", "u32", [a, maker.constant("u32", shift)]), remainder: null };
  }
  const magic = unsignedMagic(divisor);
  let value = maker.make("mulhi", "u32", [a, maker.constant("u32", magic.multiplier)]);
  if (magic.add) {
    const half = maker.make("shr", "u32", [maker.make("sub", "u32", [a, value]), maker.constant("u32", 1)]);
    value = maker.make("add", "u32", [half, value]);
    value = maker.make("shr", "u32", [value, maker.constant("u32", magic.shift - 1)]);
  } else value = maker.make("shr", "u32", [value, maker.constant("u32", magic.shift)]);
  return { value, remainder: null };
}

function signedQuotient(a: Value, divisor: number, maker: InstMaker, remainder: boolean): Quotient | null {
  const magnitude = Math.abs(divisor);
  const shift = log2(magnitude);
  if (divisor === -2147483648) return null;
  if (shift === 0)
    return { value: maker.make("neg", "i32", [a]), remainder: remainder ? maker.constant("i32", 0) : null };
  if (shift > 0) {
    // x + (x < 0 ? 2^k - 1 : 0) from the sign's high bits, then the shift.
    const sign = shift === 1 ? a : maker.make("shr", "i32", [a, maker.constant("u32", 31)]);
    const bias = maker.make("shr", "u32", [sign, maker.constant("u32", 32 - shift)]);
    const biased = maker.make("add", "u32", [a, bias]);
    if (remainder) {
      const whole = maker.make("and", "u32", [biased, maker.constant("u32", -magnitude)]);
      return { value: a, remainder: maker.make("sub", "i32", [a, whole]) };
    }
    const value = maker.make("shr", "i32", [biased, maker.constant("u32", shift)]);
    return { value: divisor < 0 ? maker.make("neg", "i32", [value]) : value, remainder: null };
  }
  const magic = signedMagic(divisor);
  let high = maker.make("mulhi", "i32", [a, maker.constant("i32", magic.multiplier)]);
  if (divisor > 0 && magic.multiplier < 0) high = maker.make("add", "i32", [high, a]);
  if (divisor < 0 && magic.multiplier > 0) high = maker.make("sub", "i32", [high, a]);
  const sign = maker.make("shr", "u32", [high, maker.constant("u32", 31)]);
  const shifted = magic.shift === 0 ? high : maker.make("shr", "i32", [high, maker.constant("u32", magic.shift)]);
  return { value: maker.make("add", "i32", [shifted, sign]), remainder: null };
}

/** Warren's `magic`: multiplier and shift of a signed division of this width. */
function magic(divisor: bigint, bits: bigint): { readonly multiplier: bigint; readonly shift: number } {
  const half = 1n << (bits - 1n);
  const magnitude = divisor < 0n ? -divisor : divisor;
  const limit = half + (divisor < 0n ? 1n : 0n);
  const absoluteLimit = limit - 1n - (limit % magnitude);
  let power = bits - 1n;
  for (;;) {
    power++;
    const two = 1n << power;
    if (two > absoluteLimit * (magnitude - (two % magnitude))) break;
  }
  const two = 1n << power;
  const multiplier = BigInt.asIntN(Number(bits), (two + magnitude - (two % magnitude)) / magnitude);
  return { multiplier: divisor < 0n ? -multiplier : multiplier, shift: Number(power - bits) };
}

function signedMagic(divisor: number): { readonly multiplier: number; readonly shift: number } {
  const { multiplier, shift } = magic(BigInt(divisor), 32n);
  return { multiplier: Number(multiplier) | 0, shift };
}

interface UnsignedMagic {
  readonly multiplier: bigint;
  readonly shift: number;
  readonly add: boolean;
}

/** Warren's `magicu`: `add` if the multiplier has one bit more than the operands. `zeros`: upper bits that are 0. */
function magicUnsigned(d: bigint, bits: bigint, zeros = 0n): UnsignedMagic {
  const most = 1n << (bits - zeros);
  const limit = most - 1n - (most % d);
  let power = bits;
  for (;;) {
    const two = 1n << power;
    if (two > limit * (d - 1n - ((two - 1n) % d))) break;
    power++;
  }
  const two = 1n << power;
  const multiplier = (two + d - 1n - ((two - 1n) % d)) / d;
  return {
    multiplier: BigInt.asUintN(Number(bits), multiplier),
    shift: Number(power - bits),
    add: multiplier >= 1n << bits,
  };
}

function unsignedMagic(divisor: number): {
  readonly multiplier: number;
  readonly shift: number;
  readonly add: boolean;
} {
  const { multiplier, shift, add } = magicUnsigned(BigInt(divisor), 32n);
  return { multiplier: Number(multiplier), shift, add };
}

/** By other numbers: q = floor(a * m / 2^(64 + s)), remainder a - q * d. */
function divideByMagic(inst: Inst, a: Value, divisor: bigint, maker: InstMaker): Value {
  const { op, type } = inst;
  const quotient = type === "u64" ? wideUnsigned(a, divisor, maker) : wideSigned(a, divisor, maker);
  if (op === "div") return quotient;
  const product = maker.make("mul", type, [quotient, maker.constant(type, -divisor)]);
  return maker.make("add", type, [product, a]);
}

function wideUnsigned(a: Value, divisor: bigint, maker: InstMaker): Value {
  const { multiplier, shift, add } = magicUnsigned(divisor, 64n);
  const by = (count: number): Value => maker.constant("u32", count);
  if (add && divisor % 2n === 0n) {
    // An even divisor is shifted first, which saves the extra bit.
    let odd = divisor;
    let twos = 0;
    for (; odd % 2n === 0n; odd /= 2n) twos++;
    const less = magicUnsigned(odd, 64n, BigInt(twos));
    const shifted = maker.make("shr", "u64", [a, by(twos)]);
    const product = maker.make("mulhi", "u64", [shifted, maker.constant("u64", less.multiplier)]);
    return less.shift === 0 ? product : maker.make("shr", "u64", [product, by(less.shift)]);
  }
  const high = maker.make("mulhi", "u64", [a, maker.constant("u64", multiplier)]);
  if (!add) return shift === 0 ? high : maker.make("shr", "u64", [high, by(shift)]);
  const half = maker.make("shr", "u64", [maker.make("sub", "u64", [a, high]), by(1)]);
  return maker.make("shr", "u64", [maker.make("add", "u64", [half, high]), by(shift - 1)]);
}

function wideSigned(a: Value, divisor: bigint, maker: InstMaker): Value {
  const { multiplier, shift } = magic(divisor, 64n);
  let high = maker.make("mulhi", "i64", [a, maker.constant("i64", multiplier)]);
  if (divisor > 0n && multiplier < 0n) high = maker.make("add", "i64", [high, a]);
  if (divisor < 0n && multiplier > 0n) high = maker.make("sub", "i64", [high, a]);
  const shifted = shift === 0 ? high : maker.make("shr", "i64", [high, maker.constant("u32", shift)]);
  // The sum reads the sign from the upper register (LEA.HI); so do shifts by two and more (LEA.HI.X.SX32).
  const sign = maker.make("shr", "u64", [high, maker.constant("u32", 63)]);
  sign.def!.slots = NONE;
  if (shift > 1) shifted.def!.slots = SHIFT_LOW;
  return maker.make("add", "i64", [shifted, sign]);
}

function divideWide(inst: Inst, a: Value, divisor: bigint, maker: InstMaker): Value | null {
  const { op, type } = inst;
  if (divisor === 0n) return null;
  if (divisor < 0n || (divisor & (divisor - 1n)) !== 0n) return divideByMagic(inst, a, divisor, maker);
  const shift = divisor.toString(2).length - 1;
  if (type === "u64") {
    if (op === "rem") return maker.make("and", type, [a, maker.constant(type, divisor - 1n)]);
    return maker.make("shr", type, [a, maker.constant("u32", shift)]);
  }
  const sign = maker.make("shr", "i64", [a, maker.constant("u32", 63)]);
  const bias = maker.make("shr", "u64", [sign, maker.constant("u32", 64 - shift)]);
  const biased = maker.make("add", "i64", [a, bias]);
  if (op === "div") return maker.make("shr", "i64", [biased, maker.constant("u32", shift)]);
  const whole = maker.make("and", "i64", [biased, maker.constant("i64", -divisor)]);
  return maker.make("sub", "i64", [a, whole]);
}
