/** The passes, in their order. */
import type { KernelIr } from "../ir/ir.js";
import { moveConstants } from "./passes/constant-registers.js";
import { continueToElse } from "./passes/continue-to-else.js";
import { markCrossBlockIndices } from "./passes/cross-block-index.js";
import { removeDeadCode } from "./passes/dead-code.js";
import { removeDeadStores } from "./passes/dead-stores.js";
import { expandDivisions } from "./passes/expand-divisions.js";
import { hoistCommon } from "./passes/hoist-common.js";
import { hoistInvariants } from "./passes/invariant-code.js";
import { markSelects } from "./passes/mark-selects.js";
import { mergeSides } from "./passes/merge-sides.js";
import { mergeParameterLoads } from "./passes/parameter-pairs.js";
import { stepPointers } from "./passes/pointer-strides.js";
import { scalarizeArrays } from "./passes/scalarize-arrays.js";
import { selectInstructions } from "./passes/select-instructions.js";
import { shareReciprocals } from "./passes/share-reciprocals.js";
import { sinkIntoParams } from "./passes/sink-into-params.js";
import { exitAtTail } from "./passes/tail-exit.js";
import { unrollAgain } from "./passes/unroll-again.js";
import { unrollConstantLoops } from "./passes/unroll-full.js";
import { type UnrolledLoops, unrollRuntimeLoops } from "./passes/unroll-runtime.js";
import { numberValues } from "./passes/value-numbering.js";
import { vectorizeMemory } from "./passes/vector-memory.js";
import { expandAtomics } from "./passes/warp-atomics.js";
import type { LoweringOptions } from "./program.js";
import { mapOperands, resolve, type SsaFunction } from "./ssa.js";
import type { Target } from "./target.js";

/** Hoisting repeats as long as what moved lets more move, but not for ever. */
const HOIST_ROUNDS = 4;

export function optimize(fn: SsaFunction, ir: KernelIr, options: LoweringOptions, target: Target): void {
  const clean = (): void => {
    numberValues(fn, ir.sharedArrays);
    removeDeadStores(fn, ir.sharedArrays);
    removeDeadCode(fn);
  };
  const dynamicShared = (array: number): boolean => ir.sharedArrays[array]?.dims === null;
  clean();
  clean();
  if (continueToElse(fn)) clean();
  if (sinkIntoParams(fn)) clean();
  while (unrollConstantLoops(fn)) clean();
  if (scalarizeArrays(fn)) clean();
  mergeSides(fn);
  if (expandDivisions(fn)) clean();
  const unrolled: UnrolledLoops = new Map();
  if (unrollRuntimeLoops(fn, unrolled)) clean();
  if (hoistInvariants(fn, dynamicShared)) clean();
  if (stepPointers(fn, unrolled)) clean();
  if (unrollAgain(fn, unrolled)) {
    clean();
    if (hoistInvariants(fn, dynamicShared)) clean();
  }
  for (let round = 0; round < HOIST_ROUNDS && hoistCommon(fn); round++) clean();
  if (mergeSides(fn)) clean();
  expandAtomics(fn, target);
  vectorizeMemory(fn, ir.sharedArrays);
  mergeParameterLoads(fn, ir);
  exitAtTail(fn);
  markSelects(fn);
  markCrossBlockIndices(fn);
  shareReciprocals(fn);
  selectInstructions(fn, options.contractFma, target);
  removeDeadCode(fn);
  moveConstants(fn);
  mapOperands(fn.body, resolve);
}
