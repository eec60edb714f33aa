/** Addresses of four lanes, of 32 or 64 bits each. */
import { operandType } from "../../../semantics/operand-type.js";
import type { Local } from "../../wasm/body.js";
import { get, i32x4, i64x2, splat } from "../../wasm/expression.js";
import { I64X2 } from "../../wasm/simd.js";
import type { Context } from "../context.js";
import { isWideSource } from "../scalar-definition.js";
import type { Chunk } from "./chunk.js";
import type { VectorValue } from "./vector-target.js";

/** Emits the `addr` at `pc`: start of its root, or source 1, plus source 0 times the scale. */
export function emitAddressVector(context: Context, chunk: Chunk, pc: number): VectorValue {
  const { body } = context;
  const instruction = context.instruction(pc);
  const { root, scale = 1 } = instruction;
  const type = operandType(instruction, 0);
  const wideIndex = type === "i64" || type === "u64";
  const { analysis } = context;
  const { program } = analysis;
  const start =
    root?.kind === "shared"
      ? program.shared[root.array]!.offsetBytes
      : root?.kind === "local"
        ? program.local[root.array]!.offsetBytes
        : 0;
  if (analysis.storageOf(analysis.table.dst[pc]![0]!) === "i32") {
    const result = body.local("v128");
    if (instruction.src.length > 1) chunk.pushOperand(pc, 1, 0, false);
    else body.i32x4(start, start, start, start);
    chunk.pushOperand(pc, 0, 0, false);
    if (wideIndex) {
      chunk.pushOperand(pc, 0, 1, false);
      body.shuffleWords(0, 2, 4, 6);
    }
    body.set(result, i32x4.add(i32x4.mul(i32x4(scale, scale, scale, scale))));
    return { parts: [result], rawNaN: false };
  }
  const parts = ([0, 1] as const).map((part): Local => {
    const local = body.local("v128");
    if (instruction.src.length > 1) {
      if (isWideSource(context, pc)) chunk.pushOperand(pc, 1, part, false);
      else {
        chunk.pushOperand(pc, 1, 0, false);
        body.op(part === 0 ? I64X2.extend_low_s : I64X2.extend_high_s);
      }
    } else if (root?.kind === "param") {
      body.push(splat("i64", get(context.rootAddress(root.index))));
    } else body.i64x2(BigInt(start), BigInt(start));
    if (wideIndex) {
      chunk.pushOperand(pc, 0, part, false);
      body.push(i64x2.mul(i64x2(BigInt(scale), BigInt(scale))));
    } else {
      chunk.pushOperand(pc, 0, 0, false);
      body.i32x4(scale, scale, scale, scale);
      // In shared and local memory an unsigned index of 2^32 - 1 is -1, as on the machine.
      const signed = type !== "u32" || root?.kind !== "param";
      if (part === 0) body.op(signed ? I64X2.extmul_low_s : I64X2.extmul_low_u);
      else body.op(signed ? I64X2.extmul_high_s : I64X2.extmul_high_u);
    }
    body.op(I64X2.add);
    body.set(local);
    return local;
  });
  return { parts, rawNaN: false };
}
