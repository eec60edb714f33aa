/**
 * The function that runs one block where it matters that a warp goes from one barrier to the next before the warp after
 * it does. Each warp in turn runs the control flow of the block: to a barrier, where it leaves; and from there on when
 * all have come. As WebAssembly cannot jump into the middle of a function, a warp that goes on runs from the start and
 * passes over all code up to its barrier.
 */

import { hasExit } from "../analysis/jumps.js";
import { BLOCK_UNIFORM, sameShape } from "../analysis/shape.js";
import type { BlockNode } from "../analysis/structure.js";
import type { Web } from "../analysis/webs.js";
import { Unsupported } from "../unsupported.js";
import type { Label, Local } from "../wasm/body.js";
import { CONTROL, I32, MEMORY } from "../wasm/opcodes.js";
import { emitBarrierReduction, emitBlockStart, emitBudget, pushBlockGuard } from "./blockLevel.js";
import { BlockState } from "./blockState.js";
import type { Context, Mask } from "./context.js";
import { emitPhaseOfWarp } from "./phaseCode.js";
import type { Group } from "./warpCode.js";
import { newGroup } from "./warpControl.js";

interface OpenLoop {
  readonly id: number;
  readonly exit: Label;
  readonly latch: Label;
}

/** Numbers of the barriers in a part of the block: they are numbered from 1, in order. */
interface Barriers {
  readonly first: number;
  readonly count: number;
}

export class TurnCode {
  readonly state: BlockState;
  private loops: OpenLoop[] = [];
  /** pcs of the barriers so far; barrier k is the k-th of them. */
  private readonly barriers: number[] = [];
  /** Number of the barrier that the warp must come to before it acts; 0 once it is there. */
  private readonly passing: Local;
  /** Number of the barrier at which the warps of the block have arrived; 0 if all have ended. */
  private readonly arrived: Local;
  private readonly lanes: Mask;
  private leave: Label | null = null;

  constructor(private readonly context: Context) {
    const { body } = context;
    this.state = new BlockState(context);
    this.passing = body.permanent("i32");
    this.arrived = body.permanent("i32");
    this.lanes = this.state.tracksLive || !context.fullWarps ? body.permanent("i32") : "full";
  }

  emit(): void {
    const { context, state, arrived, passing } = this;
    const { body, analysis } = context;
    emitBlockStart(context, state);
    const waiting = body.permanent("i32");
    const kept = this.keptValues().map((local) => ({ local, copy: body.permanent(body.typeOf(local)) }));
    const copy = (from: "local" | "copy", to: "local" | "copy"): void => {
      for (const pair of kept) {
        body.get(pair[from]);
        body.set(pair[to]);
      }
    };
    body.i32(0);
    body.set(waiting);
    const again = body.loop();
    copy("local", "copy");
    body.i32(0);
    body.set(arrived);
    state.eachWarp(() => {
      this.leave = body.block();
      this.loadLanes();
      copy("copy", "local");
      body.get(waiting);
      body.set(passing);
      this.region(analysis.structure.nodes);
      body.end();
    });
    body.get(arrived);
    body.set(waiting);
    this.barriers.forEach((pc, index) => {
      if (context.instruction(pc).barrierReduce === undefined) return;
      body.get(waiting);
      body.i32(index + 1);
      body.op(I32.eq);
      body.if();
      emitBarrierReduction(context, state, pc);
      body.end();
    });
    body.get(waiting);
    body.brIf(again);
    body.end();
  }

  /** Values of the block that a warp may change before the next warp's turn: each must find what the first one found. */
  private keptValues(): readonly Local[] {
    const { analysis } = this.context;
    const { phaseOf, repeated } = analysis.structure;
    const changes = (web: Web): boolean => {
      if (!sameShape(this.context.shapeOf(web), BLOCK_UNIFORM)) return false;
      const phases = new Set([...web.defs, ...web.uses].map((pc) => phaseOf[pc] ?? null));
      const [only] = phases;
      if (phases.size === 1 && only !== null && !web.readsInitial) return false;
      return (
        web.defs.length > 1 ||
        web.readsInitial ||
        web.defs.some((pc) => phaseOf[pc] == null || repeated.has(phaseOf[pc]!))
      );
    };
    return [this.state.budget, ...analysis.table.webs.filter(changes).map((web) => this.context.scalar(web))];
  }

  /** The live lanes of the warp; leaves its turn if there are none. */
  private loadLanes(): void {
    const { context, state, lanes } = this;
    const { body } = context;
    if (lanes === "full") return;
    if (!state.tracksLive) {
      state.pushWarpLanes();
      body.set(lanes);
      return;
    }
    body.get(context.frame);
    body.memory(MEMORY.i32_load, 0, 2);
    body.tee(lanes);
    body.op(I32.eqz);
    body.brIf(this.leave!);
  }

  /** Emits code that runs only where the warp is not passing over it. */
  private act(emit: () => void): void {
    const { body } = this.context;
    body.get(this.passing);
    body.op(I32.eqz);
    body.if();
    emit();
    body.end();
  }

  private newGroup(): Group {
    return newGroup(this.context, this.lanes);
  }

  /** Counts an instruction of the block's level. */
  private count(pc: number): void {
    const { context } = this;
    const { counters, body } = context;
    const { executed, lanes } = this.newGroup();
    counters.add(executed.count, "executed", pc, executed.factor);
    counters.add(lanes.count, "activeLanes", pc, lanes.factor);
    if (context.instruction(pc).guard === null) {
      counters.add(lanes.count, "predicatedLanes", pc, lanes.factor);
      return;
    }
    const holding = counters.count();
    counters.add(holding, "predicatedLanes", pc);
    context.bumpI32(holding, () => {
      context.pushMask(this.lanes);
      body.op(I32.popcnt);
      body.i32(0);
      pushBlockGuard(context, pc);
      body.op(CONTROL.select);
    });
  }

  private region(nodes: readonly BlockNode[]): void {
    for (const node of nodes) this.node(node);
  }

  private node(node: BlockNode): void {
    const { context, state } = this;
    const { body } = context;
    switch (node.kind) {
      case "phase":
        this.act(() => {
          emitPhaseOfWarp(context, state, node, this.newGroup());
          if (state.tracksLive && hasExit(node.items)) this.loadLanes();
        });
        return;
      case "barrier":
        this.barrier(node.pc);
        return;
      case "if":
        this.if(node);
        return;
      case "loop":
        this.loop(node);
        return;
      default: {
        const { pc, loop, condition, kind } = node.node;
        this.act(() => {
          this.count(pc);
          const target = this.loops.find((entry) => entry.id === loop);
          if (target === undefined) throw new Unsupported("a jump to an unknown loop");
          const label = kind === "break" ? target.exit : target.latch;
          if (condition === null) body.br(label);
          else {
            pushBlockGuard(context, pc);
            body.brIf(label);
          }
        });
      }
    }
  }

  private barrier(pc: number): void {
    const { context, passing } = this;
    const { body } = context;
    this.barriers.push(pc);
    const number = this.barriers.length;
    body.get(passing);
    body.op(I32.eqz);
    body.if();
    this.count(pc);
    const guarded = context.instruction(pc).guard !== null;
    if (guarded) {
      pushBlockGuard(context, pc);
      body.if();
    }
    body.i32(number);
    body.set(this.arrived);
    body.br(this.leave!);
    if (guarded) body.end();
    body.else();
    body.get(passing);
    body.i32(0);
    body.get(passing);
    body.i32(number);
    body.op(I32.ne, CONTROL.select);
    body.set(passing);
    body.end();
  }

  private barriersIn(nodes: readonly BlockNode[]): Barriers {
    const count = (list: readonly BlockNode[]): number =>
      list.reduce((sum, node) => {
        if (node.kind === "barrier") return sum + 1;
        if (node.kind === "if") return sum + count(node.then) + count(node.else);
        return node.kind === "loop" ? sum + count(node.body) + count(node.latch) : sum;
      }, 0);
    return { first: this.barriers.length + 1, count: count(nodes) };
  }

  /** Pushes whether the warp goes on at one of these barriers. */
  private pushGoesOnIn({ first, count }: Barriers): void {
    const { body } = this.context;
    body.get(this.passing);
    body.i32(first);
    body.op(I32.sub);
    body.i32(count);
    body.op(I32.lt_u);
  }

  private if(node: Extract<BlockNode, { kind: "if" }>): void {
    const { context } = this;
    const { body } = context;
    const pc = node.node.branch;
    const takesThen = body.local("i32");
    this.pushGoesOnIn(this.barriersIn(node.then));
    body.set(takesThen);
    this.act(() => {
      this.count(pc);
      // The branch's guard holds where `then` is skipped.
      pushBlockGuard(context, pc);
      body.op(I32.eqz);
      body.set(takesThen);
    });
    body.get(takesThen);
    body.release(takesThen);
    body.if();
    this.region(node.then);
    const { jumpOver } = node.node;
    if (jumpOver !== null) this.act(() => this.count(jumpOver));
    body.else();
    this.region(node.else);
    body.end();
  }

  private loop(node: Extract<BlockNode, { kind: "loop" }>): void {
    const { context, state } = this;
    const { body } = context;
    const pc = node.node.backBranch;
    this.pushGoesOnIn(this.barriersIn([...node.body, ...node.latch]));
    body.get(this.passing);
    body.op(I32.eqz, I32.or);
    body.if();
    const exit = body.block();
    const again = body.loop();
    const latch = body.block();
    this.loops.push({ id: node.node.id, exit, latch });
    this.region(node.body);
    body.end();
    this.region(node.latch);
    this.loops.pop();
    this.count(pc);
    emitBudget(context, state, pc, 2 + node.body.length);
    if (node.node.condition === null) body.br(again);
    else {
      pushBlockGuard(context, pc);
      body.brIf(again);
    }
    body.end();
    body.end();
    body.end();
  }
}
