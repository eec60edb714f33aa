/** Stores of all lanes to one address: the highest active lane's value stays. */
import { I32 } from "../../wasm/opcodes.js";
import { type Access, emitCheck, pushLinearBase, storeComponent } from "../access.js";
import { countAffine } from "../access-counts.js";
import type { Context, Mask } from "../context.js";
import type { Places } from "../places.js";
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
  for (let component = 0; component < access.components; component++) {
    body.get(linear);
    pushLaneOperand(context, places, access.pc, 1 + component, lane);
    storeComponent(body, access, component);
  }
  body.release(linear, lane);
}
