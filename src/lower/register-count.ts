/**
 * Registers a thread, as ptxas would report them: the most 32-bit registers alive at once, and the reserved ones.
 * Predicates and what the uniform datapath holds take none.
 */
import type { FinishedCode } from "./finish.js";
import type { Instruction, Reg, RegisterType } from "./program.js";
import type { Target } from "./target.js";

/** ptxas does not go below this for a kernel that does anything with memory (measured: 16 for the smallest). */
const LEAST = 16;
/** What the device runtime takes that is linked to a kernel that launches (ncu on an H200: launch__registers_per_thread). */
const LEAST_WITH_LAUNCH = 32;

export function registersPerThread(code: FinishedCode, target: Target): number {
  const { instructions, registers } = code;
  const first = new Int32Array(registers.length).fill(-1);
  const last = new Int32Array(registers.length).fill(-1);
  const touch = (reg: Reg, pc: number): void => {
    if (first[reg] === -1) first[reg] = pc;
    last[reg] = pc;
  };
  for (const inst of instructions) {
    for (const operand of inst.src) if (operand.kind === "reg") touch(operand.reg, inst.pc);
    for (const reg of inst.dst) touch(reg, inst.pc);
  }
  // A register that lives around a loop lives in all of it.
  for (let changed = true; changed; ) {
    changed = false;
    for (const inst of instructions) {
      if (inst.op !== "bra" || inst.target === undefined || inst.target > inst.pc) continue;
      for (let reg = 0; reg < registers.length; reg++) {
        if (first[reg]! < inst.target && last[reg]! >= inst.target && last[reg]! < inst.pc) {
          last[reg] = inst.pc;
          changed = true;
        }
      }
    }
  }
  const change = new Int32Array(instructions.length + 2);
  registers.forEach((register, reg) => {
    if (first[reg] === -1) return;
    const size = words(register.type, instructions, reg);
    change[first[reg]!] = change[first[reg]!]! + size;
    change[last[reg]!] = change[last[reg]!]! - size;
  });
  let alive = 0;
  let most = 0;
  for (const delta of change) {
    alive += delta;
    most = Math.max(most, alive);
  }
  const launches = instructions.some(({ op }) => op === "launch" || op === "deviceSynchronize");
  return Math.max(launches ? LEAST_WITH_LAUNCH : LEAST, most + target.reservedRegisters);
}

function words(type: RegisterType, instructions: readonly Instruction[], reg: Reg): number {
  switch (type) {
    case "bool":
      return 0;
    case "i64":
    case "u64":
    case "f64":
      return 2;
    case "addr":
      return instructions.some((inst) => inst.dst.includes(reg) && inst.root?.kind === "param") ? 2 : 1;
    default:
      return 1;
  }
}
