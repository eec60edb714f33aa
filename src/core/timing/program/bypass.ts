/**
 * A result reaches the next instruction of its own pipe sooner than an instruction of another pipe. Measured on an H200
 * (test/reference/h200/micro/extra.json): a chain of SHF and LOP3, both on the ALU, takes 8.1 cycles a pair. A chain
 * that crosses between the ALU and the FMA pipe takes 10.1. A link of a shared load takes 6 cycles more with an ALU
 * instruction that computes its address, and so does a special function.
 */
import type { PipeName } from "../base/pipe-names.js";

export const ALU_GROUP = 0;
export const FMA_GROUP = 1;
export const MEMORY_GROUP = 2;
export const OTHER_GROUP = 3;
/** 64-bit multiplies: IMAD.HI and IMAD.WIDE. */
export const LONG_GROUP = 4;
export const GROUPS = 5;

const CROSS_PIPE_CYCLES = 1;
const TO_MEMORY_CYCLES = 2;
// A chain of IMAD.HI takes 9.0 cycles a link (test/reference/h200/micro/set-9.json, hiChain). For an address, ptxas
// counts 6 cycles, and the second pass through the pipe takes two more.
const LONG_TO_LONG_CYCLES = 5;
const LONG_TO_MEMORY_CYCLES = 4;

export function groupOf(pipe: PipeName): number {
  if (pipe === "alu") return ALU_GROUP;
  if (pipe === "fma" || pipe === "imad") return FMA_GROUP;
  if (pipe === "lsu" || pipe === "shuffle" || pipe === "xu") return MEMORY_GROUP;
  return OTHER_GROUP;
}

/**
 * Extra cycles until a fixed-latency result of group `from` reaches an instruction of group `to`: [from * GROUPS + to].
 */
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
