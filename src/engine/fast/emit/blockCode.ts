/** The function that runs one block: barriers and the control flow around them once, the phases between for each warp. */

import { hasExit } from "../analysis/jumps.js";
import { findPhaseConflict } from "../analysis/phaseOrder.js";
import { BLOCK_UNIFORM, sameShape } from "../analysis/shape.js";
import type { BlockNode } from "../analysis/structure.js";
import { Unsupported } from "../unsupported.js";
import type { Label } from "../wasm/body.js";
import { CONTROL, CONVERT, I32, I64, MEMORY } from "../wasm/opcodes.js";
import { BlockState } from "./blockState.js";
import { BLOCK, type Context, SCRATCH } from "./context.js";
import { emitPhase } from "./phaseCode.js";
import { FAULT, FAULT_PARAMS } from "./sharedLibrary.js";
import type { Group } from "./warpCode.js";

interface OpenLoop {
  readonly id: number;
  readonly exit: Label;
  readonly latch: Label;
}

export class BlockCode {
  readonly state: BlockState;
  private group: Group | null = null;
  private loops: OpenLoop[] = [];
  private end: Label | null = null;

  constructor(private readonly context: Context) {
    const { structure, program, shape } = context.analysis;
    const conflict = findPhaseConflict(program, structure, shape.paramsDisjoint);
    if (conflict !== null)
      throw new Unsupported(`instructions ${conflict.join(" and ")} meet without a barrier between`);
    this.state = new BlockState(context);
  }

  emit(): void {
    const { context } = this;
    const { body, analysis } = context;
    body.get(context.stepLimit);
    body.set(this.state.budget);
    this.clearMemories();
    if (this.state.tracksLive) {
      this.state.eachWarp(() => {
        body.get(context.frame);
        this.state.pushWarpLanes();
        body.memory(MEMORY.i32_store, 0, 2);
      });
      body.i32(context.warps);
      body.set(this.state.liveWarps);
      body.i32(context.threads);
      body.set(this.state.liveLanes);
    }
    this.end = body.block();
    this.region(analysis.structure.nodes);
    body.end();
  }

  /** Shared and local memory start as 0, and so do registers that may be read before they are written. */
  private clearMemories(): void {
    const { context } = this;
    const { body, analysis } = context;
    const { program } = analysis;
    const fill = (): void => {
      body.op(CONVERT.memory_fill);
      body.op(0x00);
    };
    if (program.shared.length > 0) {
      body.get(context.sharedBase);
      body.i32(0);
      body.get(context.sharedBytes);
      fill();
    }
    if (program.localBytesPerThread > 0) {
      body.get(context.localBase);
      body.i32(0);
      body.i32(context.localBytes * context.warps * 32);
      fill();
    }
    if ([...this.state.places.crossing].some((web) => web.readsInitial)) {
      body.get(SCRATCH);
      body.i32(this.state.places.framesOffset);
      body.op(I32.add);
      body.i32(0);
      body.i32(this.state.places.frameBytes * context.warps);
      fill();
    }
  }

  /** Counts of the code of the block's level at hand, made where it is first needed. */
  private currentGroup(): Group {
    const { context } = this;
    if (this.group !== null) return this.group;
    const { body, counters } = context;
    const executed = counters.count();
    if (!this.state.tracksLive) {
      context.bumpBy(executed, 1);
      this.group = {
        executed: { count: executed, factor: context.warps },
        lanes: { count: executed, factor: context.threads },
      };
    } else {
      const lanes = counters.count();
      context.bumpI32(executed, () => body.get(this.state.liveWarps));
      context.bumpI32(lanes, () => body.get(this.state.liveLanes));
      this.group = { executed: { count: executed, factor: 1 }, lanes: { count: lanes, factor: 1 } };
    }
    return this.group;
  }

  /** Counts an instruction of the block's level; where it has a guard, `pushGuard` pushes whether it holds. */
  private count(pc: number): void {
    const { context } = this;
    const { counters, body } = context;
    const { executed, lanes } = this.currentGroup();
    counters.add(executed.count, "executed", pc, executed.factor);
    counters.add(lanes.count, "activeLanes", pc, lanes.factor);
    if (context.instruction(pc).guard === null) {
      counters.add(lanes.count, "predicatedLanes", pc, lanes.factor);
      return;
    }
    const holding = counters.count();
    counters.add(holding, "predicatedLanes", pc);
    context.bumpI32(holding, () => {
      if (this.state.tracksLive) body.get(this.state.liveLanes);
      else body.i32(context.threads);
      body.i32(0);
      this.pushGuard(pc);
      body.op(CONTROL.select);
    });
  }

  /** Pushes whether the guard at `pc` holds, which is one answer for the block. */
  private pushGuard(pc: number): void {
    const { context } = this;
    const { body } = context;
    const web = context.analysis.table.guard[pc]!;
    if (!sameShape(context.shapeOf(web), BLOCK_UNIFORM))
      throw new Unsupported("a barrier in control flow that may differ in a block");
    body.get(context.scalar(web));
    if (context.instruction(pc).guard!.negate) body.op(I32.eqz);
  }

  private region(nodes: readonly BlockNode[]): void {
    this.group = null;
    for (const node of nodes) this.node(node);
    this.group = null;
  }

  private node(node: BlockNode): void {
    const { body } = this.context;
    switch (node.kind) {
      case "phase":
        emitPhase(this.context, this.state, node, this.currentGroup());
        if (this.state.tracksLive && hasExit(node.items)) {
          body.get(this.state.liveWarps);
          body.op(I32.eqz);
          body.brIf(this.end!);
          this.group = null;
        }
        return;
      case "barrier":
        this.barrier(node.pc);
        return;
      case "if": {
        const pc = node.node.branch;
        this.count(pc);
        const outer = this.group;
        // The branch's guard holds where `then` is skipped.
        this.pushGuard(pc);
        body.op(I32.eqz);
        body.if();
        this.region(node.then);
        if (node.node.jumpOver !== null) this.count(node.node.jumpOver);
        body.else();
        this.region(node.else);
        body.end();
        this.group = this.state.tracksLive ? null : outer;
        // A jump may have left from inside: what follows does not run as often.
        if (this.jumpsOut(node)) this.group = null;
        return;
      }
      case "loop":
        this.loop(node);
        return;
      default: {
        const { pc, loop, condition, kind } = node.node;
        this.count(pc);
        const target = this.loops.find((entry) => entry.id === loop);
        if (target === undefined) throw new Unsupported("a jump to an unknown loop");
        const label = kind === "break" ? target.exit : target.latch;
        if (condition === null) body.br(label);
        else {
          this.pushGuard(pc);
          body.brIf(label);
        }
        this.group = null;
      }
    }
  }

  private jumpsOut(node: BlockNode): boolean {
    if (node.kind === "jump") return true;
    if (node.kind === "if")
      return node.then.some((inner) => this.jumpsOut(inner)) || node.else.some((inner) => this.jumpsOut(inner));
    return node.kind === "loop" && [...node.body, ...node.latch].some((inner) => this.jumpsOut(inner));
  }

  private loop(node: Extract<BlockNode, { kind: "loop" }>): void {
    const { context } = this;
    const { body } = context;
    const outer = this.group;
    const pc = node.node.backBranch;
    const exit = body.block();
    const again = body.loop();
    const latch = body.block();
    this.loops.push({ id: node.node.id, exit, latch });
    this.region(node.body);
    body.end();
    this.region(node.latch);
    this.loops.pop();
    this.count(pc);
    body.get(this.state.budget);
    body.i64(2 + node.body.length);
    body.op(I64.sub);
    body.tee(this.state.budget);
    body.i64(0);
    body.op(I64.lt_s);
    body.if();
    body.i32(FAULT.stepLimit);
    body.i32(pc);
    body.get(BLOCK);
    body.i32(0);
    body.i32(-1);
    body.f64(0);
    context.library.callImport(body, "fault", FAULT_PARAMS, []);
    body.end();
    if (node.node.condition === null) body.br(again);
    else {
      this.pushGuard(pc);
      body.brIf(again);
    }
    body.end();
    body.end();
    this.group =
      this.state.tracksLive || [...node.body, ...node.latch].some((inner) => this.jumpsOut(inner)) ? null : outer;
  }

  private barrier(pc: number): void {
    const { context } = this;
    const { body, analysis } = context;
    const instruction = context.instruction(pc);
    this.count(pc);
    if (instruction.barrierReduce === undefined) return;
    if (instruction.guard !== null) throw new Unsupported("a conditional barrier with a reduction");
    const [web] = analysis.table.dst[pc]!;
    if (web === undefined) return;
    if (!sameShape(context.shapeOf(web), BLOCK_UNIFORM))
      throw new Unsupported("a barrier's result that lanes keep apart");
    const holding = body.local("i32");
    body.i32(0);
    body.set(holding);
    this.state.eachWarp(() => {
      body.get(holding);
      this.pushPredicate(pc);
      if (this.state.tracksLive) {
        body.get(context.frame);
        body.memory(MEMORY.i32_load, 0, 2);
      } else this.state.pushWarpLanes();
      body.op(I32.and, I32.popcnt, I32.add);
      body.set(holding);
    });
    body.get(holding);
    if (instruction.barrierReduce === "or") {
      body.i32(0);
      body.op(I32.ne);
    } else if (instruction.barrierReduce === "and") {
      if (this.state.tracksLive) body.get(this.state.liveLanes);
      else body.i32(context.threads);
      body.op(I32.eq);
    }
    if (web.type === "bool" && instruction.barrierReduce === "count") {
      body.i32(0);
      body.op(I32.ne);
    }
    body.set(context.scalar(web));
    body.release(holding);
  }

  /** Pushes a barrier's predicate as a lane mask of the warp whose frame is set. */
  private pushPredicate(pc: number): void {
    const { context } = this;
    const { body, analysis } = context;
    const shape = context.operandShape(pc, 0);
    const web = analysis.table.src[pc]![0] ?? null;
    if (web === null || sameShape(shape, BLOCK_UNIFORM)) {
      body.i32(0);
      context.pushScalar(pc, 0);
      body.op(I32.sub);
      return;
    }
    const place = this.state.places.scalar(web);
    if (place === null || web.type !== "bool") throw new Unsupported("a barrier's predicate in an integer register");
    if (shape.kind === "uniform") body.i32(0);
    body.get(place.base);
    body.memory(MEMORY.i32_load, place.offset, 2);
    if (shape.kind === "uniform") body.op(I32.sub);
  }
}
