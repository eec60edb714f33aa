/** The pass pipeline. */
import type { KernelIr } from "../ir/ir.js";
import { dynamicOf } from "./analysis/memory-values.js";
import type { Target } from "./machine/target.js";
import { removeDeadCode } from "./nvvm/control/dce.js";
import { hoistCommon } from "./nvvm/control/hoist-common.js";
import { mergeSides } from "./nvvm/control/hoist-sink-common.js";
import { markSelects } from "./nvvm/control/if-to-select.js";
import { placeWarpSize } from "./nvvm/control/warp-size.js";
import { carryDividends } from "./nvvm/loops/carry-dividends.js";
import { continueToElse } from "./nvvm/loops/continue-to-else.js";
import { hoistInvariants } from "./nvvm/loops/licm.js";
import { unrollConstantLoops } from "./nvvm/loops/loop-full-unroll.js";
import { type UnrolledLoops, unrollRuntimeLoops } from "./nvvm/loops/loop-runtime-unroll.js";
import { stepPointers } from "./nvvm/loops/loop-strength-reduction.js";
import { splitRowAddresses } from "./nvvm/loops/row-addresses.js";
import { sinkIntoParams } from "./nvvm/loops/sink-into-params.js";
import { removeDeadStores } from "./nvvm/memory/dead-stores.js";
import { vectorizeMemory } from "./nvvm/memory/load-store-vectorizer.js";
import { scalarizeArrays } from "./nvvm/memory/sroa.js";
import { markCrossBlockIndices } from "./nvvm/scalar/cross-block-index.js";
import { expandDivisions } from "./nvvm/scalar/expand-divisions.js";
import { chainSums } from "./nvvm/scalar/reassociate-chains.js";
import { truthResults } from "./nvvm/scalar/truth-results.js";
import { type NumberingRules, numberValues } from "./nvvm/scalar/value-numbering.js";
import type { PassRunner, StepName } from "./pass-runner.js";
import type { LoweringOptions } from "./program.js";
import { moveConstants } from "./ptxas/constant-registers.js";
import { reloadWhereDense } from "./ptxas/dense-loads.js";
import { narrowLoads } from "./ptxas/narrow-loads.js";
import { narrowStores } from "./ptxas/narrow-stores.js";
import { mergeParameterLoads } from "./ptxas/parameter-pairs.js";
import { movePointers } from "./ptxas/pointer-moves.js";
import { addPointerIndices } from "./ptxas/pointer-sums.js";
import { choosePredicated } from "./ptxas/predication.js";
import { reloadParameters } from "./ptxas/reload-parameters.js";
import { selectInstructions } from "./ptxas/select/select-instructions.js";
import { shareOpposites } from "./ptxas/share-opposites.js";
import { shareReciprocals } from "./ptxas/share-reciprocals.js";
import { exitAtTail } from "./ptxas/tail-exit.js";
import { unrollAgain } from "./ptxas/unroll-again.js";
import { expandAtomics } from "./ptxas/warp-atomics.js";
import { nameHalves } from "./ptxas/wide-halves.js";
import { mapOperands, resolve, type SsaFunction, type Value } from "./ssa/ssa.js";

/** Hoisting repeats while it enables more hoisting, up to this limit. */
const HOIST_ROUNDS = 4;

export function optimize(
  fn: SsaFunction,
  ir: KernelIr,
  { contractFma, debug }: LoweringOptions,
  target: Target,
  passes: PassRunner,
): void {
  const run = (step: StepName, pass: () => unknown): boolean => passes.run(step, pass);
  const clearDead = (): boolean => run("remove-dead-code", () => removeDeadCode(fn, debug));
  // NVVM reassociates once loops are unrolled and values are numbered.
  let reassociates = false;
  const clean = (changed: Partial<NumberingRules> = {}): void => {
    const rules = { reassociates, strides: target.strides, compares: false, ...changed };
    run("number-values", () => numberValues(fn, ir.sharedArrays, rules));
    run("dead-stores", () => removeDeadStores(fn, ir.sharedArrays));
    clearDead();
  };
  const dynamicShared = dynamicOf(ir.sharedArrays);
  const hoist = (): boolean => run("licm", () => hoistInvariants(fn, dynamicShared));
  clearDead();
  run("carry-dividends", () => carryDividends(fn));
  clean({ compares: true });
  clean({ compares: true });
  if (run("truth-results", () => truthResults(fn))) clean();
  if (run("continue-to-else", () => continueToElse(fn))) clean();
  if (run("reassociate-chains", () => chainSums(fn))) clean();
  if (run("sink-into-params", () => sinkIntoParams(fn))) clean();
  while (run("loop-full-unroll", () => unrollConstantLoops(fn, false))) clean();
  if (run("sroa", () => scalarizeArrays(fn))) clean();
  while (run("loop-full-unroll", () => unrollConstantLoops(fn, true))) clean();
  run("hoist-sink-common", () => mergeSides(fn));
  if (run("expand-divisions", () => expandDivisions(fn))) clean();
  if (run("row-addresses", () => splitRowAddresses(fn))) clean();
  reassociates = true;
  clean();
  const unrolled: UnrolledLoops = new Map();
  if (run("loop-runtime-unroll", () => unrollRuntimeLoops(fn, unrolled))) clean();
  // Hoisted values may replace equal ones inside, which can make their users invariant.
  for (let round = 0; round < HOIST_ROUNDS && hoist(); round++) clean();
  // NVVM steps pointers after it has reassociated.
  if (run("loop-strength-reduction", () => stepPointers(fn, unrolled))) clean({ reassociates: false });
  if (run("warp-size", () => placeWarpSize(fn))) clean({ reassociates: false });
  if (run("unroll-again", () => unrollAgain(fn, unrolled))) {
    clean();
    if (hoist()) clean();
  }
  run("pointer-moves", () => movePointers(fn, unrolled));
  const early = new Set<Value>();
  for (let round = 0; round < HOIST_ROUNDS && run("hoist-common", () => hoistCommon(fn, early)); round++) clean();
  if (run("hoist-sink-common", () => mergeSides(fn))) clean();
  run("warp-atomics", () => expandAtomics(fn, target));
  run("reload-parameters", () => target.constantOperands || reloadParameters(fn));
  run("load-store-vectorizer", () => vectorizeMemory(fn, ir.sharedArrays));
  run("parameter-pairs", () => mergeParameterLoads(fn, ir));
  run("tail-exit", () => exitAtTail(fn));
  run("if-to-select", () => markSelects(fn));
  run("pointer-sums", () => addPointerIndices(fn));
  run("cross-block-index", () => narrowLoads(fn, markCrossBlockIndices(fn, early)));
  if (run("narrow-stores", () => narrowStores(fn))) clearDead();
  run("share-reciprocals", () => shareReciprocals(fn));
  run("share-opposites", () => shareOpposites(fn));
  run("select-instructions", () => selectInstructions(fn, contractFma, target, () => choosePredicated(fn, target)));
  clearDead();
  run("wide-halves", () => nameHalves(fn));
  run("constant-registers", () => moveConstants(fn, target, choosePredicated(fn, target)));
  if (run("dense-loads", () => !target.constantOperands && reloadWhereDense(fn))) clearDead();
  mapOperands(fn.body, resolve);
}
