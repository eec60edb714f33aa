/**
 * The type of each source operand and of the result of an instruction, from the table of operations in
 * core/lower/program.ts. Both engines read operands by it, and it finds type errors in a program.
 */
import type { Instruction, RegisterType } from "../../lower/program.js";

type Typed = Pick<Instruction, "op" | "type" | "sourceType" | "argTypes" | "launch">;

/** Sources of a launch before the child's arguments: three of the grid, three of the block, shared bytes. */
export const LAUNCH_SIZES = 7;

/** Type in which source `index` of the instruction is read. Masks, shift counts, lanes and widths are u32. */
export function operandType(instruction: Typed, index: number): RegisterType {
  const { op, type } = instruction;
  switch (op) {
    case "shl":
    case "shr":
    case "lea":
    case "lop3":
      return index === shiftOperand(op) ? "u32" : type;
    case "bytePerm":
      return "u32";
    case "cvt":
    case "bitcast":
      return instruction.sourceType ?? type;
    case "setp":
      return index === 2 ? "bool" : (instruction.sourceType ?? type);
    case "selp":
      return index === 2 ? "bool" : type;
    case "pand":
    case "por":
    case "pxor":
    case "pnot":
    case "bar":
      return "bool";
    case "addr":
      return index === 1 ? "addr" : (instruction.sourceType ?? "i32");
    case "ld":
    case "st":
    case "atom":
      return index === 0 ? "addr" : type;
    case "shfl":
    case "shflUp":
    case "shflDown":
    case "shflXor":
      return index === 1 ? type : "u32";
    case "ballot":
    case "any":
    case "all":
      return index === 1 ? "bool" : "u32";
    case "matchAny":
    case "matchAll":
    case "matchAllPredicate":
      return index === 1 ? (instruction.sourceType ?? type) : "u32";
    case "redux":
      return index === 1 ? type : "u32";
    case "syncwarp":
      return "u32";
    case "activemask":
    case "printf":
      return instruction.argTypes?.[index] ?? "i32";
    case "launch":
      return instruction.launch?.types[index - LAUNCH_SIZES] ?? "u32";
    default:
      return type;
  }
}

function shiftOperand(op: "shl" | "shr" | "lea" | "lop3"): number {
  if (op === "lea") return 2;
  return op === "lop3" ? 3 : 1;
}

/** Type of the result, or null where the operation has none. A result of type bool may stand in an i32 register as 0 or 1. */
export function resultType(instruction: Typed): RegisterType | null {
  switch (instruction.op) {
    case "setp":
    case "isnan":
    case "isinf":
    case "slowQuotient":
    case "slowReciprocal":
    case "slowRoot":
    case "pand":
    case "por":
    case "pxor":
    case "pnot":
    case "any":
    case "all":
    case "matchAllPredicate":
      return "bool";
    case "addr":
      return "addr";
    case "ballot":
    case "activemask":
    case "matchAny":
    case "matchAll":
      return "u32";
    case "popc":
    case "ffs":
    case "clz":
    case "bar":
      return "i32";
    case "st":
    case "syncwarp":
    case "fence":
    case "gridsync":
    case "printf":
    case "launch":
    case "deviceSynchronize":
    case "bra":
    case "bssy":
    case "bsync":
    case "exit":
    case "overhead":
      return null;
    default:
      return instruction.type;
  }
}
