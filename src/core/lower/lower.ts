/** The optimizing compiler: the IR of a kernel to the program that one GPU runs. README.md has the stages. */
import { CompileError } from "../base/errors.js";
import { guardStack } from "../base/stack-overflow.js";
import type { KernelIr } from "../ir/ir.js";
import { LOCAL_BYTES_PER_THREAD } from "../ir/types.js";
import { build } from "./build/build.js";
import { collapseJumps } from "./emit/collapse-jumps.js";
import { emit } from "./emit/emit.js";
import { schedule } from "./emit/instruction-schedule.js";
import { coalesce } from "./emit/register-coalescing.js";
import { branchToSlowPaths } from "./emit/slow-paths.js";
import { fitRegisters } from "./emit/spill.js";
import { checkCapability } from "./machine/capability.js";
import { byteLength, layoutLocal, layoutShared } from "./machine/shared-layout.js";
import { targetOf } from "./machine/target.js";
import { optimize } from "./optimize.js";
import { PASS_NAMES } from "./pass-names.js";
import { type PassInstrumentation, PassRunner, type StepName } from "./pass-runner.js";
import type { LoweringOptions, Program } from "./program.js";
import { choosePredicated } from "./ptxas/predication.js";
import { type IfNode, MOST_BUILT, MOST_VALUES, type SsaFunction, TooManyValues } from "./ssa/ssa.js";
import { walkInstructions } from "./ssa/traversal.js";

/**
 * Compiles `ir` for the compute capability in `options`. `instrumentation` watches the passes over it, not those over
 * the kernels that it launches.
 * @throws CompileError where the kernel needs what that GPU lacks.
 */
export function lower(ir: KernelIr, options: LoweringOptions, instrumentation: PassInstrumentation = {}): Program {
  return guardStack(`kernel "${ir.name}"`, () => lowerKernel(ir, options, instrumentation));
}

function lowerKernel(ir: KernelIr, options: LoweringOptions, instrumentation: PassInstrumentation): Program {
  const target = targetOf(options.computeCapability);
  const fn = sized(ir, "device functions, inlined where they are called,", MOST_BUILT, () => build(ir));
  fn.mostValues = MOST_VALUES;
  checkCapability(ir, fn, options.computeCapability);
  const debug = options.debug === true;
  const passes = new PassRunner(fn, debug ? LEFT_OUT_OF_DEBUG : (options.without ?? []), instrumentation);
  sized(ir, "unrolled loops", MOST_VALUES, () => optimize(fn, ir, options, target, passes));
  let predicated: ReadonlySet<IfNode> = new Set();
  passes.run("predication", () => {
    predicated = choosePredicated(fn, target);
  });
  const draft = emit(fn, target, predicated, debug);
  passes.run("register-coalescing", () => coalesce(draft));
  passes.run("collapse-jumps", () => collapseJumps(draft.region));
  passes.run("instruction-schedule", () => schedule(draft, target));
  // Scheduling may have moved the last read of a value before the definition of the next, so that they can share a
  // register.
  passes.run("register-coalescing", () => coalesce(draft));
  passes.run("slow-paths", () => branchToSlowPaths(draft));
  const most = Math.min(target.mostRegisters, options.mostRegisters ?? target.mostRegisters);
  const { code, registersPerThread, spillBytes } = fitRegisters(draft, target, ir.localArrays.length, most);
  const shared = layoutShared(ir.sharedArrays);
  const local = layoutLocal(ir.localArrays, localArraysInMemory(fn), spillBytes);
  checkLocal(ir, local.bytesPerThread);
  return {
    name: ir.name,
    sources: [ir.source, ...ir.functions.map((callee) => callee.source)],
    params: ir.params,
    registers: code.registers,
    instructions: code.instructions,
    body: code.body,
    shared: shared.layout,
    local: local.layout,
    staticSharedBytes: shared.staticBytes,
    usesDynamicShared: shared.dynamic,
    localBytesPerThread: local.bytesPerThread,
    registersPerThread,
    cooperative: code.instructions.some((inst) => inst.op === "gridsync"),
    computeCapability: options.computeCapability,
    warnings: ir.warnings,
    ...(ir.children === undefined || ir.children.length === 0
      ? {}
      : { children: ir.children.map((child) => lower(child, options)) }),
  };
}

const LEFT_OUT_OF_DEBUG: readonly StepName[] = [...PASS_NAMES, "predication", "instruction-schedule"];

/** `why`: what makes a kernel too large at this stage. */
function sized<T>(ir: KernelIr, why: string, most: number, stage: () => T): T {
  try {
    return stage();
  } catch (error) {
    if (!(error instanceof TooManyValues)) throw error;
    throw new CompileError({
      what: `Kernel ${ir.name} becomes too large to be compiled: ${why} make more than ${most} values.`,
      cure: "Unroll fewer loops in one another (unroll(4) instead of unroll()), call device functions less often in one another, or use loops.",
    });
  }
}

/** ptxas refuses it, too: "too much local data". */
function checkLocal(ir: KernelIr, bytes: number): void {
  if (bytes <= LOCAL_BYTES_PER_THREAD) return;
  const [largest] = [...ir.localArrays].sort((a, b) => byteLength(b) - byteLength(a));
  throw new CompileError({
    what: `Kernel ${ir.name} needs ${bytes} bytes of local memory a thread: its local arrays together may take ${LOCAL_BYTES_PER_THREAD} bytes (512 KiB).`,
    cure: "Make the arrays smaller, or use an array in global memory with a part for each thread.",
    source: ir.source,
    span: largest?.span,
  });
}

function localArraysInMemory(fn: SsaFunction): ReadonlySet<number> {
  const used = new Set<number>();
  walkInstructions(fn.body, (node) => {
    if (node.mods.root?.kind === "local") used.add(node.mods.root.array);
  });
  return used;
}
