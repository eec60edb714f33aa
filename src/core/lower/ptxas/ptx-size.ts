/**
 * The size of a loop body in PTX instructions, from which ptxas decides about unrolling. The counter's step, the
 * test and the branch do not count. Calibrated with loops written in PTX, each padded with sums to its limit (about
 * 150 kinds of bodies, nvcc 13.0). A move is free. A branch, select or barrier counts one, and an access with an
 * offset one more. A product of words and its sum count one.
 */

import { isOffset } from "../analysis/address.js";
import { definedIn } from "../analysis/counted-loop.js";
import { issueSlots } from "../machine/machine-instructions.js";
import { twoPaths } from "../machine/two-path-code.js";
import { isSelect } from "../nvvm/control/if-to-select.js";
import type { RegisterType } from "../program.js";
import { isInteger32 } from "../ssa/integer-types.js";
import { type Inst, type LoopNode, type Region, resolve, type SsaNode, type SsaOp, type Value } from "../ssa/ssa.js";

export interface PtxSize {
  readonly instructions: number;
  readonly sharedLoads: number;
  /** Loads from global or local memory. */
  readonly loads: number;
}

/** The address of a shared array's element is computed in the iteration. */
const SHARED_PLACE = 3;
/** An atomic is expanded before unrolling. */
const ATOMIC = 10;
const SIZES: ReadonlyMap<string, number> = new Map([
  ["overhead", 0],
  ["special", 0],
  ["param", 0],
  ["warpSize", 0],
  ["base", 0],
  ["bitcast", 0],
  ["clz", 2],
  ["ffs", 3],
  ["atom", ATOMIC],
  ["div u32", 21],
  ["div i32", 27],
  ["rem u32", 19],
  ["rem i32", 24],
  ["rsqrt f32", 6],
  ["fastDivide f32", 7],
  ["fastExp f32", 7],
  ["fastLog f32", 7],
  ["exp2 f32", 6],
  ["min f64", 1],
  ["max f64", 1],
]);

/** Null if the body has something that prevents unrolling: a call, a loop, a fence, or a jump out of it. */
export function ptxSize(loop: LoopNode, uses: Int32Array): PtxSize | null {
  const count = new Count(loop, uses);
  const whole = count.region(loop.body) && count.region(loop.latch);
  return whole ? { ...count.size, instructions: count.size.instructions - COUNTING } : null;
}

/** The counter's step and test. */
const COUNTING = 2;

class Count {
  readonly size = { instructions: 0, sharedLoads: 0, loads: 0 };
  private readonly inside: ReadonlySet<Value>;
  private readonly nexts: ReadonlySet<Value>;
  private readonly uses: Int32Array;
  private readonly widened = new Set<string>();
  private readonly products = new Set<Value>();

  constructor(loop: LoopNode, uses: Int32Array) {
    this.inside = definedIn(loop);
    this.nexts = new Set(loop.nexts.map(resolve));
    this.uses = uses;
  }

  region({ nodes, end }: Region): boolean {
    return (end.kind === "yield" || end.kind === "unreachable") && nodes.every((node) => this.node(node));
  }

  private node(node: SsaNode): boolean {
    if (node.kind === "loop") return false;
    if (node.kind === "inst") return this.inst(node);
    const both = node.then.nodes.length > 0 && node.else.nodes.length > 0;
    this.size.instructions += isSelect(node) ? node.results.length : both ? 2 : 1;
    return this.region(node.then) && this.region(node.else);
  }

  private inst(inst: Inst): boolean {
    const { op, type, mods } = inst;
    if (op === "fence" || op === "gridsync" || op === "launch" || op === "printf" || op === "deviceSynchronize")
      return false;
    if (twoPaths(op, type) !== null) return false;
    this.size.instructions += this.sizeOf(inst);
    if (op === "ld") {
      if (mods.space === "shared") this.size.sharedLoads++;
      else this.size.loads++;
    }
    return true;
  }

  private sizeOf(inst: Inst): number {
    const { op, type, mods } = inst;
    if (op === "addr") return this.sizeOfAddress(inst);
    if (op === "ld" || op === "st") return 1 + this.sizeOfPlace(resolve(inst.operands[0]!), mods.offset ?? 0);
    if (op === "cvt") return isInteger32(type) && isInteger32(mods.sourceType ?? type) ? 0 : 1;
    if (op === "mul" && this.uses[inst.results[0]!.id] === 1) {
      if (isInteger32(type) || type === "f32" || type === "f64") this.products.add(inst.results[0]!);
    }
    if (op === "add" && inst.operands.some((operand) => this.products.delete(resolve(operand)))) return 0;
    return SIZES.get(op) ?? SIZES.get(`${op} ${type}`) ?? functionSize(op, type);
  }

  /** An access with an offset from an address, or at a constant address. */
  private sizeOfPlace(address: Value, offset: number): number {
    let at = address;
    let apart = offset !== 0;
    while (at.def !== null && isOffset(at.def) && !this.steps(at)) {
      at = resolve(at.def.operands[0]!);
      apart = true;
    }
    const fixed = at.def?.op === "base" && at.def.mods.root?.kind === "shared";
    return (fixed ? SHARED_PLACE : 0) + (apart ? 1 : 0);
  }

  private sizeOfAddress(inst: Inst): number {
    const index = resolve(inst.operands[1]!);
    // The accesses fold the offset.
    if (isOffset(inst)) return this.steps(inst.results[0]!) ? 1 : 0;
    if (!this.inside.has(index)) return 1;
    const key = `${index.id} ${inst.mods.scale}`;
    const scaled = this.widened.has(key) ? 0 : 1;
    this.widened.add(key);
    return 1 + scaled;
  }

  /** The value is a pointer's next value. */
  private steps(value: Value): boolean {
    return this.nexts.has(value);
  }
}

/** An elementary function is about as long in PTX as in machine code. */
function functionSize(op: SsaOp, type: RegisterType): number {
  if (type !== "f32" && type !== "f64") return 1;
  return Math.max(1, issueSlots(op, type, {}).length);
}
