/**
 * Results reach their own pipe's next instruction sooner than another's. Measured on the H200
 * (test/reference/h200/micro/extra.json): SHF and LOP3 in turn 8.1 cycles, both on the ALU; IADD on the FMA pipe
 * and LOP3, or IADD3 and IMAD, 10.1; a shared load whose address an ALU instruction has just made 28.8 against 22.7
 * (h200/micro/set-1.json, h200/micro/set-2.json); a special function of a sum that has just been made 23.1 against 17.0 (rcp_fadd).
 */
import type { PipeName } from "../base/pipe-names.js";

export const ALU_GROUP = 0;
export const FMA_GROUP = 1;
export const MEMORY_GROUP = 2;
export const OTHER_GROUP = 3;
/** Multiplies of 64 bits, IMAD.HI and IMAD.WIDE. */
export const LONG_GROUP = 4;
export const GROUPS = 5;

const CROSS_PIPE_CYCLES = 1;
const TO_MEMORY_CYCLES = 2;
// test/reference/h200/micro/set-9.json: hiChain 9.0 cycles. To an address ptxas counts 6, and the second pass takes two more
// (h200/micro/extra.json, imad64: 17.2 cycles where the stall counts of the code add up to 15).
const LONG_TO_LONG_CYCLES = 5;
const LONG_TO_MEMORY_CYCLES = 4;

export function groupOf(pipe: PipeName): number {
  if (pipe === "alu") return ALU_GROUP;
  if (pipe === "fma" || pipe === "imad") return FMA_GROUP;
  if (pipe === "lsu" || pipe === "shuffle" || pipe === "xu") return MEMORY_GROUP;
  return OTHER_GROUP;
}

/** Cycles that a fixed-latency result of group `from` is later for an instruction of group `to`: [from * GROUPS + to]. */
export const BYPASS_DELAY: Float64Array = (() => {
  const delay = new Float64Array(GROUPS * GROUPS);
  for (const fma of [FMA_GROUP, LONG_GROUP]) {
    delay[ALU_GROUP * GROUPS + fma] = CROSS_PIPE_CYCLES;
    delay[fma * GROUPS + ALU_GROUP] = CROSS_PIPE_CYCLES;
  }
  delay[ALU_GROUP * GROUPS + MEMORY_GROUP] = TO_MEMORY_CYCLES;
  delay[FMA_GROUP * GROUPS + MEMORY_GROUP] = TO_MEMORY_CYCLES;
  delay[LONG_GROUP * GROUPS + LONG_GROUP] = LONG_TO_LONG_CYCLES;
  delay[LONG_GROUP * GROUPS + MEMORY_GROUP] = LONG_TO_MEMORY_CYCLES;
  return delay;
})();
