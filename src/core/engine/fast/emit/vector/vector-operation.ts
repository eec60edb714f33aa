/**
 * Operations on four lanes at a time. A 32-bit value is one v128, a 64-bit value two (lanes 0 and 1, lanes 2 and 3), a
 * bool one v128 of all-ones words. Float arithmetic leaves any NaN; who stores bits makes it canonical.
 */
import type { Instruction, RegisterType } from "../../../../lower/program.js";
import { operandType, resultType } from "../../../semantics/operand-type.js";
import type { FunctionBody, Local } from "../../wasm/body.js";
import { apply, f32x4, get, i32, i32x4, v128 } from "../../wasm/expression.js";
import { CONTROL, I32, type Opcode } from "../../wasm/opcodes.js";
import { F32X4, I32X4, I64X2, V128 } from "../../wasm/simd.js";
import { FUSED_MULTIPLY_ADD, VECTOR_DIVISION } from "../library/vector-library.js";
import { emitScalar, storageOfType } from "../scalar-operation.js";
import { extreme, isWide, shift, type VectorTarget, type VectorValue } from "./vector-target.js";
import { emitWide } from "./wide-operation.js";

/** Emits the operation into new locals. */
export function emitVector(instruction: Instruction, target: VectorTarget): VectorValue {
  const { body } = target;
  const result = resultType(instruction);
  if (result === null) throw new Error(`${instruction.op} has no result`);
  const wideOperand = instruction.src.some((_, index) => isWide(operandType(instruction, index)));
  if (isWide(result) || wideOperand || target.wideAddress) {
    const parts = emitWide(instruction, target) ?? laneByLane(instruction, target);
    return { parts, rawNaN: false };
  }
  const rawNaN = result === "f32" && !["mov", "selp", "bitcast"].includes(instruction.op);
  if (narrow(instruction, target)) {
    const local = body.local("v128");
    body.set(local);
    return { parts: [local], rawNaN };
  }
  return { parts: laneByLane(instruction, target), rawNaN: false };
}

/** Pushes the result of an operation on 32-bit values; false where there is none in SIMD. */
function narrow(instruction: Instruction, target: VectorTarget): boolean {
  const { op, type } = instruction;
  const { body, push, pushBits } = target;
  switch (op) {
    case "mov":
    case "bitcast":
      pushBits(0);
      return true;
    case "selp":
      pushBits(0);
      pushBits(1);
      push(2);
      body.op(V128.bitselect);
      return true;
    case "pand":
    case "por":
    case "pxor":
      push(0);
      push(1);
      body.op({ pand: V128.and, por: V128.or, pxor: V128.xor }[op]);
      return true;
    case "pnot":
      push(0);
      body.op(V128.not);
      return true;
    case "setp": {
      push(0);
      push(1);
      body.op(vectorCompare(instruction.compare ?? "eq", instruction.sourceType ?? "i32"));
      if (instruction.combine !== undefined) {
        push(2);
        body.op(instruction.combine === "and" ? V128.and : V128.or);
      }
      return true;
    }
    case "cvt":
      return convert(instruction.sourceType ?? type, type, target);
    case "isnan":
      push(0);
      push(0);
      body.op(F32X4.ne);
      return true;
    case "isinf":
      push(0);
      body.op(F32X4.abs);
      body.push(f32x4.eq(i32x4(0x7f800000, 0x7f800000, 0x7f800000, 0x7f800000)));
      return true;
    default:
      if (type === "f32") return float(instruction, target);
      return type === "i32" || type === "u32" ? integer(instruction, target) : false;
  }
}

export function vectorCompare(compare: "eq" | "ne" | "lt" | "le" | "gt" | "ge", type: RegisterType): Opcode {
  if (type === "f32") return F32X4[compare];
  if (compare === "eq" || compare === "ne") return I32X4[compare];
  return I32X4[`${compare}_${type === "i32" ? "s" : "u"}`];
}

function convert(from: RegisterType, to: RegisterType, { body, push }: VectorTarget): boolean {
  const small = (type: RegisterType): boolean => type === "i32" || type === "u32";
  if (from === "bool") {
    push(0);
    body.push(v128.and(i32x4(1, 1, 1, 1)));
    if (to === "f32") body.op(F32X4.convert_i32x4_s);
    return small(to) || to === "f32" || to === "bool";
  }
  push(0);
  if (to === "bool") {
    body.push(apply(from === "f32" ? F32X4.ne : I32X4.ne, i32x4(0, 0, 0, 0)));
    return true;
  }
  if (from === "f32" && small(to)) body.op(to === "i32" ? I32X4.trunc_sat_f32x4_s : I32X4.trunc_sat_f32x4_u);
  else if (small(from) && to === "f32") body.op(from === "i32" ? F32X4.convert_i32x4_s : F32X4.convert_i32x4_u);
  return true;
}

function float(instruction: Instruction, target: VectorTarget): boolean {
  const { body, library, push } = target;
  const { op } = instruction;
  switch (op) {
    case "add":
    case "sub":
    case "mul":
    case "div":
      push(0);
      push(1);
      body.op(F32X4[op]);
      return true;
    case "neg":
    case "abs":
    case "sqrt":
    case "floor":
    case "ceil":
    case "trunc":
      push(0);
      body.op(F32X4[op]);
      return true;
    case "rint":
      push(0);
      body.op(F32X4.nearest);
      return true;
    case "rcp":
      splatF32(body, 1);
      push(0);
      body.op(F32X4.div);
      return true;
    case "saturate":
      push(0);
      splatF32(body, 1);
      body.op(F32X4.min);
      push(0);
      splatF32(body, 0);
      body.op(F32X4.gt, V128.and);
      return true;
    case "min":
    case "max":
      extreme(op, F32X4, target, 0);
      return true;
    case "mad":
      push(0);
      push(1);
      push(2);
      library.call(body, FUSED_MULTIPLY_ADD);
      return true;
    default:
      return false;
  }
}

function splatF32(body: FunctionBody, value: number): void {
  const [bits = 0] = new Int32Array(Float32Array.of(value).buffer);
  body.i32x4(bits, bits, bits, bits);
}

function integer(instruction: Instruction, target: VectorTarget): boolean {
  const { body, push } = target;
  const { op, type } = instruction;
  const signed = type === "i32";
  switch (op) {
    case "add":
    case "sub":
    case "mul":
      push(0);
      push(1);
      body.op(I32X4[op]);
      return true;
    case "and":
    case "or":
    case "xor":
      push(0);
      push(1);
      body.op(V128[op]);
      return true;
    case "neg":
      push(0);
      body.op(I32X4.neg);
      return true;
    case "not":
      push(0);
      body.op(V128.not);
      return true;
    case "abs":
      push(0);
      if (signed) body.op(I32X4.abs);
      return true;
    case "min":
    case "max":
      push(0);
      push(1);
      body.op(I32X4[`${op}_${signed ? "s" : "u"}`]);
      return true;
    case "mad":
    case "add3":
      push(0);
      push(1);
      body.op(op === "mad" ? I32X4.mul : I32X4.add);
      push(2);
      body.op(I32X4.add);
      return true;
    case "shl":
    case "shr":
      return shift(instruction, op, 1, target, 0);
    case "lea":
      if (!shift(instruction, "shl", 2, target, 0)) return false;
      push(1);
      body.op(I32X4.add);
      return true;
    case "mulhi": {
      const [low, high] = signed
        ? [I64X2.extmul_low_s, I64X2.extmul_high_s]
        : [I64X2.extmul_low_u, I64X2.extmul_high_u];
      for (const opcode of [low, high]) {
        push(0);
        push(1);
        body.op(opcode);
      }
      body.shuffleWords(1, 3, 5, 7);
      return true;
    }
    case "popc":
      // Bits of bytes, summed to 16 and to 32 bits.
      push(0);
      body.op(0xfd000 + 98, 0xfd000 + 125, 0xfd000 + 127);
      return true;
    case "lop3":
      return lop3(instruction, target);
    case "div":
    case "rem":
      division(instruction, op, target);
      return true;
    default:
      return false;
  }
}

/** A divisor that is one positive power of two for all lanes, as it is in most kernels, needs no division. */
function division(instruction: Instruction, op: "div" | "rem", target: VectorTarget): void {
  const { body, library, push, pushUniform } = target;
  const signed = instruction.type === "i32";
  const general = (): void => {
    push(0);
    push(1);
    library.call(body, VECTOR_DIVISION[`${op} ${instruction.type}`]!);
  };
  if (!target.isUniform(1)) {
    general();
    return;
  }
  const divisor = body.local("i32");
  const result = body.local("v128");
  // Loaded here, for both ways.
  push(0);
  body.op(CONTROL.drop);
  pushUniform(1);
  body.tee(divisor);
  body.op(I32.popcnt);
  body.push(i32.eq(i32(1)));
  if (signed) {
    body.push(i32.and(i32.gt_s(get(divisor), i32(0))));
  }
  body.if();
  const pushLowBits = (): void => {
    body.push(i32x4.splat(i32.sub(get(divisor), i32(1))));
  };
  if (!signed || target.isNatural(0)) {
    push(0);
    if (op === "rem") {
      pushLowBits();
      body.op(V128.and);
    } else {
      body.push(i32x4.shr_u(i32.ctz(get(divisor))));
    }
  } else {
    // Towards zero: a negative number is moved up by divisor - 1 first.
    const bias = body.local("v128");
    push(0);
    body.push(i32x4.shr_s(i32(31)));
    pushLowBits();
    body.op(V128.and);
    body.set(bias);
    push(0);
    body.push(i32x4.add(get(bias)));
    if (op === "rem") {
      pushLowBits();
      body.op(V128.and);
      body.push(i32x4.sub(get(bias)));
    } else {
      body.push(i32x4.shr_s(i32.ctz(get(divisor))));
    }
    body.release(bias);
  }
  body.set(result);
  body.else();
  general();
  body.set(result);
  body.end();
  body.get(result);
  body.release(divisor, result);
}

function lop3(instruction: Instruction, { body, push }: VectorTarget): boolean {
  const operand = instruction.src[3];
  if (operand?.kind !== "imm") return false;
  const table = Number(operand.value) & 0xff;
  const ones = [...Array(8).keys()].filter((row) => (table >> row) & 1);
  const complement = ones.length > 4;
  const rows = complement ? [...Array(8).keys()].filter((row) => !ones.includes(row)) : ones;
  body.i32x4(0, 0, 0, 0);
  for (const row of rows) {
    for (const [position, bit] of [4, 2, 1].entries()) {
      push(position);
      if ((row & bit) === 0) body.op(V128.not);
      if (position > 0) body.op(V128.and);
    }
    body.op(V128.or);
  }
  if (complement) body.op(V128.not);
  return true;
}

/** Takes the lanes out, computes them one after the other, and puts the results together. */
function laneByLane(instruction: Instruction, target: VectorTarget): Local[] {
  const { body, library } = target;
  const result = resultType(instruction)!;
  const storage = storageOfType(result);
  const bool = result === "bool";
  const wide = isWide(result);
  const parts = wide ? [body.local("v128"), body.local("v128")] : [body.local("v128")];
  const written = parts.map(() => false);
  for (let lane = 0; lane < 4; lane++) {
    const part = wide ? lane >> 1 : 0;
    if (written[part]) body.get(parts[part]!);
    emitScalar(instruction, {
      body,
      library,
      push: (index) => {
        if (target.isUniform(index)) {
          target.pushUniform(index);
          return;
        }
        const type = operandType(instruction, index);
        const operandStorage = storageOfType(type);
        if (isWide(type)) {
          target.push(index, (lane >> 1) as 0 | 1);
          body.extract(operandStorage, lane & 1);
        } else {
          target.push(index);
          body.extract(operandStorage, lane);
          if (type === "bool") {
            body.push(i32.and(i32(1)));
          }
        }
      },
    });
    if (bool) {
      const value = body.local("i32");
      body.set(value);
      body.push(i32.sub(i32(0), get(value)));
      body.release(value);
    }
    if (written[part]) body.replace(storage, wide ? lane & 1 : lane);
    else body.splat(storage);
    body.set(parts[part]!);
    written[part] = true;
  }
  return parts;
}
