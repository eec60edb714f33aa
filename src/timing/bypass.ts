/**
 * Results reach their own pipe's next instruction sooner than another's. Measured on the H200
 * (test/reference/probes/h200-micro-extra.json): SHF and LOP3 in turn 8.1 cycles, both on the ALU; IADD on the FMA pipe
 * and LOP3, or IADD3 and IMAD, 10.1; a shared load whose address an ALU instruction has just made 28.8 against 22.7
 * (h200-micro.json, h200-micro-2.json).
 */
import type { PipeName } from "./pipe-names.js";

export const ALU_GROUP = 0;
export const FMA_GROUP = 1;
export const MEMORY_GROUP = 2;
export const OTHER_GROUP = 3;

const CROSS_PIPE_CYCLES = 1;
const TO_MEMORY_CYCLES = 2;

export function groupOf(pipe: PipeName): number {
  if (pipe === "alu") return ALU_GROUP;
  if (pipe === "fma" || pipe === "imad") return FMA_GROUP;
  if (pipe === "lsu" || pipe === "shuffle") return MEMORY_GROUP;
  return OTHER_GROUP;
}

/** Cycles that a fixed-latency result of group `from` is later for an instruction of group `to`: [from * 4 + to]. */
export const BYPASS_DELAY: Float64Array = (() => {
  const delay = new Float64Array(16);
  delay[ALU_GROUP * 4 + FMA_GROUP] = CROSS_PIPE_CYCLES;
  delay[FMA_GROUP * 4 + ALU_GROUP] = CROSS_PIPE_CYCLES;
  delay[ALU_GROUP * 4 + MEMORY_GROUP] = TO_MEMORY_CYCLES;
  delay[FMA_GROUP * 4 + MEMORY_GROUP] = TO_MEMORY_CYCLES;
  return delay;
})();
