/**
 * Opcodes of the WebAssembly core specification (with SIMD and bulk memory). An opcode after prefix 0xfd (SIMD) is
 * written 0xfd000 + code, one after 0xfc 0xfc000 + code.
 */

export type Opcode = number;

export const VALUE_TYPE: {
  readonly i32: 0x7f;
  readonly i64: 0x7e;
  readonly f32: 0x7d;
  readonly f64: 0x7c;
  readonly v128: 0x7b;
} = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

export type ValueType = keyof typeof VALUE_TYPE;

/** A list of names numbered upwards from `first`. */
function numbered<const Names extends readonly string[]>(first: number, names: Names): Record<Names[number], Opcode> {
  const codes: Record<string, Opcode> = {};
  names.forEach((name, index) => {
    if (name !== "_") codes[name] = first + index;
  });
  return codes as Record<Names[number], Opcode>;
}

const I32_COMPARE = ["eqz", "eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"] as const;
const FLOAT_COMPARE = ["eq", "ne", "lt", "gt", "le", "ge"] as const;
const INTEGER_MATH = [
  "clz",
  "ctz",
  "popcnt",
  "add",
  "sub",
  "mul",
  "div_s",
  "div_u",
  "rem_s",
  "rem_u",
  "and",
  "or",
  "xor",
  "shl",
  "shr_s",
  "shr_u",
  "rotl",
  "rotr",
] as const;
const FLOAT_MATH = [
  "abs",
  "neg",
  "ceil",
  "floor",
  "trunc",
  "nearest",
  "sqrt",
  "add",
  "sub",
  "mul",
  "div",
  "min",
  "max",
  "copysign",
] as const;

type IntegerOps = Record<(typeof I32_COMPARE)[number] | (typeof INTEGER_MATH)[number], Opcode>;
type FloatOps = Record<(typeof FLOAT_COMPARE)[number] | (typeof FLOAT_MATH)[number], Opcode>;

export const I32: IntegerOps = { ...numbered(0x45, I32_COMPARE), ...numbered(0x67, INTEGER_MATH) };
export const I64: IntegerOps = { ...numbered(0x50, I32_COMPARE), ...numbered(0x79, INTEGER_MATH) };
export const F32: FloatOps = { ...numbered(0x5b, FLOAT_COMPARE), ...numbered(0x8b, FLOAT_MATH) };
export const F64: FloatOps = { ...numbered(0x61, FLOAT_COMPARE), ...numbered(0x99, FLOAT_MATH) };

const MEMORY_NAMES = [
  "i32_load",
  "i64_load",
  "f32_load",
  "f64_load",
  "i32_load8_s",
  "i32_load8_u",
  "i32_load16_s",
  "i32_load16_u",
  "i64_load8_s",
  "i64_load8_u",
  "i64_load16_s",
  "i64_load16_u",
  "i64_load32_s",
  "i64_load32_u",
  "i32_store",
  "i64_store",
  "f32_store",
  "f64_store",
  "i32_store8",
  "i32_store16",
] as const;
export const MEMORY: Record<(typeof MEMORY_NAMES)[number], Opcode> = numbered(0x28, MEMORY_NAMES);

const CONVERT_NAMES = [
  "i32_wrap_i64",
  "i32_trunc_f32_s",
  "i32_trunc_f32_u",
  "i32_trunc_f64_s",
  "i32_trunc_f64_u",
  "i64_extend_i32_s",
  "i64_extend_i32_u",
  "i64_trunc_f32_s",
  "i64_trunc_f32_u",
  "i64_trunc_f64_s",
  "i64_trunc_f64_u",
  "f32_convert_i32_s",
  "f32_convert_i32_u",
  "f32_convert_i64_s",
  "f32_convert_i64_u",
  "f32_demote_f64",
  "f64_convert_i32_s",
  "f64_convert_i32_u",
  "f64_convert_i64_s",
  "f64_convert_i64_u",
  "f64_promote_f32",
  "i32_reinterpret_f32",
  "i64_reinterpret_f64",
  "f32_reinterpret_i32",
  "f64_reinterpret_i64",
] as const;
const SATURATE_NAMES = [
  "i32_trunc_sat_f32_s",
  "i32_trunc_sat_f32_u",
  "i32_trunc_sat_f64_s",
  "i32_trunc_sat_f64_u",
  "i64_trunc_sat_f32_s",
  "i64_trunc_sat_f32_u",
  "i64_trunc_sat_f64_s",
  "i64_trunc_sat_f64_u",
  "memory_init",
  "data_drop",
  "memory_copy",
  "memory_fill",
] as const;
export const CONVERT: Record<(typeof CONVERT_NAMES)[number] | (typeof SATURATE_NAMES)[number], Opcode> = {
  ...numbered(0xa7, CONVERT_NAMES),
  ...numbered(0xfc000, SATURATE_NAMES),
};

export const CONTROL: {
  readonly unreachable: Opcode;
  readonly block: Opcode;
  readonly loop: Opcode;
  readonly if: Opcode;
  readonly else: Opcode;
  readonly end: Opcode;
  readonly br: Opcode;
  readonly brIf: Opcode;
  readonly return: Opcode;
  readonly call: Opcode;
  readonly drop: Opcode;
  readonly select: Opcode;
  readonly localGet: Opcode;
  readonly localSet: Opcode;
  readonly localTee: Opcode;
  readonly memorySize: Opcode;
} = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  return: 0x0f,
  call: 0x10,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  memorySize: 0x3f,
};
