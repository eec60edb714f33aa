/**
 * A segment: instructions of one warp that may run four lanes at a time, all of them for one chunk before the next
 * chunk. No lane's memory access in it depends on another's. Checks of whole warps stand before the loop. Checks of
 * single lanes are collected in the loop and judged after it.
 */
import { resultType } from "../../../semantics/operand-type.js";
import { isIntegerDivision } from "../../analysis/shape.js";
import type { Web } from "../../analysis/webs.js";
import type { Local } from "../../wasm/body.js";
import { f64, get, i32, i32x4, i64x2, tee, v128 } from "../../wasm/expression.js";
import { I32 } from "../../wasm/opcodes.js";
import { I64X2, V128 } from "../../wasm/simd.js";
import { type Access, describeAccess, emitCheck, loadComponent, pushLinearBase } from "../access.js";
import { countAffine, countLanes } from "../access-counts.js";
import type { Context, Mask } from "../context.js";
import { FAULT, FAULT_PARAMS } from "../library/fault-library.js";
import type { Places } from "../places.js";
import { emitAddressVector } from "./address-vector.js";
import { Chunk } from "./chunk.js";
import { ChunkMemory, pushFaultPlace } from "./chunk-memory.js";
import { emitShuffleVector } from "./shuffle.js";
import { emitVector } from "./vector-operation.js";
import { isWide, type VectorValue } from "./vector-target.js";

export class Segment {
  private readonly chunk: Chunk;
  private readonly members: ReadonlySet<number>;
  private readonly accesses = new Map<number, Access>();
  private readonly memory: ChunkMemory;
  private readonly zeroDivisors: { readonly pc: number; readonly lanes: Local }[] = [];
  private readonly collected = new Map<Web, Local>();

  /** `mask`: lanes that take part, one at least. Guards of the members that are in the mask already are `implied`. */
  constructor(
    private readonly context: Context,
    private readonly places: Places,
    private readonly pcs: readonly number[],
    private readonly mask: Mask,
    private readonly implied: { readonly web: Web; readonly negate: boolean } | null,
  ) {
    this.members = new Set(pcs);
    this.chunk = new Chunk(context, places, mask);
    this.memory = new ChunkMemory(context, this.chunk, mask);
    for (const pc of pcs) {
      const { op } = context.instruction(pc);
      if (op === "ld" || op === "st") this.accesses.set(pc, describeAccess(context, pc));
    }
  }

  emit(): void {
    const { context, chunk, mask } = this;
    const { body } = context;
    for (const access of this.accesses.values()) this.before(access);
    if (!this.pcs.some((pc) => this.needsLoop(pc))) {
      context.giveReserved("i32", [...this.memory.bases.values()]);
      chunk.release();
      return;
    }
    const end = mask === "full" ? null : body.local("i32");
    if (mask === "full" || end === null) {
      body.set(chunk.at, i32(0));
    } else {
      // From the chunk of the lowest active lane to that of the highest.
      body.set(chunk.at, i32.and(i32.shl(i32.ctz(get(mask)), i32(2)), i32(0x70)));
      body.set(end, i32.and(i32.shl(i32.sub(i32(31), i32.clz(get(mask))), i32(2)), i32(0x70)));
    }
    const loop = body.capture(() => {
      const again = body.loop();
      for (const pc of this.pcs) this.member(pc);
      chunk.emitSteps();
      // Four words on; the last chunk is at 112, or `end`.
      if (end === null) {
        body.push(i32.ne(tee(chunk.at, i32.add(get(chunk.at), i32(16))), i32(128)));
      } else {
        body.push(i32.lt_u(get(chunk.at), get(end)));
        body.set(chunk.at, i32.add(get(chunk.at), i32(16)));
      }
      body.brIf(again);
      body.end();
    });
    chunk.emitSetups();
    for (const local of [
      ...this.memory.gathers.map(({ bad }) => bad),
      ...this.zeroDivisors.map(({ lanes }) => lanes),
    ]) {
      body.set(local, i32(0));
    }
    // Lanes of chunks that the loop leaves out keep theirs.
    for (const [web, local] of this.collected) {
      body.set(local, get(context.scalar(web)));
    }
    body.append(loop);
    this.behind();
    chunk.release();
    context.giveReserved("i32", [
      ...this.memory.bases.values(),
      ...this.memory.gathers.map(({ bad }) => bad),
      ...this.zeroDivisors.map(({ lanes }) => lanes),
      ...this.collected.values(),
    ]);
    if (end !== null) body.release(end);
  }

  /** All but loads of one value for all lanes, which are done before the loop. */
  private needsLoop(pc: number): boolean {
    const access = this.accesses.get(pc);
    if (access?.kind !== "uniform") return true;
    return this.context.analysis.table.dst[pc]!.some((web) => this.context.shapeOf(web).kind === "varying");
  }

  /** Checks and counts an access of the whole warp before the loop. */
  private before(access: Access): void {
    const { context, mask } = this;
    const { body } = context;
    if (access.kind === "gather") return;
    emitCheck(context, access, mask);
    const base = context.takeReserved("i32");
    this.memory.bases.set(access.pc, base);
    pushLinearBase(context, access);
    body.set(base);
    countAffine(context, access, mask, base);
    if (access.kind === "uniform") this.loadUniform(access, base);
  }

  /** One value for all lanes, loaded before the loop. */
  private loadUniform(access: Access, base: Local): void {
    const { context } = this;
    const { body } = context;
    if (context.instruction(access.pc).op !== "ld") return;
    for (let component = 0; component < access.components; component++) {
      const web = context.analysis.table.dst[access.pc]![component]!;
      if (context.shapeOf(web).kind === "varying") continue;
      body.get(base);
      loadComponent(body, access, component);
      body.set(context.scalar(web));
    }
  }

  private member(pc: number): void {
    const instruction = this.context.instruction(pc);
    const access = this.accesses.get(pc);
    if (instruction.op === "ld" && access !== undefined)
      this.memory.load(access, (index, value) => this.define(pc, index, value));
    else if (instruction.op === "st" && access !== undefined) this.memory.store(access);
    else if (instruction.op.startsWith("shfl"))
      this.define(pc, 0, emitShuffleVector(this.context, this.places, this.chunk, pc));
    else if (instruction.op === "addr") this.define(pc, 0, emitAddressVector(this.context, this.chunk, pc));
    else {
      if (isIntegerDivision(instruction.op, instruction.type)) this.noteZeroDivisors(pc);
      this.define(pc, 0, emitVector(instruction, this.chunk.target(pc)));
    }
  }

  /** Pushes the lanes in which the instruction acts as all-ones words; false if that is all lanes. */
  private pushActing(pc: number): boolean {
    const { context, chunk } = this;
    const { body } = context;
    const active = chunk.activeLanes();
    const guard = context.instruction(pc).guard;
    const web = context.analysis.table.guard[pc] ?? null;
    const implied = this.implied !== null && this.implied.web === web && this.implied.negate === guard?.negate;
    if (guard === null || web === null || implied) {
      if (active === null) return false;
      body.get(active);
      return true;
    }
    if (context.shapeOf(web).kind === "uniform") {
      body.push(i32x4.splat(i32.sub(i32(0), get(context.seenAt(web, pc)))));
    } else body.get(chunk.value(web).parts[0]!);
    if (guard.negate) body.op(V128.not);
    if (active !== null) {
      body.push(v128.and(get(active)));
    }
    return true;
  }

  /** Gives destination `index` its value: in the chunk, in its slot if it is read elsewhere, in its lane mask if a bool. */
  private define(pc: number, index: number, computed: VectorValue): void {
    const { context, chunk } = this;
    const { body } = context;
    const web = context.analysis.table.dst[pc]![index]!;
    let value = computed;
    const result = resultType(context.instruction(pc));
    if (web.type !== "bool" && result === "bool") {
      body.set(value.parts[0]!, v128.and(get(value.parts[0]!), i32x4(1, 1, 1, 1)));
    }
    const keep = context.shapes.mustKeep(pc, index);
    if (keep) value = this.blended(pc, web, value);
    chunk.assign(web, value);
    if (web.type === "bool") {
      if (!this.isReadElsewhere(web, pc)) return;
      let mask = this.collected.get(web);
      if (mask === undefined) {
        mask = context.takeReserved("i32");
        this.collected.set(web, mask);
      }
      // Bits of this chunk may stand there from an earlier definition in the segment.
      body.push(get(mask), i32(15));
      chunk.pushFirstLane();
      body.op(I32.shl);
      body.set(mask, i32.and(i32.xor(i32(-1))));
      body.get(value.parts[0]!);
      chunk.collect(mask);
    } else if (keep || this.isReadElsewhere(web, pc)) chunk.store(web, value);
  }

  private blended(pc: number, web: Web, value: VectorValue): VectorValue {
    const { body } = this.context;
    const wide = value.parts.length === 2;
    if (!this.pushActing(pc)) return value;
    const acting = body.local("v128");
    body.set(acting);
    const old = this.chunk.value(web);
    // Only arithmetic makes NaNs canonical: values that are moved keep their bits.
    const mixed = value.rawNaN !== old.rawNaN;
    const parts = value.parts.map((part, index) => {
      const local = body.local("v128");
      body.get(part);
      if (mixed && value.rawNaN) this.chunk.canonical();
      body.get(old.parts[index] ?? old.parts[0]!);
      if (mixed && old.rawNaN) this.chunk.canonical();
      body.get(acting);
      if (wide) body.op(index === 0 ? I64X2.extend_low_s : I64X2.extend_high_s);
      body.op(V128.bitselect);
      body.set(local);
      return local;
    });
    body.release(acting, ...value.parts);
    return { parts, rawNaN: value.rawNaN && old.rawNaN };
  }

  /** The web is read outside this segment, or in it before this definition (in the next iteration of a loop). */
  private isReadElsewhere(web: Web, pc: number): boolean {
    return web.uses.some((use) => !this.members.has(use) || use <= pc);
  }

  private noteZeroDivisors(pc: number): void {
    const { context, chunk } = this;
    const { body } = context;
    const type = context.instruction(pc).type;
    const { low, high } = context.analysis.ranges.operand(pc, 1, type);
    if (!isWide(type) && (low > 0 || high < 0)) return;
    const lanes = context.takeReserved("i32");
    this.zeroDivisors.push({ pc, lanes });
    if (isWide(type)) {
      for (const part of [0, 1] as const) {
        chunk.pushOperand(pc, 1, part, false);
        body.push(i64x2.eq(i64x2(0n, 0n)));
      }
      body.shuffleWords(0, 2, 4, 6);
    } else {
      chunk.pushOperand(pc, 1, 0, false);
      body.push(i32x4.eq(i32x4(0, 0, 0, 0)));
    }
    if (this.pushActing(pc)) body.op(V128.and);
    chunk.collect(lanes);
  }

  /** After the loop: faults of lanes in program order, counts of gathers, new lane masks. */
  private behind(): void {
    const { context } = this;
    const { body } = context;
    for (const pc of this.pcs) {
      for (const { access, bad } of this.memory.gathers) if (access.pc === pc) this.memory.reportGather(access, bad);
      for (const { lanes, pc: at } of this.zeroDivisors) {
        if (at !== pc) continue;
        body.if(get(lanes));
        body.i32(FAULT.division);
        pushFaultPlace(context, pc);
        body.push(get(lanes), f64(0));
        context.library.callImport(body, "fault", FAULT_PARAMS, []);
        body.end();
      }
      const access = this.accesses.get(pc);
      if (access === undefined) continue;
      if (access.kind === "gather") countLanes(context, access, this.mask);
    }
    for (const [web, mask] of this.collected) {
      const local = context.scalar(web);
      body.set(local, get(mask));
    }
  }
}
