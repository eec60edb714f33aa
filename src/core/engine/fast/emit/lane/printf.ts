/** printf: the lanes' values are handed to the host one lane after the other. */
import { operandType } from "../../../semantics/operand-type.js";
import { OPERANDS } from "../../layout.js";
import { get, i32 } from "../../wasm/expression.js";
import { MEMORY } from "../../wasm/opcodes.js";
import { BLOCK, type Context, type Mask, SCRATCH } from "../context.js";
import type { Places } from "../places.js";
import { storageOfType } from "../scalar-operation.js";
import { forEachLane, pushLaneOperand } from "./lane-loop.js";

/** Arguments of one lane stand at OPERANDS, 8 bytes each; the import `printf` gets scratch, pc, block, warp and lane. */
export function emitPrintf(context: Context, places: Places, pc: number, mask: Mask): void {
  const { body } = context;
  const instruction = context.instruction(pc);
  forEachLane(context, mask, (lane) => {
    instruction.src.forEach((_, index) => {
      body.get(SCRATCH);
      pushLaneOperand(context, places, pc, index, lane);
      const opcode = { i32: MEMORY.i32_store, i64: MEMORY.i64_store, f32: MEMORY.f32_store, f64: MEMORY.f64_store };
      body.memory(opcode[storageOfType(operandType(instruction, index))], OPERANDS + 8 * index, 2);
    });
    body.push(get(SCRATCH), i32(pc), get(BLOCK), get(context.warp), get(lane));
    context.library.callImport(body, "printf", ["i32", "i32", "i32", "i32", "i32"], []);
  });
}
