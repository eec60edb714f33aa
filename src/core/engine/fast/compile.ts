/** Compiles a program for one block shape to a WebAssembly module. */
import type { Program } from "../../lower/program.js";
import { clearingSteps } from "../budget.js";
import { analyse } from "./analysis/analysis.js";
import { type BlockPart, findBlockParts } from "./analysis/independence.js";
import { findDifferingFlow, hasPhasesToKeepInOrder } from "./analysis/phase-order.js";
import type { LaunchShape } from "./analysis/range.js";
import { maySpin } from "./analysis/spin.js";
import type { CounterPlan } from "./counter-plan.js";
import { BlockCode } from "./emit/block-code.js";
import { Context } from "./emit/context.js";
import { BETWEEN_BLOCKS, emitRefill } from "./emit/library/fault-library.js";
import { TurnCode } from "./emit/turn-code.js";
import { counterLimit, LAUNCH, LAUNCH_AREA, type ScratchLayout } from "./layout.js";
import { Unsupported } from "./unsupported.js";
import { FunctionBody, type Local } from "./wasm/body.js";
import { ModuleBuilder } from "./wasm/module.js";
import { CONVERT, I32, I64, MEMORY } from "./wasm/opcodes.js";

export interface CompiledKernel {
  readonly bytes: Uint8Array;
  /** Names of the imported functions. */
  readonly imports: readonly string[];
  readonly layout: ScratchLayout;
  readonly counters: CounterPlan;
  /** Offsets of the tables of thread indices by axis; -1 where there is none. */
  readonly threadTables: readonly [number, number, number];
  readonly warps: number;
  /** A loop may turn out to wait for another thread. */
  readonly maySpin: boolean;
  /**
   * The address of the counts from before the current block, if its lanes may have to wait for lanes elsewhere. They may
   * at a warp primitive, a barrier or in a loop. Such a block needs the reference engine. null if they never wait.
   */
  readonly countsBefore: number | null;
  /** Where a call of `run` lists the warp instructions of each of its blocks, `LISTED_BLOCKS` at the most; uint32. */
  readonly blockWork: number;
  /** The blocks' own parts of what they write, if they can run in any order and at once; else null. */
  readonly blockParts: readonly BlockPart[] | null;
}

export interface CompileOptions {
  /** The device memory is one that workers share. */
  readonly sharedMemory: boolean;
  readonly alwaysTakeTurns: boolean;
}

/** Throws Unsupported where the program needs the reference engine. */
export function compileKernel(program: Program, shape: LaunchShape, options: CompileOptions): CompiledKernel {
  refuseUnknown(program);
  const module = new ModuleBuilder({ shared: options.sharedMemory, maximumPages: 65536 });
  const analysis = analyse(program, shape);
  const context = new Context(analysis, module);
  const differing = findDifferingFlow(analysis.structure, program, analysis.shapes, analysis.table);
  const takesTurns =
    options.alwaysTakeTurns ||
    differing.length > 0 ||
    hasPhasesToKeepInOrder(program, analysis.structure, analysis.ranges);
  const block = takesTurns ? new TurnCode(context, differing) : new BlockCode(context);
  block.emit();
  if (context.counters.counts > counterLimit(program.instructions.length)) throw new Unsupported("too many counts");
  const blockFunction = module.declare();
  module.define(blockFunction, context.body);

  const waits = context.mayWait || maySpin(program, analysis.table);
  const countsBefore = waits ? context.layout.take(countBytes(context), 8) : null;
  const blockWork = context.layout.take(4 * LISTED_BLOCKS, 8);
  defineRun(module, context, blockFunction, countsBefore, blockWork);
  return {
    bytes: module.encode(),
    imports: module.importedNames,
    layout: context.layout,
    counters: context.counters,
    threadTables: block.state.places.threadTables,
    warps: context.warps,
    maySpin: maySpin(program, analysis.table),
    countsBefore,
    blockWork,
    blockParts: findBlockParts(program, analysis.table, analysis.ranges, shape),
  };
}

function countBytes(context: Context): number {
  return 8 * context.counters.counts;
}

/** The function `run(scratch, first, end, step)` runs blocks first, first + step, ... below end. */
function defineRun(
  module: ModuleBuilder,
  context: Context,
  blockFunction: number,
  countsBefore: number | null,
  blockWork: number,
): void {
  const run = new FunctionBody(["i32", "i32", "i32", "i32"], []);
  const listed = run.permanent("i32");
  const before = run.permanent("i64");
  const total = run.permanent("i64");
  const left = run.permanent("i64");
  const instructions = (): void => sumInstructions(run, context.counters, context.layout.counters);
  run.get(0);
  run.set(listed);
  instructions();
  run.set(before);
  const done = run.block();
  const again = run.loop();
  run.get(1);
  run.get(2);
  run.op(I32.ge_u);
  run.brIf(done);
  if (countsBefore !== null) {
    // Where the block is left to another engine, this is what the blocks before it have counted.
    for (const offset of [countsBefore, context.layout.counters]) {
      run.get(0);
      run.i32(offset);
      run.op(I32.add);
    }
    run.i32(countBytes(context));
    run.op(CONVERT.memory_copy);
    run.op(0x00, 0x00);
  }
  run.get(0);
  run.get(1);
  run.call(blockFunction);
  run.get(listed);
  instructions();
  run.tee(total);
  run.get(before);
  run.op(I64.sub);
  run.op(CONVERT.i32_wrap_i64);
  run.memory(MEMORY.i32_store, blockWork);
  takeOffBudget(run, context, left, () => {
    run.get(total);
    run.get(before);
    run.op(I64.sub);
    run.i64(clearingSteps(context.analysis.program.localBytesPerThread, context.warps));
    run.op(I64.add);
  });
  run.get(total);
  run.set(before);
  run.get(listed);
  run.i32(4);
  run.op(I32.add);
  run.set(listed);
  run.get(1);
  run.get(3);
  run.op(I32.add);
  run.set(1);
  run.br(again);
  run.end();
  run.end();
  module.define(module.declare(), run, "run");
}

/** Takes the block's instructions off what the launch has left. */
function takeOffBudget(run: FunctionBody, { library }: Context, left: Local, pushIssued: () => void): void {
  const at = LAUNCH_AREA + LAUNCH.stepsLeft;
  run.get(0);
  run.memory(MEMORY.i64_load, at, 3);
  pushIssued();
  run.op(I64.sub);
  run.set(left);
  // The host reads what is left, and adds to it.
  const store = (): void => {
    run.get(0);
    run.get(left);
    run.memory(MEMORY.i64_store, at, 3);
  };
  store();
  emitRefill(run, library, left, () => {
    run.i32(0);
    run.get(1);
    run.i32(BETWEEN_BLOCKS);
    run.i32(-1);
  });
  store();
}

/** Blocks that one call of `run` takes. */
export const LISTED_BLOCKS = 1024;

/** Pushes the warp instructions counted so far, as i64. */
function sumInstructions(run: FunctionBody, counters: CounterPlan, offset: number): void {
  run.i64(0);
  for (const [count, weight] of counters.instructionsByCount()) {
    run.get(0);
    run.memory(MEMORY.i64_load, offset + 8 * count);
    if (weight !== 1) {
      run.i64(weight);
      run.op(I64.mul);
    }
    run.op(I64.add);
  }
}

function refuseUnknown(program: Program): void {
  for (const { op, src } of program.instructions) {
    if (op === "gridsync" || !KNOWN.has(op)) throw new Unsupported(`the operation ${op}`);
    for (const operand of src) {
      if (operand.kind === "special" && operand.special.name === "clock") throw new Unsupported("clock");
    }
  }
}

const KNOWN: ReadonlySet<string> = new Set(
  `mov add sub mul neg abs min max mad add3 and or xor not shl shr lea lop3 mulhi popc ffs clz brev bytePerm div rem sqrt
  rsqrt rcp exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt sinpi
  cospi pow atan2 hypot copysign fdim floor ceil trunc rint round fastExp fastExp10 fastSin fastCos fastTan fastLog
  fastLog2 fastLog10 fastPow fastDivide saturate bitcast isnan isinf slowQuotient slowReciprocal slowRoot cvt setp selp pand por pxor pnot addr ld st atom
  shfl shflUp shflDown shflXor ballot any all activemask matchAny matchAll matchAllPredicate redux syncwarp bar fence printf bra bssy bsync exit
  overhead`.split(/\s+/),
);
