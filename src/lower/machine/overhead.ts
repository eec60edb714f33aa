/** Instructions that stand for what nvcc issues and nothing in the program asks for: they take their slots and do nothing. */
import type { IssueSlot } from "../program.js";
import { Inst, type LoopNode } from "../ssa/ssa.js";

/** At the place in the source of what it belongs to. */
export function overheadAt({ span, source }: Inst | LoopNode, slots: readonly IssueSlot[]): Inst {
  const inst = new Inst("overhead", "u32", [], [], {}, span, source);
  inst.slots = slots;
  return inst;
}
