/**
 * Combines integer minima and maxima with each other or with a sum (DPX, nvcc 13.0 for sm_90). Counts the copies of
 * a double minimum that a loop carries.
 */

import { type InstructionMatcher, NONE, slot } from "../../analysis/instruction-matcher.js";
import { issueSlots } from "../../machine/machine-instructions.js";
import type { Inst, Value } from "../../ssa/ssa.js";
import { resolve } from "../../ssa/ssa.js";

const OF_THREE = slot("VIMNMX3", "alu");
const OF_SUM = slot("VIADDMNMX", "alu");
const NOT_BELOW_ZERO = slot("VIMNMX.RELU", "alu");

export function joinMinMax(m: InstructionMatcher, inst: Inst): void {
  if (!m.target.joinsMinMax) return;
  const [a, b] = inst.operands as [Value, Value];
  for (const part of [a, b]) {
    const inner = m.single(part, inst.op);
    if (inner?.type !== inst.type) continue;
    inner.slots = NONE;
    inst.slots = OF_THREE;
    return;
  }
  const low = inst.op === "max" && inst.type === "i32" && resolve(b).constant === 0 ? m.single(a, "min") : null;
  if (low !== null && resolve(low.operands[1]!).constant !== null) {
    low.slots = NONE;
    inst.slots = NOT_BELOW_ZERO;
    return;
  }
  for (const part of [a, b]) {
    const sum = m.single(part, "add") ?? m.single(part, "sub");
    if (sum === null) continue;
    sum.slots = NONE;
    inst.slots = OF_SUM;
    return;
  }
}

/** A running minimum or maximum of doubles overwrites its own operand: two halves are copied first instead of one. */
export function carryMinMax(m: InstructionMatcher, inst: Inst): void {
  const carried = inst.operands.some((operand) => {
    const at = m.loop?.params.indexOf(resolve(operand)) ?? -1;
    return at >= 0 && resolve(m.loop!.nexts[at]!) === resolve(inst.results[0]!);
  });
  if (carried) inst.slots = [...slot("MOV", "alu"), ...issueSlots(inst.op, inst.type, inst.mods)];
}
