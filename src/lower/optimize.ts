/** The passes, in their order. */
import type { KernelIr } from "../ir/ir.js";
import { removeDeadCode } from "./passes/dead-code.js";
import { numberValues } from "./passes/value-numbering.js";
import type { LoweringOptions } from "./program.js";
import { mapOperands, resolve, type SsaFunction } from "./ssa.js";
import type { Target } from "./target.js";

export function optimize(fn: SsaFunction, ir: KernelIr, _options: LoweringOptions, _target: Target): void {
  for (let round = 0; round < 2; round++) {
    numberValues(fn, ir.sharedArrays);
    removeDeadCode(fn);
  }
  mapOperands(fn.body, resolve);
}
