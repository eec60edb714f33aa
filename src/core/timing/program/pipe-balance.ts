/**
 * The integer adds, moves and shifts that run on the FMA pipe. Since Volta, nvcc has two forms of such an instruction:
 * one for the ALU (IADD3, MOV, LEA, SHF.L) and one for the FMA pipe (IMAD). It balances the load of the two pipes
 * within a stretch of code (src/core/lower/NVCC-RULES.md).
 */
import { generationOf } from "../../device/gpus/capability.js";
import type { DeviceSpec } from "../../device/spec.js";
import type { Program } from "../../lower/program.js";

const TWO_FORMS: ReadonlySet<string> = new Set(["IADD3", "MOV", "LEA", "SHF.L.U32"]);

/** 1 for each issue slot, in program order, that runs on the FMA pipe instead of the ALU. */
export function balancedPipes(program: Program, device: DeviceSpec): Uint8Array {
  const { instructions } = program;
  const slots = instructions.reduce((sum, { issue }) => sum + issue.length, 0);
  const moved = new Uint8Array(slots);
  if (!generationOf(device.computeCapability).integersOnFma) return moved;
  const starts = new Set(instructions.flatMap(({ target }) => (target === undefined ? [] : [target])));
  let at = 0;
  let alu = 0;
  let fma = 0;
  for (const [pc, instruction] of instructions.entries()) {
    if (starts.has(pc)) alu = fma = 0;
    for (const slot of instruction.issue) {
      if (slot.pipe === "imad" || slot.pipe === "fma") fma++;
      else if (slot.pipe === "alu") {
        if (TWO_FORMS.has(slot.mnemonic) && fma <= alu) {
          moved[at] = 1;
          fma++;
        } else alu++;
      }
      at++;
    }
    if (instruction.op === "bra") alu = fma = 0;
  }
  return moved;
}
