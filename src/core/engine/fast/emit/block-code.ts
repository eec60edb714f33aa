/** The function that runs one block: barriers and the control flow around them once, the phases between for each warp. */
import { hasExit } from "../analysis/jumps.js";
import type { BlockNode } from "../analysis/structure.js";
import { Unsupported } from "../unsupported.js";
import type { Label } from "../wasm/body.js";
import { get, i32 } from "../wasm/expression.js";
import { I32 } from "../wasm/opcodes.js";
import { countAtLevel, emitBarrierReduction, emitBlockStart, emitBudget, pushBlockGuard } from "./block-level.js";
import { BlockState } from "./block-state.js";
import type { Context } from "./context.js";
import { emitPhase } from "./phase-code.js";
import type { Group } from "./warp-code.js";

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
    this.state = new BlockState(context);
  }

  emit(): void {
    const { context } = this;
    const { body, analysis } = context;
    emitBlockStart(context, this.state);
    this.end = body.block();
    this.region(analysis.structure.nodes);
    body.end();
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

  private count(pc: number): void {
    const { context, state } = this;
    const { body } = context;
    const pushLanes = (): void => (state.tracksLive ? body.get(state.liveLanes) : body.i32(context.threads));
    countAtLevel(context, pc, this.currentGroup(), pushLanes, () => pushBlockGuard(context, pc));
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
          body.brIf(this.end!, i32.eqz(get(this.state.liveWarps)));
          this.group = null;
        }
        return;
      case "barrier":
        this.count(node.pc);
        emitBarrierReduction(this.context, this.state, node.pc);
        return;
      case "if": {
        const pc = node.node.branch;
        this.count(pc);
        const outer = this.group;
        // The branch's guard holds where `then` is skipped.
        pushBlockGuard(this.context, pc);
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
          pushBlockGuard(this.context, pc);
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
    emitBudget(context, this.state, node, context.warps);
    if (node.node.condition === null) body.br(again);
    else {
      pushBlockGuard(this.context, pc);
      body.brIf(again);
    }
    body.end();
    body.end();
    this.group =
      this.state.tracksLive || [...node.body, ...node.latch].some((inner) => this.jumpsOut(inner)) ? null : outer;
  }
}
