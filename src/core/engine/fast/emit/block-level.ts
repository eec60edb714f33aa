/** The code of a block at its own level: start, guards of barriers and of the control flow around them. */
import { countInstructions } from "../analysis/jumps.js";
import { BLOCK_UNIFORM, sameShape } from "../analysis/shape.js";
import type { BlockNode } from "../analysis/structure.js";
import { Unsupported } from "../unsupported.js";
import { get, i32, i64, loadWord } from "../wasm/expression.js";
import { CONTROL, CONVERT, I32, MEMORY } from "../wasm/opcodes.js";
import type { BlockState } from "./block-state.js";
import { BLOCK, type Context, SCRATCH } from "./context.js";
import { emitRefill, WHOLE_BLOCK } from "./library/fault-library.js";
import type { Group } from "./warp-code.js";

type BlockLoop = Extract<BlockNode, { kind: "loop" }>;

/** Budget, memories and live lanes as a block finds them. */
export function emitBlockStart(context: Context, state: BlockState): void {
  const { body } = context;
  body.set(state.budget, get(context.blockSteps));
  clearMemories(context, state);
  if (!state.tracksLive) return;
  state.eachWarp(() => {
    body.get(context.frame);
    state.pushWarpLanes();
    body.memory(MEMORY.i32_store, 0, 2);
  });
  body.set(state.liveWarps, i32(context.warps));
  body.set(state.liveLanes, i32(context.threads));
}

/**
 * Counts an instruction of the block's level. Where it has a guard, `pushGuard` pushes whether it holds, and then all
 * lanes that `pushLanes` counts execute it or none.
 */
export function countAtLevel(
  context: Context,
  pc: number,
  { executed, lanes }: Group,
  pushLanes: () => void,
  pushGuard: () => void,
): void {
  const { body, counters } = context;
  counters.add(executed.count, "executed", pc, executed.factor);
  counters.add(lanes.count, "activeLanes", pc, lanes.factor);
  if (context.instruction(pc).guard === null) {
    counters.add(lanes.count, "predicatedLanes", pc, lanes.factor);
    return;
  }
  const holding = counters.count();
  counters.add(holding, "predicatedLanes", pc);
  context.bumpI32(holding, () => {
    pushLanes();
    body.i32(0);
    pushGuard();
    body.op(CONTROL.select);
  });
}

/** Shared and local memory start as 0, and so do registers that may be read before they are written. */
function clearMemories(context: Context, state: BlockState): void {
  const { body, analysis } = context;
  const { program } = analysis;
  const fill = (): void => {
    body.op(CONVERT.memory_fill);
    body.op(0x00);
  };
  if (program.shared.length > 0) {
    body.push(get(context.sharedBase), i32(0), get(context.sharedBytes));
    fill();
  }
  if (program.localBytesPerThread > 0) {
    body.push(get(context.localBase), i32(0), i32(context.localBytes * context.warps * 32));
    fill();
  }
  if ([...state.places.crossing].some((web) => web.readsInitial)) {
    body.push(
      i32.add(get(SCRATCH), i32(state.places.framesOffset)),
      i32(0),
      i32(state.places.frameBytes * context.warps),
    );
    fill();
  }
}

/** Pushes whether the guard at `pc` holds, which is one answer for the block. */
export function pushBlockGuard(context: Context, pc: number): void {
  const { body } = context;
  const web = context.analysis.table.guard[pc]!;
  if (!sameShape(context.shapeOf(web), BLOCK_UNIFORM))
    throw new Unsupported("a barrier in control flow that may differ in a block");
  body.get(context.scalar(web));
  if (context.instruction(pc).guard!.negate) body.op(I32.eqz);
}

/** Takes an upper bound of what `warps` warps issue in an iteration off the block's budget. */
export function emitBudget(context: Context, state: BlockState, loop: BlockLoop, warps: number): void {
  const { body } = context;
  body.set(
    state.budget,
    i64.sub(
      get(state.budget),
      i64(warps * (1 + countBlockInstructions(loop.body) + countBlockInstructions(loop.latch))),
    ),
  );
  emitRefill(body, context.library, state.budget, () => {
    body.push(i32(loop.node.backBranch), get(BLOCK), i32(WHOLE_BLOCK), i32(-1));
  });
}

function countBlockInstructions(nodes: readonly BlockNode[]): number {
  let count = 0;
  for (const node of nodes) {
    if (node.kind === "phase") count += countInstructions(node.items);
    else if (node.kind === "if") count += 1 + countBlockInstructions(node.then) + countBlockInstructions(node.else);
    else if (node.kind === "loop") count += 1 + countBlockInstructions(node.body) + countBlockInstructions(node.latch);
    else count++;
  }
  return count;
}

/** The reduction of the predicates that a barrier gives all threads, once all of them have come to it. */
export function emitBarrierReduction(context: Context, state: BlockState, pc: number): void {
  const { body, analysis } = context;
  const instruction = context.instruction(pc);
  if (instruction.barrierReduce === undefined) return;
  if (instruction.guard !== null) throw new Unsupported("a conditional barrier with a reduction");
  const [web] = analysis.table.dst[pc]!;
  if (web === undefined) return;
  if (!sameShape(context.shapeOf(web), BLOCK_UNIFORM))
    throw new Unsupported("a barrier's result that lanes keep apart");
  const holding = body.local("i32");
  const lanes = body.local("i32");
  for (const sum of [holding, lanes]) {
    body.set(sum, i32(0));
  }
  const pushLanes = (): void => {
    if (state.tracksLive) {
      body.push(loadWord(0, get(context.frame)));
    } else state.pushWarpLanes();
  };
  state.eachWarp(() => {
    body.get(lanes);
    pushLanes();
    body.op(I32.popcnt, I32.add);
    body.set(lanes);
    body.get(holding);
    pushPredicate(context, state, pc);
    pushLanes();
    body.op(I32.and, I32.popcnt, I32.add);
    body.set(holding);
  });
  body.get(holding);
  if (instruction.barrierReduce === "or") {
    body.push(i32.ne(i32(0)));
  } else if (instruction.barrierReduce === "and") {
    body.push(i32.eq(get(lanes)));
  }
  if (web.type === "bool" && instruction.barrierReduce === "count") {
    body.push(i32.ne(i32(0)));
  }
  body.set(context.scalar(web));
  body.release(holding, lanes);
}

/** Pushes a barrier's predicate as a lane mask of the warp whose frame is set. */
function pushPredicate(context: Context, state: BlockState, pc: number): void {
  const { body, analysis } = context;
  const shape = context.operandShape(pc, 0);
  const web = analysis.table.src[pc]![0] ?? null;
  if (web === null || sameShape(shape, BLOCK_UNIFORM)) {
    body.i32(0);
    context.pushScalar(pc, 0);
    body.op(I32.sub);
    return;
  }
  const place = state.places.scalar(web);
  if (place === null || web.type !== "bool") throw new Unsupported("a barrier's predicate in an integer register");
  if (shape.kind === "uniform") body.i32(0);
  body.push(loadWord(place.offset, get(place.base)));
  if (shape.kind === "uniform") body.op(I32.sub);
}
