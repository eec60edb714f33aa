/**
 * Overhead: instructions that nvcc issues but the program does not ask for. They take issue slots and have no
 * effect.
 */
import type { IssueSlot } from "../program.js";
import { Inst, type LoopNode } from "../ssa/ssa.js";

/** At the source location of the node it belongs to. */
export function overheadAt({ span, source }: Inst | LoopNode, slots: readonly IssueSlot[]): Inst {
  const inst = new Inst("overhead", "u32", [], [], {}, span, source);
  inst.slots = slots;
  return inst;
}
