/** The passes, in their order. */
import type { KernelIr } from "../ir/ir.js";
import type { PassName } from "./pass-names.js";
import { carryDividends } from "./passes/carry-dividends.js";
import { chainSums } from "./passes/chain-sums.js";
import { moveConstants } from "./passes/constant-registers.js";
import { continueToElse } from "./passes/continue-to-else.js";
import { markCrossBlockIndices } from "./passes/cross-block-index.js";
import { removeDeadCode } from "./passes/dead-code.js";
import { removeDeadStores } from "./passes/dead-stores.js";
import { reloadWhereDense } from "./passes/dense-loads.js";
import { expandDivisions } from "./passes/expand-divisions.js";
import { hoistCommon } from "./passes/hoist-common.js";
import { hoistInvariants } from "./passes/invariant-code.js";
import { markSelects } from "./passes/mark-selects.js";
import { dynamicOf } from "./passes/memory-values.js";
import { mergeSides } from "./passes/merge-sides.js";
import { narrowLoads } from "./passes/narrow-loads.js";
import { mergeParameterLoads } from "./passes/parameter-pairs.js";
import { movePointers } from "./passes/pointer-moves.js";
import { stepPointers } from "./passes/pointer-strides.js";
import { addPointerIndices } from "./passes/pointer-sums.js";
import { reloadParameters } from "./passes/reload-parameters.js";
import { splitRowAddresses } from "./passes/row-addresses.js";
import { scalarizeArrays } from "./passes/scalarize-arrays.js";
import { selectInstructions } from "./passes/select-instructions.js";
import { shareOpposites } from "./passes/share-opposites.js";
import { shareReciprocals } from "./passes/share-reciprocals.js";
import { sinkIntoParams } from "./passes/sink-into-params.js";
import { exitAtTail } from "./passes/tail-exit.js";
import { truthResults } from "./passes/truth-results.js";
import { unrollAgain } from "./passes/unroll-again.js";
import { unrollConstantLoops } from "./passes/unroll-full.js";
import { type UnrolledLoops, unrollRuntimeLoops } from "./passes/unroll-runtime.js";
import { type NumberingRules, numberValues } from "./passes/value-numbering.js";
import { vectorizeMemory } from "./passes/vector-memory.js";
import { expandAtomics } from "./passes/warp-atomics.js";
import { placeWarpSize } from "./passes/warp-size.js";
import { nameHalves } from "./passes/wide-halves.js";
import { choosePredicated } from "./predication.js";
import type { LoweringOptions } from "./program.js";
import { mapOperands, resolve, type SsaFunction, type Value } from "./ssa.js";
import type { Target } from "./target.js";

/** LLVM has the pass since 3.7; what was measured on GPUs before Maxwell was compiled by earlier ones. */
const OLDEST_WITH_STRIDES = 5;

/** Hoisting repeats as long as what moved lets more move, but not for ever. */
const HOIST_ROUNDS = 4;

export function optimize(fn: SsaFunction, ir: KernelIr, options: LoweringOptions, target: Target): void {
  const left = new Set<PassName>(options.without);
  /** Runs a pass unless it is left out; true if it says that it changed something. */
  const run = (name: PassName, pass: () => unknown): boolean => !left.has(name) && pass() === true;
  // NVVM does so when loops are unrolled and equal values are one.
  let reassociates = false;
  const clean = (changed: Partial<NumberingRules> = {}): void => {
    const rules = { reassociates, strides: target.major >= OLDEST_WITH_STRIDES, compares: false, ...changed };
    run("number-values", () => numberValues(fn, ir.sharedArrays, rules));
    run("dead-stores", () => removeDeadStores(fn, ir.sharedArrays));
    removeDeadCode(fn);
  };
  const dynamicShared = dynamicOf(ir.sharedArrays);
  const hoist = (): boolean => run("invariant-code", () => hoistInvariants(fn, dynamicShared));
  removeDeadCode(fn);
  run("carry-dividends", () => carryDividends(fn));
  clean({ compares: true });
  clean({ compares: true });
  if (run("truth-results", () => truthResults(fn))) clean();
  if (run("continue-to-else", () => continueToElse(fn))) clean();
  if (run("chain-sums", () => chainSums(fn))) clean();
  if (run("sink-into-params", () => sinkIntoParams(fn))) clean();
  while (run("unroll-full", () => unrollConstantLoops(fn, false))) clean();
  if (run("scalarize-arrays", () => scalarizeArrays(fn))) clean();
  while (run("unroll-full", () => unrollConstantLoops(fn, true))) clean();
  run("merge-sides", () => mergeSides(fn));
  if (run("expand-divisions", () => expandDivisions(fn))) clean();
  if (run("row-addresses", () => splitRowAddresses(fn))) clean();
  reassociates = true;
  clean();
  const unrolled: UnrolledLoops = new Map();
  if (run("unroll-runtime", () => unrollRuntimeLoops(fn, unrolled))) clean();
  // What has moved may stand for the same inside, and what that fed moves, too.
  for (let round = 0; round < HOIST_ROUNDS && hoist(); round++) clean();
  // NVVM steps pointers when it has reassociated.
  if (run("pointer-strides", () => stepPointers(fn, unrolled))) clean({ reassociates: false });
  if (placeWarpSize(fn)) clean({ reassociates: false });
  if (run("unroll-again", () => unrollAgain(fn, unrolled))) {
    clean();
    if (hoist()) clean();
  }
  run("pointer-moves", () => movePointers(fn, unrolled));
  const early = new Set<Value>();
  for (let round = 0; round < HOIST_ROUNDS && run("hoist-common", () => hoistCommon(fn, early)); round++) clean();
  if (run("merge-sides", () => mergeSides(fn))) clean();
  run("warp-atomics", () => expandAtomics(fn, target));
  run("reload-parameters", () => target.constantOperands || reloadParameters(fn));
  run("vector-memory", () => vectorizeMemory(fn, ir.sharedArrays));
  run("parameter-pairs", () => mergeParameterLoads(fn, ir));
  run("tail-exit", () => exitAtTail(fn));
  run("mark-selects", () => markSelects(fn));
  run("pointer-sums", () => addPointerIndices(fn));
  run("cross-block-index", () => narrowLoads(fn, markCrossBlockIndices(fn, early)));
  run("share-reciprocals", () => shareReciprocals(fn));
  run("share-opposites", () => shareOpposites(fn));
  run("select-instructions", () =>
    selectInstructions(fn, options.contractFma, target, () => choosePredicated(fn, target)),
  );
  removeDeadCode(fn);
  run("wide-halves", () => nameHalves(fn));
  run("constant-registers", () => moveConstants(fn, target, choosePredicated(fn, target)));
  if (run("dense-loads", () => !target.constantOperands && reloadWhereDense(fn))) removeDeadCode(fn);
  mapOperands(fn.body, resolve);
}
