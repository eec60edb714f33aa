/**
 * The shape of each web: how its values differ between the lanes of a warp. It is a fixpoint over the program tree, from
 * "unknown" upwards. Control flow is divergent where a condition varies. A web that must keep old values in waiting
 * lanes varies.
 */

import type { Instruction, Program, ProgramNode, Region } from "../../../lower/program.js";
import { operandType, resultType } from "../../semantics/operand-type.js";
import type { Liveness, WebSet } from "./liveness.js";
import { isSmallInteger, type LaunchShape, type Ranges } from "./range.js";
import {
  BLOCK_UNIFORM,
  canBeAffine,
  fixedShape,
  isAccess,
  joinShapes,
  mayFault,
  type Shape,
  sameShape,
  VARYING,
  WARP_UNIFORM,
} from "./shape.js";
import type { BlockStructure } from "./structure.js";
import type { Web, WebTable } from "./webs.js";

export interface ShapeTable {
  shapeOf(web: Web): Shape;
  /** Shape of source `index` at `pc`. */
  operandShape(pc: number, index: number): Shape;
  /** The branch at `pc` (if, loop or jump) may send lanes of a warp both ways. */
  isVaryingCondition(pc: number): boolean;
  /** A definition at `pc` of destination `index` must keep the old value in lanes that are not active. */
  mustKeep(pc: number, index: number): boolean;
  /** Loops in which some lanes of a warp may break or continue before others. */
  readonly divergentLoops: ReadonlySet<number>;
}

/** The assumption of a speculation. */
export interface Assumption {
  /** Branches and guards, by pc, that all active lanes of a warp pass alike. */
  readonly together: ReadonlySet<number>;
  /** Webs that may get better shapes; all others keep those of `base`. */
  readonly webs: ReadonlySet<Web>;
  readonly base: ShapeTable;
}

interface Context {
  readonly divergent: boolean;
  readonly live: WebSet;
}

interface LoopContext {
  readonly id: number;
  /** Depth of the context stack outside the loop. */
  readonly depth: number;
}

export class ShapeFinder implements ShapeTable {
  private readonly shapes: (Shape | undefined)[] = [];
  readonly divergentLoops: Set<number> = new Set<number>();
  private readonly divergentLatches = new Set<number>();
  private readonly kept = new Set<string>();
  private contexts: Context[] = [];
  private loops: LoopContext[] = [];
  private changed = false;

  constructor(
    private readonly program: Program,
    private readonly table: WebTable,
    private readonly liveness: Liveness,
    private readonly structure: BlockStructure,
    private readonly ranges: Ranges,
    private readonly shape: LaunchShape,
    private readonly assumption: Assumption | null = null,
  ) {
    if (assumption !== null) {
      for (const web of table.webs) {
        if (!assumption.webs.has(web)) this.shapes[web.id] = assumption.base.shapeOf(web);
      }
    }
    for (const web of table.webs) if (web.readsInitial && this.mayChange(web)) this.shapes[web.id] = BLOCK_UNIFORM;
    do {
      this.changed = false;
      this.kept.clear();
      this.region(program.body);
    } while (this.changed);
  }

  private mayChange(web: Web): boolean {
    return this.assumption === null || this.assumption.webs.has(web);
  }

  shapeOf(web: Web): Shape {
    return this.shapes[web.id] ?? BLOCK_UNIFORM;
  }

  operandShape(pc: number, index: number): Shape {
    return this.known(pc, index) ?? BLOCK_UNIFORM;
  }

  isVaryingCondition(pc: number): boolean {
    const web = this.table.guard[pc];
    return web != null && this.shapeOf(web).kind === "varying" && this.assumption?.together.has(pc) !== true;
  }

  mustKeep(pc: number, index: number): boolean {
    return this.kept.has(`${pc}:${index}`);
  }

  private region(nodes: Region): void {
    for (const node of nodes) this.node(node);
  }

  private within(context: Context, nodes: Region): void {
    this.contexts.push(context);
    this.region(nodes);
    this.contexts.pop();
  }

  private node(node: ProgramNode): void {
    switch (node.kind) {
      case "run":
        for (let i = 0; i < node.count; i++) this.define(this.program.instructions[node.first + i]!);
        return;
      case "if": {
        const divergent = this.isVaryingCondition(node.branch);
        this.within({ divergent, live: this.liveness.atElse.get(node.branch)! }, node.then);
        this.within({ divergent, live: this.liveness.atJoin.get(node.branch)! }, node.else);
        return;
      }
      case "loop": {
        if (this.isVaryingCondition(node.backBranch)) this.markDivergent(this.divergentLoops, node.id);
        this.loops.push({ id: node.id, depth: this.contexts.length });
        const left = { divergent: this.divergentLoops.has(node.id), live: this.liveness.atExit.get(node.id)! };
        const waiting = { divergent: this.divergentLatches.has(node.id), live: this.liveness.atLatch.get(node.id)! };
        this.contexts.push(left);
        this.within(waiting, node.body);
        this.within({ divergent: false, live: new Set() }, node.latch);
        this.contexts.pop();
        this.loops.pop();
        return;
      }
      default: {
        const loop = this.loops.find((entry) => entry.id === node.loop);
        if (loop === undefined) return;
        // Lanes diverge at the jump itself, or diverged inside the loop before it.
        const inside = this.contexts.slice(loop.depth + 2);
        const divergent = this.isVaryingCondition(node.pc) || inside.some((context) => context.divergent);
        if (divergent)
          this.markDivergent(node.kind === "break" ? this.divergentLoops : this.divergentLatches, node.loop);
      }
    }
  }

  private markDivergent(set: Set<number>, id: number): void {
    if (set.has(id)) return;
    set.add(id);
    this.changed = true;
  }

  private define(instruction: Instruction): void {
    const { pc } = instruction;
    instruction.dst.forEach((_, index) => {
      const web = this.table.dst[pc]![index]!;
      const parted = this.contexts.some((context) => context.divergent && context.live.has(web));
      const guard = this.table.guard[pc] ?? null;
      const guarded = guard !== null && (web.defs.length > 1 || web.readsInitial);
      if (parted || guarded) this.kept.add(`${pc}:${index}`);
      if (!this.mayChange(web)) return;
      const varies = parted || (guarded && this.isVaryingCondition(pc));
      let result = varies ? VARYING : this.result(instruction, web);
      if (result === undefined) return;
      if (result.kind === "uniform" && result.scope === "block" && !(this.isOfBlock(pc) && this.mayBeOfBlock(web))) {
        result = WARP_UNIFORM;
      }
      if (result.kind === "affine" && !canBeAffine(web.type)) result = VARYING;
      const old = this.shapes[web.id];
      const next = web.defs.length === 1 && !web.readsInitial ? result : joinShapes(old, result);
      if (old !== undefined && sameShape(old, next)) return;
      this.shapes[web.id] = next;
      this.changed = true;
    });
  }

  /** A value computed once a block is the same with and without a speculation. */
  private mayBeOfBlock(web: Web): boolean {
    return this.assumption === null || sameShape(this.assumption.base.shapeOf(web), BLOCK_UNIFORM);
  }

  /** The instruction can be run once a block, before the warps run its phase; or it is a barrier. */
  private isOfBlock(pc: number): boolean {
    const instruction = this.program.instructions[pc]!;
    if (instruction.op === "bar") return true;
    if (!this.structure.straight[pc] || mayFault(instruction, pc, this.ranges)) return false;
    const guard = this.table.guard[pc];
    return guard == null || sameShape(this.shapeOf(guard), BLOCK_UNIFORM);
  }

  private known(pc: number, index: number): Shape | undefined {
    const operand = this.program.instructions[pc]!.src[index];
    if (operand === undefined) return BLOCK_UNIFORM;
    if (operand.kind === "reg") return this.shapes[this.table.src[pc]![index]!.id];
    return fixedShape(operand, this.shape.block);
  }

  /** undefined: not known yet. */
  private result(instruction: Instruction, web: Web): Shape | undefined {
    const { op, pc } = instruction;
    const src = instruction.src.map((_, index) => this.known(pc, index));
    switch (op) {
      case "bar":
        return BLOCK_UNIFORM;
      case "ballot":
      case "any":
      case "all":
      case "activemask":
      case "redux":
        return WARP_UNIFORM;
      case "matchAny":
      case "matchAll":
      case "matchAllPredicate":
      case "atom":
        return VARYING;
      case "ld":
        if (instruction.space === "local" || instruction.root?.kind === "local") return VARYING;
        return src[0] === undefined ? undefined : src[0].kind === "uniform" ? WARP_UNIFORM : VARYING;
      case "shfl":
      case "shflUp":
      case "shflDown":
      case "shflXor":
        return VARYING;
      default:
    }
    const first = src.find((shape) => shape !== undefined);
    if (src.length > 0 && first === undefined) return undefined;
    const operands = src.filter((shape): shape is Shape => shape !== undefined);
    if (operands.every((shape) => shape.kind === "uniform")) {
      return operands.some((shape) => shape.kind === "uniform" && shape.scope === "warp")
        ? WARP_UNIFORM
        : BLOCK_UNIFORM;
    }
    if (operands.length < src.length) return undefined;
    if (op === "setp" && this.isWholeWarp(instruction, operands)) return WARP_UNIFORM;
    const destination = resultType(instruction);
    if (destination === null || destination === "bool" || web.type === "bool") return VARYING;
    return this.affineResult(instruction, operands);
  }

  private affineResult(instruction: Instruction, src: readonly Shape[]): Shape {
    const { op, type } = instruction;
    const a = src[0] ?? BLOCK_UNIFORM;
    const b = src[1] ?? BLOCK_UNIFORM;
    const third = src[2] ?? BLOCK_UNIFORM;
    if (op !== "cvt" && op !== "addr" && op !== "bitcast" && !canBeAffine(type)) return VARYING;
    switch (op) {
      case "mov":
        return a;
      case "add":
        return this.sum(instruction, [a, b]);
      case "add3":
        return this.sum(instruction, [a, b, third]);
      case "sub":
        return this.sum(instruction, [a, this.times(b, -1, 1)]);
      case "neg":
        return this.times(a, -1, 1);
      case "mul":
        return this.product(instruction, 0, 1, a, b);
      case "mad":
        return this.sum(instruction, [this.product(instruction, 0, 1, a, b), third], 2);
      case "lea":
        return this.sum(instruction, [this.shifted(instruction, a, 2), b], 1);
      case "shl":
        return this.shifted(instruction, a, 1);
      case "selp":
        return third.kind === "uniform" && a.kind === "affine" && a.stride !== "dynamic" && sameShape(a, b)
          ? a
          : VARYING;
      case "and":
      case "shr":
      case "div":
      case "rem":
        return this.ofLowBits(instruction, a, b);
      case "cvt": {
        const from = instruction.sourceType ?? type;
        return isSmallInteger(from) && isSmallInteger(type) ? a : VARYING;
      }
      case "bitcast":
        return isSmallInteger(instruction.sourceType ?? type) && isSmallInteger(type) ? a : VARYING;
      case "addr":
        return this.address(instruction, a, b);
      default:
        return VARYING;
    }
  }

  /** tid < 32 * n and its like: true in all lanes of a warp or in none. */
  private isWholeWarp(instruction: Instruction, [a, b, combined]: readonly Shape[]): boolean {
    const type = instruction.sourceType ?? "i32";
    if (a?.kind !== "affine" || a.stride !== 1 || a.baseMultiple < 32 || b?.kind !== "uniform") return false;
    if (!isSmallInteger(type) || (combined !== undefined && combined.kind !== "uniform")) return false;
    const limit = this.ranges.operand(instruction.pc, 1, type);
    switch (instruction.compare) {
      case "lt":
      case "ge":
        return limit.multiple >= 32;
      case "le":
      case "gt":
        return limit.low === limit.high && limit.low % 32 === 31;
      default:
        return false;
    }
  }

  private immediate(instruction: Instruction, index: number): number | null {
    const operand = instruction.src[index];
    if (operand?.kind === "imm") return Number(operand.value);
    const range = this.ranges.operand(instruction.pc, index, operandType(instruction, index));
    const isSmall = isSmallInteger(operandType(instruction, index));
    return isSmall && range.low === range.high ? range.low : null;
  }

  /** `skip`: index of the first source that `shapes` holds unmultiplied, for its known divisor. */
  private sum(instruction: Instruction, shapes: readonly Shape[], skip = 0): Shape {
    let stride: number | "dynamic" = 0;
    let baseMultiple = 32;
    shapes.forEach((shape, position) => {
      if (shape.kind === "affine") {
        stride = stride === "dynamic" || shape.stride === "dynamic" ? "dynamic" : stride + shape.stride;
        baseMultiple = Math.min(baseMultiple, shape.baseMultiple);
      } else if (shape.kind === "uniform") {
        baseMultiple = Math.min(
          baseMultiple,
          this.multiple(instruction, position === 0 ? 0 : position - 1 + Math.max(1, skip)),
        );
      }
    });
    if (shapes.some((shape) => shape.kind === "varying")) return VARYING;
    if (stride === 0) return WARP_UNIFORM;
    return { kind: "affine", stride, baseMultiple };
  }

  private multiple(instruction: Instruction, index: number): number {
    const type = operandType(instruction, index);
    return isSmallInteger(type) ? Math.min(32, this.ranges.operand(instruction.pc, index, type).multiple) : 1;
  }

  private times(shape: Shape, factor: number, multiple: number): Shape {
    if (shape.kind !== "affine") return shape;
    const stride = shape.stride === "dynamic" ? "dynamic" : shape.stride * factor;
    if (stride === 0) return WARP_UNIFORM;
    if (stride !== "dynamic" && Math.abs(stride) > LARGEST_STRIDE) return VARYING;
    return { kind: "affine", stride, baseMultiple: Math.min(32, shape.baseMultiple * multiple) };
  }

  private product(instruction: Instruction, left: number, right: number, a: Shape, b: Shape): Shape {
    if (a.kind === "uniform" && b.kind === "uniform") return WARP_UNIFORM;
    const [affine, factor, index] = a.kind === "affine" ? [a, b, right] : [b, a, left];
    if (affine.kind !== "affine" || factor.kind !== "uniform") return VARYING;
    const value = this.immediate(instruction, index);
    if (value !== null) return this.times(affine, value, multipleOf32(value));
    const multiple = Math.min(32, affine.baseMultiple * this.multiple(instruction, index));
    return { kind: "affine", stride: "dynamic", baseMultiple: multiple };
  }

  private shifted(instruction: Instruction, a: Shape, countIndex: number): Shape {
    if (this.known(instruction.pc, countIndex)?.kind !== "uniform") return VARYING;
    if (a.kind !== "affine") return a;
    const count = this.immediate(instruction, countIndex);
    if (count === null || count < 0 || count > 20) return VARYING;
    return this.times(a, 2 ** count, 2 ** Math.min(5, count));
  }

  /** Lane and warp index from a thread index whose base is a multiple of 32: tid & 31, tid >> 5, tid / 32, tid % 32. */
  private ofLowBits(instruction: Instruction, a: Shape, b: Shape): Shape {
    const value = this.immediate(instruction, 1);
    if (a.kind !== "affine" || a.stride !== 1 || a.baseMultiple < 32 || b.kind !== "uniform" || value === null)
      return VARYING;
    const { op, type } = instruction;
    if (type !== "i32" && type !== "u32") return VARYING;
    const unsigned = type === "u32" || this.ranges.operand(instruction.pc, 0, type).low >= 0;
    const power = value >= 32 && (value & (value - 1)) === 0;
    switch (op) {
      case "and":
        if (((value + 1) & value) === 0 && (value & 31) === 31) return { kind: "affine", stride: 1, baseMultiple: 32 };
        return (value & 31) === 0 ? WARP_UNIFORM : VARYING;
      case "shr":
        return value >= 5 && value < 32 ? WARP_UNIFORM : VARYING;
      case "div":
        return power && unsigned ? WARP_UNIFORM : VARYING;
      default:
        return power && unsigned ? { kind: "affine", stride: 1, baseMultiple: 32 } : VARYING;
    }
  }

  /**
   * The address of an affine index is affine only if no lane's index wraps. Intervals may prove that. A signed index
   * that wraps is out of bounds whatever is added. An address that goes straight to a load or store is checked there.
   */
  private address(instruction: Instruction, index: Shape, start: Shape): Shape {
    const scale = instruction.scale ?? 1;
    const moved = this.times(index, scale, multipleOf32(scale));
    if (index.kind === "affine" && instruction.root?.kind === "param" && !this.cannotWrap(instruction)) {
      const direct = this.shape.wholeAllocations && this.startsAtRoot(instruction) && this.onlyAccessed(instruction);
      const far = index.stride === "dynamic" || instruction.sourceType === "u32";
      if (far && !direct) return VARYING;
    }
    if (instruction.src.length === 1) return moved.kind === "affine" ? { ...moved, baseMultiple: 1 } : moved;
    if (moved.kind === "varying" || start.kind === "varying") return VARYING;
    const sum = this.sum(instruction, [moved, start]);
    return sum.kind === "affine" ? { ...sum, baseMultiple: 1 } : sum;
  }

  /** The interval of the index is not the whole type: its computation was followed without wrapping. */
  private cannotWrap(instruction: Instruction): boolean {
    const type = instruction.sourceType ?? "i32";
    if (!isSmallInteger(type)) return true;
    const { low, high } = this.ranges.operand(instruction.pc, 0, type);
    return low > -(2 ** 30) && high < 2 ** 30;
  }

  /** The address counts from the root's first byte. */
  private startsAtRoot({ pc, src }: Instruction): boolean {
    if (src.length === 1) return true;
    const web = this.table.src[pc]![1];
    const [def] = web?.defs ?? [];
    if (web == null || def === undefined || web.defs.length > 1 || web.readsInitial) return false;
    const start = this.program.instructions[def]!;
    const [index] = start.src;
    return start.op === "addr" && start.src.length === 1 && index?.kind === "imm" && Number(index.value) === 0;
  }

  private onlyAccessed(instruction: Instruction): boolean {
    const web = this.table.dst[instruction.pc]![0]!;
    const unsigned = instruction.sourceType === "u32";
    return web.uses.every((pc) => {
      const use = this.program.instructions[pc]!;
      if (!isAccess(use) || this.table.src[pc]!.lastIndexOf(web) !== 0) return false;
      return !unsigned || (use.op !== "atom" && (use.offset ?? 0) <= 0);
    });
  }
}

const LARGEST_STRIDE = 2 ** 24;

function multipleOf32(value: number): number {
  if (value === 0) return 32;
  let power = 1;
  while (power < 32 && value % (power * 2) === 0) power *= 2;
  return power;
}
