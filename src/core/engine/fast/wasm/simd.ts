/** SIMD opcodes (prefix 0xfd), as in the WebAssembly core specification 2.0, chapter 5.4.9. Written 0xfd000 + code. */
import type { Opcode } from "./opcodes.js";

function simd<const Codes extends Record<string, number>>(codes: Codes): Readonly<Record<keyof Codes, Opcode>> {
  const prefixed: Record<string, Opcode> = {};
  for (const [name, code] of Object.entries(codes)) prefixed[name] = 0xfd000 + code;
  return prefixed as Record<keyof Codes, Opcode>;
}

type Integer32 = Readonly<
  Record<
    | "splat"
    | "extract"
    | "replace"
    | "eq"
    | "ne"
    | "lt_s"
    | "lt_u"
    | "gt_s"
    | "gt_u"
    | "le_s"
    | "le_u"
    | "ge_s"
    | "ge_u"
    | "abs"
    | "neg"
    | "all_true"
    | "bitmask"
    | "shl"
    | "shr_s"
    | "shr_u"
    | "add"
    | "sub"
    | "mul"
    | "min_s"
    | "min_u"
    | "max_s"
    | "max_u"
    | "trunc_sat_f32x4_s"
    | "trunc_sat_f32x4_u"
    | "trunc_sat_f64x2_s_zero"
    | "trunc_sat_f64x2_u_zero",
    Opcode
  >
>;
type Integer64 = Readonly<
  Record<
    | "splat"
    | "extract"
    | "replace"
    | "eq"
    | "ne"
    | "lt_s"
    | "gt_s"
    | "le_s"
    | "ge_s"
    | "abs"
    | "neg"
    | "all_true"
    | "bitmask"
    | "shl"
    | "shr_s"
    | "shr_u"
    | "add"
    | "sub"
    | "mul"
    | "extend_low_s"
    | "extend_high_s"
    | "extend_low_u"
    | "extend_high_u"
    | "extmul_low_s"
    | "extmul_high_s"
    | "extmul_low_u"
    | "extmul_high_u",
    Opcode
  >
>;
type Float = Readonly<
  Record<
    | "splat"
    | "extract"
    | "replace"
    | "eq"
    | "ne"
    | "lt"
    | "gt"
    | "le"
    | "ge"
    | "ceil"
    | "floor"
    | "trunc"
    | "nearest"
    | "abs"
    | "neg"
    | "sqrt"
    | "add"
    | "sub"
    | "mul"
    | "div"
    | "min"
    | "max"
    | "pmin"
    | "pmax",
    Opcode
  >
>;

export const V128: Readonly<
  Record<
    | "load"
    | "load32_splat"
    | "load64_splat"
    | "store"
    | "const"
    | "shuffle"
    | "swizzle"
    | "not"
    | "and"
    | "andnot"
    | "or"
    | "xor"
    | "bitselect"
    | "any_true"
    | "load32_lane"
    | "load64_lane"
    | "store32_lane"
    | "store64_lane",
    Opcode
  >
> = simd({
  load: 0,
  load32_splat: 9,
  load64_splat: 10,
  store: 11,
  const: 12,
  shuffle: 13,
  swizzle: 14,
  not: 77,
  and: 78,
  andnot: 79,
  or: 80,
  xor: 81,
  bitselect: 82,
  any_true: 83,
  load32_lane: 86,
  load64_lane: 87,
  store32_lane: 90,
  store64_lane: 91,
});

export const I32X4: Integer32 = simd({
  splat: 17,
  extract: 27,
  replace: 28,
  eq: 55,
  ne: 56,
  lt_s: 57,
  lt_u: 58,
  gt_s: 59,
  gt_u: 60,
  le_s: 61,
  le_u: 62,
  ge_s: 63,
  ge_u: 64,
  abs: 160,
  neg: 161,
  all_true: 163,
  bitmask: 164,
  shl: 171,
  shr_s: 172,
  shr_u: 173,
  add: 174,
  sub: 177,
  mul: 181,
  min_s: 182,
  min_u: 183,
  max_s: 184,
  max_u: 185,
  trunc_sat_f32x4_s: 248,
  trunc_sat_f32x4_u: 249,
  trunc_sat_f64x2_s_zero: 252,
  trunc_sat_f64x2_u_zero: 253,
});

export const I64X2: Integer64 = simd({
  splat: 18,
  extract: 29,
  replace: 30,
  eq: 214,
  ne: 215,
  lt_s: 216,
  gt_s: 217,
  le_s: 218,
  ge_s: 219,
  abs: 192,
  neg: 193,
  all_true: 195,
  bitmask: 196,
  extend_low_s: 199,
  extend_high_s: 200,
  extend_low_u: 201,
  extend_high_u: 202,
  shl: 203,
  shr_s: 204,
  shr_u: 205,
  add: 206,
  sub: 209,
  mul: 213,
  extmul_low_s: 220,
  extmul_high_s: 221,
  extmul_low_u: 222,
  extmul_high_u: 223,
});

export const F32X4: Float & Readonly<Record<"demote_f64x2_zero" | "convert_i32x4_s" | "convert_i32x4_u", Opcode>> =
  simd({
    splat: 19,
    extract: 31,
    replace: 32,
    eq: 65,
    ne: 66,
    lt: 67,
    gt: 68,
    le: 69,
    ge: 70,
    ceil: 103,
    floor: 104,
    trunc: 105,
    nearest: 106,
    abs: 224,
    neg: 225,
    sqrt: 227,
    add: 228,
    sub: 229,
    mul: 230,
    div: 231,
    min: 232,
    max: 233,
    pmin: 234,
    pmax: 235,
    demote_f64x2_zero: 94,
    convert_i32x4_s: 250,
    convert_i32x4_u: 251,
  });

export const F64X2: Float &
  Readonly<Record<"promote_low_f32x4" | "convert_low_i32x4_s" | "convert_low_i32x4_u", Opcode>> = simd({
  splat: 20,
  extract: 33,
  replace: 34,
  eq: 71,
  ne: 72,
  lt: 73,
  gt: 74,
  le: 75,
  ge: 76,
  ceil: 116,
  floor: 117,
  trunc: 122,
  nearest: 148,
  abs: 236,
  neg: 237,
  sqrt: 239,
  add: 240,
  sub: 241,
  mul: 242,
  div: 243,
  min: 244,
  max: 245,
  pmin: 246,
  pmax: 247,
  promote_low_f32x4: 95,
  convert_low_i32x4_s: 254,
  convert_low_i32x4_u: 255,
});
