/**
 * Where two values are known to be equal, the one known later is the one known before: `if (lane == k) counts[k] = n` in a loop of
 * k has its place in front of the loop (LLVM's GVN; nvcc 13.0, 15 kernels). What is known to be a
 * constant is that constant, but for addresses, which are at hand.
 */

import { isPure } from "../../ssa/effects.js";
import { isInteger32, isIntegerType } from "../../ssa/integer-types.js";
import {
  type IfNode,
  type Inst,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type Value,
} from "../../ssa/ssa.js";

export function replaceEquals(fn: SsaFunction): boolean {
  return new Equals().region(fn.body, 0);
}

class Equals {
  /** How many of the loops that a pragma has unrolled, when invariant code has moved, a value changes in. */
  private readonly depths = new Map<Value, number>();
  private readonly ages = new Map<Value, number>();

  region(region: Region, depth: number): boolean {
    let changed = false;
    for (const node of region.nodes) {
      const inner = node.kind === "loop" && node.unroll !== null ? depth + 1 : depth;
      if (node.kind === "loop") for (const param of [...node.params, ...node.latchParams]) this.enter(param, inner);
      if (node.kind === "if") changed = this.replaceIn(node) || changed;
      for (const each of regionsOf(node)) changed = this.region(each, inner) || changed;
      for (const result of node.results) this.enter(result, node.kind === "inst" ? this.depthOf(node, depth) : depth);
    }
    return changed;
  }

  private enter(value: Value, depth: number): void {
    this.depths.set(value, depth);
    this.ages.set(value, this.ages.size);
  }

  private depthOf(inst: Inst, depth: number): number {
    if (!isPure(inst)) return depth;
    return Math.max(0, ...inst.operands.map((operand) => this.depths.get(resolve(operand)) ?? 0));
  }

  private isOlder(a: Value, b: Value): boolean {
    const depth = (value: Value): number => (value.def?.op === "param" ? -1 : (this.depths.get(value) ?? 0));
    const age = (value: Value): number => this.ages.get(value) ?? 0;
    return depth(a) !== depth(b) ? depth(a) < depth(b) : age(a) < age(b);
  }

  private replaceIn(node: IfNode): boolean {
    // In the arms of a switch the value stays.
    const test = node.arm === true ? null : resolve(node.condition).def;
    if (test?.op !== "setp" || test.operands.length !== 2) return false;
    const { compare, sourceType } = test.mods;
    if ((compare !== "eq" && compare !== "ne") || sourceType === undefined || !isIntegerType(sourceType)) return false;
    const [a, b] = test.operands.map(resolve) as [Value, Value];
    if (a.constant !== null || (a.type !== b.type && !(isInteger32(a.type) && isInteger32(b.type)))) return false;
    const [older, younger] = b.constant !== null || this.isOlder(b, a) ? [b, a] : [a, b];
    return replaceReads(compare === "eq" ? node.then : node.else, younger, older);
  }
}

function replaceReads(region: Region, value: Value, by: Value): boolean {
  let changed = false;
  for (const node of region.nodes) {
    for (const inner of regionsOf(node)) changed = replaceReads(inner, value, by) || changed;
    if (node.kind !== "inst" || (by.constant !== null && node.op === "addr")) continue;
    node.operands = node.operands.map((operand) => {
      if (resolve(operand) !== value) return operand;
      changed = true;
      return by;
    });
  }
  return changed;
}
