/** The function that runs one block: barriers and the control flow around them once, the phases between for each warp. */
import { findPhaseConflict } from "../analysis/phaseOrder.js";
import { BLOCK_UNIFORM, mayFault, sameShape } from "../analysis/shapes.js";
import { findSpeculation, type Speculation } from "../analysis/speculation.js";
import type { BlockNode, Phase } from "../analysis/structure.js";
import type { Web } from "../analysis/webs.js";
import { Unsupported } from "../unsupported.js";
import type { Label, Local } from "../wasm/body.js";
import { CONTROL, CONVERT, I32, I64, MEMORY } from "../wasm/opcodes.js";
import { LOAD_OF } from "./chunk.js";
import { BLOCK, type Context, type Mask, SCRATCH } from "./context.js";
import { isWideWeb, Places } from "./places.js";
import { emitScalarDefinition } from "./scalarDefinition.js";
import { FAULT, FAULT_PARAMS } from "./sharedLibrary.js";
import { type Group, type Speculating, WarpCode } from "./warpCode.js";
import { hasExit, newGroup, WarpControl } from "./warpControl.js";

const STORE_OF = {
  i32: MEMORY.i32_store,
  i64: MEMORY.i64_store,
  f32: MEMORY.f32_store,
  f64: MEMORY.f64_store,
} as const;

const MOST_MISSES = 4;

interface OpenLoop {
  readonly id: number;
  readonly exit: Label;
  readonly latch: Label;
}

export class BlockCode {
  readonly places: Places;
  /** i64: instructions that each warp of the block may still issue, and what is left of it in the phase. */
  private readonly budget: Local;
  private readonly warpBudget: Local;
  /** Lanes end before the last phase: live lanes are kept in the frames, live warps and lanes are counted here. */
  private readonly tracksLive: boolean;
  private readonly liveWarps: Local;
  private readonly liveLanes: Local;
  private group: Group | null = null;
  private loops: OpenLoop[] = [];
  private end: Label | null = null;

  constructor(private readonly context: Context) {
    const { analysis, body } = context;
    const { structure, program, shape } = analysis;
    const conflict = findPhaseConflict(program, structure, shape.paramsDisjoint);
    if (conflict !== null)
      throw new Unsupported(`instructions ${conflict.join(" and ")} meet without a barrier between`);
    this.places = new Places(context);
    this.budget = body.permanent("i64");
    this.warpBudget = body.permanent("i64");
    this.liveWarps = body.permanent("i32");
    this.liveLanes = body.permanent("i32");
    const last = structure.nodes.at(-1);
    this.tracksLive = structure.phases.some((phase) => phase !== last && hasExit(phase.items));
  }

  emit(): void {
    const { context } = this;
    const { body, analysis } = context;
    body.get(context.stepLimit);
    body.set(this.budget);
    this.clearMemories();
    if (this.tracksLive) {
      this.eachWarp(() => {
        body.get(context.frame);
        this.pushWarpLanes();
        body.memory(MEMORY.i32_store, 0, 2);
      });
      body.i32(context.warps);
      body.set(this.liveWarps);
      body.i32(context.threads);
      body.set(this.liveLanes);
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
    if ([...this.places.crossing].some((web) => web.readsInitial)) {
      body.get(SCRATCH);
      body.i32(this.places.framesOffset);
      body.op(I32.add);
      body.i32(0);
      body.i32(this.places.frameBytes * context.warps);
      fill();
    }
  }

  /** Runs `emit` for each warp, with `context.warp` and `context.frame` set. */
  private eachWarp(emit: () => void): void {
    const { context } = this;
    const { body } = context;
    body.i32(0);
    body.set(context.warp);
    body.get(SCRATCH);
    body.i32(this.places.framesOffset);
    body.op(I32.add);
    body.set(context.frame);
    const again = body.loop();
    emit();
    body.get(context.frame);
    body.i32(this.places.frameBytes);
    body.op(I32.add);
    body.set(context.frame);
    body.get(context.warp);
    body.i32(1);
    body.op(I32.add);
    body.tee(context.warp);
    body.i32(context.warps);
    body.op(I32.lt_u);
    body.brIf(again);
    body.end();
  }

  /** Pushes the lanes that the warp has: the last one of a block may be partial. */
  private pushWarpLanes(): void {
    const { context } = this;
    const { body } = context;
    const rest = context.threads % 32;
    if (rest === 0) {
      body.i32(-1);
      return;
    }
    body.i32(2 ** rest - 1);
    body.i32(-1);
    body.get(context.warp);
    body.i32(context.warps - 1);
    body.op(I32.eq, CONTROL.select);
  }

  /** Counts of the code of the block's level at hand, made where it is first needed. */
  private currentGroup(): Group {
    const { context } = this;
    if (this.group !== null) return this.group;
    const { body, counters } = context;
    const executed = counters.count();
    if (!this.tracksLive) {
      context.bumpBy(executed, 1);
      this.group = {
        executed: { count: executed, factor: context.warps },
        lanes: { count: executed, factor: context.threads },
      };
    } else {
      const lanes = counters.count();
      context.bumpI32(executed, () => body.get(this.liveWarps));
      context.bumpI32(lanes, () => body.get(this.liveLanes));
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
      if (this.tracksLive) body.get(this.liveLanes);
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
        this.phase(node);
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
        this.group = this.tracksLive ? null : outer;
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
    body.get(this.budget);
    body.i64(2 + node.body.length);
    body.op(I64.sub);
    body.tee(this.budget);
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
    this.group = this.tracksLive || [...node.body, ...node.latch].some((inner) => this.jumpsOut(inner)) ? null : outer;
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
    this.eachWarp(() => {
      body.get(holding);
      this.pushPredicate(pc);
      if (this.tracksLive) {
        body.get(context.frame);
        body.memory(MEMORY.i32_load, 0, 2);
      } else this.pushWarpLanes();
      body.op(I32.and, I32.popcnt, I32.add);
      body.set(holding);
    });
    body.get(holding);
    if (instruction.barrierReduce === "or") {
      body.i32(0);
      body.op(I32.ne);
    } else if (instruction.barrierReduce === "and") {
      if (this.tracksLive) body.get(this.liveLanes);
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
    const place = this.places.scalar(web);
    if (place === null || web.type !== "bool") throw new Unsupported("a barrier's predicate in an integer register");
    if (shape.kind === "uniform") body.i32(0);
    body.get(place.base);
    body.memory(MEMORY.i32_load, place.offset, 2);
    if (shape.kind === "uniform") body.op(I32.sub);
  }

  private phase(phase: Phase): void {
    const { context } = this;
    const { body } = context;
    const group = this.currentGroup();
    this.hoisted(phase);
    const exits = hasExit(phase.items);
    if (exits && this.tracksLive) {
      for (const local of [this.liveWarps, this.liveLanes]) {
        body.i32(0);
        body.set(local);
      }
    }
    this.eachWarp(() => this.warp(phase, group, exits));
    context.settleVersions();
    if (exits && this.tracksLive) {
      body.get(this.liveWarps);
      body.op(I32.eqz);
      body.brIf(this.end!);
      this.group = null;
    }
  }

  /** What one warp does in the phase. */
  private warp(phase: Phase, group: Group, exits: boolean): void {
    const { context } = this;
    const { body } = context;
    const mask: Mask = this.tracksLive || !context.fullWarps ? body.local("i32") : "full";
    const live: Mask = exits ? body.local("i32") : mask;
    const start = (): void => {
      body.get(this.budget);
      body.set(this.warpBudget);
      if (mask !== "full") {
        if (this.tracksLive) {
          body.get(context.frame);
          body.memory(MEMORY.i32_load, 0, 2);
        } else this.pushWarpLanes();
        body.set(mask);
      }
      if (live !== "full" && live !== mask) {
        context.pushMask(mask);
        body.set(live);
      }
    };
    start();
    if (this.tracksLive && mask !== "full") {
      body.get(mask);
      body.if();
    }
    const speculation = findSpeculation(context.analysis, phase);
    const run = (speculating: Speculating | null): void => {
      this.enter(phase);
      // Written twice, the code needs counts of its own each time.
      const own = speculation === null ? group : newGroup(context, mask);
      const code = new WarpCode(context, this.places, mask, live, own, speculating);
      new WarpControl(code, this.warpBudget).region(phase.items, true);
      code.flush();
      code.forgetGuards();
    };
    if (speculation === null) run(null);
    else this.speculate(speculation, start, run);
    this.leave(phase);
    if (exits && this.tracksLive && live !== "full") {
      body.get(context.frame);
      body.get(live);
      body.memory(MEMORY.i32_store, 0, 2);
      body.get(this.liveWarps);
      body.get(live);
      body.i32(0);
      body.op(I32.ne, I32.add);
      body.set(this.liveWarps);
      body.get(this.liveLanes);
      body.get(live);
      body.op(I32.popcnt, I32.add);
      body.set(this.liveLanes);
    }
    if (this.tracksLive && mask !== "full") body.end();
    if (live !== "full" && live !== mask) body.release(live);
    if (mask !== "full") body.release(mask);
  }

  /** Runs the warp with the assumption; where it fails, takes the counts back and runs the warp without it. */
  private speculate(speculation: Speculation, start: () => void, run: (speculating: Speculating | null) => void): void {
    const { context } = this;
    const { body, layout, counters } = context;
    const misses = body.permanent("i32");
    const done = body.block();
    const general = body.block();
    const failed = body.block();
    // A block whose warps keep failing stops trying.
    body.get(misses);
    body.i32(MOST_MISSES);
    body.op(I32.ge_u);
    body.brIf(general);
    const firstCount = counters.counts;
    const optimistic = body.capture(() => {
      context.shapes = speculation.shapes;
      run({ together: speculation.together, failed });
      context.shapes = context.analysis.shapes;
    });
    const bytes = 8 * (counters.counts - firstCount);
    const saved = layout.take(bytes + 8);
    const counts = layout.counters + 8 * firstCount;
    const copy = (from: number, to: number): void => {
      for (let at = 0; at < bytes; at += 8) {
        body.get(SCRATCH);
        body.get(SCRATCH);
        body.memory(MEMORY.i64_load, from + at, 3);
        body.memory(MEMORY.i64_store, to + at, 3);
      }
    };
    copy(counts, saved);
    body.append(optimistic);
    body.br(done);
    body.end();
    copy(saved, counts);
    body.get(misses);
    body.i32(1);
    body.op(I32.add);
    body.set(misses);
    body.end();
    start();
    run(null);
    body.end();
  }

  private touches(phase: Phase, pcs: readonly number[]): boolean {
    return pcs.some((pc) => this.context.analysis.structure.phaseOf[pc] === phase);
  }

  /** Loads what the warp kept of its scalars, and clears registers that may be read before they are written. */
  private enter(phase: Phase): void {
    const { context, places } = this;
    const { body, analysis } = context;
    for (const web of places.crossingScalars) {
      if (!this.touches(phase, web.uses) && !this.touches(phase, web.defs)) continue;
      if (this.isWrittenFirst(phase, web)) continue;
      this.eachScalar(web, (local, offset, storage) => {
        body.get(context.frame);
        body.memory(LOAD_OF[storage], offset, storage === "i64" || storage === "f64" ? 3 : 2);
        body.set(local);
      });
    }
    for (const web of analysis.table.webs) {
      if (!web.readsInitial || places.crossing.has(web) || !this.touches(phase, [...web.uses, ...web.defs])) continue;
      const shape = context.shapeOf(web);
      if (sameShape(shape, BLOCK_UNIFORM)) continue;
      if (shape.kind === "varying" && web.type !== "bool") {
        const place = places.slot(web);
        for (let at = 0; at < (isWideWeb(context, web) ? 256 : 128); at += 16) {
          body.get(place.base);
          body.i32x4(0, 0, 0, 0);
          body.memory(0xfd000 + 11, place.offset + at, 4);
        }
      } else {
        const storage = analysis.storageOf(web);
        if (storage === "i64") body.i64(0);
        else if (storage === "f32") body.f32(0);
        else if (storage === "f64") body.f64(0);
        else body.i32(0);
        body.set(context.scalar(web));
      }
    }
  }

  /** The phase gives the web its value before any use, in every warp. */
  private isWrittenFirst(phase: Phase, web: Web): boolean {
    const { analysis } = this.context;
    const [def] = web.defs;
    if (web.defs.length !== 1 || def === undefined || web.readsInitial) return false;
    if (analysis.structure.phaseOf[def] !== phase || !analysis.structure.straight[def]) return false;
    return analysis.program.instructions[def]!.guard === null && !hasExit(phase.items);
  }

  private leave(phase: Phase): void {
    const { context, places } = this;
    const { body } = context;
    for (const web of places.crossingScalars) {
      if (!this.touches(phase, web.defs)) continue;
      this.eachScalar(web, (local, offset, storage) => {
        body.get(context.frame);
        body.get(local);
        body.memory(STORE_OF[storage], offset, storage === "i64" || storage === "f64" ? 3 : 2);
      });
    }
  }

  private eachScalar(web: Web, each: (local: Local, offset: number, storage: keyof typeof STORE_OF) => void): void {
    const { context, places } = this;
    const place = places.scalar(web)!;
    const storage = context.analysis.storageOf(web);
    each(context.scalar(web), place.offset, storage);
    const shape = context.shapeOf(web);
    if (shape.kind === "affine" && shape.stride === "dynamic") each(context.stride(web), place.offset + 8, storage);
  }

  /** Instructions with one result for the block, before the warps run. Those that change a value other code still needs make a new version. */
  private hoisted(phase: Phase): void {
    const { context } = this;
    const { body, analysis } = context;
    for (const node of phase.items) {
      if (node.kind !== "run") continue;
      for (let pc = node.first; pc < node.first + node.count; pc++) {
        const instruction = context.instruction(pc);
        const [web] = analysis.table.dst[pc]!;
        if (web === undefined || !sameShape(context.shapeOf(web), BLOCK_UNIFORM)) continue;
        if (mayFault(instruction, pc, analysis.ranges)) continue;
        const replaces = web.defs.length > 1 || web.readsInitial;
        const target = replaces ? context.newVersion(web, pc) : undefined;
        const guard = analysis.table.guard[pc] ?? null;
        if (guard === null || !replaces) {
          emitScalarDefinition(context, pc, "full", target);
          continue;
        }
        body.get(context.seenAt(web, pc));
        body.set(target!);
        body.get(context.seenAt(guard, pc));
        if (instruction.guard!.negate) body.op(I32.eqz);
        body.if();
        emitScalarDefinition(context, pc, "full", target);
        body.end();
      }
    }
  }
}
