/** Small kernels of CUDA text as lowered programs, for tests of what becomes of them. */

import { readCuda } from "../../src/frontend/cuda/read-cuda.js";
import { lower } from "../../src/lower/lower.js";
import type { LoweringOptions, Program } from "../../src/lower/program.js";

/** The program of the one kernel that `text` has, for compute capability 9.0 with contraction unless told otherwise. */
export function compileCuda(text: string, options: Partial<LoweringOptions> = {}): Program {
  const [ir] = readCuda(text).values();
  if (ir === undefined) throw new Error(`no kernel in ${text}`);
  return lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true, ...options });
}

/** The mnemonics of all machine instructions, in order; those that other instructions do along are none. */
export function mnemonics(program: Program): readonly string[] {
  return program.instructions.flatMap(({ issue }) => issue.map(({ mnemonic }) => mnemonic));
}

/** How many machine instructions have a mnemonic that starts so. */
export function count(program: Program, start: string): number {
  return mnemonics(program).filter((mnemonic) => mnemonic.startsWith(start)).length;
}
