/** Operations with 64-bit operands or results, as pairs of v128. null where lanes must be computed one by one. */
import type { Instruction, RegisterType } from "../../../../lower/program.js";
import { resultType } from "../../../semantics/operand-type.js";
import type { Local } from "../../wasm/body.js";
import { f32x4, f64x2, get, i32x4, i64x2, v128 } from "../../wasm/expression.js";
import type { Opcode } from "../../wasm/opcodes.js";
import { F32X4, F64X2, I64X2, V128 } from "../../wasm/simd.js";
import { extreme, isWide, shift, type VectorTarget } from "./vector-target.js";

type Part = 0 | 1;

export function emitWide(instruction: Instruction, target: VectorTarget): Local[] | null {
  const { op, type } = instruction;
  const { body, push, pushBits } = target;
  switch (op) {
    case "mov":
      return both(target, (part) => pushBits(0, part));
    case "bitcast":
      return both(target, (part) => pushBits(0, part));
    case "selp":
      return both(target, (part) => {
        pushBits(0, part);
        pushBits(1, part);
        push(2);
        body.op(part === 0 ? I64X2.extend_low_s : I64X2.extend_high_s, V128.bitselect);
      });
    case "setp": {
      const source = instruction.sourceType ?? "i64";
      for (const part of [0, 1] as const) compare(instruction, source, target, part);
      body.shuffleWords(0, 2, 4, 6);
      if (instruction.combine !== undefined) {
        push(2);
        body.op(instruction.combine === "and" ? V128.and : V128.or);
      }
      return [taken(target)];
    }
    case "cvt":
      return convert(instruction, target);
    case "isnan":
      for (const part of [0, 1] as const) {
        push(0, part);
        push(0, part);
        body.op(F64X2.ne);
      }
      body.shuffleWords(0, 2, 4, 6);
      return [taken(target)];
    default:
      if (resultType(instruction) !== type || !isWide(type)) return null;
      return type === "f64" ? float(instruction, target) : integer(instruction, target);
  }
}

function taken({ body }: VectorTarget): Local {
  const local = body.local("v128");
  body.set(local);
  return local;
}

function both(target: VectorTarget, emit: (part: Part) => void): Local[] {
  return ([0, 1] as const).map((part) => {
    emit(part);
    return taken(target);
  });
}

/** The NaN that float64 arithmetic gives in this model. */
export function canonicalF64(target: Pick<VectorTarget, "body">): void {
  const { body } = target;
  const value = body.local("v128");
  body.tee(value);
  body.push(v128.bitselect(i64x2(0xfff8000000000000n, 0xfff8000000000000n), f64x2.eq(get(value), get(value))));
  body.release(value);
}

function compare(instruction: Instruction, type: RegisterType, { body, push }: VectorTarget, part: Part): void {
  const kind = instruction.compare ?? "eq";
  const flip = type === "u64" && kind !== "eq" && kind !== "ne";
  for (const index of [0, 1]) {
    push(index, part);
    if (flip) {
      body.push(v128.xor(i64x2(-(1n << 63n), -(1n << 63n))));
    }
  }
  if (type === "f64") body.op(F64X2[kind]);
  else if (kind === "eq" || kind === "ne") body.op(I64X2[kind]);
  else body.op(I64X2[`${kind}_s`]);
}

function convert(instruction: Instruction, target: VectorTarget): Local[] | null {
  const { body, push } = target;
  const from = instruction.sourceType ?? instruction.type;
  const to = instruction.type;
  const small = (type: RegisterType): boolean => type === "i32" || type === "u32";
  const long = (type: RegisterType): boolean => type === "i64" || type === "u64";
  if (long(from) && long(to)) return both(target, (part) => push(0, part));
  if (small(from) && long(to)) {
    const [low, high] =
      from === "i32" ? [I64X2.extend_low_s, I64X2.extend_high_s] : [I64X2.extend_low_u, I64X2.extend_high_u];
    return both(target, (part) => {
      push(0);
      body.op(part === 0 ? low : high);
    });
  }
  if (long(from) && small(to)) {
    push(0, 0);
    push(0, 1);
    body.shuffleWords(0, 2, 4, 6);
    return [taken(target)];
  }
  const halves = (opcode: Opcode): Local[] =>
    both(target, (part) => {
      push(0);
      if (part === 1) {
        push(0);
        body.shuffleWords(2, 3, 2, 3);
      }
      body.op(opcode);
    });
  if (small(from) && to === "f64")
    return halves(from === "i32" ? F64X2.convert_low_i32x4_s : F64X2.convert_low_i32x4_u);
  if (from === "f32" && to === "f64") {
    return both(target, (part) => {
      push(0);
      if (part === 1) {
        push(0);
        body.shuffleWords(2, 3, 2, 3);
      }
      body.op(F64X2.promote_low_f32x4);
      canonicalF64(target);
    });
  }
  if (from === "f64" && to === "f32") {
    for (const part of [0, 1] as const) {
      push(0, part);
      body.op(F32X4.demote_f64x2_zero);
    }
    body.shuffleWords(0, 1, 4, 5);
    const local = taken(target);
    body.set(
      local,
      v128.bitselect(
        get(local),
        i32x4(0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff),
        f32x4.eq(get(local), get(local)),
      ),
    );
    return [local];
  }
  return null;
}

function float(instruction: Instruction, target: VectorTarget): Local[] | null {
  const { op } = instruction;
  const { body, push } = target;
  const simple = { add: F64X2.add, sub: F64X2.sub, mul: F64X2.mul, div: F64X2.div }[op as string];
  if (simple !== undefined) {
    return both(target, (part) => {
      push(0, part);
      push(1, part);
      body.op(simple);
      canonicalF64(target);
    });
  }
  if (op === "min" || op === "max") {
    return both(target, (part) => {
      extreme(op, F64X2, target, part);
      canonicalF64(target);
    });
  }
  const one = {
    neg: F64X2.neg,
    abs: F64X2.abs,
    sqrt: F64X2.sqrt,
    floor: F64X2.floor,
    ceil: F64X2.ceil,
    trunc: F64X2.trunc,
    rint: F64X2.nearest,
  }[op as string];
  if (one === undefined) return null;
  return both(target, (part) => {
    push(0, part);
    body.op(one);
    canonicalF64(target);
  });
}

function integer(instruction: Instruction, target: VectorTarget): Local[] | null {
  const { op, type } = instruction;
  const { body, push } = target;
  const binary = (opcode: Opcode): Local[] =>
    both(target, (part) => {
      push(0, part);
      push(1, part);
      body.op(opcode);
    });
  switch (op) {
    case "add":
    case "sub":
    case "mul":
      return binary(I64X2[op]);
    case "and":
    case "or":
    case "xor":
      return binary(V128[op]);
    case "neg":
      return both(target, (part) => {
        push(0, part);
        body.op(I64X2.neg);
      });
    case "not":
      return both(target, (part) => {
        push(0, part);
        body.op(V128.not);
      });
    case "abs":
      return both(target, (part) => {
        push(0, part);
        if (type === "i64") body.op(I64X2.abs);
      });
    case "mad":
      return both(target, (part) => {
        push(0, part);
        push(1, part);
        body.op(I64X2.mul);
        push(2, part);
        body.op(I64X2.add);
      });
    case "add3":
      return both(target, (part) => {
        push(0, part);
        push(1, part);
        body.op(I64X2.add);
        push(2, part);
        body.op(I64X2.add);
      });
    case "min":
    case "max":
      return both(target, (part) => {
        push(0, part);
        push(1, part);
        compare({ ...instruction, compare: op === "min" ? "lt" : "gt" }, type, target, part);
        body.op(V128.bitselect);
      });
    case "shl":
    case "shr":
      if (!target.isUniform(1)) return null;
      return both(target, (part) => {
        shift(instruction, op, 1, target, part);
      });
    default:
      return null;
  }
}
