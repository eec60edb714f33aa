/**
 * Registers a thread as `ptxas -v` reports them. Nsight Compute reports the same number, but at least 16: so it was for
 * each of 1,342 kernels on an H200. The rule here is fitted to ptxas 13.0's numbers of 539 of them
 * (test/reference/ptxas/registers.json); test/DEVIATIONS.md says how near it comes.
 */
import { mostRegistersAlive, wordsOf } from "../lower/emit/register-count.js";
import type { Program } from "../lower/program.js";

/** An SM of most GPUs is full with this many; ptxas stays there where it can, and the launch's count says whether. */
const FULL_OCCUPANCY = 32;

/** Registers beyond the live ones: the stack pointer, temporaries of an address or a conversion, gaps before pairs. */
const BESIDE_LIVE = 4;

/** The call of a division's or a root's slow path holds its operands and its return address. */
const FOR_CALL = 4;

/** The least of a kernel that does nothing. */
const LEAST = 4;

/** 32-bit registers that each register takes. A value lies in a uniform register only where its instruction is one. */
function registerSizes(program: Program): readonly number[] {
  const sizes = [...wordsOf(program)];
  for (const { dst, issue } of program.instructions) {
    const mnemonic = issue[0]?.mnemonic;
    if (mnemonic === undefined || mnemonic.startsWith("U")) continue;
    for (const reg of dst) if (program.registers[reg]?.type !== "bool") sizes[reg] = Math.max(1, sizes[reg] ?? 1);
  }
  return sizes;
}

/** Registers a thread as ptxas would report them; predicted, never on the other side of 32 than the launch's own count. */
export function reportedRegisters(program: Program): number {
  const spills = program.local.some((array) => array.spills === true);
  if (spills || program.registersPerThread > FULL_OCCUPANCY) return program.registersPerThread;
  const alive = mostRegistersAlive(program, registerSizes(program));
  if (alive === 0) return LEAST;
  const calls = program.instructions.some(({ issue }) => issue.some(({ mnemonic }) => mnemonic === "CALL"));
  const used = alive + BESIDE_LIVE + (calls ? FOR_CALL : 0);
  return Math.min(FULL_OCCUPANCY, used + (used % 2));
}
