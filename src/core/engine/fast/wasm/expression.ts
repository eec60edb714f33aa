/**
 * Instructions of WebAssembly with their operands inside, as `i32.add(get(a), i32(1))`. An instruction that is given
 * fewer operands than it takes has the first ones on the stack.
 */
import type { Expression, Local } from "./body.js";
import { CONTROL, CONVERT, F32, F64, I32, I64, MEMORY, type Opcode } from "./opcodes.js";
import { F32X4, F64X2, I32X4, I64X2, V128 } from "./simd.js";

type Instructions<Codes> = { readonly [Name in keyof Codes]: (...operands: readonly Expression[]) => Expression };
type Typed<Value extends readonly unknown[], Codes> = ((...value: Value) => Expression) & Instructions<Codes>;

export function apply(opcode: Opcode, ...operands: readonly Expression[]): Expression {
  return (body) => {
    body.push(...operands);
    body.op(opcode);
  };
}

/** A function for each opcode of a table. */
function instructions<Codes extends object>(table: Codes): Instructions<Codes> {
  const entries = Object.entries(table as Readonly<Record<string, Opcode>>);
  return Object.fromEntries(
    entries.map(([name, opcode]) => [name, (...operands: readonly Expression[]) => apply(opcode, ...operands)]),
  ) as Instructions<Codes>;
}

/** A constant of a type, with the type's instructions as properties. */
function typed<Value extends readonly unknown[], Codes extends object>(
  constant: (...value: Value) => Expression,
  table: Codes,
): Typed<Value, Codes> {
  return Object.assign(constant, instructions(table));
}

export const i32: Typed<[value: number], typeof I32> = typed((value) => (body) => body.i32(value), I32);
export const i64: Typed<[value: bigint | number], typeof I64> = typed((value) => (body) => body.i64(value), I64);
export const f32: Typed<[value: number], typeof F32> = typed((value) => (body) => body.f32(value), F32);
export const f64: Typed<[value: number], typeof F64> = typed((value) => (body) => body.f64(value), F64);
export const i32x4: Typed<[a: number, b: number, c: number, d: number], typeof I32X4> = typed(
  (a, b, c, d) => (body) => body.i32x4(a, b, c, d),
  I32X4,
);
export const i64x2: Typed<[a: bigint, b: bigint], typeof I64X2> = typed((a, b) => (body) => body.i64x2(a, b), I64X2);
export const f32x4: Instructions<typeof F32X4> = instructions(F32X4);
export const f64x2: Instructions<typeof F64X2> = instructions(F64X2);
export const v128: Instructions<typeof V128> = instructions(V128);
export const convert: Instructions<typeof CONVERT> = instructions(CONVERT);

export const get =
  (local: Local): Expression =>
  (body) =>
    body.get(local);

/** The value, which goes to the local as well. */
export const tee =
  (local: Local, value: Expression): Expression =>
  (body) =>
    body.tee(local, value);

/** Of two values and a condition: the first where the condition is not 0, else the second; both are computed. */
export const select = (...operands: readonly Expression[]): Expression => apply(CONTROL.select, ...operands);

export const load =
  (opcode: Opcode, offset: number, align: number, address: Expression): Expression =>
  (body) => {
    body.push(address);
    body.memory(opcode, offset, align);
  };

/** A 32-bit word at an address that is a multiple of 4. */
export const loadWord = (offset: number, address: Expression): Expression => load(MEMORY.i32_load, offset, 2, address);

type Shape = "i32" | "f32" | "i64" | "f64";

export const splat =
  (shape: Shape, value: Expression): Expression =>
  (body) => {
    body.push(value);
    body.splat(shape);
  };

export const extract =
  (shape: Shape, lane: number, vector: Expression): Expression =>
  (body) => {
    body.push(vector);
    body.extract(shape, lane);
  };

/** Picks 32-bit words: 0 to 3 of the first operand, 4 to 7 of the second. */
export const shuffleWords =
  (a: number, b: number, c: number, d: number, first: Expression, second: Expression): Expression =>
  (body) => {
    body.push(first, second);
    body.shuffleWords(a, b, c, d);
  };
