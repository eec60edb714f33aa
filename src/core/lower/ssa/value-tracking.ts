/** Facts about integer values from their definitions and from dominating conditions (LLVM's ValueTracking). */
import type { CompareOp } from "../../ir/ir.js";
import { INVERTED } from "./constant-folding.js";
import { type Inst, resolve, type Value } from "./ssa.js";

/** Values that value numbering knows to be non-negative at its current position, by id. */
export class Facts {
  private readonly known = new Map<number, number>();
  /** Values known to be multiples of 2^exponent. */
  private readonly multiples = new Map<number, number>();

  assume(value: Value): void {
    this.known.set(value.id, (this.known.get(value.id) ?? 0) + 1);
  }

  retract(value: Value): void {
    const count = (this.known.get(value.id) ?? 1) - 1;
    if (count === 0) this.known.delete(value.id);
    else this.known.set(value.id, count);
  }

  assumeMultiple(value: Value, exponent: number): void {
    this.multiples.set(value.id, exponent);
  }

  retractMultiple(value: Value): void {
    this.multiples.delete(value.id);
  }

  /** The number of low bits of a 32-bit value that are known to be 0. */
  evenness(value: Value, depth = 6): number {
    const now = resolve(value);
    if (typeof now.constant === "number")
      return now.constant === 0 ? 32 : 31 - Math.clz32(now.constant & -now.constant);
    const { def } = now;
    if (def === null) return this.multiples.get(now.id) ?? 0;
    if (depth === 0) return 0;
    const operand = (i: number): number => this.evenness(def.operands[i]!, depth - 1);
    switch (def.op) {
      case "add":
      case "sub":
      case "or":
      case "xor":
        return Math.min(operand(0), operand(1));
      case "mul":
        return Math.min(32, operand(0) + operand(1));
      case "and":
        return Math.max(operand(0), operand(1));
      case "shl": {
        const count = resolve(def.operands[1]!).constant;
        return typeof count === "number" ? Math.min(32, operand(0) + count) : 0;
      }
      default:
        return 0;
    }
  }

  /** The value is non-negative when read as signed. */
  notNegative(value: Value, depth = 6): boolean {
    const now = resolve(value);
    if (this.known.has(now.id)) return true;
    if (now.constant !== null) return typeof now.constant === "number" && (now.constant | 0) >= 0;
    const { def } = now;
    if (def === null || depth === 0) return false;
    const operand = (i: number): Value => resolve(def.operands[i]!);
    const both = (): boolean => this.notNegative(operand(0), depth - 1) && this.notNegative(operand(1), depth - 1);
    switch (def.op) {
      case "shr": {
        const count = operand(1).constant;
        if (def.type === "u32" && typeof count === "number" && count > 0) return true;
        return this.notNegative(operand(0), depth - 1);
      }
      case "and":
        return this.notNegative(operand(0), depth - 1) || this.notNegative(operand(1), depth - 1);
      case "or":
      case "xor":
        return both();
      case "min":
        return def.type === "i32" && both();
      case "max":
        return (
          def.type === "i32" && (this.notNegative(operand(0), depth - 1) || this.notNegative(operand(1), depth - 1))
        );
      case "rem":
        if (def.type === "i32") return this.notNegative(operand(0), depth - 1);
        return this.notNegative(operand(1), depth - 1);
      case "div":
        return def.type === "i32" ? both() : this.notNegative(operand(0), depth - 1);
      case "popc":
      case "ffs":
      case "clz":
        return true;
      case "ld":
        return def.mods.narrow === "u8" || def.mods.narrow === "u16";
      case "selp":
        return both();
      default:
        return false;
    }
  }
}

/** The values that a condition shows to be non-negative where it holds (or fails, with `holds` false). */
export function shownNotNegative(condition: Value, holds: boolean): readonly Value[] {
  const def = resolve(condition).def;
  if (def === null) return [];
  // Both operands of `and` hold where it holds; both operands of `or` fail where it fails.
  if (def.op === (holds ? "pand" : "por")) return def.operands.flatMap((operand) => shownNotNegative(operand, holds));
  if (def.op !== "setp" || def.operands.length > 2) return [];
  const { compare, sourceType } = def.mods;
  const left = resolve(def.operands[0]!);
  const bound = resolve(def.operands[1]!).constant;
  if (compare === undefined || typeof bound !== "number") return [];
  const test = holds ? compare : INVERTED[compare];
  const shown = leavesNoneNegative(test, sourceType, bound) ? [left] : [];
  if (sourceType !== "u32" || test !== "lt") return shown;
  const shifted = shiftedRange(left, bound >>> 0);
  return shifted === null ? shown : [...shown, shifted];
}

/** True if the compare with a constant excludes values that are negative when read as signed. */
function leavesNoneNegative(compare: CompareOp, type: string | undefined, bound: number): boolean {
  if (type === "u32")
    return (compare === "lt" && bound >>> 0 <= 2 ** 31) || (compare === "le" && bound >>> 0 < 2 ** 31);
  return type === "i32" && ((compare === "gt" && bound >= -1) || (compare === "ge" && bound >= 0));
}

/** x, where x - c < `count` unsigned limits it to c .. c + count - 1 and none of those is negative. */
function shiftedRange(sum: Value, count: number): Value | null {
  const { def } = sum;
  const added = def?.op === "add" ? resolve(def.operands[1]!).constant : null;
  if (typeof added !== "number") return null;
  const least = -(added | 0);
  return least >= 0 && least + count <= 2 ** 31 ? resolve(def!.operands[0]!) : null;
}

export function definition(value: Value): Inst | null {
  return resolve(value).def;
}

/** The largest value of a special register. Source: CUDA C++ Programming Guide, "Technical Specifications". */
function largestSpecial(inst: Inst): number {
  const { special } = inst.mods;
  const axis = special !== undefined && "axis" in special ? special.axis : "x";
  switch (special?.name) {
    case "threadIdx":
      return axis === "z" ? 63 : 1023;
    case "blockDim":
      return axis === "z" ? 64 : 1024;
    case "blockIdx":
      return axis === "x" ? 2 ** 31 - 2 : 65534;
    case "gridDim":
      return axis === "x" ? 2 ** 31 - 1 : 65535;
    case "laneId":
      return 31;
    default:
      return 0xffffffff;
  }
}

/** An upper bound of a 32-bit value, read as unsigned. */
export function unsignedLimit(value: Value, depth = 6): number {
  const now = resolve(value);
  if (typeof now.constant === "number") return now.constant >>> 0;
  const { def } = now;
  if (def === null || depth === 0) return 0xffffffff;
  const operand = (i: number): number => unsignedLimit(def.operands[i]!, depth - 1);
  const clip = (limit: number): number => Math.min(limit, 0xffffffff);
  const unlessWrapped = (limit: number): number => (limit > 0xffffffff ? 0xffffffff : limit);
  switch (def.op) {
    case "special":
      return largestSpecial(def);
    case "and":
      return Math.min(operand(0), operand(1));
    case "shr": {
      const count = resolve(def.operands[1]!).constant;
      if (typeof count !== "number" || (def.type !== "u32" && operand(0) > 0x7fffffff)) return 0xffffffff;
      return Math.floor(operand(0) / 2 ** count);
    }
    case "shl": {
      const count = resolve(def.operands[1]!).constant;
      return typeof count === "number" ? unlessWrapped(operand(0) * 2 ** count) : 0xffffffff;
    }
    case "add":
      return unlessWrapped(operand(0) + operand(1));
    case "mul":
      return unlessWrapped(operand(0) * operand(1));
    case "ld":
      return def.mods.narrow === "u8" ? 0xff : def.mods.narrow === "u16" ? 0xffff : 0xffffffff;
    case "popc":
    case "clz":
    case "ffs":
      return 64;
    case "selp":
      return clip(Math.max(operand(0), operand(1)));
    default:
      return 0xffffffff;
  }
}
