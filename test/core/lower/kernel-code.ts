/** Compiles small kernels of CUDA text, for tests of the generated code. */

import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import type { LoweringOptions, Program } from "../../../src/core/lower/program.js";

/** The program of the only kernel in `text`, by default for compute capability 9.0 with contraction. */
export function compileCuda(text: string, options: Partial<LoweringOptions> = {}): Program {
  const [ir] = readCuda(text).values();
  if (ir === undefined) throw new Error(`no kernel in ${text}`);
  return lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true, ...options });
}

/** The mnemonics of all machine instructions, in order. */
export function mnemonics(program: Program): readonly string[] {
  return program.instructions.flatMap(({ issue }) => issue.map(({ mnemonic }) => mnemonic));
}

/** The number of machine instructions whose mnemonic starts with `start`. */
export function count(program: Program, start: string): number {
  return mnemonics(program).filter((mnemonic) => mnemonic.startsWith(start)).length;
}
