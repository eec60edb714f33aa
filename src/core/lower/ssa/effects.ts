/** The side effects of instructions, for passes that remove, duplicate or move them. */
import { isFloat, type Scalar } from "../../ir/types.js";
import { type Op, WARP_PRIMITIVES } from "../program.js";
import { type Inst, type Region, regionsOf, resolve, type SsaNode, type SsaOp } from "./ssa.js";

const TOUCHING: ReadonlySet<Op | SsaOp> = new Set<Op | SsaOp>([
  ...WARP_PRIMITIVES,
  "ld",
  "st",
  "atom",
  "bar",
  "fence",
  "gridsync",
  "printf",
  "launch",
  "deviceSynchronize",
  "overhead",
]);

/** Lanes exchange values or wait for each other: such an instruction keeps its place in the control flow. */
const CONVERGENT: ReadonlySet<Op | SsaOp> = new Set<Op | SsaOp>([
  ...WARP_PRIMITIVES,
  "bar",
  "gridsync",
  "launch",
  "deviceSynchronize",
]);

export function isConvergent(inst: Inst): boolean {
  return CONVERGENT.has(inst.op);
}

/** An integer division faults where its divisor is zero, so it must not run where the source does not run it. */
export function mayFault(inst: Inst): boolean {
  if (inst.op !== "div" && inst.op !== "rem") return false;
  if (isFloat(inst.type as Scalar)) return false;
  const divisor = resolve(inst.operands[1]!);
  return divisor.constant === null || Number(divisor.constant) === 0;
}

/** The same operands always give the same value, and nothing else happens. */
export function isPure(inst: Inst): boolean {
  if (TOUCHING.has(inst.op)) return false;
  return !(inst.op === "special" && inst.mods.special?.name === "clock");
}

/** Pure and never faults: lanes that do not need it may run it. */
export function isSpeculatable(inst: Inst): boolean {
  return isPure(inst) && !mayFault(inst);
}

/**
 * Has effects that others see or wait for, beyond a plain load or store. A loop with such effects need not
 * terminate.
 */
export function hasSideEffects(inst: Inst): boolean {
  if (inst.op === "ld" || inst.op === "st") return inst.mods.volatile === true;
  return TOUCHING.has(inst.op) && inst.op !== "overhead";
}

/** Dead without readers. Exchanges between lanes are removable too, except `__syncwarp` (nvcc 13.0). */
export function isRemovable(inst: Inst): boolean {
  if (WARP_PRIMITIVES.has(inst.op as Op)) return inst.op !== "syncwarp";
  if (inst.op === "ld") return inst.mods.volatile !== true;
  return isSpeculatable(inst);
}

export function someNode(region: Region, test: (node: SsaNode) => boolean): boolean {
  return region.nodes.some((node) => {
    return test(node) || regionsOf(node).some((inner) => someNode(inner, test));
  });
}
