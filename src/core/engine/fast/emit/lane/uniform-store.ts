/** Stores of all lanes to one address: the highest active lane's value stays. */
import { I32, MEMORY } from "../../wasm/opcodes.js";
import { type Access, emitCheck, pushLinearBase } from "../access.js";
import { countAffine } from "../access-counts.js";
import type { Context, Mask } from "../context.js";
import type { Places } from "../places.js";
import { storageOfType } from "../scalar-operation.js";
import { pushLaneOperand } from "./lane-loop.js";

export function emitUniformStore(context: Context, places: Places, access: Access, mask: Mask): void {
  const { body } = context;
  emitCheck(context, access, mask);
  const linear = body.local("i32");
  const lane = body.local("i32");
  pushLinearBase(context, access);
  body.set(linear);
  countAffine(context, access, mask, linear);
  body.i32(31);
  context.pushMask(mask);
  body.op(I32.clz, I32.sub);
  body.set(lane);
  const opcode = { i32: MEMORY.i32_store, i64: MEMORY.i64_store, f32: MEMORY.f32_store, f64: MEMORY.f64_store };
  for (let component = 0; component < access.components; component++) {
    body.get(linear);
    pushLaneOperand(context, places, access.pc, 1 + component, lane);
    body.memory(opcode[storageOfType(access.type)], component * access.size, access.size === 8 ? 3 : 2);
  }
  body.release(linear, lane);
}
