/**
 * Operations on single values: of the block or the warp once, or lane after lane where there is no SIMD instruction.
 * An operation that takes WebAssembly more than a few instructions calls the meaning in semantics/scalar.ts itself.
 */
import type { CompareOp } from "../../../ir/ir.js";
import type { Instruction, RegisterType } from "../../../lower/program.js";
import { operandType, resultType } from "../../semantics/operand-type.js";
import type { Storage } from "../analysis/analysis.js";
import type { FunctionBody } from "../wasm/body.js";
import { apply, convert, get, i32, i64, select } from "../wasm/expression.js";
import { CONTROL, CONVERT, F32, F64, I32, I64, type Opcode } from "../wasm/opcodes.js";
import { importName } from "./lane/lane-import.js";
import type { Library } from "./library/library.js";
import { DIVISION } from "./library/scalar-library.js";
import { CONVERSIONS } from "./scalar-conversion.js";

export interface ScalarTarget {
  readonly body: FunctionBody;
  readonly library: Library;
  /** Pushes source `index`, in the storage of its operand type; bools as 0 or 1. */
  push(index: number): void;
}

export function storageOfType(type: RegisterType): Storage {
  switch (type) {
    case "f32":
    case "f64":
      return type;
    case "i64":
    case "u64":
      return "i64";
    default:
      return "i32";
  }
}

/** Replaces a NaN on the stack by the one that this model's arithmetic gives. */
export function canonicalNaN(body: FunctionBody, type: "f32" | "f64"): void {
  const value = body.local(type);
  body.tee(value);
  if (type === "f32") {
    body.push(convert.f32_reinterpret_i32(i32(0x7fffffff)));
  } else {
    body.push(convert.f64_reinterpret_i64(i64(0xfff8000000000000n)));
  }
  body.push(get(value), get(value));
  body.op((type === "f32" ? F32 : F64).eq, CONTROL.select);
  body.release(value);
}

/** Pushes the result, in the storage of the result type; bools as 0 or 1. Not for memory, warp and control operations. */
export function emitScalar(instruction: Instruction, target: ScalarTarget): void {
  const { op, type } = instruction;
  const { body, push } = target;
  switch (op) {
    case "mov":
      push(0);
      return;
    case "selp":
      push(0);
      push(1);
      push(2);
      body.op(CONTROL.select);
      return;
    case "pand":
      push(0);
      push(1);
      body.op(I32.and);
      return;
    case "por":
      push(0);
      push(1);
      body.op(I32.or);
      return;
    case "pxor":
      push(0);
      push(1);
      body.op(I32.xor);
      return;
    case "pnot":
      push(0);
      body.op(I32.eqz);
      return;
    case "setp":
      push(0);
      push(1);
      body.op(compareOpcode(instruction.compare ?? "eq", instruction.sourceType ?? "i32"));
      if (instruction.combine !== undefined) {
        push(2);
        body.op(instruction.combine === "and" ? I32.and : I32.or);
      }
      return;
    case "bitcast":
      push(0);
      bitcast(body, storageOfType(instruction.sourceType ?? type), storageOfType(type));
      return;
    case "cvt":
      if (emitConversion(instruction, target)) return;
      break;
    default: {
      const done = type === "f32" || type === "f64" ? emitFloat(instruction, target) : emitInteger(instruction, target);
      if (done) return;
    }
  }
  callMeaning(instruction, target);
}

function bitcast(body: FunctionBody, from: Storage, to: Storage): void {
  if (from === "f32" && to === "i32") body.op(CONVERT.i32_reinterpret_f32);
  else if (from === "i32" && to === "f32") body.op(CONVERT.f32_reinterpret_i32);
  else if (from === "f64" && to === "i64") body.op(CONVERT.i64_reinterpret_f64);
  else if (from === "i64" && to === "f64") body.op(CONVERT.f64_reinterpret_i64);
}

export function compareOpcode(compare: CompareOp, type: RegisterType): Opcode {
  if (type === "f32" || type === "f64") return (type === "f32" ? F32 : F64)[compare];
  const ops = storageOfType(type) === "i64" ? I64 : I32;
  if (compare === "eq" || compare === "ne") return ops[compare];
  const signed = type === "i32" || type === "i64";
  return ops[`${compare}_${signed ? "s" : "u"}`];
}

function emitInteger(instruction: Instruction, { body, library, push }: ScalarTarget): boolean {
  const { op, type } = instruction;
  if (type === "bool" || type === "addr") return false;
  const storage = storageOfType(type);
  const wide = storage === "i64";
  const ops = wide ? I64 : I32;
  const signed = type === "i32" || type === "i64";
  const constant = (value: number): void => pushConstant(storage, value, body);
  const binary = (opcode: Opcode): true => {
    push(0);
    push(1);
    body.op(opcode);
    return true;
  };
  switch (op) {
    case "add":
    case "sub":
    case "mul":
    case "and":
    case "or":
    case "xor":
      return binary(ops[op]);
    case "neg":
      constant(0);
      push(0);
      body.op(ops.sub);
      return true;
    case "not":
      push(0);
      constant(-1);
      body.op(ops.xor);
      return true;
    case "abs":
      push(0);
      if (signed) absolute(storage, body);
      return true;
    case "min":
    case "max":
      extreme(storage, ops[`${op === "min" ? "lt" : "gt"}_${signed ? "s" : "u"}`], body, push);
      return true;
    case "mad":
    case "add3":
      binary(op === "mad" ? ops.mul : ops.add);
      push(2);
      body.op(ops.add);
      return true;
    case "shl":
    case "shr":
      shift(instruction, op, 1, storage, signed, body, push);
      return true;
    case "lea":
      shift(instruction, "shl", 2, storage, signed, body, push);
      push(1);
      body.op(ops.add);
      return true;
    case "popc":
    case "clz":
      push(0);
      body.op(op === "popc" ? ops.popcnt : ops.clz);
      if (wide) body.op(CONVERT.i32_wrap_i64);
      return true;
    case "ffs":
      findFirstSet(storage, body, push);
      return true;
    case "mulhi":
      if (!wide) multiplyHigh(signed, body, push);
      return !wide;
    case "div":
    case "rem":
      push(0);
      push(1);
      library.call(body, DIVISION[`${op} ${type}`]!);
      return true;
    default:
      return false;
  }
}

function pushConstant(storage: Storage, value: number, body: FunctionBody): void {
  if (storage === "i64") body.i64(value);
  else body.i32(value);
}

/** The first operand if the comparison with the second holds, else the second. */
function extreme(storage: Storage, compare: Opcode, body: FunctionBody, push: ScalarTarget["push"]): void {
  const a = body.local(storage);
  const b = body.local(storage);
  push(0);
  body.tee(a);
  push(1);
  body.tee(b);
  body.push(get(a), get(b));
  body.op(compare, CONTROL.select);
  body.release(a, b);
}

/** The upper 32 bits of the product. */
function multiplyHigh(signed: boolean, body: FunctionBody, push: ScalarTarget["push"]): void {
  for (const index of [0, 1]) {
    push(index);
    body.op(signed ? CONVERT.i64_extend_i32_s : CONVERT.i64_extend_i32_u);
  }
  body.op(I64.mul);
  body.push(convert.i32_wrap_i64(i64.shr_u(i64(32))));
}

/** (x ^ sign) - sign, where sign is -1 for a negative x, else 0. */
function absolute(storage: Storage, body: FunctionBody): void {
  const ops = storage === "i64" ? I64 : I32;
  const value = body.local(storage);
  const sign = body.local(storage);
  body.tee(value);
  pushConstant(storage, storage === "i64" ? 63 : 31, body);
  body.op(ops.shr_s);
  body.tee(sign);
  body.push(apply(ops.sub, apply(ops.xor, get(value)), get(sign)));
  body.release(value, sign);
}

/** One more than the trailing zeros, and 0 for 0, whose ctz is the width. */
function findFirstSet(storage: Storage, body: FunctionBody, push: ScalarTarget["push"]): void {
  const ops = storage === "i64" ? I64 : I32;
  const value = body.local(storage);
  push(0);
  body.tee(value);
  body.op(ops.ctz);
  pushConstant(storage, 1, body);
  body.op(ops.add);
  pushConstant(storage, 0, body);
  body.get(value);
  pushConstant(storage, 0, body);
  body.op(ops.ne, CONTROL.select);
  if (storage === "i64") body.op(CONVERT.i32_wrap_i64);
  body.release(value);
}

/** Counts beyond the width give 0, or the sign. */
function shift(
  instruction: Instruction,
  op: "shl" | "shr",
  countIndex: number,
  storage: Storage,
  signed: boolean,
  body: FunctionBody,
  push: (index: number) => void,
): void {
  const ops = storage === "i64" ? I64 : I32;
  const width = storage === "i64" ? 64 : 32;
  const constant = (value: number): void => (storage === "i64" ? body.i64(value) : body.i32(value));
  const operand = instruction.src[countIndex];
  const arithmetic = op === "shr" && signed;
  const opcode = op === "shl" ? ops.shl : signed ? ops.shr_s : ops.shr_u;
  if (operand?.kind === "imm") {
    const count = Number(operand.value) >>> 0;
    push(0);
    if (count < width) constant(count);
    else if (arithmetic) constant(width - 1);
    else {
      constant(0);
      body.op(ops.and);
      return;
    }
    body.op(opcode);
    return;
  }
  const count = body.local("i32");
  push(countIndex);
  body.set(count);
  const pushCount = (): void => {
    body.get(count);
    if (storage === "i64") body.op(CONVERT.i64_extend_i32_u);
  };
  if (arithmetic) {
    body.set(count, select(get(count), i32(width - 1), i32.lt_u(get(count), i32(width))));
    push(0);
    pushCount();
    body.op(opcode);
  } else {
    push(0);
    pushCount();
    body.op(opcode);
    constant(0);
    body.push(select(i32.lt_u(get(count), i32(width))));
  }
  body.release(count);
}

function emitFloat(instruction: Instruction, { body, push }: ScalarTarget): boolean {
  const { op } = instruction;
  const type = instruction.type as "f32" | "f64";
  const ops = type === "f32" ? F32 : F64;
  switch (op) {
    case "add":
    case "sub":
    case "mul":
    case "div":
      push(0);
      push(1);
      body.op(ops[op]);
      break;
    case "neg":
    case "abs":
    case "sqrt":
    case "floor":
    case "ceil":
    case "trunc":
      push(0);
      body.op(ops[op]);
      break;
    case "rint":
      push(0);
      body.op(ops.nearest);
      break;
    case "rcp":
      if (type === "f32") body.f32(1);
      else body.f64(1);
      push(0);
      body.op(ops.div);
      break;
    case "rsqrt":
      // In double, rounded once more for float32.
      body.f64(1);
      push(0);
      if (type === "f32") body.op(CONVERT.f64_promote_f32);
      body.op(F64.sqrt, F64.div);
      if (type === "f32") body.op(CONVERT.f32_demote_f64);
      break;
    case "isnan": {
      const value = body.local(type);
      push(0);
      body.tee(value);
      body.push(apply(ops.ne, get(value)));
      body.release(value);
      return true;
    }
    case "isinf":
      push(0);
      body.op(ops.abs);
      if (type === "f32") body.f32(Number.POSITIVE_INFINITY);
      else body.f64(Number.POSITIVE_INFINITY);
      body.op(ops.eq);
      return true;
    default:
      return false;
  }
  canonicalNaN(body, type);
  return true;
}

function emitConversion(instruction: Instruction, { body, push }: ScalarTarget): boolean {
  const from = instruction.sourceType ?? instruction.type;
  const to = instruction.type;
  const key = `${from} ${to}`;
  const opcodes = CONVERSIONS[key];
  if (opcodes === undefined) return false;
  push(0);
  body.op(...opcodes);
  if ((to === "f32" && from === "f64") || (to === "f64" && from === "f32")) canonicalNaN(body, to);
  return true;
}

function callMeaning(instruction: Instruction, { body, library, push }: ScalarTarget): void {
  const result = resultType(instruction);
  if (result === null) throw new Error(`${instruction.op} is no operation of one lane`);
  const params = instruction.src.map((_, index) => storageOfType(operandType(instruction, index)));
  instruction.src.forEach((_, index) => {
    push(index);
  });
  library.callImport(body, importName(instruction), params, [storageOfType(result)]);
  if (result === "f32" || result === "f64") canonicalNaN(body, result);
}
