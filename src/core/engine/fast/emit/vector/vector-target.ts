/** The target of vector operations, and the code that 32-bit and 64-bit ones share. */
import type { Instruction, RegisterType } from "../../../../lower/program.js";
import type { FunctionBody, Local } from "../../wasm/body.js";
import { apply, get, i32, i32x4, select, v128 } from "../../wasm/expression.js";
import { type F32X4, type F64X2, I32X4, I64X2 } from "../../wasm/simd.js";
import type { Library } from "../library/library.js";

export interface VectorTarget {
  readonly body: FunctionBody;
  readonly library: Library;
  /** Pushes part `part` of source `index` as a v128. */
  push(index: number, part?: 0 | 1): void;
  /** Pushes part `part` with canonical NaNs. */
  pushBits(index: number, part?: 0 | 1): void;
  /** The operation is on 64-bit addresses. */
  readonly wideAddress: boolean;
  /** Source `index` is one value for all lanes: then `pushUniform` pushes it as a scalar. */
  isUniform(index: number): boolean;
  pushUniform(index: number): void;
  /** Source `index` is known not to be negative. */
  isNatural(index: number): boolean;
}

export interface VectorValue {
  readonly parts: readonly Local[];
  /** Float arithmetic: a NaN may have any bits. */
  readonly rawNaN: boolean;
}

export function isWide(type: RegisterType): boolean {
  return type === "i64" || type === "u64" || type === "f64";
}

/** fmin, fmax: the other operand where one is NaN; -0 is less than +0, as WebAssembly's min and max have it. */
export function extreme(op: "min" | "max", ops: typeof F32X4 | typeof F64X2, target: VectorTarget, part: 0 | 1): void {
  const { body, push } = target;
  const [a, b, result] = [body.local("v128"), body.local("v128"), body.local("v128")];
  push(0, part);
  body.tee(a);
  push(1, part);
  body.tee(b);
  body.op(ops[op]);
  body.set(result);
  // bitselect(x, y, mask): x where the mask is set.
  body.push(
    v128.bitselect(
      get(a),
      v128.bitselect(get(b), get(result), apply(ops.ne, get(a), get(a))),
      apply(ops.ne, get(b), get(b)),
    ),
  );
  body.release(a, b, result);
}

/** A shift whose count is one for all lanes; WebAssembly takes it modulo the width, CUDA does not. */
export function shift(
  instruction: Instruction,
  op: "shl" | "shr",
  countIndex: number,
  target: VectorTarget,
  part: 0 | 1,
): boolean {
  if (!target.isUniform(countIndex)) return false;
  const { body, push, pushUniform } = target;
  const { type } = instruction;
  const wide = isWide(type);
  const ops = wide ? I64X2 : I32X4;
  const width = wide ? 64 : 32;
  const signed = type === "i32" || type === "i64";
  const operand = instruction.src[countIndex];
  const opcode = op === "shl" ? ops.shl : signed ? ops.shr_s : ops.shr_u;
  push(0, part);
  if (operand?.kind === "imm") {
    const count = Number(operand.value) >>> 0;
    if (count >= width && !(op === "shr" && signed)) {
      body.push(v128.and(i32x4(0, 0, 0, 0)));
    } else {
      body.i32(Math.min(count, width - 1));
      body.op(opcode);
    }
    return true;
  }
  const count = body.local("i32");
  pushUniform(countIndex);
  body.tee(count);
  if (op === "shr" && signed) {
    body.push(select(i32(width - 1), i32.lt_u(get(count), i32(width))));
    body.op(opcode);
  } else {
    body.op(opcode);
    body.push(v128.and(i32x4.splat(select(i32(-1), i32(0), i32.lt_u(get(count), i32(width))))));
  }
  body.release(count);
  return true;
}
