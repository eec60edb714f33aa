/**
 * The code that one warp runs between barriers. It knows which lanes are active, what has been counted, and the
 * instructions that wait to be run together as a segment.
 */
import { WARP_PRIMITIVES } from "../../../lower/program.js";
import { accessBytes } from "../../faults.js";
import { BLOCK_UNIFORM, isIntegerDivision, mayFault, sameShape } from "../analysis/shape.js";
import type { Web } from "../analysis/webs.js";
import type { Label, Local } from "../wasm/body.js";
import { get, i32 } from "../wasm/expression.js";
import { CONTROL, I32 } from "../wasm/opcodes.js";
import { type Access, describeAccess } from "./access.js";
import { fixedWavefronts } from "./access-counts.js";
import type { Context, Mask } from "./context.js";
import { emitLaneAccess } from "./lane/lane-access.js";
import { emitPrintf } from "./lane/printf.js";
import { emitUniformStore } from "./lane/uniform-store.js";
import { emitWarpPrimitive } from "./lane/warp-primitive.js";
import { emitMaskDefinition, isMaskOperation } from "./mask-operation.js";
import type { Places } from "./places.js";
import { emitScalarDefinition } from "./scalar-definition.js";
import { Segment } from "./vector/segment.js";
import { readsUpwards, vectorShuffleSource } from "./vector/shuffle.js";

/** Counts that every instruction of a straight piece of code shares: how often it ran, with how many lanes. */
export interface Group {
  readonly executed: { readonly count: number; readonly factor: number };
  readonly lanes: { readonly count: number; readonly factor: number };
}

/** Code that assumes that all active lanes go the same way at some branches and guards. */
export interface Speculating {
  readonly together: ReadonlySet<number>;
  /** Where to go if they do not. */
  readonly failed: Label;
}

export interface GuardMask {
  readonly web: Web;
  readonly negate: boolean;
  /** Active lanes whose guard holds. */
  readonly mask: Local;
  /** Counts: lanes summed; warps with any lane (made when a memory instruction needs it). */
  readonly lanes: number;
  requests: number | null;
  /** Proven to hold all active lanes or none. */
  together: boolean;
}

interface Pending {
  readonly pcs: number[];
  readonly guard: GuardMask | null;
}

export class WarpCode {
  private pending: Pending | null = null;
  private guards: GuardMask[] = [];

  /** `live`: lanes of the warp that have not ended; `mask`: those of them that are active here. */
  constructor(
    readonly context: Context,
    readonly places: Places,
    public mask: Mask,
    public live: Mask,
    public group: Group,
    readonly speculating: Speculating | null = null,
  ) {}

  /** Emits the instruction at `pc`. */
  instruction(pc: number): void {
    const { context } = this;
    const instruction = context.instruction(pc);
    const { op } = instruction;
    const guard = instruction.guard === null ? null : this.guardMask(pc);
    this.count(pc, guard);
    switch (op) {
      case "overhead":
      case "bssy":
      case "bsync":
      case "fence":
        return;
      case "ld":
      case "st":
      case "atom":
        this.access(pc, guard);
        return;
      case "printf":
        this.flush();
        this.within(guard, (mask) => emitPrintf(context, this.places, pc, mask));
        return;
      default:
    }
    if (WARP_PRIMITIVES.has(op)) {
      this.warpPrimitive(pc, guard);
      return;
    }
    const webs = context.analysis.table.dst[pc]!;
    const [web] = webs;
    if (web === undefined) throw new Error(`instruction ${pc} (${op}) has no result`);
    const shape = context.shapeOf(web);
    if (sameShape(shape, BLOCK_UNIFORM) && this.isHoisted(pc)) {
      // Its new version holds from here on.
      if (this.guards.some((entry) => entry.web === web)) this.flush();
      this.forgetGuards(web);
      return;
    }
    if (shape.kind !== "varying") this.scalar(pc, web, guard);
    else if (web.type === "bool" && isMaskOperation(context, pc)) this.maskOperation(pc, web, guard);
    else this.enqueue(pc, guard);
  }

  /** Instructions of the block's level are emitted once, before the warps. */
  private isHoisted(pc: number): boolean {
    const { analysis } = this.context;
    return analysis.structure.straight[pc]! && !mayFault(this.context.instruction(pc), pc, analysis.ranges);
  }

  /** Emits a conditional part for the active lanes whose guard holds; `emit` may rely on one at least. */
  private within(guard: GuardMask | null, emit: (mask: Mask) => void): void {
    if (guard === null) {
      emit(this.mask);
      return;
    }
    const { body } = this.context;
    body.if(get(guard.mask));
    emit(this.maskUnder(guard));
    body.end();
  }

  /** The lanes that act under a guard, where there are any. */
  private maskUnder(guard: GuardMask | null): Mask {
    return guard === null || guard.together ? this.mask : guard.mask;
  }

  /** Leaves the speculation if the guard at `pc` does not hold in all active lanes or in none. */
  private keepTogether(pc: number, entry: GuardMask): GuardMask {
    const { context, speculating } = this;
    if (speculating === null || entry.together || !speculating.together.has(pc)) return entry;
    const { body } = context;
    entry.together = true;
    if (context.shapeOf(entry.web).kind !== "varying") return entry;
    body.push(i32.ne(get(entry.mask), i32(0)), get(entry.mask));
    context.pushMask(this.mask);
    body.op(I32.ne, I32.and);
    body.brIf(speculating.failed);
    return entry;
  }

  /** The active lanes in which the guard at `pc` holds, computed once as long as neither changes. */
  guardMask(pc: number): GuardMask {
    const { context } = this;
    const { body, counters } = context;
    const web = context.analysis.table.guard[pc]!;
    const negate = context.instruction(pc).guard!.negate;
    if (this.defines(web)) this.flush();
    const known = this.guards.find((entry) => entry.web === web && entry.negate === negate);
    if (known !== undefined) return this.keepTogether(pc, known);
    const mask = body.local("i32");
    this.pushWhere(web, negate, pc);
    body.set(mask);
    const lanes = counters.count();
    context.bumpI32(lanes, () => {
      body.push(i32.popcnt(get(mask)));
    });
    const entry: GuardMask = { web, negate, mask, lanes, requests: null, together: false };
    this.guards.push(entry);
    return this.keepTogether(pc, entry);
  }

  /** Pushes the active lanes in which a bool web holds (does not hold, if `negate`). */
  pushWhere(web: Web, negate: boolean, pc: number): void {
    const { context } = this;
    const { body } = context;
    context.pushMask(this.mask);
    if (context.shapeOf(web).kind === "uniform") {
      body.push(i32(0), get(context.seenAt(web, pc)));
      if (negate) body.op(I32.eqz);
      body.op(CONTROL.select);
      return;
    }
    body.get(context.scalar(web));
    if (negate) {
      body.push(i32.xor(i32(-1)));
    }
    body.op(I32.and);
  }

  /** Guard masks no longer hold: the guard or the active lanes change. */
  forgetGuards(web: Web | null = null): void {
    const gone = this.guards.filter((entry) => web === null || entry.web === web);
    this.guards = this.guards.filter((entry) => !gone.includes(entry));
    this.context.body.release(...gone.map((entry) => entry.mask));
  }

  /** Adds the instruction to the counts of its piece of code. */
  count(pc: number, guard: GuardMask | null): void {
    const { counters } = this.context;
    const { executed, lanes } = this.group;
    counters.add(executed.count, "executed", pc, executed.factor);
    counters.add(lanes.count, "activeLanes", pc, lanes.factor);
    if (guard === null) counters.add(lanes.count, "predicatedLanes", pc, lanes.factor);
    else counters.add(guard.lanes, "predicatedLanes", pc);
  }

  private countAccess(access: Access, guard: GuardMask | null): void {
    const { context } = this;
    const { counters, body } = context;
    const { pc } = access;
    let requests = this.group.executed;
    let lanes = this.group.lanes;
    if (guard !== null) {
      if (guard.requests === null) {
        guard.requests = counters.count();
        context.bumpI32(guard.requests, () => {
          body.push(i32.ne(get(guard.mask), i32(0)));
        });
      }
      requests = { count: guard.requests, factor: 1 };
      lanes = { count: guard.lanes, factor: 1 };
    }
    counters.add(requests.count, "requests", pc, requests.factor);
    if (access.space !== "local")
      counters.add(lanes.count, "bytes", pc, lanes.factor * accessBytes(context.instruction(pc)));
    const fixed =
      context.instruction(pc).op === "atom" ? null : fixedWavefronts(context, access, this.maskUnder(guard));
    if (fixed !== null) {
      counters.add(requests.count, "wavefronts", pc, requests.factor * fixed);
      counters.add(requests.count, "idealWavefronts", pc, requests.factor * fixed);
    }
  }

  private access(pc: number, guard: GuardMask | null): void {
    const { context } = this;
    const access = describeAccess(context, pc);
    const { op } = context.instruction(pc);
    this.countAccess(access, guard);
    const laneByLane =
      op === "atom" || access.space === "local" || access.bytes > 16 || (op === "st" && access.kind === "gather");
    if (laneByLane) {
      this.flush();
      this.within(guard, (mask) => emitLaneAccess(context, this.places, pc, mask));
      return;
    }
    if (op === "st" && access.kind === "uniform") {
      this.flush();
      this.within(guard, (mask) => emitUniformStore(context, this.places, access, mask));
      return;
    }
    if (this.mustFlushBefore(access)) this.flush();
    this.enqueue(pc, guard);
  }

  /** An access joins the waiting ones only if no lane could tell that they run chunk by chunk. */
  private mustFlushBefore(access: Access): boolean {
    if (this.pending === null) return false;
    const { context } = this;
    const { analysis } = context;
    const store = context.instruction(access.pc).op === "st";
    for (const pc of this.pending.pcs) {
      const { op, type } = context.instruction(pc);
      if (isIntegerDivision(op, type) && mayFault(context.instruction(pc), pc, analysis.ranges)) return true;
      if (op === "st") return true;
      if (op !== "ld") continue;
      const earlier = describeAccess(context, pc);
      if (earlier.kind === "gather") return true;
      if (!store || !this.mayAlias(pc, access.pc)) continue;
      if (earlier.kind === "uniform") {
        // Loaded before the loop, unless it goes to a slot: then in each chunk.
        if (analysis.table.dst[pc]!.some((web) => context.shapeOf(web).kind === "varying")) return true;
        continue;
      }
      const strides = [earlier.pc, access.pc].map((at) => context.operandShape(at, 0));
      const [a, b] = strides;
      const sameStride =
        a?.kind === "affine" &&
        b?.kind === "affine" &&
        a.stride === b.stride &&
        typeof a.stride === "number" &&
        a.stride >= access.bytes;
      if (!sameStride || !analysis.order.isAtLeast(earlier.pc, access.pc)) return true;
    }
    return false;
  }

  private mayAlias(a: number, b: number): boolean {
    const { program, shape } = this.context.analysis;
    const first = this.context.instruction(a).root;
    const second = this.context.instruction(b).root;
    if (first?.kind !== second?.kind) return false;
    if (first?.kind === "param" && second?.kind === "param")
      return first.index === second.index || !shape.paramsDisjoint;
    if (first?.kind === "shared" && second?.kind === "shared") {
      if (first.array === second.array) return true;
      return [first, second].every(({ array }) => program.shared[array]!.sizeBytes === null);
    }
    return true;
  }

  /** A waiting instruction gives the web its value. */
  defines(web: Web): boolean {
    return this.pending?.pcs.some((pc) => this.context.analysis.table.dst[pc]!.includes(web)) ?? false;
  }
  private reads(web: Web): boolean {
    const { table } = this.context.analysis;
    return this.pending?.pcs.some((pc) => table.src[pc]!.includes(web) || table.guard[pc] === web) ?? false;
  }
  dependsOnPending(pc: number): boolean {
    const { table } = this.context.analysis;
    return table.src[pc]!.some((web) => web !== null && this.defines(web));
  }
  private touchesPending(web: Web): boolean {
    return this.defines(web) || this.reads(web);
  }

  private scalar(pc: number, web: Web, guard: GuardMask | null): void {
    const { context } = this;
    const faults = mayFault(context.instruction(pc), pc, context.analysis.ranges);
    if (faults || this.dependsOnPending(pc) || this.touchesPending(web)) this.flush();
    const { body } = context;
    const conditional = guard !== null && (web.defs.length > 1 || web.readsInitial || faults);
    if (conditional) {
      body.if(get(guard.mask));
      emitScalarDefinition(context, pc, guard.mask);
      body.end();
    } else emitScalarDefinition(context, pc, this.mask);
    if (web.type === "bool") this.forgetGuards(web);
  }

  private maskOperation(pc: number, web: Web, guard: GuardMask | null): void {
    const { context } = this;
    if (this.dependsOnPending(pc) || this.touchesPending(web)) this.flush();
    emitMaskDefinition(context, pc, guard === null ? this.mask : guard.mask);
    this.forgetGuards(web);
  }

  private warpPrimitive(pc: number, guard: GuardMask | null): void {
    const { context } = this;
    const { op } = context.instruction(pc);
    if (this.dependsOnPending(pc)) this.flush();
    if (op.startsWith("shfl") && guard === null && vectorShuffleSource(context, pc, this.mask) !== null) {
      this.enqueue(pc, null);
      return;
    }
    this.flush();
    emitWarpPrimitive(context, this.places, pc, guard === null ? this.mask : guard.mask, this.live, guard !== null);
    for (const web of context.analysis.table.dst[pc]!) if (web.type === "bool") this.forgetGuards(web);
  }

  /** Lets a vector instruction wait for others to share its loop. */
  private enqueue(pc: number, guard: GuardMask | null): void {
    const { context } = this;
    const { op } = context.instruction(pc);
    const webs = context.analysis.table.dst[pc]!;
    const memory = op === "ld" || op === "st";
    const keeps = webs.some((_, index) => context.shapes.mustKeep(pc, index));
    const division = isIntegerDivision(op, context.instruction(pc).type);
    // A guard matters to memory, to faults, and to values that lanes keep.
    let wanted: GuardMask | null = memory || keeps || division ? guard : null;
    // An instruction that changes its own guard reads it in the chunk.
    if (wanted !== null && webs.includes(wanted.web)) wanted = null;
    if (this.pending !== null) {
      const other = this.pending.guard;
      if (!memory && wanted !== null && other === null) wanted = null;
      else if (wanted !== other) this.flush();
    }
    for (const web of webs) {
      // A later definition of a scalar, or of a slot that a shuffle reads elsewhere, must not overtake its readers.
      if (context.shapeOf(web).kind !== "varying" && this.touchesPending(web)) this.flush();
      if (web.type === "bool") this.forgetGuardsAfterFlush(web);
      if (this.shufflesFrom(web)) this.flush();
    }
    this.pending ??= { pcs: [], guard: wanted };
    this.pending.pcs.push(pc);
  }

  /** A guard's mask that waiting instructions still use is dropped only once they are emitted. */
  private forgetGuardsAfterFlush(web: Web): void {
    if (this.pending !== null && this.guards.some((entry) => entry.web === web)) this.flush();
    this.forgetGuards(web);
  }

  private shufflesFrom(web: Web): boolean {
    return (
      this.pending?.pcs.some(
        (pc) =>
          this.context.instruction(pc).op.startsWith("shfl") &&
          this.context.analysis.table.src[pc]![1] === web &&
          !readsUpwards(this.context, pc),
      ) ?? false
    );
  }

  /** Emits what waits. */
  flush(): void {
    const { pending } = this;
    if (pending === null) return;
    this.pending = null;
    const emit = (mask: Mask): void => new Segment(this.context, this.places, pending.pcs, mask, pending.guard).emit();
    if (pending.guard === null) emit(this.mask);
    else this.within(pending.guard, emit);
  }
}
