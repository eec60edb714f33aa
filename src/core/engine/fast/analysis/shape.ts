/** The shape of a value: how it differs between the lanes of a warp. */
import type { Instruction, Operand, RegisterType } from "../../../lower/program.js";
import { isSmallInteger, type Ranges } from "./range.js";

/**
 * - uniform: one value for the warp; `block`: one value for the block, computed once a block.
 * - affine: base + lane * stride, modulo the type; `dynamic`: the stride is a value of the warp. Small integers, 64-bit
 *   integers and addresses only. `baseMultiple`: a power of two up to 32 that divides the base.
 * - varying: any.
 */
export type Shape =
  | { readonly kind: "uniform"; readonly scope: "block" | "warp" }
  | { readonly kind: "affine"; readonly stride: number | "dynamic"; readonly baseMultiple: number }
  | { readonly kind: "varying" };

export const BLOCK_UNIFORM: Shape = { kind: "uniform", scope: "block" };
export const WARP_UNIFORM: Shape = { kind: "uniform", scope: "warp" };
export const VARYING: Shape = { kind: "varying" };

export function isAccess(instruction: Instruction): boolean {
  return instruction.op === "ld" || instruction.op === "st" || instruction.op === "atom";
}

export function canBeAffine(type: RegisterType): boolean {
  return type === "i32" || type === "u32" || type === "i64" || type === "u64" || type === "addr";
}

export function isIntegerDivision(op: string, type: string): boolean {
  return (op === "div" || op === "rem") && type !== "f32" && type !== "f64";
}

/** The instruction can end the launch with a fault, or touches memory, so it must not be moved. */
export function mayFault(instruction: Instruction, pc: number, ranges: Ranges): boolean {
  const { op, type } = instruction;
  if (isAccess(instruction) || op === "printf") return true;
  if (!isIntegerDivision(op, type)) return false;
  if (!isSmallInteger(type)) return true;
  const { low, high } = ranges.operand(pc, 1, type);
  return low <= 0 && high >= 0;
}

export function fixedShape(operand: Operand, block: readonly [number, number, number]): Shape {
  if (operand.kind !== "special") return BLOCK_UNIFORM;
  const { special } = operand;
  if (special.name === "laneId") return { kind: "affine", stride: 1, baseMultiple: 32 };
  if (special.name === "clock") return VARYING;
  if (special.name !== "threadIdx") return BLOCK_UNIFORM;
  const axis = { x: 0, y: 1, z: 2 }[special.axis] as 0 | 1 | 2;
  if (block[axis] === 1) return BLOCK_UNIFORM;
  const flat = block[1] === 1 && block[2] === 1;
  if (axis === 0) return flat || block[0] % 32 === 0 ? { kind: "affine", stride: 1, baseMultiple: 32 } : VARYING;
  return block[0] % 32 === 0 || (axis === 2 && (block[0] * block[1]) % 32 === 0) ? WARP_UNIFORM : VARYING;
}

export function joinShapes(a: Shape | undefined, b: Shape): Shape {
  if (a === undefined) return b;
  if (a.kind === "uniform" && b.kind === "uniform") return a.scope === "warp" ? a : b;
  if (a.kind === "affine" && b.kind === "affine" && a.stride === b.stride && a.stride !== "dynamic") {
    return { ...a, baseMultiple: Math.min(a.baseMultiple, b.baseMultiple) };
  }
  return VARYING;
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.kind === "uniform") return b.kind === "uniform" && a.scope === b.scope;
  if (a.kind === "affine") return b.kind === "affine" && a.stride === b.stride && a.baseMultiple === b.baseMultiple;
  return b.kind === "varying";
}
