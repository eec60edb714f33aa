/** Instructions that the active lanes do one after the other, in ascending order, on values in slots. */
import type { RegisterType } from "../../../../lower/program.js";
import { operandType } from "../../../semantics/operand-type.js";
import type { Local } from "../../wasm/body.js";
import { get, i32 } from "../../wasm/expression.js";
import type { ValueType } from "../../wasm/opcodes.js";
import { CONTROL, CONVERT, I32, I64, MEMORY } from "../../wasm/opcodes.js";
import { type Context, type Mask, SCRATCH } from "../context.js";
import { isWideWeb, type Places } from "../places.js";
import { storageOfType } from "../scalar-operation.js";
import { LOAD_OF } from "../vector/chunk.js";

/** Emits `each` for every lane of the mask; `lane` holds its number. */
export function forEachLane(context: Context, mask: Mask, each: (lane: Local) => void): void {
  const { body } = context;
  const lane = body.local("i32");
  const rest = body.local("i32");
  context.pushMask(mask);
  body.set(rest);
  const done = body.block();
  const again = body.loop();
  body.brIf(done, i32.eqz(get(rest)));
  body.set(lane, i32.ctz(get(rest)));
  each(lane);
  body.set(rest, i32.and(get(rest), i32.sub(get(rest), i32(1))));
  body.br(again);
  body.end();
  body.end();
  body.release(lane, rest);
}

/** Pushes base + lane * bytes, for a memory instruction on one value of a row. */
export function pushLaneAddress(context: Context, base: Local, lane: Local, bytes: 4 | 8): void {
  const { body } = context;
  body.push(i32.add(get(base), i32.shl(get(lane), i32(bytes === 4 ? 2 : 3))));
}

/** Pushes one lane's value of source `index`, in the storage of its operand type. */
export function pushLaneOperand(context: Context, places: Places, pc: number, index: number, lane: Local): void {
  const { body } = context;
  const instruction = context.instruction(pc);
  const operand = instruction.src[index]!;
  const type = operandType(instruction, index);
  const web = context.analysis.table.src[pc]![index] ?? null;
  const shape = context.operandShape(pc, index);
  if (operand.kind === "imm" || shape.kind === "uniform") {
    context.pushScalar(pc, index);
    return;
  }
  if (shape.kind === "affine") {
    const storage = web === null ? "i32" : context.analysis.storageOf(web);
    context.pushScalar(pc, index);
    context.pushStride(pc, index, storage);
    body.get(lane);
    if (storage === "i64") body.op(CONVERT.i64_extend_i32_u);
    body.op(storage === "i64" ? I64.mul : I32.mul, storage === "i64" ? I64.add : I32.add);
    return;
  }
  if (web === null) {
    if (operand.kind !== "special" || operand.special.name !== "threadIdx") throw new Error("no such operand");
    body.push(i32.shl(get(context.warp), i32(7)));
    pushLaneAddress(context, SCRATCH, lane, 4);
    body.op(I32.add);
    body.memory(MEMORY.i32_load, places.threadTables[{ x: 0, y: 1, z: 2 }[operand.special.axis] as 0 | 1 | 2], 2);
    return;
  }
  if (web.type === "bool") {
    body.push(i32.and(i32.shr_u(get(context.scalar(web)), get(lane)), i32(1)));
    return;
  }
  const place = places.slot(web);
  const wide = isWideWeb(context, web);
  pushLaneAddress(context, place.base, lane, wide ? 8 : 4);
  body.memory(LOAD_OF[context.analysis.storageOf(web)], place.offset, wide ? 3 : 2);
  if (type === "bool") {
    body.push(i32.ne(i32(0)));
  }
}

/** Storage of source `index` at `pc` as `pushLaneOperand` leaves it. */
export function laneStorage(context: Context, pc: number, index: number): ValueType {
  const web = context.analysis.table.src[pc]![index] ?? null;
  const type = operandType(context.instruction(pc), index);
  return type === "addr" && web !== null ? context.analysis.storageOf(web) : storageOfType(type);
}

const STORE_OF: Readonly<Record<ValueType, number>> = {
  i32: MEMORY.i32_store,
  i64: MEMORY.i64_store,
  f32: MEMORY.f32_store,
  f64: MEMORY.f64_store,
  v128: 0,
};

/** Writes one lane of destination `index`; `push` pushes the value in the storage of `type` (bools as 0 or 1). */
export function writeLaneResult(
  context: Context,
  places: Places,
  pc: number,
  index: number,
  lane: Local,
  type: RegisterType,
  push: () => void,
): void {
  const { body } = context;
  const web = context.analysis.table.dst[pc]![index]!;
  if (web.type === "bool") {
    const mask = context.scalar(web);
    const bit = body.local("i32");
    body.set(bit, i32.shl(i32(1), get(lane)));
    body.push(i32.or(get(mask), get(bit)), i32.and(get(mask), i32.xor(get(bit), i32(-1))));
    push();
    body.op(CONTROL.select);
    body.set(mask);
    body.release(bit);
    return;
  }
  const place = places.slot(web);
  const wide = isWideWeb(context, web);
  pushLaneAddress(context, place.base, lane, wide ? 8 : 4);
  push();
  body.memory(STORE_OF[storageOfType(type)], place.offset, wide ? 3 : 2);
}
