/** A phase: what each warp runs between two barriers, and what is computed for all of them before. */
import { hasExit } from "../analysis/jumps.js";
import { BLOCK_UNIFORM, mayFault, sameShape } from "../analysis/shape.js";
import { findSpeculation, type Speculation } from "../analysis/speculation.js";
import type { Phase } from "../analysis/structure.js";
import type { Web } from "../analysis/webs.js";
import type { Local } from "../wasm/body.js";
import { get, i32, i32x4, load, loadWord } from "../wasm/expression.js";
import { I32, MEMORY } from "../wasm/opcodes.js";
import type { BlockState } from "./block-state.js";
import { type Context, type Mask, SCRATCH } from "./context.js";
import { isWideWeb } from "./places.js";
import { emitScalarDefinition } from "./scalar-definition.js";
import { LOAD_OF } from "./vector/chunk.js";
import { type Group, type Speculating, WarpCode } from "./warp-code.js";
import { newGroup, WarpControl } from "./warp-control.js";

const STORE_OF = {
  i32: MEMORY.i32_store,
  i64: MEMORY.i64_store,
  f32: MEMORY.f32_store,
  f64: MEMORY.f64_store,
} as const;

/** Warps of a block whose speculation may fail before the block stops trying. */
const MOST_MISSES = 4;

/** Emits the phase for all warps of the block; `group` counts its straight code. */
export function emitPhase(context: Context, state: BlockState, phase: Phase, group: Group): void {
  const { body } = context;
  const code = new PhaseCode(context, state);
  code.hoisted(phase);
  const exits = hasExit(phase.items);
  if (exits && state.tracksLive) {
    for (const local of [state.liveWarps, state.liveLanes]) {
      body.set(local, i32(0));
    }
  }
  state.eachWarp(() => code.warp(phase, group, exits));
  context.settleVersions();
}

/** Emits the phase for the warp whose turn it is. */
export function emitPhaseOfWarp(context: Context, state: BlockState, phase: Phase, group: Group): void {
  const code = new PhaseCode(context, state);
  code.hoisted(phase);
  code.warp(phase, group, hasExit(phase.items));
  context.settleVersions();
}

class PhaseCode {
  constructor(
    private readonly context: Context,
    private readonly state: BlockState,
  ) {}

  /** The code of one warp in the phase. */
  warp(phase: Phase, group: Group, exits: boolean): void {
    const { context } = this;
    const { body } = context;
    const mask: Mask = this.state.tracksLive || !context.fullWarps ? body.local("i32") : "full";
    const live: Mask = exits ? body.local("i32") : mask;
    const start = (): void => {
      if (mask !== "full") {
        if (this.state.tracksLive) {
          body.push(loadWord(0, get(context.frame)));
        } else this.state.pushWarpLanes();
        body.set(mask);
      }
      if (live !== "full" && live !== mask) {
        context.pushMask(mask);
        body.set(live);
      }
    };
    start();
    if (this.state.tracksLive && mask !== "full") {
      body.if(get(mask));
    }
    const speculation = findSpeculation(context.analysis, phase);
    const run = (speculating: Speculating | null): void => {
      this.enter(phase);
      // Written twice, the code needs counts of its own each time.
      const own = speculation === null ? group : newGroup(context, mask);
      const code = new WarpCode(context, this.state.places, mask, live, own, speculating);
      new WarpControl(code, this.state.budget).region(phase.items, true);
      code.flush();
      code.forgetGuards();
    };
    if (speculation === null) run(null);
    else this.speculate(speculation, start, run);
    this.leave(phase);
    if (exits && this.state.tracksLive && live !== "full") {
      body.storeWord(0, get(context.frame), get(live));
      body.set(this.state.liveWarps, i32.add(get(this.state.liveWarps), i32.ne(get(live), i32(0))));
      body.set(this.state.liveLanes, i32.add(get(this.state.liveLanes), i32.popcnt(get(live))));
    }
    if (this.state.tracksLive && mask !== "full") body.end();
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
    body.brIf(general, i32.ge_u(get(misses), i32(MOST_MISSES)));
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
        body.store(MEMORY.i64_store, to + at, 3, get(SCRATCH), load(MEMORY.i64_load, from + at, 3, get(SCRATCH)));
      }
    };
    copy(counts, saved);
    body.append(optimistic);
    body.br(done);
    body.end();
    copy(saved, counts);
    body.set(misses, i32.add(get(misses), i32(1)));
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
    const { context } = this;
    const { places } = this.state;
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
          body.push(get(place.base), i32x4(0, 0, 0, 0));
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
    const { context } = this;
    const { places } = this.state;
    const { body } = context;
    for (const web of places.crossingScalars) {
      if (!this.touches(phase, web.defs)) continue;
      this.eachScalar(web, (local, offset, storage) => {
        body.push(get(context.frame), get(local));
        body.memory(STORE_OF[storage], offset, storage === "i64" || storage === "f64" ? 3 : 2);
      });
    }
  }

  private eachScalar(web: Web, each: (local: Local, offset: number, storage: keyof typeof STORE_OF) => void): void {
    const { context } = this;
    const { places } = this.state;
    const place = places.scalar(web)!;
    const storage = context.analysis.storageOf(web);
    each(context.scalar(web), place.offset, storage);
    const shape = context.shapeOf(web);
    if (shape.kind === "affine" && shape.stride === "dynamic") each(context.stride(web), place.offset + 8, storage);
  }

  /** Instructions with one result for the block, before the warps run. Those that change a value other code still needs make a new version. */
  hoisted(phase: Phase): void {
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
        body.set(target!, get(context.seenAt(web, pc)));
        body.get(context.seenAt(guard, pc));
        if (instruction.guard!.negate) body.op(I32.eqz);
        body.if();
        emitScalarDefinition(context, pc, "full", target);
        body.end();
      }
    }
  }
}
