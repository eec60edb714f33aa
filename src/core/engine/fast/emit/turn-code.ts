/**
 * The function that runs one block where it matters that a warp goes from one barrier to the next before the warp after
 * it does. Each warp in turn runs the control flow of the block to a barrier, and from there on when all have come.
 * WebAssembly cannot jump into the middle of a function. So a warp that goes on runs from the start and passes over all
 * code up to its barrier. Warps may go different ways, as long as all lanes of a warp go together. All warps that have
 * not ended must come to the same barrier; where they do not, the block is left to another engine.
 */
import { hasExit } from "../analysis/jumps.js";
import { BLOCK_UNIFORM, sameShape } from "../analysis/shape.js";
import type { BlockNode } from "../analysis/structure.js";
import type { Web } from "../analysis/webs.js";
import { Unsupported } from "../unsupported.js";
import type { Label, Local } from "../wasm/body.js";
import { get, i32, loadWord, select, tee } from "../wasm/expression.js";
import { I32 } from "../wasm/opcodes.js";
import { countAtLevel, emitBarrierReduction, emitBlockStart, emitBudget, pushBlockGuard } from "./block-level.js";
import { BlockState } from "./block-state.js";
import { BLOCK, type Context, type Mask } from "./context.js";
import { FAULT, FAULT_PARAMS } from "./library/fault-library.js";
import { emitPhaseOfWarp } from "./phase-code.js";
import type { Group } from "./warp-code.js";
import { newGroup } from "./warp-control.js";

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
  private readonly differing: ReadonlySet<number>;
  /** Values of the block, each with what a warp finds at its start and what it leaves at its barrier. */
  private kept: readonly { readonly local: Local; readonly found: Local; readonly left: Local }[] = [];

  /** `differing`: guards of the block's level that warps may not share. Lanes of a warp must, or the block fails. */
  constructor(
    private readonly context: Context,
    differing: readonly number[],
  ) {
    const { body } = context;
    this.differing = new Set(differing);
    if (differing.length > 0) context.mayWait = true;
    this.state = new BlockState(context, differing.length > 0);
    this.passing = body.permanent("i32");
    this.arrived = body.permanent("i32");
    this.lanes = this.state.tracksLive || !context.fullWarps ? body.permanent("i32") : "full";
  }

  emit(): void {
    const { context, state, arrived, passing } = this;
    const { body, analysis } = context;
    emitBlockStart(context, state);
    const waiting = body.permanent("i32");
    this.kept = this.keptValues().map((local) => {
      const type = body.typeOf(local);
      return { local, found: body.permanent(type), left: body.permanent(type) };
    });
    body.set(waiting, i32(0));
    const again = body.loop();
    this.copy("local", "found");
    body.set(arrived, i32(0));
    state.eachWarp(() => {
      this.leave = body.block();
      this.loadLanes();
      this.copy("found", "local");
      body.set(passing, get(waiting));
      this.region(analysis.structure.nodes);
      if (this.differing.size > 0) {
        body.storeWord(0, get(context.frame), i32(0));
      }
      body.end();
    });
    this.copy("left", "local");
    body.set(waiting, get(arrived));
    this.barriers.forEach((pc, index) => {
      if (context.instruction(pc).barrierReduce === undefined) return;
      body.if(i32.eq(get(waiting), i32(index + 1)));
      emitBarrierReduction(context, state, pc);
      body.end();
    });
    body.brIf(again, get(waiting));
    body.end();
  }

  private copy(from: "local" | "found" | "left", to: "local" | "found" | "left"): void {
    const { body } = this.context;
    for (const value of this.kept) {
      body.set(value[to], get(value[from]));
    }
  }

  /** Pushes whether the guard at `pc` holds in the warp; the block fails where it differs between lanes. */
  private pushGuard(pc: number): void {
    const { context, state, lanes } = this;
    if (!this.differing.has(pc)) {
      pushBlockGuard(context, pc);
      return;
    }
    const { body } = context;
    const web = context.analysis.table.guard[pc]!;
    const place = state.places.scalar(web);
    if (place === null || web.type !== "bool") throw new Unsupported("a barrier's condition in an integer register");
    body.push(loadWord(place.offset, get(place.base)));
    if (context.shapeOf(web).kind === "varying") {
      const holding = body.local("i32");
      context.pushMask(lanes);
      body.op(I32.and);
      body.tee(holding);
      body.push(i32.ne(i32(0)), get(holding));
      context.pushMask(lanes);
      body.op(I32.ne, I32.and);
      body.if();
      this.fail(pc);
      body.end();
      body.push(i32.ne(get(holding), i32(0)));
      body.release(holding);
    }
    if (context.instruction(pc).guard!.negate) body.op(I32.eqz);
  }

  /** Lanes, or warps, go different ways to their barriers. */
  private fail(pc: number): void {
    const { context } = this;
    const { body } = context;
    body.push(i32(FAULT.incompleteMask), i32(pc), get(BLOCK), get(context.warp));
    context.pushMask(this.lanes);
    body.f64(0);
    context.library.callImport(body, "fault", FAULT_PARAMS, []);
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
    return analysis.table.webs.filter(changes).map((web) => this.context.scalar(web));
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
    body.brIf(this.leave!, i32.eqz(tee(lanes, loadWord(0, get(context.frame)))));
  }

  /** Emits code that runs only where the warp is not passing over it. */
  private act(emit: () => void): void {
    const { body } = this.context;
    body.if(i32.eqz(get(this.passing)));
    emit();
    body.end();
  }

  private newGroup(): Group {
    return newGroup(this.context, this.lanes);
  }

  private count(pc: number): void {
    const { context, lanes } = this;
    const pushLanes = (): void => {
      context.pushMask(lanes);
      context.body.op(I32.popcnt);
    };
    countAtLevel(context, pc, this.newGroup(), pushLanes, () => this.pushGuard(pc));
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
            this.pushGuard(pc);
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
    body.if(i32.eqz(get(passing)));
    this.count(pc);
    const guarded = context.instruction(pc).guard !== null;
    if (guarded) {
      this.pushGuard(pc);
      body.if();
    }
    if (this.differing.size > 0) {
      body.if(i32.and(i32.ne(get(this.arrived), i32(0)), i32.ne(get(this.arrived), i32(number))));
      this.fail(pc);
      body.end();
    }
    this.copy("local", "left");
    body.set(this.arrived, i32(number));
    body.br(this.leave!);
    if (guarded) body.end();
    body.else();
    body.set(passing, select(get(passing), i32(0), i32.ne(get(passing), i32(number))));
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
    body.push(i32.lt_u(i32.sub(get(this.passing), i32(first)), i32(count)));
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
      this.pushGuard(pc);
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
    body.if(i32.or(i32.eqz(get(this.passing))));
    const exit = body.block();
    const again = body.loop();
    const latch = body.block();
    this.loops.push({ id: node.node.id, exit, latch });
    this.region(node.body);
    body.end();
    this.region(node.latch);
    this.loops.pop();
    this.count(pc);
    emitBudget(context, state, node, 1);
    if (node.node.condition === null) body.br(again);
    else {
      this.pushGuard(pc);
      body.brIf(again);
    }
    body.end();
    body.end();
    body.end();
  }
}
