/** Bools that vary between lanes are kept as lane masks; what can be computed on masks needs no loop over the lanes. */
import { operandType } from "../../semantics/operand-type.js";
import { get, i32 } from "../wasm/expression.js";
import { I32 } from "../wasm/opcodes.js";
import { hasClosedForm, pushComparison } from "./conditions.js";
import type { Context, Mask } from "./context.js";

/** True if the varying bool that `pc` defines can be computed from lane masks and scalars. */
export function isMaskOperation(context: Context, pc: number): boolean {
  const instruction = context.instruction(pc);
  const isMask = (index: number): boolean => {
    const shape = context.operandShape(pc, index);
    const web = context.analysis.table.src[pc]![index] ?? null;
    return shape.kind === "uniform" || web?.type === "bool";
  };
  switch (instruction.op) {
    case "pand":
    case "por":
    case "pxor":
    case "pnot":
      return instruction.src.every((_, index) => isMask(index));
    case "mov":
      return operandType(instruction, 0) === "bool" && isMask(0);
    case "selp":
      return operandType(instruction, 0) === "bool" && instruction.src.every((_, index) => isMask(index));
    case "setp":
      return hasClosedForm(context, pc) && (instruction.src.length < 3 || isMask(2));
    default:
      return false;
  }
}

/** Emits the definition; lanes outside `acting` keep their values where that matters. */
export function emitMaskDefinition(context: Context, pc: number, acting: Mask): void {
  const { body } = context;
  const instruction = context.instruction(pc);
  const web = context.analysis.table.dst[pc]![0]!;
  const mask = (index: number): void => pushLaneMask(context, pc, index);
  switch (instruction.op) {
    case "pand":
    case "por":
    case "pxor":
      mask(0);
      mask(1);
      body.op({ pand: I32.and, por: I32.or, pxor: I32.xor }[instruction.op]);
      break;
    case "pnot":
      mask(0);
      body.push(i32.xor(i32(-1)));
      break;
    case "mov":
      mask(0);
      break;
    case "selp":
      mask(0);
      mask(2);
      body.op(I32.and);
      mask(1);
      mask(2);
      body.push(i32.or(i32.and(i32.xor(i32(-1)))));
      break;
    default:
      pushComparison(context, pc);
      if (instruction.combine !== undefined) {
        mask(2);
        body.op(instruction.combine === "and" ? I32.and : I32.or);
      }
  }
  const local = context.scalar(web);
  if (acting !== "full" && context.shapes.mustKeep(pc, 0)) {
    // old ^ ((old ^ new) & acting)
    body.push(i32.xor(i32.and(i32.xor(get(local)), get(acting)), get(local)));
  }
  body.set(local);
}

/** Pushes a bool source as a lane mask. */
export function pushLaneMask(context: Context, pc: number, index: number): void {
  const { body } = context;
  if (context.operandShape(pc, index).kind === "uniform") {
    body.i32(0);
    context.pushScalar(pc, index);
    body.op(I32.sub);
  } else body.get(context.scalar(context.analysis.table.src[pc]![index]!));
}
